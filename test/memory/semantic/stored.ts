import { quantise } from "../../../src/memory/semantic/vector-segment.ts";

/** A vector as a set of vectors takes it. */
export const stored = (id: string, values: ArrayLike<number>, more: { createdAtMs?: number; type?: string } = {}) => ({
  id,
  createdAtMs: 0,
  type: "",
  textHash: 1,
  ...more,
  ...quantise(Float32Array.from(values)),
});
