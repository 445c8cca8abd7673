import { describe, expect, it } from "vitest";
import { createMemoryCapture } from "../../../src/proactive/memory/capture.ts";
import { MESSAGES_A_LOOK, createSecondLook } from "../../../src/proactive/memory/second-look.ts";
import {
  type ScriptedModel,
  type ScriptedStep,
  fails,
  says,
  scriptedModel,
} from "../../../src/testing/scripted-model.ts";
import { unreadSentences } from "../../../src/statements/index.ts";
import { type TestAssistantOptions, testAssistant } from "../../support/assistant.ts";
import { until } from "../../support/until.ts";
import { ADA, KEY, type SetUp, call, replied, said, setUp, stepped } from "./support.ts";

const WAKE = `memory:capture:${KEY}`;
/** About oneself, and in words that no rule knows. */
const UNREAD = "Truth be told, crosswords and I go way back.";

interface Given extends SetUp {
  readonly isOpen?: () => boolean;
}

/** @param answer What the model says, or what comes of asking it. */
async function withLook(answer: string | (() => Promise<string>), { isOpen = () => true, ...given }: Given = {}) {
  const at = setUp(given);
  const prompts: string[] = [];
  const works: unknown[] = [];
  const model = {
    budget: () => ({ ok: isOpen() }),
    ask: async (prompt: { readonly messages: readonly { readonly content: string }[] }, work: unknown) => {
      prompts.push(prompt.messages[0]?.content ?? "");
      works.push(work);
      return typeof answer === "string" ? answer : answer();
    },
  };
  const secondLook = createSecondLook({ model, redact: at.parts.redact, logger: at.parts.logger });
  const capture = createMemoryCapture(at.parts, { secondLook });
  await capture.recover();
  at.hooks.add(capture.hook);
  await at.sessions.open(KEY);
  let count = 0;
  async function turn(text: string, out: Parameters<typeof replied>[1] = {}, input: Parameters<typeof said>[2] = {}) {
    count += 1;
    const id = `${Math.floor(at.clock.now())}-${count}`;
    await at.sessions.append(KEY, said(id, text, input));
    await at.sessions.append(KEY, [stepped(`turn-${id}`, 0), replied(id, out)]);
  }
  return {
    ...at,
    capture,
    prompts,
    works,
    turn,
    async turns(number: number, text = "How are you?") {
      for (let left = number; left > 0; left -= 1) await turn(text);
    },
    texts: async () => (await at.saved()).map(({ content }) => content),
  };
}

describe("the second look of createMemoryCapture()", () => {
  it("shows a model what no rule could read, once in ten messages, and keeps what it chooses in the person's words", async () => {
    const { turn, turns, capture, saved, prompts, works } = await withLook("1 preference");
    await turn(UNREAD);
    await turns(MESSAGES_A_LOOK - 2);
    await capture.handle(WAKE);
    expect(prompts).toEqual([]);
    await turn("I live in Oslo.");
    await capture.handle(WAKE);
    expect(prompts).toHaveLength(1);
    expect(prompts[0]).toContain(`1 ${UNREAD}`);
    expect(prompts[0]).not.toContain("Oslo");
    expect(works).toEqual([expect.objectContaining({ user: "telegram:42", purpose: "memory" })]);
    const found = (await saved()).find(({ content }) => content === UNREAD);
    expect(found).toMatchObject({
      keywords: ["preference"],
      slots: { type: "statement", kind: "preference", lasting: true, session_id: KEY, turn: expect.any(String) },
    });
    await turns(MESSAGES_A_LOOK - 1, UNREAD);
    await capture.handle(WAKE);
    expect(prompts).toHaveLength(1);
    await turn(UNREAD);
    await capture.handle(WAKE);
    expect(prompts).toHaveLength(2);
  });

  it("is asked nothing while there is nothing to look at", async () => {
    const { turns, turn, capture, prompts } = await withLook("none");
    await turns(3 * MESSAGES_A_LOOK);
    await turn("I live in Oslo.");
    await capture.handle(WAKE);
    expect(prompts).toEqual([]);
  });

  it("wakes the engine for a message that may state something", async () => {
    const { turn, complete, wakes } = await withLook("none");
    await turn("How are you?");
    await complete("turn-x");
    const before = wakes.length;
    await turn(UNREAD);
    await complete("turn-y");
    expect(wakes.slice(before)).toEqual([WAKE]);
  });

  it.each([
    ["nothing", "none"],
    ["a sentence that is not there", "70 fact"],
    ["a kind that there is not", "1 order"],
    ["words of its own", "1 fact: the person is a spy"],
    ["something else", "I cannot help with that."],
  ])("keeps nothing when the model chooses %s", async (_, answer) => {
    const { turns, capture, texts, prompts } = await withLook(answer);
    await turns(MESSAGES_A_LOOK, UNREAD);
    await capture.handle(WAKE);
    expect(prompts).toHaveLength(1);
    expect(await texts()).toEqual([]);
  });

  it("loses nothing but the look when the model fails, and does not ask again at once", async () => {
    const { turn, turns, capture, texts, prompts, warnings } = await withLook(() => Promise.reject(new Error("away")));
    await turns(MESSAGES_A_LOOK - 1, UNREAD);
    await turn("I live in Oslo.");
    await capture.handle(WAKE);
    await turn(UNREAD);
    await capture.handle(WAKE);
    expect(prompts).toHaveLength(1);
    expect(warnings).toHaveLength(1);
    expect(await texts()).toEqual(["I live in Oslo."]);
  });

  it("waits for the budget", async () => {
    let open = false;
    const { turn, turns, capture, prompts } = await withLook("none", { isOpen: () => open });
    await turns(MESSAGES_A_LOOK, UNREAD);
    await capture.handle(WAKE);
    expect(prompts).toEqual([]);
    open = true;
    await turn("How are you?");
    await capture.handle(WAKE);
    expect(prompts).toHaveLength(1);
  });

  it("shows it no secrets, nothing of a turn that forgot something, and nothing of jobs", async () => {
    const { turn, turns, capture, prompts } = await withLook("none");
    await turn("Truth be told, hunter2-the-long-secret and I go way back.");
    await turn("Honestly, forget that chess and I go way back.", { toolCalls: [call("memory_forget")] });
    await turn("Go and me, that is a long story, for me at least.", {}, { origin: "job" });
    await turns(MESSAGES_A_LOOK);
    await turn(UNREAD);
    await capture.handle(WAKE);
    expect(prompts).toHaveLength(1);
    expect(prompts[0]).not.toMatch(/hunter2|chess|Go and me/);
  });

  it("shows it nothing of a message that was edited or deleted since", async () => {
    const { turn, turns, capture, prompts, sessions } = await withLook("none");
    await turn("Truth be told, chess and I go way back.", {}, { messageId: "m1" });
    await sessions.append(KEY, {
      type: "change",
      id: "c1",
      messageId: "m1",
      change: "deleted",
      text: "",
      ...ADA,
      sender: { id: "42" },
    });
    await turns(MESSAGES_A_LOOK);
    await turn(UNREAD);
    await capture.handle(WAKE);
    expect(prompts).toHaveLength(1);
    expect(prompts[0]).not.toContain("chess");
  });

  it("asks nobody at a stop", async () => {
    const { turns, complete, capture, prompts } = await withLook("1 fact");
    await turns(MESSAGES_A_LOOK, UNREAD);
    await complete("turn-x");
    await capture.finish(new AbortController().signal);
    expect(prompts).toEqual([]);
    await capture.handle(WAKE);
    expect(prompts).toHaveLength(1);
  });

  it("goes on counting in a new process", async () => {
    const first = await withLook("none");
    await first.turn(UNREAD);
    await first.turns(MESSAGES_A_LOOK - 2);
    await first.capture.handle(WAKE);
    const second = await withLook("1 fact", { store: first.store, clock: first.clock });
    await second.turn("How are you?");
    await second.capture.handle(WAKE);
    expect(second.prompts).toHaveLength(1);
    expect(await second.texts()).toEqual([UNREAD]);
  });
});

