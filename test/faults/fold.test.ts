import { describe, expect, it } from "vitest";
import type { LogRecord } from "../../kit.ts";
import { checkFolds } from "./fold.ts";

const LOG = "sessions/main/telegram:direct:1/log.jsonl";
const asked = (id: string): LogRecord => ({ type: "in", id, turn: `turn-${id}`, text: "hello" });
const answered = (id: string, changes: LogRecord = {}): LogRecord => ({
  type: "out",
  turn: `turn-${id}`,
  of: [id],
  text: "hello",
  parts: [],
  pending: 1,
  ...changes,
});

async function complaintsOf(records: readonly LogRecord[]): Promise<string[]> {
  const complaints: string[] = [];
  const log = records.map((record, index) => ({ seq: index + 1, v: 1, at: 0, ...record }));
  await checkFolds(new Map([[LOG, log]]), (text) => void complaints.push(text));
  return complaints;
}

const many = Array.from({ length: 400 }, (_, index) => String(index)).flatMap((id) => [asked(id), answered(id)]);

describe("checkFolds()", () => {
  it("finds nothing in a log that is as long as it likes", async () => {
    expect(await complaintsOf(many)).toEqual([]);
    expect(await complaintsOf(many.map((record, index) => ({ ...record, pending: index + 1 })))).toEqual([]);
  });

  it("complains of what waits and of what is open in the end", async () => {
    expect((await complaintsOf([asked("a")])).join()).toMatch(/a still waits/);
    const begun = { type: "step", turn: "turn-a", step: 0, of: ["a"], message: {}, text: "", calls: [] };
    expect((await complaintsOf([asked("a"), begun])).join()).toMatch(/turn-a is still open/);
  });

  it("complains of what only the whole log tells", async () => {
    // It waits at the beginning of a log whose newer replies say that nothing older was open.
    const records = [asked("forgotten"), ...many].map((record, index) => ({ ...record, pending: index + 1 }));
    expect((await complaintsOf(records)).join()).toMatch(/loaded from its end/);
  });
});
