import { describe, expect, it } from "vitest";
import { type NewRecord, type Sequenced, transcriptOf } from "../../src/session/index.ts";
import { compact, message, out, step } from "./support.ts";

const sequenced = (records: readonly NewRecord[]) =>
  records.map((record, index): Sequenced => ({ ...record, v: 1, at: 1000 + index, seq: index + 1 }));
const entries = (...records: NewRecord[]) => transcriptOf(sequenced(records));

describe("transcriptOf()", () => {
  it("tells messages, calls with what came of them, and replies", () => {
    const call = { toolCallId: "x", name: "time", input: { zone: "UTC" } };
    const done = { type: "tool", turn: "turn-a", step: 0, index: 0, name: "time", state: "done" } as const;
    expect(
      entries(
        message("a"),
        step("turn-a", ["a"], { calls: [call, { ...call, name: "gone" }] }),
        { ...done, output: "noon" },
        out("turn-a", ["a"], { parts: ["reply"] }),
        { type: "mark", of: 4, part: 0, delivery: "sent" },
      ),
    ).toEqual([
      { type: "user", seq: 1, atMs: 1000, text: "text a", user: "telegram:42", senderName: "Ada" },
      { type: "tool", seq: 2, atMs: 1001, callId: "turn-a.0.0", name: "time", input: { zone: "UTC" }, output: "noon" },
      { type: "tool", seq: 2, atMs: 1001, callId: "turn-a.0.1", name: "gone", input: { zone: "UTC" } },
      { type: "assistant", seq: 4, atMs: 1003, text: "reply turn-a", turnId: "turn-a", delivery: "sent" },
    ]);
  });

  it("tells what the assistant was told to do from what people say", () => {
    const due = { text: "The job is due", source: "job water" };
    const [note, ...rest] = entries(
      message("j", { ...due, origin: "job" }),
      out("turn-j", ["j"]),
      message("k", { text: "It was approved", source: "approval K7QD2M" }),
    );
    expect(note).toEqual({ type: "note", seq: 1, atMs: 1000, ...due, origin: "job" });
    expect(rest).toMatchObject([{ type: "assistant" }, { type: "note", source: "approval K7QD2M" }]);
    expect(rest[1]).not.toHaveProperty("origin");
  });

  it("tells summaries, and which of them a person wrote", () => {
    expect(
      entries(
        compact(5),
        compact(5, { summary: "mine", reason: "edit", by: "web" }),
        compact(7, { summary: "", problem: "no model" }),
      ),
    ).toEqual([
      { type: "summary", seq: 1, atMs: 1000, text: "up to 5", turns: 5, edited: false },
      { type: "summary", seq: 2, atMs: 1001, text: "mine", turns: 5, edited: true, by: "web" },
      { type: "summary", seq: 3, atMs: 1002, text: "", turns: 7, edited: false, problem: "no model" },
    ]);
  });

  it("tells what was only heard, commands, and where the conversation began anew", () => {
    const heard = { type: "heard", id: "h", text: "lunch?", user: "telegram:7", sender: { id: "7" } } as const;
    expect(
      entries(heard, message("c", { text: "/compact", command: "compact" }), { type: "reset", by: "telegram:42" }),
    ).toEqual([
      { type: "user", seq: 1, atMs: 1000, text: "lunch?", user: "telegram:7", heard: true },
      {
        type: "user",
        seq: 2,
        atMs: 1001,
        text: "/compact",
        user: "telegram:42",
        senderName: "Ada",
        command: "compact",
      },
      { type: "reset", seq: 3, atMs: 1002, by: "telegram:42" },
    ]);
  });

  it("leaves out what nobody reads: settings, stops, silence", () => {
    const setting = { type: "setting", settings: { queueMode: "steer" }, by: "telegram:42" } as const;
    expect(entries(setting, { type: "stop", by: "telegram:42" }, out("t", [], { silent: true, text: "" }))).toEqual([]);
  });
});
