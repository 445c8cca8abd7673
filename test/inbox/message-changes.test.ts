import { describe, expect, it } from "vitest";
import { createMessageChanges } from "../../src/inbox/message-changes.ts";
import type { InboundMessage } from "../../src/message.ts";
import { createSessions } from "../../src/session/index.ts";
import { memoryStore } from "../../src/store/index.ts";
import { createMetrics } from "../../src/telemetry/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";

const KEY = "agent:main:memory:direct:ada";

function setUp() {
  const clock = fakeClock();
  const sessions = createSessions({ store: memoryStore(), clock });
  const wakes: string[] = [];
  const changes = createMessageChanges({
    sessions,
    owners: { rolesOf: () => ["user"] },
    engine: { wake: async (key) => void wakes.push(key) },
    memoryWakeKey: (key) => `memory:capture:${key}`,
    clock,
    metrics: createMetrics(),
  });
  const take = (id: string, more: Partial<InboundMessage> = {}) =>
    changes.take(KEY, `memory:default:${id}`, {
      channel: "memory",
      id,
      messageId: "1",
      peer: { kind: "direct", id: "ada" },
      sender: { id: "ada" },
      text: "now",
      kind: "edit",
      ...more,
    });
  return { clock, sessions, wakes, take };
}

describe("createMessageChanges()", () => {
  it("journals a change once, and wakes the memory with it", async () => {
    const { sessions, wakes, take } = setUp();
    expect(await take("e1")).toEqual({ outcome: "kept", sessionKey: KEY });
    await take("e1");
    await take("e2", { kind: "deletion", text: "what it was" });
    expect(await sessions.read(KEY, 10)).toMatchObject([
      { type: "change", id: "memory:default:e1", messageId: "1", change: "edited", text: "now", user: "memory:ada" },
      { type: "change", id: "memory:default:e2", messageId: "1", change: "deleted", text: "" },
    ]);
    // Again with the repeated delivery: the first may have failed between the two.
    expect(wakes).toEqual(Array.from({ length: 3 }, () => `memory:capture:${KEY}`));
    expect((await sessions.load(KEY)).notes).toHaveLength(2);
  });

  it("takes no change of no message, not more than 120 a minute, and no text without an end", async () => {
    const { clock, sessions, take } = setUp();
    // A channel of somebody's own, which types do not bind.
    expect(await take("e0", { messageId: undefined as unknown as string })).toMatchObject({ outcome: "refused" });
    await take("long", { text: "x".repeat(100_000) });
    expect((await sessions.read(KEY, 1))[0]).toMatchObject({ text: "x".repeat(32_768) });
    for (let count = 1; count < 120; count += 1) await take(`e${count}`);
    expect(await take("more")).toMatchObject({ outcome: "refused" });
    expect(await sessions.size(KEY)).toBe(120);
    await clock.advance(60_000);
    expect(await take("later")).toMatchObject({ outcome: "kept" });
  });
});