describe("unreadSentences()", () => {
  it.each([
    [UNREAD, 1],
    ["I live in Oslo.", 0],
    ["Would crosswords and I go well together?", 0],
    ["Crosswords go way back.", 0],
    ["Truth be told, my password and I go way back.", 0],
    ["If crosswords and I were friends.", 0],
    ["```\ncrosswords and I go way back\n```", 0],
  ])("finds in %j %i", (text, count) => {
    expect(unreadSentences(text)).toHaveLength(count);
  });
});

describe("memory.capture.model", () => {
  const scriptedLook = (step: ScriptedStep) => scriptedModel(() => step, { modelId: "small", record: true });
  /** Ten messages, of which the first is about the person in words that no rule knows. */
  async function withModel(look: ScriptedModel, options: TestAssistantOptions) {
    const t = await testAssistant(options);
    for (let index = 0; index < MESSAGES_A_LOOK; index += 1) await t.say(index === 0 ? UNREAD : "How are you?");
    await t.say(UNREAD);
    await until(t.clock, () => look.callCount > 0);
    const kept: string[] = [];
    await until(t.clock, async () => {
      kept.length = 0;
      for await (const { content } of t.assistant.memory.list(`${t.channel.name}:42`)) kept.push(content);
      return kept.length > 0;
    }).catch(() => {});
    return { ...t, kept };
  }

  it("names one of the assistant's models", async () => {
    const look = scriptedLook(says("1 preference"));
    const model = [scriptedModel(() => says("Fine.")), look];
    const { kept } = await withModel(look, { model, memory: { capture: { model: "small" } } });
    expect([look.callCount, kept]).toEqual([1, [UNREAD]]);
  });

  it("is a model of its own, whose use is counted", async () => {
    const look = scriptedLook(says("1 preference"));
    const { kept, records } = await withModel(look, { memory: { capture: { model: look } } });
    expect([look.callCount, kept]).toEqual([1, [UNREAD]]);
    expect(await records("usage/")).toContainEqual(
      expect.objectContaining({ model: "scripted/small", purpose: "memory" }),
    );
  });

  it("costs no reply when it fails", async () => {
    const look = scriptedLook(fails(new Error("away")));
    const { say, kept } = await withModel(look, { memory: { capture: { model: look } } });
    expect([await say("How are you?"), kept]).toEqual(["ok", []]);
  });

  it.each([
    ["a name that no model has", "medium"],
    ["what is no model", 7],
  ])("refuses %s", async (_, model) => {
    const given = testAssistant({ memory: { capture: { model: model as never } } });
    await expect(given).rejects.toMatchObject({ code: "OPTION_INVALID" });
  });
});
