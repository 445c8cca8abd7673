import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineTool } from "../../entry.host.ts";
import type { PolicyInput } from "../../kit.ts";
import { METRICS } from "../../src/telemetry/index.ts";
import { calls, fails, says } from "../../src/testing/scripted-model.ts";
import { type TestAssistantOptions, testAssistant } from "../support/assistant.ts";
import { silentLogger } from "../../src/telemetry/index.ts";
import { attributesOf, otlpCollector } from "./otlp-collector.ts";

/** Stands in everything that people, models and tools say. */
const CANARY = "quetzalcoatlus";
const CLIENT = 3;
const INTERNAL = 1;
const ERROR = 2;

const inner = defineTool({
  description: "Looks it up",
  inputSchema: v.object({ text: v.string() }),
  execute: ({ text }) => ({ found: `${CANARY} ${text}` }),
});
const outer = defineTool({
  description: "Asks inner",
  inputSchema: v.object({ text: v.string() }),
  execute: ({ text }, { callTool }) => callTool("inner", { text }) as Promise<never>,
});
const broken = defineTool({
  description: "Breaks",
  inputSchema: v.object({ text: v.string() }),
  execute: () => {
    throw new Error(`${CANARY} broke`);
  },
});

const setUp = (options: TestAssistantOptions = {}) =>
  testAssistant({
    logger: silentLogger,
    queue: { debounceMs: 0 },
    tools: { inner, outer, broken },
    agents: [{ id: "main", name: "Wanda" }],
    script: (prompt) =>
      prompt.at(-1)?.role === "tool"
        ? says(`${CANARY} is what I found`)
        : calls(
            `${CANARY}, let me see`,
            ["outer", { text: CANARY }],
            ["broken", { text: CANARY }],
            [`no_such_${CANARY}`, {}],
            ["outer", { wrong: CANARY }],
          ),
    ...options,
  });

