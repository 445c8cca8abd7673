import type { Clock } from "../clock.ts";
import { messageOf } from "../errors.ts";
import type { Notice } from "../notice.ts";
import type { Logger } from "../telemetry/index.ts";
import { startDeadline } from "../time-limit.ts";

/** Most milliseconds that a scorer may take. */
const SCORER_MS = 5000;

/**
 * Rates how important a notice is to its person: a rule or a model of the host program.
 *
 * Source: docs/attention.md, "A scorer of your own".
 */
export interface Scorer {
  /**
   * Contract: may throw or take too long; the notice then keeps its priority. Ends when `signal` aborts. Never changes
   * the notice.
   * @returns 0 to 1; other values are clamped.
   */
  score(notice: Notice, context: { readonly priority: number; readonly signal: AbortSignal }): Promise<number> | number;
}

export interface ScoreNoticeDeps {
  /** Default: notices keep their priority. */
  readonly scorer?: Scorer | undefined;
  readonly clock: Clock;
  readonly logger: Pick<Logger, "warn">;
}

/** Returns the priority of a notice. Contract: never throws. */
export type ScoreNotice = (notice: Notice, priority: number) => Promise<number>;

export function createScoreNotice({ scorer, clock, logger }: ScoreNoticeDeps): ScoreNotice {
  return async (notice, priority) => {
    if (!scorer) return priority;
    const deadline = startDeadline(clock, SCORER_MS, () => new Error(`No answer within ${SCORER_MS} ms`));
    try {
      const scored = await deadline.within(
        Promise.resolve().then(() => scorer.score(notice, { priority, signal: deadline.signal })),
      );
      if (!Number.isFinite(scored)) throw new TypeError(`Expected a number from 0 to 1: got ${String(scored)}`);
      return Math.min(1, Math.max(0, scored));
    } catch (error) {
      logger.warn("A scorer failed; the notice keeps its priority", { type: notice.type, error: messageOf(error) });
      return priority;
    } finally {
      deadline.end();
    }
  };
}
