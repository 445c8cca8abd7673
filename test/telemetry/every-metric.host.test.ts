import { describe, expect, it, onTestFinished } from "vitest";
import type { RunningServer, Servable, ServeOptions } from "../../adapters/runtimes/node/index.ts";
import { calls, fails, says } from "../../src/testing/scripted-model.ts";
import { silentLogger } from "../../src/telemetry/index.ts";
import { OWNER_TOKEN, testAssistant } from "../support/assistant.ts";
import { until } from "../support/until.ts";

const METRICS_TOKEN = "metrics-token-0123456789";
const DAY = 86_400_000;
const runtime = "Bun" in globalThis ? "bun" : "Deno" in globalThis ? "deno" : "node";

/** The server of the runtime that runs this test. */
async function serve(assistant: Servable, options: ServeOptions): Promise<RunningServer> {
  const own = {
    node: () => import("../../adapters/runtimes/node/index.ts"),
    bun: () => import("../../adapters/runtimes/bun/index.ts"),
    deno: () => import("../../adapters/runtimes/deno/index.ts"),
  };
  return (await own[runtime]()).serve(assistant, options);
}

/** What an operator's dashboards and rules name, by the type that they expect. */
const PROMISED = {
  event_bus_handler_error_total: "counter",
  event_bus_handler_latency_seconds: "histogram",
  event_bus_publish_total: "counter",
  memory_daily_summary_generated: "counter",
  memory_flush_saved_total: "counter",
  memory_flush_skipped_dedup_total: "counter",
  memory_longterm_facts_count: "gauge",
  memory_recall_injected_total: "counter",
  memory_recall_latency_seconds: "histogram",
  memory_recall_used_total: "counter",
  proactive_notification_total: "counter",
  proactive_pattern_answer_total: "counter",
  proactive_pattern_found_total: "counter",
  proactive_task_total: "counter",
  queue_depth: "gauge",
  scheduler_job_consec_failures: "gauge",
  scheduler_job_run_total: "counter",
  tool_policy_denied_total: "counter",
  tool_policy_profile_selected: "counter",
  turn_cost_total: "counter",
  turn_run_total: "counter",
  turn_tokens_total: "counter",
  webhook_ack_total: "counter",
} as const;

/** What the model does with each message. */
function answer(prompt: readonly { readonly role: string; readonly content: unknown }[]) {
  const last = JSON.stringify(prompt.at(-1)?.content ?? "");
  if (prompt.at(-1)?.role === "tool") return says("There you are");
  if (last.includes("what time is it")) return calls(["time", {}]);
  if (last.includes("run something")) return calls(["bash", { command: "ls" }]);
  if (last.includes("this job fails")) return fails(400);
  if (last.includes("where does Marta")) return says("Your sister Marta lives in Bergen, near the harbour");
  return says("I see.");
}

describe("GET /metrics of a server", () => {
  it("has every promised metric, by name and type, once what it counts has happened", async () => {
    const t = await testAssistant({
      script: (prompt) => answer(prompt),
      start: false,
      logger: silentLogger,
      owner: { ids: ["memory:42"] },
      queue: { debounceMs: 0 },
      policy: {
        version: 1,
        profiles: [{ name: "default", match: {}, policy: { deny: [{ group: "exec" }], allow: [] } }],
      },
      memory: { autoCapture: false },
      compaction: { keepLastTurns: 1, flushTurn: false },
      modelInfo: { "scripted/scripted": { price: { input: 1, output: 2 } } },
      server: { token: OWNER_TOKEN, tokens: [{ token: METRICS_TOKEN, role: "metrics", user: "http:prometheus" }] },
    });
    t.assistant.events.subscribe(
      "task.completed",
      () => {
        throw new Error("this listener is broken");
      },
      { name: "broken" },
    );
    const server = await serve(t.assistant, { port: 0 });
    onTestFinished(() => server.stop());
    const at = `http://127.0.0.1:${server.port}`;

    await t.say("what time is it?");
    await t.say("run something");
    const ada = { userId: "memory:42" };
    await t.assistant.memory.save({ ...ada, content: "Marta, my sister, has a flat in Bergen near the harbour" });
    await t.say("/new");
    await t.say("where does Marta live?");
    for (let round = 0; round < 2; round += 1) {
      await t.say("I prefer green tea with my lunch.");
      await t.say("good");
      await t.say("/compact");
    }
    const { job } = await t.assistant.jobs.create({
      schedule: "in 20 days",
      task: "this job fails",
      user: "memory:42",
    });
    await t.assistant.jobs.run(job.id);
    await until(t.clock, async () => (await t.assistant.jobs.runs(job.id))[0]?.status === "failed");
    await t.clock.advance(DAY);
    await t.say("Good morning");
    for (let day = 0; day < 3; day += 1) {
      await t.clock.advance(DAY);
      await t.say("Give me the Reuters headlines please");
    }
    await until(t.clock, () => t.channel.textsTo("42").at(-1)?.includes("Shall I do it by myself") === true);
    await t.say("yes");

    const scraped = await fetch(`${at}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
    expect(scraped.status).toBe(200);
    expect(scraped.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    const text = await scraped.text();
    const types = Object.fromEntries(
      [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", type]) => [name, type]),
    );
    expect(types).toMatchObject(PROMISED);
    const series = (name: string) => text.split("\n").filter((line) => line.startsWith(name));
    expect(series("scheduler_job_consec_failures")).toEqual([`scheduler_job_consec_failures{job_id="${job.id}"} 1`]);
    expect(series("scheduler_job_run_total")).toContain('scheduler_job_run_total{status="failed"} 1');
    expect(series("tool_policy_denied_total")).toEqual(["tool_policy_denied_total 1"]);
    expect(series("tool_policy_profile_selected").join()).toContain('{profile="default"}');
    expect(series("event_bus_handler_error_total").join()).toContain('{handler_name="broken"}');
    expect(series("event_bus_publish_total").join()).toContain('{event_type="task.completed"}');
    expect(series("proactive_pattern_answer_total")).toEqual([
      'proactive_pattern_answer_total{detector="time_routine",answer="yes"} 1',
    ]);
    expect(series("memory_recall_used_total")).toEqual(["memory_recall_used_total 1"]);
  });
});
