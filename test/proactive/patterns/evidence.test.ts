import { describe, expect, it } from "vitest";
import { createEvidence } from "../../../src/proactive/index.ts";
import { createSessions } from "../../../src/session/index.ts";
import { memoryStore } from "../../../src/store/index.ts";
import { fakeClock } from "../../../src/testing/fake-clock.ts";
import { call, replied, said, stepped } from "../memory/support.ts";

const USER = "telegram:42";
const DAY = 86_400_000;

function setUp() {
  const store = memoryStore();
  const clock = fakeClock();
  const sessions = createSessions({ store, clock });
  const evidence = createEvidence({
    store,
    sessions,
    users: { memoryUserOf: ({ user }) => user },
    redact: (value) => value,
    clock,
  });
  const turn = async (
    key: string,
    id: string,
    text: string,
    out: Parameters<typeof replied>[1] = {},
    input: Parameters<typeof said>[2] = {},
  ) => {
    await sessions.open(key);
    await sessions.append(key, said(id, text, input));
    await sessions.append(key, [stepped(`turn-${id}`, 0), replied(id, out)]);
    sessions.release(key);
  };
  return {
    ...{ store, clock, sessions, evidence, turn },
    texts: async () => (await evidence.read(USER)).entries.map(({ content }) => content),
  };
}
const session = (index: number) => `agent:main:telegram:direct:s${index}`;

describe("createEvidence()", () => {
  it("reads each reply once, with the tools of its turn and the codes of their errors", async () => {
    const t = setUp();
    const toolCalls = [call("look"), call("fetch", {}, { code: "TIMEOUT", message: "too slow" })];
    await t.turn(session(1), "1", "What is the weather?", { toolCalls });
    await t.evidence.follow(USER, session(1));
    const { entries, home } = await t.evidence.read(USER);
    expect(entries.map(({ id: _id, createdAt: _at, ...rest }) => rest)).toEqual([
      {
        content: "What is the weather?",
        slots: { type: "request", turn: "turn-1", tools: ["look"], answer: expect.any(String) },
      },
      {
        content: "What is the weather?",
        slots: { tool: "fetch", error: "TIMEOUT", outcome: "failure", turn: "turn-1" },
      },
    ]);
    expect(home).toMatchObject({ user: USER, channel: "telegram", session: session(1) });
    const version = (await t.store.get(`.index/pattern-evidence/${USER}`))?.version;
    expect((await t.evidence.read(USER)).entries).toEqual(entries);
    expect((await t.store.get(`.index/pattern-evidence/${USER}`))?.version).toBe(version);
  });

  it.each([
    { title: "work that nobody asked for", input: { origin: "job", source: "job j1" } as const },
    { title: "the outcome of a request", input: { source: "approval K7QD2M" } },
    { title: "a command", input: { command: "compact" } as const },
    { title: "what is asked again", input: { retries: "turn-0" } },
    { title: "another person's message", input: { user: "telegram:43" } },
  ])("leaves out $title", async ({ input }) => {
    const t = setUp();
    await t.turn(session(1), "1", "What is the weather?", {}, input);
    await t.evidence.follow(USER, session(1));
    expect(await t.texts()).toEqual([]);
  });

  it("keeps the newest 500 messages of 90 days", async () => {
    const t = setUp();
    await t.turn(session(1), "old", "old");
    await t.evidence.follow(USER, session(1));
    expect(await t.texts()).toEqual(["old"]);
    t.clock.step(91 * DAY);
    for (let index = 0; index < 510; index += 1) await t.turn(session(1), `${index}`, `text ${index}`);
    const texts = await t.texts();
    expect([texts.length, texts[0], texts.at(-1)]).toEqual([500, "text 10", "text 509"]);
  });

  it("begins again with a log that was begun again", async () => {
    const t = setUp();
    for (const id of ["1", "2", "3"]) await t.turn(session(1), id, `before ${id}`);
    await t.evidence.follow(USER, session(1));
    expect(await t.texts()).toHaveLength(3);
    await t.sessions.remove(session(1));
    await t.turn(session(1), "9", "after");
    expect(await t.texts()).toEqual(["before 1", "before 2", "before 3", "after"]);
  });

  it("follows the 20 conversations in which was written last, and one again that it had left", async () => {
    const t = setUp();
    await t.turn(session(0), "0", "first");
    await t.evidence.follow(USER, session(0));
    for (let index = 1; index <= 21; index += 1) {
      await t.turn(session(index), `${index}`, `text ${index}`);
      await t.evidence.follow(USER, session(index));
      // The first one stays in use, the second one does not.
      if (index < 21) await t.turn(session(0), `again-${index}`, `again ${index}`);
      await t.evidence.read(USER);
    }
    await t.turn(session(0), "a", "still here");
    await t.turn(session(1), "b", "not any more");
    expect(await t.texts()).toContain("still here");
    expect(await t.texts()).not.toContain("not any more");
    await t.evidence.follow(USER, session(1));
    expect(await t.texts()).toContain("not any more");
  });
});
