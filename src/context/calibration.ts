import QuickLRU from "quick-lru";

/** How far estimates of tokens are off for each model, learned from what providers report. Kept in memory, and rebuilt by the first calls. */
export interface Calibration {
  /** What an estimate is to be multiplied by: 1 for a model that reported nothing yet, else 0.5 to 3. */
  factor(model: string): number;
  /** @param estimated Tokens of the whole prompt as estimated, without the factor. Prompts under 200 are left out: what a provider adds weighs too much there. */
  learn(model: string, estimated: number, reported: number): void;
}

/** Weight of the newest call: a new model is known after some ten calls, and one odd call does not matter. */
const NEWEST = 0.3;
const [MIN_FACTOR, MAX_FACTOR] = [0.5, 3];
const MIN_ESTIMATE = 200;
/** Models that are remembered, at least; the least recently used go first. */
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
