import { describe, expect, it } from "vitest";
import { type NewRecord, createSessions } from "../../src/session/index.ts";
import { memoryStore } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";

const KEY = "agent:main:memory:group:team";
const ADA = {
  user: "memory:ada",
  roles: ["user"],
  channel: "memory",
  account: "default",
  peer: { kind: "group", id: "team" },
  sender: { id: "ada", name: "Ada" },
} as const;
const USAGE = { inputTokens: 1, outputTokens: 1 };

const said = (id: string, text: string): NewRecord => ({ type: "in", id, messageId: id, turn: `t${id}`, text, ...ADA });
const edited = (id: string, of: string, text: string, more: object = {}): NewRecord => ({
  type: "change",
  id,
  messageId: of,
  change: "edited",
  text,
  ...ADA,
  ...more,
});
const deleted = (id: string, of: string): NewRecord => edited(id, of, "", { change: "deleted" });
const step = (of: string, seen: number): NewRecord => ({
  ...{ type: "step", turn: `t${of}`, step: 0, of: [of], seen, message: null, text: "Yes", calls: [] },
  ...{ usage: USAGE, finish: "stop", model: "m" },
});
const reply = (of: string, seen: number): NewRecord => ({
  ...{ type: "out", turn: `t${of}`, of: [of], text: "Yes", silent: false, parts: [], toolCalls: [] },
  ...{ usage: USAGE, steps: 1, seen },
});

/** What a session holds after these records, as it is kept in memory and as another process reads it. */
async function folded(...records: readonly NewRecord[]) {
  const [store, clock] = [memoryStore(), fakeClock()];
  const sessions = createSessions({ store, clock });
  await sessions.load(KEY);
  for (const record of records) await sessions.append(KEY, record);
  const session = await sessions.load(KEY);
  const again = await createSessions({ store, clock }).load(KEY);
  expect(again).toEqual(session);
  return session;
}

const textsOf = (inputs: readonly { readonly text: string }[]) => inputs.map(({ text }) => text);

describe("a change of a message in a session's fold", () => {
  it("is in the message while it waits, and no note of its own", async () => {
    const { waiting, notes } = await folded(said("1", "Oslo"), said("2", "Rome"), edited("e", "1", "Bergen"));
    expect(textsOf(waiting)).toEqual(["Bergen", "Rome"]);
    expect(notes).toEqual([]);
  });

  it("is a note for the next turn once the message was shown to the model, though the turn is not logged yet", async () => {
    const change = edited("e", "1", "Bergen");
    const { open, notes } = await folded(said("1", "Oslo"), change, step("1", 1));
    expect(textsOf(open?.inputs ?? [])).toEqual(["Oslo"]);
    expect(textsOf(notes)).toEqual([
      '"Ada" (memory:ada) edited an earlier message that began "Oslo", which now reads:\nBergen',
    ]);
    const seen = await folded(said("1", "Oslo"), change, step("1", 2));
    expect(textsOf(seen.open?.inputs ?? [])).toEqual(["Bergen"]);
    expect(seen.notes).toEqual([]);
    // Of two changes the prompt may have shown the first.
    const between = await folded(said("1", "Oslo"), change, edited("f", "1", "Bodø"), step("1", 2));
    expect(textsOf(between.open?.inputs ?? [])).toEqual(["Bergen"]);
    expect(textsOf(between.notes)).toEqual([
      '"Ada" (memory:ada) edited an earlier message that began "Bergen", which now reads:\nBodø',
    ]);
  });

  it("is no note where its message is delivered after it", async () => {
    const { waiting, notes } = await folded(edited("e", "1", "Bergen"), edited("f", "9", "Rome"), said("1", "Bergen"));
    expect(textsOf(waiting)).toEqual(["Bergen"]);
    expect(textsOf(notes)).toEqual(['"Ada" (memory:ada) edited an earlier message, which now reads:\nRome']);
  });

  it("keeps nothing of its own in what a turn took in", async () => {
    const { history } = await folded(said("1", "Oslo"), edited("e", "1", "Bergen"), step("1", 2), reply("1", 2));
    expect(history[0]?.inputs[0]).not.toHaveProperty("changed");
  });

  it("is a note where the message was answered, says how it began, and is none where nothing changed", async () => {
    const answered = [said("1", "Oslo"), step("1", 1), reply("1", 1)];
    const now = await folded(...answered, edited("e", "1", "Bergen"), edited("f", "1", "Bergen"), deleted("g", "1"));
    expect(textsOf(now.notes)).toEqual([
      '"Ada" (memory:ada) edited an earlier message that began "Oslo", which now reads:\nBergen',
      '"Ada" (memory:ada) deleted an earlier message that began "Bergen": what it said counts no more',
    ]);
    expect(textsOf((await folded(...answered, edited("e", "1", "Oslo"))).notes)).toEqual([]);
  });

  it("says by its id which member of a group it was, whatever the name says", async () => {
    const answered = [said("1", "Oslo"), step("1", 1), reply("1", 1)];
    const sender = { id: "eve", name: 'Ada" (memory:ada)' };
    const { notes } = await folded(...answered, edited("e", "9", "Bergen", { user: "memory:eve", sender }));
    expect(textsOf(notes)).toEqual([
      '"Ada\\" (memory:ada)" (memory:eve) edited an earlier message, which now reads:\nBergen',
    ]);
  });

  it("is in what a group was heard to say, and of what nobody heard no note", async () => {
    const { user, sender } = ADA;
    const heard: NewRecord = { type: "heard", id: "h", messageId: "5", text: "Oslo", user, sender };
    expect(textsOf((await folded(heard, edited("e", "5", "Bergen"))).heard)).toEqual(["Bergen"]);
    expect((await folded(heard, deleted("e", "5"))).heard).toEqual([]);
    expect(textsOf((await folded(heard, edited("e", "5", "Rome", { user: "memory:bob" }))).heard)).toEqual(["Oslo"]);
    expect((await folded(edited("e", "9", "Rome", { mentioned: false }))).notes).toEqual([]);
    expect((await folded(edited("e", "9", "Rome", { mentioned: true }))).notes).toHaveLength(1);
  });

  it("is nothing when a newer one came before, or after the message was deleted", async () => {
    const late = [edited("e", "1", "Bergen", { changedAtMs: 2 }), edited("f", "1", "Bodø", { changedAtMs: 1 })];
    expect(textsOf((await folded(said("1", "Oslo"), ...late)).waiting)).toEqual(["Bergen"]);
    const { waiting } = await folded(said("1", "Oslo"), deleted("d", "1"), edited("e", "1", "Bergen"));
    expect(textsOf(waiting)).toEqual(["[deleted by its writer before it was answered]"]);
  });
});
