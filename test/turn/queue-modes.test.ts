import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineTool } from "../../entry.host.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { calls, delayed, says, scriptedModel } from "../../src/testing/scripted-model.ts";
import { until } from "../support/until.ts";
import { testAssistant } from "../support/assistant.ts";

const NO_INPUT = v.object({});

/** The conversation in a prompt, a line each: who, and what, without the runtime's block. */
function lines(prompt: readonly { role: string; content: unknown }[]): string[] {
  return prompt
    .filter(({ role }) => role !== "system")
    .flatMap(({ role, content }) => {
      const parts = typeof content === "string" ? [{ type: "text", text: content }] : (content as { type: string }[]);
      return parts.map((part) => `${role}: ${partText(part)}`);
    });
}

function partText(part: { type: string; text?: string; toolName?: string; output?: { value?: unknown } }): string {
  if (part.type === "tool-call") return `calls ${part.toolName}`;
  if (part.type === "tool-result") return `${part.toolName} gave ${String(part.output?.value)}`;
  return (part.text ?? "").replace(/^<wakeful-context>[^]*?<\/wakeful-context>\n\n/, "");
}

/** A tool that runs until it is let go, and tells whether it was cut off. */
function slowTool() {
  const state = { begun: 0, ended: 0, aborted: 0, letGo: () => {} };
  const tool = defineTool({
    description: "Takes long",
    inputSchema: NO_INPUT,
    execute: (_input, { signal }) =>
      new Promise<string>((resolve, reject) => {
        state.begun += 1;
        state.letGo = () => {
          state.ended += 1;
          resolve("slow result");
        };
        signal.addEventListener("abort", () => {
          state.aborted += 1;
          reject(signal.reason);
        });
      }),
  });
  return { state, tool };
}

describe("the mode steer", () => {
  it("takes a message into the running turn before its next step", async () => {
    const clock = fakeClock();
    const { state, tool } = slowTool();
    const model = scriptedModel((_, call) => (call === 0 ? calls(["slow", {}]) : says("both answered")), {
      record: true,
    });
    const t = await testAssistant({ model, clock, tools: { slow: tool }, queue: { mode: "steer" } });
    const first = t.assistant.send({ text: "look it up", id: "1" });
    await until(clock, () => state.begun === 1);
    const second = t.assistant.send({ text: "only this year", id: "2" });
    await until(clock, async () => (await t.records()).filter(({ type }) => type === "in").length === 2);
    expect(state.aborted, "what runs is not cut off").toBe(0);
    state.letGo();
    const replies = await Promise.all([first, second]);
    expect(replies.map(({ text }) => text)).toEqual(["both answered", "both answered"]);
    expect(new Set(replies.map(({ turnId }) => turnId)).size).toBe(1);
    expect(lines(model.requests[1]!.prompt)).toEqual([
      "user: look it up",
      "assistant: calls slow",
      "tool: slow gave slow result",
      "user: only this year",
    ]);
  });

  it("does not begin calls that the model asked for before it knew of the message", async () => {
    const clock = fakeClock();
    const ran: string[] = [];
    const tool = defineTool({
      description: "Sends",
      inputSchema: NO_INPUT,
      execute: () => void ran.push("sent"),
    });
    const model = scriptedModel(
      (_, call) => (call === 0 ? delayed(5000, calls(["post", {}], ["post", {}])) : says("not sent")),
      { record: true, clock },
    );
    const t = await testAssistant({ model, clock, tools: { post: tool }, queue: { mode: "steer" } });
    const first = t.assistant.send({ text: "post it" });
    await until(clock, () => model.callCount === 1, { stepMs: 10 });
    const second = t.assistant.send({ text: "no, wait" });
    await until(clock, () => model.callCount === 2, { stepMs: 1000 });
    const [reply] = await Promise.all([first, second]);
    expect(ran).toEqual([]);
    expect(reply.toolCalls.map(({ error }) => error?.code)).toEqual(["SKIPPED", "SKIPPED"]);
    expect(lines(model.requests[1]!.prompt).at(-1)).toBe("user: no, wait");
  });

  it("answers a message that comes after the last step in a turn of its own", async () => {
    const clock = fakeClock();
    const model = scriptedModel(() => delayed(1000, says("ok")), { record: true, clock });
    const t = await testAssistant({ model, clock, queue: { mode: "steer" } });
    const first = t.assistant.send({ text: "one" });
    await until(clock, () => model.callCount === 1, { stepMs: 10 });
    const second = t.assistant.send({ text: "two" });
    await until(clock, () => model.callCount === 2, { stepMs: 100 });
    await clock.advance(2000);
    const replies = await Promise.all([first, second]);
    expect(new Set(replies.map(({ turnId }) => turnId)).size).toBe(2);
  });

  it("leaves the turn with the rights that everybody in it has", async () => {
    const clock = fakeClock();
    const { state, tool } = slowTool();
    const asked: string[][] = [];
    const model = scriptedModel((_prompt, call, request) => {
      asked.push((request.tools ?? []).map(({ name }) => name));
      return call === 0 ? calls(["slow", {}]) : call === 1 ? calls(["owners", {}]) : says("no");
    });
    const ran: string[] = [];
    const owners = defineTool({
      description: "The owner's",
      inputSchema: NO_INPUT,
      execute: () => void ran.push("owners"),
      meta: { visibleTo: ({ userRoles }) => userRoles.includes("owner") },
    });
    const t = await testAssistant({
      model,
      clock,
      tools: { slow: tool, owners },
      queue: { mode: "steer", debounceMs: 0 },
      owner: { ids: ["memory:1"] },
    });
    await t.receive("go on", { from: "1", group: "g" });
    await until(clock, () => state.begun === 1);
    await t.receive("and use the owner's tool", { from: "2", group: "g" });
    await until(clock, async () => (await t.records()).filter(({ type }) => type === "in").length === 2);
    state.letGo();
    await until(clock, () => t.channel.sent.length > 0);
    expect(asked[0]).toContain("owners");
    expect(asked[1]).not.toContain("owners");
    expect(ran).toEqual([]);
  });

  it("does not take in what is to be answered elsewhere", async () => {
    const clock = fakeClock();
    const { state, tool } = slowTool();
    const model = scriptedModel((_, call) => (call === 0 ? calls(["slow", {}]) : says("ok")), { record: true });
    const options = { session: { dmScope: "main" as const }, queue: { mode: "steer" as const, debounceMs: 0 } };
    const t = await testAssistant({ model, clock, tools: { slow: tool }, ...options });
    await t.receive("mine", { from: "1" });
    await until(clock, () => state.begun === 1);
    await t.receive("another's", { from: "2" });
    state.letGo();
    await until(clock, () => t.channel.sent.length === 2);
    expect(t.channel.textsTo("1")).toHaveLength(1);
    expect(t.channel.textsTo("2")).toHaveLength(1);
    expect(lines(model.requests[1]!.prompt).join()).not.toContain("another's");
  });
});

