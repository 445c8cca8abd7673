import { describe, expect, it } from "vitest";
import { offlineModel } from "../../adapters/models/offline/index.ts";
import { type TestAssistantOptions, testAssistant } from "../support/assistant.ts";

const open = (more: TestAssistantOptions = {}) =>
  testAssistant({
    owner: { ids: ["memory:42"] },
    model: offlineModel(),
    queue: { debounceMs: 0 },
    timezone: "UTC",
    ...more,
  });
type Opened = Awaited<ReturnType<typeof open>>;

async function reportOf(t: Opened, said: string, from = "42") {
  await t.say(said, { from });
  const [run] = await t.assistant.workflows.list({ user: `memory:${from}` });
  return t.during(t.assistant.workflows.finished(run?.id ?? ""));
}

const statesOf = ({ steps }: Awaited<ReturnType<typeof reportOf>>) =>
  Object.fromEntries(steps.map(({ id, status }) => [id, status]));

describe("the workflow weekly-report", () => {
  it("is written without a key from what is known, told, and kept as a file, without asking anybody", async () => {
    const t = await open({ memory: { autoCapture: false } });
    for (const content of [
      "Goal: find a train to Lund\nTools: web_search × 2\nOutcome: success: 8:15",
      "Goal: order a cake\nTools: web_fetch\nOutcome: failed: the shop is closed",
      "The boat is sold",
    ])
      await t.assistant.memory.save({ userId: "@owner", content });
    await t.say("my goal is to run a marathon");
    await t.say("remind me every weekday at 9 of the standup");
    const done = await reportOf(t, "run weekly-report");
    const report = [
      "# The last 7 days",
      "2 things done, 1 thing remembered, 1 goal, 1 active appointment.",
      "## Done",
      "- 2026-01-05: order a cake (failed)\n- 2026-01-05: find a train to Lund",
      "## Remembered",
      "- 2026-01-05: The boat is sold",
      "## Goals",
      "- run a marathon",
      "## Appointments",
      "- the standup: next 2026-01-05 09:00 (UTC)",
    ].join("\n\n");
    expect(done).toMatchObject({ status: "done", output: report, progress: { done: 5, total: 5 } });
    expect(t.channel.textsTo("42").at(-1)).toContain(report);
    expect(await t.say(`read reports/weekly-report/${done.id}.md`)).toContain("The boat is sold");
    expect(await t.assistant.approvals.list()).toEqual([]);
    expect(await t.say("how far is the workflow?")).toBe(
      `The workflow weekly-report is done: 5 of 5 steps.\n\n${report}`,
    );
  });

  it("is of the days that are wanted, in the language of what is known", async () => {
    const t = await open();
    await t.say("记住船卖掉了");
    await t.during(t.clock.advance(3 * 86_400_000));
    await t.say("记住买了一棵樱桃树");
    const done = await reportOf(t, "运行工作流 weekly-report，参数 days=2");
    expect(done.inputs).toEqual({ days: 2 });
    expect(done.output).toBe(
      [
        "# 最近 2 天",
        "做了 0 件事，记住了 1 件事，有 0 个目标、0 项生效的安排。",
        "## 做过的事",
        "没有记录。",
        "## 记住的事",
        "- 2026-01-08：买了一棵樱桃树",
        "## 目标",
        "没有目标。",
        "## 安排",
        "没有安排。",
      ].join("\n\n"),
    );
    expect(await t.say("工作流进行得怎么样了？")).toMatch(/^工作流 weekly-report 已完成：5\/5 步。/);
  });

  it("is written from what there is where memory and jobs are off, and told where nothing can be kept", async () => {
    const t = await open({ memory: { enabled: false }, scheduler: { enabled: false } });
    await t.say("my goal is to run a marathon");
    const { runId } = await t.assistant.workflows.run("weekly-report", { user: "memory:42" });
    const done = await t.during(t.assistant.workflows.finished(runId));
    expect(done).toMatchObject({ status: "done", output: expect.stringContaining("- run a marathon") });
    expect(statesOf(done)).toMatchObject({ memories: "failed", goals: "done", jobs: "failed", write: "done" });
  });
});
