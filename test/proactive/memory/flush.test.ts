import { describe, expect, it } from "vitest";
import { type PromptMessage, turnMessages } from "../../../src/context/index.ts";
import { subscribeMemoryFlush } from "../../../src/proactive/memory/flush.ts";
import { ADA, KEY, type SetUp, replied, said, setUp, stepped } from "./support.ts";

function withFlush(given: SetUp = {}) {
  const at = setUp(given);
  const stop = subscribeMemoryFlush(at.events, at.parts, at.options);
  return {
    ...at,
    stop,
    compact: (messages: readonly PromptMessage[], range = { from: 1, to: 100 }, who: typeof ADA = ADA) =>
      at.events.publish({
        type: "context.compact",
        sessionId: KEY,
        timestamp: at.clock.now(),
        payload: {
          messages,
          range,
          userId: who.user,
          channel: who.channel,
          peer: who.peer,
          roles: who.roles,
          account: "default",
        },
      }),
  };
}

const user = (content: string): PromptMessage => ({ role: "user", content });

describe("subscribeMemoryFlush()", () => {
  it("keeps what the summary may lose before the event is over: what tools found for so many days, what people stated for good", async () => {
    const { compact, saved, metrics, clock } = withFlush();
    const output = { type: "text", value: "found ".repeat(50) } as const;
    await compact([
      user("I prefer green tea."),
      user("What time is it?"),
      { role: "tool", content: [{ type: "tool-result", toolCallId: "c", toolName: "web_search", output }] },
      user("Please always answer in French."),
    ]);
    const entries = await saved();
    const slots = { type: "auto_flush", source: "context_compact", session_id: KEY };
    expect(entries.map(({ content, slots, expiresAt }) => [content, slots, expiresAt?.getTime()])).toEqual(
      expect.arrayContaining([
        ["Please always answer in French.", { ...slots, lasting: true }, undefined],
        ["I prefer green tea.", { ...slots, lasting: true }, undefined],
        [output.value.trim(), slots, clock.now() + 90 * 86_400_000],
      ]),
    );
    expect(entries).toHaveLength(3);
    expect(metrics.text()).toContain("memory_flush_saved_total 3");
  });

  it("passes over repeats of what memory has before it counts to five", async () => {
    const { compact, saved } = withFlush();
    const known = ["tea", "coffee", "cocoa", "juice", "water"].map((drink) => user(`I prefer ${drink} with my lunch.`));
    await compact(known);
    await compact([user("I prefer aisle seats."), ...known]);
    expect((await saved()).map(({ content }) => content)).toContain("I prefer aisle seats.");
  });

  it("skips what memory has, and counts it", async () => {
    const { compact, saved, metrics } = withFlush();
    await compact([user("I prefer green tea.")]);
    await compact([user("I prefer green tea."), user("I prefer aisle seats.")]);
    expect((await saved()).map(({ content }) => content).sort()).toEqual([
      "I prefer aisle seats.",
      "I prefer green tea.",
    ]);
    expect(metrics.text()).toContain("memory_flush_skipped_dedup_total 1");
  });

  it("takes days and threshold from the options, and replaces secrets", async () => {
    const { compact, saved, clock } = withFlush({ options: { autoCaptureDays: 3, dedupeThreshold: 0.3 } });
    await compact([user("I'd prefer green tea today with hunter2-the-long-secret.")]);
    await compact([user("I'd prefer green tea today from the mountain shop.")]);
    const entries = await saved();
    expect(entries.map(({ content }) => content)).toEqual(["I'd prefer green tea today with [redacted]."]);
    expect(entries[0]?.expiresAt?.getTime()).toBe(clock.now() + 3 * 86_400_000);
  });

  it("logs a store that fails, and holds nothing up", async () => {
    for (const memory of [
      { save: () => Promise.reject(new Error("full")) },
      {
        list: () => {
          throw new Error("away");
        },
      },
    ]) {
      const { compact, warnings } = withFlush({ memory });
      expect(await compact([user("I prefer green tea.")])).toEqual([]);
      expect(warnings).toHaveLength(1);
    }
  });

  it("keeps what is said in a group for the group, and nothing where several people share a direct chat", async () => {
    const group = { ...ADA, peer: { kind: "group", id: "-100" } as const };
    const { compact, saved, sessions } = withFlush();
    await compact([user("Ada (42): I prefer green tea.")], { from: 1, to: 9 }, group);
    expect(await saved()).toEqual([]);
    expect(await saved("group:telegram:-100")).toHaveLength(1);
    await sessions.open(KEY);
    await sessions.append(KEY, said("1", "I prefer wine."));
    await sessions.append(KEY, said("2", "I prefer beer.", { user: "telegram:7" }));
    await sessions.append(KEY, [stepped("turn-1", 0, { of: ["1", "2"] }), replied(["1", "2"])]);
    const { history } = await sessions.load(KEY);
    await compact(history.flatMap(turnMessages));
    expect(await saved()).toEqual([]);
  });

  it("stops when it is told to", async () => {
    const { compact, stop, saved } = withFlush();
    stop();
    await compact([user("I prefer green tea.")]);
    expect(await saved()).toEqual([]);
  });
});
