import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineTool, memoryStore, toolOutcome } from "../../entry.host.ts";
import type { Store } from "../../kit.ts";
import { type Script, calls, says } from "../../src/testing/scripted-model.ts";
import { until } from "../support/until.ts";
import { testAssistant } from "../support/assistant.ts";

async function setUp({ store = memoryStore(), work }: { store?: Store; work: Promise<unknown> | "elsewhere" }) {
  const ids: string[] = [];
  const script: Script = (prompt) =>
    JSON.stringify(prompt.at(-1)).includes("render it") ? calls(["render", {}]) : says("fine");
  const render = defineTool({
    description: "renders",
    inputSchema: v.object({}),
    execute(_, { callId }) {
      ids.push(callId);
      return toolOutcome({ forModel: "started", pending: work });
    },
  });
  const t = await testAssistant({ store, script, tools: { render }, secrets: ["hush-hush-value"] });
  const lastPrompt = () => JSON.stringify(t.model.requests.at(-1)?.prompt);
  return { ...t, ids, lastPrompt };
}

describe("a result that comes later", () => {
  it("is a note in the session, once, whoever hands it over", async () => {
    const t = await setUp({ work: "elsewhere" });
    const reply = await t.assistant.send({ text: "render it" });
    expect(reply.toolCalls[0]?.output).toBe("started");
    const [id = ""] = t.ids;
    await t.assistant.tools.complete(id, { output: { url: "film.mp4", key: "hush-hush-value" } });
    await expect(t.assistant.tools.complete(id, { output: 2 })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await t.assistant.send({ text: "is it done?" });
    expect(t.lastPrompt()).toContain("film.mp4");
    expect(t.lastPrompt()).toContain("wakeful-note");
    expect(t.lastPrompt()).not.toContain("hush-hush");
    expect(t.lastPrompt().split("film.mp4").length).toBe(2);
  });

  it("comes by itself when the tool's promise settles, and a failure is told", async () => {
    const { promise, reject } = Promise.withResolvers<unknown>();
    const t = await setUp({ work: promise });
    await t.assistant.send({ text: "render it" });
    reject(new Error("out of film"));
    const key = (await t.assistant.sessions.list())[0]?.key ?? "";
    const isThere = async () => JSON.stringify(await t.assistant.sessions.show(key)).includes("out of film");
    await until(t.clock, isThere);
    expect(await isThere()).toBe(true);
  });

  it("is said at once in the chat that it was asked for in, and once", async () => {
    const t = await setUp({ work: "elsewhere" });
    await t.assistant.start();
    await t.say("render it");
    await t.assistant.tools.complete(t.ids[0] ?? "", { output: "film.mp4" });
    await t.sent(2);
    await t.clock.advance(60_000);
    expect(t.channel.textsTo("42")).toEqual(["fine", "render: film.mp4"]);
    await t.say("is it done?");
    expect(t.lastPrompt()).toContain("film.mp4");
  });

  it("of a terminal, the page or a program waits for its person among the notices", async () => {
    const t = await setUp({ work: "elsewhere" });
    await t.assistant.send({ text: "render it", channel: "web", user: "web:ada" });
    await t.assistant.tools.complete(t.ids[0] ?? "", { output: "film.mp4" });
    const kept: unknown[] = [];
    for await (const { key } of t.store.list("notifications/")) kept.push((await t.store.get(key))?.value);
    expect(JSON.stringify(kept)).toContain("render: film.mp4");
  });

  it("is reported as interrupted when the program that worked on it stopped", async () => {
    const first = await setUp({ work: new Promise(() => {}) });
    await first.assistant.send({ text: "render it" });
    await first.assistant.stop();
    const second = await setUp({ store: first.store, work: "elsewhere" });
    await second.assistant.send({ text: "is it done?" });
    expect(second.lastPrompt()).toContain("may or may not have had its effect");
    await expect(second.assistant.tools.complete(first.ids[0] ?? "", { output: 1 })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  it("handed over elsewhere is still waited for after a restart", async () => {
    const first = await setUp({ work: "elsewhere" });
    await first.assistant.send({ text: "render it" });
    await first.assistant.stop();
    const second = await setUp({ store: first.store, work: "elsewhere" });
    await second.assistant.tools.complete(first.ids[0] ?? "", { output: "the film" });
    await second.assistant.send({ text: "is it done?" });
    expect(second.lastPrompt()).toContain("the film");
  });
});
