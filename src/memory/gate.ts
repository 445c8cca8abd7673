import type { FoundMemory } from "./found-memory.ts";
import type { MemorySignals } from "./memory-store.ts";
import { type Subject, asks, subjectOf } from "./subject.ts";

/** The part of a recall that is about the message. */
export interface Gated {
  /** Best first; empty when the gate is closed. */
  readonly hits: readonly FoundMemory[];
  /** Why the gate is closed although something was found. */
  readonly closed?: string;
}

/** Least match of a memory with a message: its `telling` words, and its `coverage` of all words. */
type Least = Pick<Required<MemorySignals>, "telling" | "coverage">;

// Tuned on labelled messages: test/bench/recall-results.md says on which, and with what result.

/** Least match by the subject of a message; one of a list is enough. */
export const LEAST: Readonly<Record<Subject, readonly Least[]>> = {
  own: [{ telling: 0.4, coverage: 0.05 }],
  life: [
    { telling: 0.6, coverage: 0.1 },
    { telling: 0.3, coverage: 0.2 },
  ],
  question: [
    { telling: 0.85, coverage: 0.4 },
    { telling: 1.6, coverage: 0.2 },
    { telling: 2, coverage: 0.1 },
  ],
  // "How big is Oslo?" is not a question about one's own life.
  world: [{ telling: 2, coverage: 0.3 }],
};
/** "Where do I live?" consists of everyday words: a memory that has all of them answers it. */
const WHOLE_QUESTION: Least = { telling: 0.25, coverage: 0.95 };
/** Or its similarity is this many standard deviations above that of unrelated memories. */
export const NEAR_DEVIATIONS = 4;
/** A hit below this share of the best score is dropped, unless it shares telling words. */
const SHARE_OF_BEST = 0.05;
const TELLING_ENOUGH = 0.55;

/**
 * Selects the found memories that are about a message that did not ask for any. A score cannot decide this, since it
 * has no absolute scale: a greeting finds as much as a question. One memory that is about the message opens the gate
 * for all that score near it.
 *
 * Source: docs/recall-unasked.md.
 *
 * @param found Hits of a search with `about`, best first.
 * @param message The writer's own words.
 */
export function gate(found: readonly FoundMemory[], message: string): Gated {
  if (found.length === 0) return { hits: [] };
  const subject = subjectOf(message);
  const least = subject === "own" && asks(message) ? [...LEAST.own, WHOLE_QUESTION] : LEAST[subject];
  if (!found.some(({ signals }) => isAbout(signals, least))) return { hits: [], closed: reasonOf(found) };
  const best = found.reduce((most, { score }) => Math.max(most, score), 0);
  return {
    hits: found.filter((hit) => hit.score >= SHARE_OF_BEST * best || (hit.signals.telling ?? 0) >= TELLING_ENOUGH),
  };
}

function isAbout({ coverage = 0, telling = 0, deviations = 0 }: MemorySignals, least: readonly Least[]): boolean {
  return deviations >= NEAR_DEVIATIONS || least.some((one) => telling >= one.telling && coverage >= one.coverage);
}

function reasonOf(found: readonly FoundMemory[]): string {
  const most = (signal: keyof Least) => found.reduce((best, { signals }) => Math.max(best, signals[signal] ?? 0), 0);
  const telling = most("telling").toFixed(1);
  const coverage = Math.round(100 * most("coverage"));
  return `no memory shares enough of the message's distinctive words: at most ${telling} words and ${coverage}% of them`;
}
