import { describe, expect, it } from "vitest";
import { type CapturedTurn, autoCapture, taskTypeOf, workflowTrace } from "../../../src/memory/index.ts";
import { createRedactor } from "../../../src/telemetry/index.ts";

const call = (name: string, more: Partial<CapturedTurn["calls"][number]> = {}) => ({
  name,
  input: {},
  durationMs: 12,
  ...more,
});
const turn = (more: Partial<CapturedTurn> = {}): CapturedTurn => ({
  id: "turn-1",
  sessionId: "agent:main:main",
  text: "Find a train to Rome",
  reply: "The 9:40 is the cheapest.",
  outcome: "success",
  calls: [call("web_search"), call("web_fetch"), call("web_search")],
  ...more,
});

describe("autoCapture()", () => {
  it("keeps goal, tools and outcome of a turn that used tools", () => {
    expect(autoCapture(turn())).toEqual({
      content:
        "Goal: Find a train to Rome\nTools: web_search × 2, web_fetch\nOutcome: success: The 9:40 is the cheapest.",
      keywords: ["web_search", "web_fetch"],
      slots: {
        type: "auto_capture",
        source: "turn",
        task_type: "lookup",
        outcome: "success",
        session_id: "agent:main:main",
        turn: "turn-1",
      },
    });
  });

  it("keeps nothing of a turn without tools, or with memory's own only", () => {
    expect(autoCapture(turn({ calls: [] }))).toBeUndefined();
    expect(autoCapture(turn({ calls: [call("memory_recall"), call("acp_context")] }))).toBeUndefined();
  });

  it("shortens what is long", () => {
    const { content = "" } = autoCapture(turn({ text: "x ".repeat(5000), reply: "y\n".repeat(5000) })) ?? {};
    expect(content.length).toBeLessThan(900);
    expect(content.split("\n")).toHaveLength(3);
  });
});

describe("taskTypeOf()", () => {
  it.each([
    ["Research the history of tea and cite your sources", "research"],
    ["调研一下国内的电动车市场，找些资料", "research"],
    ["Analyse last month's sales data", "analysis"],
    ["分析一下上个月的销售数据", "analysis"],
    ["Compare these two phones", "comparison"],
    ["这两款手机对比一下，哪个好", "comparison"],
    ["Write a birthday card for my aunt", "writing"],
    ["帮我写一封感谢邮件", "writing"],
    ["Fix the bug in this function", "coding"],
    ["这段代码报错了，帮我调试", "coding"],
    ["Plan a three day trip with an itinerary", "planning"],
    ["安排一下下周的日程", "planning"],
    ["What is the weather in Oslo?", "lookup"],
    ["查一下明天的天气", "lookup"],
    ["Hmm", "other"],
    ["嗯", "other"],
  ])("takes %s for %s", (text, type) => {
    expect(taskTypeOf(text)).toBe(type);
  });
});

describe("workflowTrace()", () => {
  it("keeps the calls in their order, with short arguments that hold no secrets", () => {
    const calls = [
      call("login", { input: { user: "ada", password: "correct horse", note: "n".repeat(500) } }),
      call("upload", { input: { deep: { list: [1, 2] } }, durationMs: 30, error: { code: "FAILED", message: "full" } }),
    ];
    const draft = workflowTrace(turn({ calls, outcome: "failure" }), createRedactor());
    expect(draft?.slots).toEqual({
      type: "workflow_trace",
      source: "turn",
      task_id: "turn-1",
      session_id: "agent:main:main",
      tool_seq: "login→upload",
      outcome: "failure",
      steps: [
        {
          name: "login",
          arguments: { user: "ada", password: "[redacted]", note: `${"n".repeat(79)}…` },
          duration_ms: 12,
          success: true,
        },
        { name: "upload", arguments: { deep: '{"list":[1,2]}' }, duration_ms: 30, success: false, error: "FAILED" },
      ],
    });
  });

  it("is nothing for fewer than two calls", () => {
    expect(workflowTrace(turn({ calls: [call("one")] }), (value) => value)).toBeUndefined();
  });
});
