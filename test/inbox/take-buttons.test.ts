import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineTool, memoryStore } from "../../entry.host.ts";
import type { OutboundMessage, Store } from "../../kit.ts";
import { silentLogger } from "../../src/telemetry/index.ts";
import type { fakeClock } from "../../src/testing/fake-clock.ts";
import { type InMemoryChannel, inMemoryChannel } from "../../src/testing/in-memory-channel.ts";
import { calls, says } from "../../src/testing/scripted-model.ts";
import { until } from "../support/until.ts";
import { testAssistant } from "../support/assistant.ts";

const OWNER = "memory:1";

/** An assistant whose one tool asks first, on a channel that can change what it sent. */
async function setUp({
  store = memoryStore(),
  clock,
  edit,
  dm = "open",
}: {
  store?: Store;
  clock?: ReturnType<typeof fakeClock>;
  edit?: (message: OutboundMessage) => Promise<void>;
  dm?: "open" | "pairing";
} = {}) {
  const edits: { id: string; message: OutboundMessage }[] = [];
  const warnings: string[] = [];
  const ran: string[] = [];
  const channel: InMemoryChannel = {
    ...inMemoryChannel({ access: { dm } }),
    async edit(_, id, message) {
      await edit?.(message);
      edits.push({ id, message });
    },
  };
  const t = await testAssistant({
    store,
    ...(clock && { clock }),
    channel,
    from: "1",
    logger: { ...silentLogger, warn: (message) => void warnings.push(message) },
    script: (prompt) => (prompt.at(-1)?.role === "tool" ? says("I asked") : calls(["wipe", {}])),
    owner: { ids: [OWNER] },
    tools: {
      wipe: defineTool({
        description: "wipes a disk",
        inputSchema: v.object({}),
        execute: () => void ran.push("ran"),
        meta: { dangerous: true },
      }),
    },
    approvals: { timeoutMinutes: 60 },
    queue: { debounceMs: 0 },
  });
  async function asked() {
    await t.receive("wipe");
    await until(t.clock, () => channel.textsTo("1").includes("I asked") && shown() !== undefined);
    return (await t.assistant.approvals.list())[0]!;
  }
  const shown = () => channel.sent.find(({ message }) => message.buttons !== undefined);
  return { ...t, edits, warnings, ran, asked, shown };
}

describe("an answered request", () => {
  it.each([
    [{ answer: "once" }, "✓ Approved once by memory:1."],
    [{ answer: "always" }, "✓ Approved by memory:1, now and from now on."],
    [{ answer: "deny" }, "✗ Denied by memory:1."],
  ] as const)(
    "loses its buttons after %j, wherever the answer was given, and says which it was",
    async (answer, line) => {
      const t = await setUp();
      const { id } = await t.asked();
      await t.assistant.approvals.answer(id, { ...answer, user: OWNER });
      await until(t.clock, () => t.edits.length > 0);
      const { id: sentAs, message } = t.shown()!;
      expect(t.edits).toEqual([{ id: sentAs, message: { text: `${message.text}\n\n${line}` } }]);
    },
  );

  it("loses them when nobody answered in time", async () => {
    const t = await setUp();
    await t.asked();
    await t.clock.advance(61 * 60_000);
    await until(t.clock, () => t.edits.length > 0);
    expect(t.edits[0]?.message).toEqual({
      text: expect.stringContaining("Not answered in time, or no longer valid.") as string,
    });
  });

  it("loses them also when the program was started again since it was asked", async () => {
    const first = await setUp();
    const { id } = await first.asked();
    const sentAs = first.shown()?.id;
    await first.assistant.stop();
    const second = await setUp({ store: first.store, clock: first.clock });
    await second.assistant.approvals.answer(id, { answer: "deny", user: OWNER });
    await until(second.clock, () => second.edits.length > 0);
    expect(second.edits.map((edit) => edit.id)).toEqual([sentAs]);
  });

  it("is answered all the same when the platform changes nothing", async () => {
    const t = await setUp({
      async edit() {
        throw new Error("message can't be edited");
      },
    });
    const { id } = await t.asked();
    await t.assistant.approvals.answer(id, { answer: "once", user: OWNER });
    await until(t.clock, () => t.ran.length > 0 && t.warnings.some((line) => line.includes("buttons")));
    expect([t.ran, t.edits]).toEqual([["ran"], []]);
  });
});

describe("an answered request to be let in", () => {
  it.each([
    ["approve", /^Let in \(\w+\): memory:9 may write now/m],
    ["deny", /^Not let in \(\w+\): memory:9/m],
  ] as const)("loses its buttons after %s, and says which it was", async (answer, line) => {
    const t = await setUp({ dm: "pairing" });
    await t.receive("hi", { from: "9" });
    await until(t.clock, () => t.shown() !== undefined);
    const [asked] = (await t.assistant.access.list()).pending;
    await t.assistant.access[answer](asked!.code, { user: OWNER });
    await until(t.clock, () => t.edits.length > 0);
    expect(t.edits).toEqual([{ id: t.shown()!.id, message: { text: expect.stringMatching(line) as string } }]);
  });
});
