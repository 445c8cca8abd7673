import { describe, expect, it } from "vitest";
import { createMemoryCapture } from "../../../src/proactive/memory/capture.ts";
import { messageRef } from "../../../src/session/index.ts";
import type { NewRecord } from "../../../src/session/index.ts";
import { beginLife } from "../../support/life.ts";
import { ADA, KEY, type SetUp, call, replied, said, setUp, stepped } from "./support.ts";

const WAKE = `memory:capture:${KEY}`;
const { peer } = ADA;

async function conversation(given: SetUp = {}) {
  const at = setUp(given);
  const capture = createMemoryCapture(at.parts);
  await capture.recover();
  return {
    ...at,
    handle: () => capture.handle(WAKE),
    say: (id: string, text: string, more: Parameters<typeof said>[2] = {}) =>
      at.sessions.append(KEY, said(id, text, { messageId: `m${id}`, ...more })),
    answer: (of: string | readonly string[], out: Parameters<typeof replied>[1] = {}) => {
      const [first = ""] = typeof of === "string" ? [of] : of;
      return at.sessions.append(KEY, [{ ...stepped(`turn-${first}`, 0), of }, replied(of, out)] as NewRecord[]);
    },
    change: (id: string, of: string, text: string | undefined, more: object = {}) =>
      at.sessions.append(KEY, {
        type: "change",
        id,
        messageId: `m${of}`,
        change: text === undefined ? "deleted" : "edited",
        text: text ?? "",
        ...ADA,
        sender: { id: "42", name: "Ada" },
        ...more,
      }),
    texts: async () => (await at.saved()).map(({ content }) => content),
  };
}

describe("entries that were captured from a message", () => {
  it("keep the message's id", async () => {
    const { say, answer, handle, saved } = await conversation();
    await say("1", "I live in Oslo. Find a train.");
    await answer("1", { toolCalls: [call("look"), call("look")] });
    await handle();
    const ref = messageRef({ ...ADA, messageId: "m1" });
    expect((await saved()).map(({ slots }) => slots["message_ids"])).toEqual([[ref], [ref], [ref]]);
  });

  it.each([
    { title: "after its turn was captured", first: true },
    { title: "before its turn was captured", first: false },
  ])("follow an edit that comes after the reply, $title", async ({ first }) => {
    const { say, answer, change, handle, texts } = await conversation();
    await say("1", "I live in Oslo. I like tea.");
    await answer("1");
    if (first) await handle();
    await change("2", "1", "I live in Bergen. I like tea.");
    await handle();
    expect((await texts()).toSorted()).toEqual(["I like tea.", "I live in Bergen."]);
    await handle();
    expect(await texts()).toHaveLength(2);
  });

  it("follow an edit that comes while the turn is at work, and a deletion leaves nothing to keep", async () => {
    for (const text of ["I live in Bergen.", undefined]) {
      const { say, answer, change, handle, texts } = await conversation();
      await say("1", "I live in Oslo.");
      await change("2", "1", text);
      await answer("1");
      await handle();
      expect(await texts()).toEqual(text === undefined ? [] : [text]);
    }
  });

  it("follow the newest of several edits, in whatever order they came", async () => {
    const { say, answer, change, handle, texts } = await conversation();
    await say("1", "I live in Oslo.");
    await answer("1");
    await handle();
    await change("2", "1", "I live in Bergen.", { changedAtMs: 2000 });
    await handle();
    await change("3", "1", "I live in Bodø.", { changedAtMs: 1000 });
    await handle();
    expect(await texts()).toEqual(["I live in Bergen."]);
  });

  it("follow no change of another person, chat or account", async () => {
    const { say, answer, change, handle, texts } = await conversation();
    await say("1", "I live in Oslo.");
    await answer("1");
    for (const [at, other] of [
      { user: "telegram:43" },
      { peer: { ...peer, id: "43" } },
      { account: "second" },
      { channel: "slack" },
    ].entries())
      await change(`x${at}`, "1", undefined, other);
    await handle();
    expect(await texts()).toEqual(["I live in Oslo."]);
  });

  it("go from the archive too", async () => {
    const { say, answer, change, handle, saved, memory } = await conversation();
    await say("1", "I live in Oslo.");
    await answer("1");
    await handle();
    for (const { id } of await saved()) await memory.archive("telegram:42", [id]);
    await change("2", "1", undefined);
    await handle();
    expect(await memory.counts("telegram:42")).toMatchObject({ entries: 0, archived: 0 });
  });

  it("leave what a turn did without the words that were deleted, and nothing of a turn that had no others", async () => {
    const { say, answer, change, handle, texts } = await conversation();
    await say("1", "The fare to Oslo please");
    await say("2", "and the one to Bergen");
    await answer(["1", "2"], { toolCalls: [call("look"), call("look")], text: "Both are 900." });
    await handle();
    await change("3", "1", undefined);
    await handle();
    expect(await texts()).toEqual(["Goal: and the one to Bergen\nTools: look × 2\nOutcome: success: Both are 900."]);
    await change("4", "2", undefined);
    await handle();
    expect(await texts()).toEqual([]);
  });

  it("are not made of the edit of a message whose turn forgot something", async () => {
    const { say, answer, change, handle, texts } = await conversation();
    await say("1", "Forget that I live in Oslo");
    await answer("1", { toolCalls: [call("memory_forget", { query: "Oslo" })] });
    await change("2", "1", "I live in Oslo");
    await handle();
    expect(await texts()).toEqual([]);
  });

  it("do not come back with an edit once a person removed them", async () => {
    const { say, answer, change, handle, saved, texts, memory } = await conversation();
    await say("1", "I live in Oslo. I like tea.");
    await answer("1");
    await handle();
    await memory.remove(
      "telegram:42",
      (await saved()).map(({ id }) => id),
    );
    await change("2", "1", "I live in Oslo. I like coffee.");
    await handle();
    expect(await texts()).toEqual(["I like coffee."]);
  });

  it("of two turns that were joined stay with the one whose message is there", async () => {
    const { say, answer, change, handle, texts } = await conversation();
    for (const id of ["1", "2"]) {
      await say(id, "Find the fare from Oslo to Bergen by train");
      await answer(id, { toolCalls: [call("look")], text: "It is 900." });
      await handle();
    }
    expect(await texts()).toHaveLength(1);
    await change("3", "1", undefined);
    await handle();
    expect(await texts()).toHaveLength(1);
    await change("4", "2", undefined);
    await handle();
    expect(await texts()).toEqual([]);
  });

  it("follow once, whichever write a crash came after", async () => {
    let crashes = 0;
    for (let writes = 0; ; writes += 1) {
      const first = await conversation();
      const { store, clock, say, answer, handle, change } = first;
      await say("1", "I live in Oslo. I like tea.");
      await answer("1");
      await handle();
      await change("2", "1", "I live in Bergen. I am allergic to nuts.");
      const life = beginLife(store, clock, writes);
      const dying = createMemoryCapture(setUp({ store: life.store, clock }).parts);
      let isOver = false;
      void dying.handle(WAKE).then(() => (isOver = true));
      for (let turns = 0; turns < 200 && !isOver && !life.killed; turns += 1)
        await new Promise((resolve) => setTimeout(resolve, 0));
      life.kill();
      const after = await conversation({ store, clock });
      await after.handle();
      await after.handle();
      expect((await after.texts()).toSorted(), `after ${writes} writes`).toEqual([
        "I am allergic to nuts.",
        "I live in Bergen.",
      ]);
      if (isOver) break;
      crashes += 1;
    }
    expect(crashes).toBeGreaterThan(3);
  });
});
