/** An AI SDK language model, as the option `model` takes it. */
export interface CaptureModel {
  /** Whose model. */
  readonly provider: string;
  /** Its name there. */
  readonly modelId: string;
}
