/**
 * An AI SDK embedding model, as far as it is used here: any provider's, of the interface version 2 or later.
 *
 * Source: https://ai-sdk.dev/docs/ai-sdk-core/embeddings
 */
export interface Embedder {
  readonly provider: string;
  readonly modelId: string;
  /** Most texts in one call. `undefined`: no limit is known. */
  readonly maxEmbeddingsPerCall: PromiseLike<number | undefined> | number | undefined;
  doEmbed(options: {
    readonly values: string[];
    readonly abortSignal?: AbortSignal;
  }): PromiseLike<{ readonly embeddings: readonly (readonly number[])[] }>;
}
