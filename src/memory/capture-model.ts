/** An AI SDK language model, as the option `model` takes it. */
export interface CaptureModel {
  /** Name of the provider. */
  readonly provider: string;
  /** Name of the model at the provider. */
  readonly modelId: string;
}