describe("with OpenTelemetry's SDK and an OTLP collector", () => {
  it("a turn is a span, its model calls and tool calls are below it, and none has a word of theirs", async () => {
    const collector = await otlpCollector();
    const t = await setUp();
    await t.say(`Find the ${CANARY}`);
    const spans = await collector.spans();
    const named = (name: string) => spans.filter((span) => span.name === name);
    const [turn] = named("invoke_agent Wanda");
    expect(spans.map(({ name }) => name).toSorted()).toEqual([
      "chat scripted",
      "chat scripted",
      "execute_tool broken",
      "execute_tool inner",
      "execute_tool outer",
      "execute_tool outer",
      "invoke_agent Wanda",
    ]);
    expect(turn?.parentSpanId ?? "").toBe("");
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    const [well, bad] = named("execute_tool outer").toSorted(
      (one, other) => (one.status?.code ?? 0) - (other.status?.code ?? 0),
    );
    expect(named("execute_tool inner")[0]?.parentSpanId).toBe(well?.spanId);
    for (const { name, parentSpanId } of spans)
      if (!/^invoke|inner$/.test(name)) expect([name, parentSpanId]).toEqual([name, turn?.spanId]);

    expect(turn?.kind).toBe(INTERNAL);
    const session = "agent:main:memory:direct:42";
    expect(attributesOf(turn!)).toEqual({
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.provider.name": "wakeful",
      "gen_ai.agent.id": "main",
      "gen_ai.agent.name": "Wanda",
      "gen_ai.conversation.id": session,
      "gen_ai.usage.input_tokens": 20,
      "gen_ai.usage.output_tokens": 10,
      "wakeful.turn.id": expect.any(String),
      "wakeful.turn.source": "message",
    });
    const [first, second] = named("chat scripted");
    expect([first?.kind, second?.kind]).toEqual([CLIENT, CLIENT]);
    expect(attributesOf(second!)).toEqual({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "scripted",
      "gen_ai.request.model": "scripted",
      "gen_ai.response.model": "scripted",
      "gen_ai.response.finish_reasons": ["stop"],
      "gen_ai.conversation.id": session,
      "gen_ai.usage.input_tokens": 10,
      "gen_ai.usage.output_tokens": 5,
    });
    expect(attributesOf(well!)).toEqual({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "outer",
      "gen_ai.tool.type": "function",
      "gen_ai.tool.call.id": expect.stringMatching(/\.0\.0$/),
    });
    expect([bad?.status?.code, attributesOf(bad!)["error.type"]]).toEqual([ERROR, "BAD_INPUT"]);
    const [failed] = named("execute_tool broken");
    expect([failed?.status?.code, attributesOf(failed!)["error.type"]]).toEqual([ERROR, "FAILED"]);
    expect(failed?.status?.message ?? "").toBe("");
    expect(collector.received.join()).not.toContain(CANARY);
  });

  it("a turn that fails says what kind of error it was, and so does its model call", async () => {
    const collector = await otlpCollector();
    const t = await setUp({ script: () => fails(new Error(`${CANARY} is not served here`)) });
    await t.say("hello");
    const spans = await collector.spans();
    expect(spans.map((span) => [span.name, span.status?.code, attributesOf(span)["error.type"]])).toEqual([
      ["chat scripted", ERROR, "MODEL_UNAVAILABLE"],
      ["invoke_agent Wanda", ERROR, "MODEL_UNAVAILABLE"],
    ]);
    expect(collector.received.join()).not.toContain(CANARY);
  });

  it("a denied call is an error, and the name that a model made up for a tool is not told", async () => {
    const collector = await otlpCollector();
    const policy: PolicyInput = {
      version: 1,
      profiles: [{ name: "default", match: {}, policy: { deny: [{ tool: "inner" }], allow: [] } }],
    };
    const t = await setUp({ policy });
    const as = { user: "memory:42", channel: "memory" };
    for (const name of ["inner", `no_such_${CANARY}`])
      await t.assistant.tools.run(name, { text: "x" }, as as never).catch(() => {});
    const spans = await collector.spans();
    expect(spans.map((span) => [span.name, span.parentSpanId ?? "", attributesOf(span)["error.type"]])).toEqual([
      ["execute_tool inner", "", "DENIED"],
      ["execute_tool unknown", "", "UNKNOWN_TOOL"],
    ]);
    expect(collector.received.join()).not.toContain(CANARY);
  });

  it("metrics have the names, types and values of /metrics, and those of the conventions", async () => {
    const collector = await otlpCollector();
    const t = await setUp();
    await t.say("hello");
    await t.say("hello again");
    const measured = await collector.metrics();
    const point = (name: string) => {
      const { sum, gauge, histogram } = measured.get(name) ?? {};
      return (sum ?? gauge ?? histogram)?.dataPoints[0];
    };
    expect(measured.get("turn.run_total")?.sum?.isMonotonic).toBe(true);
    expect(Number(point("turn.run_total")?.asInt ?? point("turn.run_total")?.asDouble)).toBe(2);
    expect(attributesOf(point("turn.run_total")!)).toEqual({ status: "completed" });
    expect(measured.get("queue.depth")?.gauge?.dataPoints).toHaveLength(1);
    expect(measured.get("turn.seconds")).toMatchObject({ unit: "s", description: "Duration of turns." });
    expect(Number(point("turn.seconds")?.count)).toBe(2);
    expect(point("turn.seconds")?.explicitBounds).toContain(0.025);
    expect(measured.get("event.bus.publish_total")?.sum?.dataPoints.length).toBeGreaterThan(1);
    expect(Number(point("gen_ai.client.operation.duration")?.count)).toBe(4);
    expect(attributesOf(point("gen_ai.client.operation.duration")!)).toEqual({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "scripted",
      "gen_ai.request.model": "scripted",
      "gen_ai.response.model": "scripted",
    });
    expect(measured.get("gen_ai.client.token.usage")?.histogram?.dataPoints).toHaveLength(2);
    const names = [...measured.keys()].filter((name) => !name.startsWith("gen_ai."));
    expect(Object.keys(METRICS)).toEqual(expect.arrayContaining(names));
    expect(names.length).toBeGreaterThan(12);
  });

  it("metrics go out where nobody traces, and after the assistant has stopped", async () => {
    const collector = await otlpCollector({ traces: false });
    const t = await setUp();
    await t.say("hello");
    await t.during(t.assistant.stop());
    expect((await collector.metrics()).has("turn.run_total")).toBe(true);
    expect(await collector.spans()).toEqual([]);
  });

  it("is found when it is registered after the start, and nothing is sent where the option says so", async () => {
    const late = await setUp();
    const silent = await setUp({ telemetry: { enabled: false } });
    await late.say("hello");
    const collector = await otlpCollector();
    await silent.say("hello");
    expect(await collector.spans()).toEqual([]);
    await late.say("hello");
    expect((await collector.spans()).filter(({ name }) => name === "invoke_agent Wanda")).toHaveLength(1);
  });
});
