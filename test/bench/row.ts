import type { Runtime } from "./runtimes.ts";
import type { Sample } from "./statistics.ts";

export interface RowContext {
  /** How often each measurement is repeated. */
  readonly rounds: number;
  readonly runtimes: readonly Runtime[];
  /** The compiled package and programs, as users run them. */
  readonly build: string;
  /** The folder of the peers' own package. */
  readonly peers: string;
  readonly root: string;
  /** Says what is being done. */
  say(text: string): void;
}

export type Verdict = "pass" | "fail" | "told";

/** One line of the table. */
export interface Result {
  readonly name: string;
  /** The figure that the bar is about, as a person reads it. */
  readonly figure: string;
  /** What is asked of it; absent: the line only tells. */
  readonly bar?: string;
  readonly verdict: Verdict;
  /** Ours and the baselines in the same run. */
  readonly measured: readonly Measured[];
  readonly note?: string;
}

export interface Measured {
  readonly name: string;
  readonly unit: string;
  readonly sample: Sample;
}

/** A group of lines that are measured together. */
export interface Row {
  readonly name: string;
  /** Rounds when none are asked for. */
  readonly rounds: number;
  run(context: RowContext): Promise<readonly Result[]>;
}

/** A figure against the most (or least) that it may be. */
export function judge(value: number, bar: { readonly most: number } | { readonly least: number }): Verdict {
  const holds = "most" in bar ? value <= bar.most : value >= bar.least;
  return holds ? "pass" : "fail";
}
