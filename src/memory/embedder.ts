/**
 * An AI SDK embedding model of any provider, interface version 2 or later, reduced to the members used here.
 *
 * Source: https://ai-sdk.dev/docs/ai-sdk-core/embeddings
 */
export interface Embedder {
  /** The provider's name; with `modelId` it tells which stored vectors belong to this model. */
  readonly provider: string;
  /** The model's name at the provider. */
  readonly modelId: string;
  /** Most texts in one call. `undefined`: no limit is known. */
  readonly maxEmbeddingsPerCall: PromiseLike<number | undefined> | number | undefined;
  /** Embeds texts: one vector for each, in the order of `values`. Rejects when the provider fails. */
  doEmbed(options: {
    readonly values: string[];
    readonly abortSignal?: AbortSignal;
  }): PromiseLike<{ readonly embeddings: readonly (readonly number[])[] }>;
}
