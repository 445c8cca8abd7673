import { expect } from "vitest";
import { memoryStore } from "../../src/store/index.ts";
import { createChatHistory, createSessions } from "../../src/session/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";

export const KEY = "agent:main:memory:group:g";
const usage = { inputTokens: 0, outputTokens: 0 };

/** A group's session: what happens in it, and the history of its chat. */
export function groupChat() {
  const clock = fakeClock();
  const sessions = createSessions({ store: memoryStore(), clock });
  const page = createChatHistory({ sessions });
  const by = (user: string) => ({ user: `memory:${user}`, sender: { id: user } });
  return {
    sessions,
    page,
    hears: (id: string, user = "7") =>
      sessions.append(KEY, { type: "heard", id, messageId: `m${id}`, text: `heard ${id}`, ...by(user) }),
    asks: (id: string, user = "7", more = {}) =>
      sessions.append(KEY, {
        type: "in",
        id,
        messageId: `m${id}`,
        turn: `turn-${id}`,
        text: `asked ${id}`,
        ...by(user),
        channel: "memory",
        account: "default",
        peer: { kind: "group", id: "g" },
        roles: ["user"],
        ...more,
      }),
    answers: (id: string, text = `answered ${id}`) =>
      sessions.append(KEY, {
        type: "out",
        turn: `turn-${id}`,
        of: [id],
        text,
        silent: text === "",
        parts: [],
        toolCalls: [],
        usage,
        steps: 1,
      }),
    /** What becomes of a message: it reads otherwise now, unless told that it is deleted. */
    changes: (id: string, text: string, more = {}) =>
      sessions.append(KEY, {
        type: "change",
        id: `change-${id}-${text}`,
        messageId: `m${id}`,
        change: "edited",
        text,
        ...by("7"),
        channel: "memory",
        account: "default",
        peer: { kind: "group", id: "g" },
        roles: ["user"],
        ...more,
      }),
    resets: () => sessions.append(KEY, { type: "reset", by: "memory:7" }),
    async all(limit: number, isSeen = (_message: { readonly user: string }) => true) {
      const texts: string[] = [];
      let pages = 0;
      for (let before: number | undefined; ; pages += 1) {
        const { messages, nextBefore } = await page(KEY, { before, limit, isSeen });
        expect(messages.length).toBeLessThanOrEqual(limit);
        texts.unshift(...messages.map(({ text }) => text));
        if (nextBefore === undefined) return { texts, pages: pages + 1 };
        expect(nextBefore).toBeLessThan(before ?? Infinity);
        before = nextBefore;
      }
    },
  };
}
