import { describe, expect, it } from "vitest";
import { type AlertFacts, decideAlerts } from "../../src/alerts/index.ts";

const NOW = Date.UTC(2026, 0, 5, 8);
const HOUR = 3_600_000;
const LIMITS = { jobFailures: 3, handlerErrorsPerMinute: 10, compactionsWithoutFlush: 2 };
const JOB = { id: "news", name: "News", failures: 3, error: "no network", isPaused: false };

const errors = (count: number, agoMs: number, handler = "broken") =>
  Array.from({ length: count }, () => ({ handler, atMs: NOW - agoMs }));

describe("decideAlerts()", () => {
  it.each<{ title: string; facts: AlertFacts; rules: readonly string[] }>([
    { title: "nothing when nothing happened", facts: {}, rules: [] },
    { title: "a job that failed three times in a row", facts: { failedJob: JOB }, rules: ["job_failures"] },
    { title: "a job that failed more often", facts: { failedJob: { ...JOB, failures: 7 } }, rules: ["job_failures"] },
    { title: "nothing of two failures", facts: { failedJob: { ...JOB, failures: 2 } }, rules: [] },
    { title: "nothing of a job whose pause was told", facts: { failedJob: { ...JOB, isPaused: true } }, rules: [] },
    { title: "eleven errors in a minute", facts: { handlerErrors: errors(11, 1000) }, rules: ["handler_errors"] },
    { title: "nothing of ten", facts: { handlerErrors: errors(10, 1000) }, rules: [] },
    {
      title: "nothing of eleven over more than a minute",
      facts: { handlerErrors: [...errors(1, 60_000), ...errors(10, 0)] },
      rules: [],
    },
    {
      title: "two compactions of which nothing was kept",
      facts: { compactions: { atMs: [NOW - HOUR, NOW], keptMs: undefined } },
      rules: ["nothing_flushed"],
    },
    {
      title: "what was kept longer than a day ago as nothing",
      facts: { compactions: { atMs: [NOW - HOUR, NOW], keptMs: NOW - 25 * HOUR } },
      rules: ["nothing_flushed"],
    },
    { title: "nothing of one", facts: { compactions: { atMs: [NOW], keptMs: undefined } }, rules: [] },
    {
      title: "nothing of one today and one before",
      facts: { compactions: { atMs: [NOW - 24 * HOUR, NOW], keptMs: undefined } },
      rules: [],
    },
    {
      title: "nothing when something was kept today",
      facts: { compactions: { atMs: [NOW - HOUR, NOW], keptMs: NOW - 23 * HOUR } },
      rules: [],
    },
  ])("tells $title", ({ facts, rules }) => {
    expect(decideAlerts(facts, LIMITS, NOW).map(({ rule }) => rule)).toEqual(rules);
  });

  it("names the handler that failed most often, and since when", () => {
    const handlerErrors = [...errors(4, 5000, "rare"), ...errors(8, 1000, "often")];
    expect(decideAlerts({ handlerErrors }, LIMITS, NOW)).toEqual([
      {
        rule: "handler_errors",
        subject: "often",
        priority: 0.8,
        sinceMs: NOW - 5000,
        values: { handler: "often", count: 12 },
      },
    ]);
  });
});
