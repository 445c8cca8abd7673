import type { MetricsSummary } from "../../metrics-summary.ts";
import type { ScriptTexts } from "../texts.ts";
import { type Bar, barTable, lineChart } from "./charts.ts";
import { button, element, find, wireView } from "./elements.ts";
import { type Server, problemText, whyFailed } from "./server.ts";
import { localTime } from "./times.ts";
import type { UsageEntry } from "./wire.ts";

export interface MetricsViewParts {
  readonly server: Server;
  readonly texts: ScriptTexts;
  readonly isOwner: boolean;
}

const DAYS_SHOWN = 7;

/** The view of metrics, as tables and charts. Only owners have its button. */
export function createMetricsView({ server, texts, isOwner }: MetricsViewParts): { start(): void } {
  const status = find("metrics-status", HTMLElement);
  const body = find("metrics-body", HTMLElement);
  const language = document.documentElement.lang;
  const count = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const percent = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 });
  const points = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0, signDisplay: "always" });
  const unit = new Intl.NumberFormat(language, { style: "unit", unit: "second", maximumFractionDigits: 3 });
  /** Incremented on every read, so that a slow response does not overwrite a newer one. */
  let generation = 0;

  const share = (value: number | null) => (value === null ? "–" : percent.format(value));
  const seconds = (value: number | null) => (value === null ? "–" : unit.format(value));
  const figure = (name: string, value: number, more: Partial<Bar> = {}): Bar => ({
    name,
    value,
    text: count.format(value),
    ...more,
  });

  async function load(): Promise<void> {
    const mine = ++generation;
    try {
      const [summary, usage, metrics] = await Promise.all([
        server.request("api/v1/metrics/summary"),
        server.request(`api/v1/usage?days=${DAYS_SHOWN}`),
        server.request("metrics"),
      ]);
      const failed = [summary, usage, metrics].find(({ ok }) => !ok);
      if (failed) throw new Error(await problemText(failed, texts));
      const read = [summary.json(), usage.json(), metrics.text()] as const;
      const [figures, used, text] = (await Promise.all(read)) as [MetricsSummary, UsageEntry, string];
      if (mine !== generation) return;
      status.textContent = texts.metricsSince.replace("{time}", localTime(figures.since));
      body.replaceChildren(...sections(figures, used, text));
    } catch (error) {
      if (mine === generation) status.textContent = whyFailed(error, texts.unreachable);
    }
  }

  function sections(figures: MetricsSummary, used: UsageEntry, text: string): readonly HTMLElement[] {
    const { turns, tools, recall, notifications, patterns, outcome, jobs, memory, events } = figures;
    return [
      section(texts.metricsTurns, [
        barTable(texts.metricsByOutcome, [
          figure(texts.metricsAnswered, turns.completed),
          figure(texts.metricsFailed, turns.failed, { isBad: turns.failed > 0 }),
          figure(texts.metricsStopped, turns.aborted),
        ]),
        ...timesOfTurns(figures, text),
        barTable(
          texts.metricsTokensByDay,
          used.days.map(({ day, total }) => figure(day, total.input_tokens + total.output_tokens)),
        ),
      ]),
      section(texts.metricsRecall, [
        barTable(texts.metricsRecalled, [
          figure(texts.metricsRecallsADay, recall.recalls_per_day),
          figure(texts.metricsShown, recall.injected),
          figure(texts.metricsUsed, recall.used, {
            text: `${count.format(recall.used)} · ${share(recall.hit_rate)}`,
          }),
        ]),
        barTable(texts.metricsCompaction, [
          figure(texts.metricsCompactions, memory.compactions),
          figure(texts.metricsKept, memory.flushed),
          figure(texts.metricsKnown, memory.known),
        ]),
      ]),
      section(texts.metricsUnasked, [
        barTable(texts.metricsByDecision, [
          figure(texts.metricsSent, notifications.sent),
          figure(texts.metricsHeld, notifications.held),
          figure(texts.metricsDigest, notifications.digest),
          figure(texts.metricsDropped, notifications.dropped),
          figure(texts.metricsRead, notifications.read),
        ]),
        ...listed(
          texts.metricsByRule,
          notifications.by_rule.map(({ rule, verdict, count: times }) => figure(`${rule} (${verdict})`, times)),
        ),
        ...listed(
          texts.metricsPatterns,
          patterns.by_detector.map(({ detector, found, accepted }) =>
            figure(detector, found, { text: `${count.format(found)} · ${count.format(accepted)}` }),
          ),
        ),
        barTable(
          texts.metricsOutcome,
          [
            figure(texts.metricsProactive, outcome.proactive.success_rate ?? 0, {
              text: `${share(outcome.proactive.success_rate)} (${count.format(outcome.proactive.tasks)})`,
            }),
            figure(texts.metricsHeldOut, outcome.held_out.success_rate ?? 0, {
              text: `${share(outcome.held_out.success_rate)} (${count.format(outcome.held_out.tasks)})`,
            }),
          ],
          1,
        ),
        ...(outcome.difference === null
          ? []
          : [element("p", { text: texts.metricsDifference.replace("{share}", points.format(outcome.difference)) })]),
      ]),
      section(texts.metricsWork, [
        ...listed(
          texts.metricsTools,
          tools.by_tool.map(({ tool, calls, failed }) =>
            figure(tool, calls, {
              text: failed === 0 ? count.format(calls) : `${count.format(calls)} · ${count.format(failed)} ✗`,
              isBad: failed > 0,
            }),
          ),
        ),
        barTable(texts.metricsRuns, [
          figure(texts.runSuccess, jobs.success),
          figure(texts.runFailed, jobs.failed, { isBad: jobs.failed > 0 }),
          figure(texts.runSkipped, jobs.skipped),
          figure(texts.metricsDenied, tools.denied),
        ]),
        ...listed(
          texts.metricsFailing,
          jobs.failing.map(({ job, failures }) => figure(job, failures, { isBad: true })),
        ),
        ...listed(
          texts.metricsHandlers,
          events.handler_errors.map(({ handler, count: times }) => figure(handler, times, { isBad: true })),
        ),
      ]),
    ];
  }

  /** Shows the distribution of turn times, from the metric's buckets. */
  function timesOfTurns({ turns }: MetricsSummary, text: string): readonly HTMLElement[] {
    const buckets = [...text.matchAll(/^turn_seconds_bucket\{le="([\d.]+)"\} (\d+)$/gm)].map(
      ([, bound = "", below = ""]) => ({ bound: Number(bound), below: Number(below) }),
    );
    const all = Number(/^turn_seconds_count (\d+)$/m.exec(text)?.[1] ?? 0);
    if (all === 0) return [];
    const label = texts.metricsTimes
      .replace("{half}", seconds(turns.seconds_p50))
      .replace("{most}", seconds(turns.seconds_p95));
    return [
      lineChart(
        label,
        buckets.map(({ bound, below }) => ({ name: seconds(bound), share: below / all })),
      ),
    ];
  }

  /** Returns a table, or nothing if it would be empty. */
  function listed(caption: string, bars: readonly Bar[]): readonly HTMLElement[] {
    return bars.length === 0 ? [] : [barTable(caption, bars)];
  }

  function section(title: string, children: readonly HTMLElement[]): HTMLElement {
    return element("section", {}, [element("h3", { text: title }), ...children]);
  }

  return {
    start() {
      find("metrics", HTMLElement).hidden = !isOwner;
      wireView("metrics", () => {
        status.textContent = "";
        void load();
      });
      find("metrics-top", HTMLElement).prepend(button(texts.metricsRefresh, () => void load()));
    },
  };
}
