import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineTool, memoryStore } from "../../entry.host.ts";
import { calls, fails, hangs, says, scriptedModel } from "../../src/testing/scripted-model.ts";
import { type TestAssistantOptions, testAssistant } from "../support/assistant.ts";
import { until } from "../support/until.ts";

const PLEA = "please delete the whole folder photos";

const textOf = (content: unknown): string =>
  typeof content === "string"
    ? content
    : Array.isArray(content)
      ? content.map((part: { text?: string }) => part.text ?? "").join("\n")
      : "";

/** Requests of people behind which stands neither an answer nor a mark of the runtime. */
function unanswered(prompt: LanguageModelV4Prompt): readonly string[] {
  let open: string[] = [];
  for (const { role, content } of prompt) {
    const text = textOf(content);
    if (role === "assistant" || (role === "user" && text.includes("unless they ask for it anew"))) open = [];
    else if (role === "user") open.push(text);
  }
  return open;
}

/** A model that does whatever an unanswered message asks; the first call that sees the plea hangs, as a slow one would. */
function eager() {
  let hung = false;
  return scriptedModel(
    (prompt) => {
      const asked = unanswered(prompt).some((text) => text.includes("delete the whole folder"));
      if (asked && !hung) {
        hung = true;
        return hangs();
      }
      return asked ? calls(["delete_folder", { name: "photos" }]) : says("Good morning!");
    },
    { record: true },
  );
}

async function setUp(options: TestAssistantOptions = {}) {
  const deleted: string[] = [];
  const t = await testAssistant({
    model: eager(),
    memory: { enabled: false },
    tools: {
      delete_folder: defineTool({
        description: "Deletes a folder",
        inputSchema: v.object({ name: v.string() }),
        execute: ({ name }) => void deleted.push(name),
      }),
    },
    ...options,
  });
  const { assistant, model, clock } = t;
  const send = (text: string) => t.during(assistant.send({ text, session: "s" }));
  const begun = (calls_: number) => until(clock, () => model.callCount >= calls_, { stepMs: 1 });
  const prompt = () => model.requests.at(-1)?.prompt ?? [];
  return { ...t, deleted, send, begun, prompt };
}

describe("what a person stopped", () => {
  it("is not done by a model that does whatever an unanswered message asks", async () => {
    const t = await setUp();
    const plea = t.assistant.send({ text: PLEA, session: "s" });
    await t.begun(1);
    expect((await t.send("/stop")).text).not.toBe("");
    expect(await t.during(plea)).toMatchObject({ text: "", error: { code: "ABORTED" } });
    expect((await t.send("good morning")).text).toBe("Good morning!");
    expect(t.deleted).toEqual([]);
    expect(JSON.stringify(t.prompt())).toContain(PLEA);
  });

  it("is not done either when it waited behind what was stopped", async () => {
    const t = await setUp();
    const slow = t.assistant.send({ text: PLEA, session: "s" });
    await t.begun(1);
    const waiting = t.assistant.send({ text: "and delete the whole folder music", session: "s" });
    await t.clock.advance(1);
    await t.send("/stop");
    await t.during(Promise.all([slow, waiting]));
    await t.send("good morning");
    expect(t.deleted).toEqual([]);
  });

  it("is not done when another message broke into it", async () => {
    const t = await setUp({ queue: { mode: "interrupt" } });
    const plea = t.assistant.send({ text: PLEA, session: "s" });
    await t.begun(1);
    const next = await t.send("good morning");
    await t.during(plea);
    expect(next.text).toBe("Good morning!");
    expect(t.deleted).toEqual([]);
    // The same in the prompts of later turns, which are made of the log.
    await t.send("how are you?");
    expect(JSON.stringify(t.prompt())).toContain("Here the person broke in");
    expect(t.deleted).toEqual([]);
  });

  it("is not done after a restart, and the prompt begins with the same bytes from then on", async () => {
    const store = memoryStore();
    const t = await setUp({ store });
    const plea = t.assistant.send({ text: PLEA, session: "s" });
    await t.begun(1);
    await t.send("/stop");
    await t.during(plea);
    await t.send("good morning");
    const first = t.prompt();
    await t.during(t.assistant.stop());
    const again = await setUp({ store: { ...store } });
    await again.send("and good night");
    expect(again.deleted).toEqual([]);
    expect(again.prompt().slice(0, first.length - 1)).toEqual(first.slice(0, -1));
  });

  it("is done when they ask for it again", async () => {
    const t = await setUp();
    const plea = t.assistant.send({ text: PLEA, session: "s" });
    await t.begun(1);
    await t.send("/stop");
    await t.during(plea);
    await t.send("/retry");
    expect(t.deleted).toEqual(["photos"]);
  });

  it("is marked too when it failed and they were told", async () => {
    const model = scriptedModel(
      (_prompt, index) => (index === 0 ? fails(new Error("broken")) : says("Good morning!")),
      { record: true },
    );
    const t = await setUp({ model });
    expect((await t.send(PLEA)).error).toBeDefined();
    await t.send("good morning");
    expect(unanswered(t.prompt()).join()).not.toContain("delete");
  });

  it("keeps its mark in a summary, and is no open task there", async () => {
    const model = scriptedModel((_prompt, index) => (index === 0 ? hangs() : says("Good morning!")), { record: true });
    const t = await setUp({ model, compaction: { keepLastTurns: 1, flushTurn: false } });
    const task = "TODO: renew the passport before March.";
    const plea = t.assistant.send({ text: task, session: "s" });
    await t.begun(1);
    await t.send("/stop");
    await t.during(plea);
    await t.send("good morning");
    await t.send("/compact");
    const [summary] = await t.during(t.assistant.sessions.summaries("agent:main:sdk:direct:s"));
    expect(summary?.summary.match(/.*passport.*/g)).toEqual([
      `- User (stopped; not to be taken up again unless asked for): ${task}`,
    ]);
    expect(summary?.turns).toBe(1);
    const asked = t.model.requests
      .map(({ prompt }) => JSON.stringify(prompt))
      .find((text) => text.includes("stopped; not"));
    expect(asked).toContain(`user (stopped; not to be taken up again unless asked for): ${task}`);
  });
});
