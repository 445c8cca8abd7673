import QuickLRU from "quick-lru";

/**
 * Per-model correction of token estimates, learned from what providers report. Kept in memory and
 * relearned with the first calls.
 */
export interface Calibration {
  /** Factor to multiply an estimate by: 1 for a model that has not reported yet, else 0.5 to 3. */
  factor(model: string): number;
  /**
   * @param estimated Estimated tokens of the complete prompt, without the factor. Prompts under 200 are ignored,
   * because what a provider adds weighs too much in them.
   */
  learn(model: string, estimated: number, reported: number): void;
}

/** Weight of the newest call. A new model is known after about ten calls, and one outlier does not matter. */
const NEWEST = 0.3;
const [MIN_FACTOR, MAX_FACTOR] = [0.5, 3];
const MIN_ESTIMATE = 200;
/** Models that are cached, at least; the least recently used is evicted first. */
const MAX_MODELS = 100;

/** Source: docs/context.md, "Counting tokens". */
export function createCalibration(): Calibration {
  const factors = new QuickLRU<string, number>({ maxSize: MAX_MODELS });
  return {
    factor: (model) => factors.get(model) ?? 1,
    learn(model, estimated, reported) {
      if (!(estimated >= MIN_ESTIMATE) || !(reported > 0) || !Number.isFinite(reported / estimated)) return;
      const ratio = Math.min(MAX_FACTOR, Math.max(MIN_FACTOR, reported / estimated));
      const before = factors.get(model) ?? 1;
      factors.set(model, before + NEWEST * (ratio - before));
    },
  };
}