describe("the mode interrupt", () => {
  it("cuts off the model, and answers everything in one turn that sees it all", async () => {
    const clock = fakeClock();
    const model = scriptedModel((_, call) => (call === 0 ? delayed(60_000, says("never said")) : says("the newest")), {
      record: true,
      clock,
    });
    const t = await testAssistant({ model, clock, queue: { mode: "interrupt" } });
    const first = t.assistant.send({ text: "write a long essay" });
    await until(clock, () => model.callCount === 1, { stepMs: 10 });
    const replies = await Promise.all([first, t.assistant.send({ text: "no, a poem" })]);
    expect(replies.map(({ text }) => text)).toEqual(["the newest", "the newest"]);
    expect(lines(model.requests[1]!.prompt)).toEqual([
      "user: write a long essay",
      expect.stringMatching(/^user: <wakeful-note source="runtime">\nHere the person broke in/),
      "user: no, a poem",
    ]);
  });

  it("cuts off a tool, and tells the model that nobody knows what it did", async () => {
    const clock = fakeClock();
    const { state, tool } = slowTool();
    const model = scriptedModel((_, call) => (call === 0 ? calls(["slow", {}]) : says("stopped that")), {
      record: true,
    });
    const t = await testAssistant({ model, clock, tools: { slow: tool }, queue: { mode: "interrupt" } });
    const first = t.assistant.send({ text: "begin" });
    await until(clock, () => state.begun === 1);
    const [reply] = await Promise.all([first, t.assistant.send({ text: "leave it" })]);
    expect(state.aborted).toBe(1);
    expect(reply.toolCalls).toMatchObject([{ name: "slow", error: { code: "INTERRUPTED" } }]);
    expect(lines(model.requests[1]!.prompt).at(-1)).toBe("user: leave it");
  });

  it("answers a burst of interruptions with one reply, each message once", async () => {
    const clock = fakeClock();
    const model = scriptedModel(() => delayed(500, says("done")), { record: true, clock });
    const t = await testAssistant({ model, clock, queue: { mode: "interrupt" } });
    const sends: Promise<{ turnId: string }>[] = [];
    for (let number = 0; number < 12; number += 1) {
      sends.push(t.assistant.send({ text: `m${number}` }));
      await clock.advance(100);
    }
    await until(clock, async () => (await t.records()).some(({ type }) => type === "out"));
    const replies = await Promise.all(sends);
    expect(new Set(replies.map(({ turnId }) => turnId)).size).toBe(1);
    const last = lines(model.requests.at(-1)!.prompt).join("\n");
    for (let number = 0; number < 12; number += 1) expect(last.split(`m${number}\n`).length).toBeLessThanOrEqual(2);
    const outs = (await t.records()).filter(({ type }) => type === "out");
    expect(outs).toHaveLength(1);
    expect(new Set(outs[0]!["of"] as string[]).size).toBe(12);
  });
});

describe("a prompt that saw messages join", () => {
  it("is the same when it is made again from the log", async () => {
    const clock = fakeClock();
    const { state, tool } = slowTool();
    const script = (_: unknown, call: number) => (call === 0 ? calls(["slow", {}]) : says("ok"));
    const model = scriptedModel(script, { record: true });
    const t = await testAssistant({ clock, model, tools: { slow: tool }, queue: { mode: "steer" } });
    const first = t.assistant.send({ text: "a" });
    await until(clock, () => state.begun === 1);
    const second = t.assistant.send({ text: "b" });
    await until(clock, async () => (await t.records()).filter(({ type }) => type === "in").length === 2);
    state.letGo();
    await Promise.all([first, second]);
    const again = scriptedModel(() => says("ok"), { record: true });
    const two = await t.restart({ model: again });
    await two.assistant.send({ text: "c" });
    expect(lines(again.requests[0]!.prompt).slice(0, 4)).toEqual(lines(model.requests[1]!.prompt));
  });
});
