/**
 * An AI SDK embedding model, as far as it is used here: any provider's, of the interface version 2 or later.
 *
 * Source: https://ai-sdk.dev/docs/ai-sdk-core/embeddings
 */
export interface Embedder {
  /** The provider's name; with `modelId` it says whether stored vectors are of this model. */
  readonly provider: string;
  /** The model's name at the provider. */
  readonly modelId: string;
  /** Most texts in one call. `undefined`: no limit is known. */
  readonly maxEmbeddingsPerCall: PromiseLike<number | undefined> | number | undefined;
  /** Embeds texts: one vector a text, in the order of `values`. Rejects when the provider fails. */
  doEmbed(options: {
    readonly values: string[];
    readonly abortSignal?: AbortSignal;
  }): PromiseLike<{ readonly embeddings: readonly (readonly number[])[] }>;
}
