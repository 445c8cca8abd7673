import type { Embedder } from "../embedder.ts";
import { headOf } from "../../short-text.ts";

/** Longest text that is embedded, in characters: what follows rarely changes what a memory is about, and models cut or refuse long texts. */
export const MAX_TEXT_CHARS = 2000;
/** Texts in one call where the model knows no limit, or a greater one. */
const MAX_PER_CALL = 256;

/** How many texts the embedder takes in one call. */
export async function textsPerCall(embedder: Embedder): Promise<number> {
  const most = (await embedder.maxEmbeddingsPerCall) ?? MAX_PER_CALL;
  return Math.max(1, Math.min(MAX_PER_CALL, Math.floor(most) || 1));
}

/** What of a text is embedded; `""` when there is nothing to embed. */
export function embeddable(text: string): string {
  const trimmed = text.trim();
  return trimmed.length <= MAX_TEXT_CHARS ? trimmed : headOf(trimmed, MAX_TEXT_CHARS).trimEnd();
}

/**
 * The texts' embeddings at length 1, in as many calls as the embedder needs, one after the other. An embedding of zeros stays one.
 *
 * @throws {Error} If the embedder does, or gives another number of embeddings, embeddings of several sizes, or something that is no number.
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

/** The model as people and stores know it. */
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
