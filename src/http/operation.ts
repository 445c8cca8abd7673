import type { Clock } from "../clock.ts";
import type { Metrics } from "../telemetry/index.ts";
import { MetricsSummaryJson, summariseMetrics } from "./metrics-summary.ts";
import { json, type Route } from "./route.ts";
import { ReadyJson } from "./wire.ts";

/**
 * How long a result of the checks is cached, in milliseconds: the route needs no token, and a check writes to the
 * store.
 */
const READY_FRESH_MS = 1000;

/** One check of `/readyz`. */
export interface ReadyCheck {
  readonly ok: boolean;
  readonly name: string;
  readonly detail?: string;
}

export interface OperationRoutesDeps {
  /** Checks whether the store is writable and the engine runs. */
  ready(): Promise<readonly ReadyCheck[]>;
  readonly metrics: Pick<Metrics, "text" | "snapshot">;
  readonly clock: Clock;
}

export function operationRoutes({ ready, metrics, clock }: OperationRoutesDeps): readonly Route[] {
  const startedMs = clock.now();
  let last: { readonly atMs: number; readonly checks: readonly ReadyCheck[] } | undefined;

  async function checks() {
    const age = last ? clock.now() - last.atMs : Infinity;
    if (last && age >= 0 && age < READY_FRESH_MS) return last.checks;
    const found = await ready();
    last = { atMs: clock.now(), checks: found };
    return found;
  }

  return [
    {
      method: "GET",
      path: "/healthz",
      summary: "Reports whether the process is alive",
      access: "public",
      answers: { 200: { description: "Yes", mediaType: "text/plain" } },
      handle: () => new Response("ok\n", { headers: { "content-type": "text/plain; charset=utf-8" } }),
    },
    {
      method: "GET",
      path: "/readyz",
      summary:
        "Reports whether the assistant can take messages. Details of a failed check are in the log and in `wakeful doctor`",
      access: "public",
      answers: {
        200: { description: "Every check passed", schema: ReadyJson },
        503: { description: "A check failed", schema: ReadyJson },
      },
      async handle() {
        const found = await checks();
        const ready = found.every(({ ok }) => ok);
        return json({ ready, checks: found.map(({ name, ok }) => ({ name, ok })) }, ready ? 200 : 503);
      },
    },
    {
      method: "GET",
      path: "/metrics",
      summary: "Shows metrics in the text format of Prometheus",
      access: ["metrics", "owner"],
      answers: { 200: { description: "Metrics", mediaType: "text/plain" } },
      handle: () =>
        new Response(metrics.text(), { headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" } }),
    },
    {
      method: "GET",
      path: "/api/v1/metrics/summary",
      summary: "Shows the figures of a dashboard, counted since the process started",
      access: ["metrics", "owner"],
      answers: { 200: { description: "The figures", schema: MetricsSummaryJson } },
      handle: () => json(summariseMetrics(metrics.snapshot(), startedMs, clock.now())),
    },
  ];
}
