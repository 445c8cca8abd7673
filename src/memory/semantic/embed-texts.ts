import type { Embedder } from "../embedder.ts";
import { headOf } from "../../short-text.ts";

/**
 * Longest text that is embedded, in characters: the rest rarely changes what a memory is about, and models cut or
 * refuse long texts.
 */
export const MAX_TEXT_CHARS = 2000;
/** Most texts in one call, also where the model has no limit or a greater one. */
const MAX_PER_CALL = 256;

/** Number of texts that the embedder takes in one call. */
export async function textsPerCall(embedder: Embedder): Promise<number> {
  const most = (await embedder.maxEmbeddingsPerCall) ?? MAX_PER_CALL;
  return Math.max(1, Math.min(MAX_PER_CALL, Math.floor(most) || 1));
}

/** Part of a text that is embedded; `""` when there is nothing to embed. */
export function embeddable(text: string): string {
  const trimmed = text.trim();
  return trimmed.length <= MAX_TEXT_CHARS ? trimmed : headOf(trimmed, MAX_TEXT_CHARS).trimEnd();
}

/**
 * Embeds texts and scales each vector to length 1, in as many sequential calls as the embedder needs. A vector of zeros
 * stays zeros.
 *
 * @throws {Error} If the embedder throws, or returns a wrong number of embeddings, embeddings of several sizes, or
 * numbers that are not finite.
 */
export async function embedTexts(
  embedder: Embedder,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<readonly Float32Array[]> {
  const most = await textsPerCall(embedder);
  const vectors: Float32Array[] = [];
  for (let from = 0; from < texts.length; from += most) {
    const values = texts.slice(from, from + most);
    const { embeddings } = await embedder.doEmbed(signal === undefined ? { values } : { values, abortSignal: signal });
    if (embeddings.length !== values.length)
      throw new Error(
        `Cannot use the embeddings of ${nameOf(embedder)}: expected ${values.length} for as many texts, got ${embeddings.length}`,
      );
    for (const embedding of embeddings) vectors.push(unitVector(embedder, embedding, vectors[0]?.length));
  }
  return vectors;
}

/** The model's name for people and as a store key. */
export const nameOf = (embedder: Pick<Embedder, "provider" | "modelId">): string =>
  `${embedder.provider}/${embedder.modelId}`;

function unitVector(embedder: Embedder, embedding: readonly number[], dimensions: number | undefined): Float32Array {
  const vector = Float32Array.from(embedding);
  const length = lengthOf(vector);
  if (vector.length === 0 || !Number.isFinite(length))
    throw new Error(`Cannot use an embedding of ${nameOf(embedder)}: expected finite numbers, and at least one`);
  if (dimensions !== undefined && dimensions !== vector.length)
    throw new Error(
      `Cannot use the embeddings of ${nameOf(embedder)}: expected one size, got ${dimensions} and ${vector.length} numbers`,
    );
  if (length > 0) for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] ?? 0) / length;
  return vector;
}

function lengthOf(vector: Float32Array): number {
  let sum = 0;
  for (const value of vector) sum += value * value;
  return Math.sqrt(sum);
}

/** The cosine similarity of two vectors of length 1. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (const [at, value] of a.entries()) sum += value * (b[at] ?? 0);
  return sum;
}
