import type { LanguageModelV4, LanguageModelV4StreamPart, LanguageModelV4Usage } from "@ai-sdk/provider";

/** Every answer: 160 characters. */
export const ANSWER =
  "Of course: the blue folder is on the second shelf of the cupboard in the hall, behind the box with the winter gloves, where you put it when you came home in May.";

const usage: LanguageModelV4Usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 5, text: 5, reasoning: undefined },
};

const stop = { unified: "stop", raw: undefined } as const;
const deltas = ANSWER.split(/(?<= )/).map((delta): LanguageModelV4StreamPart => ({
  type: "text-delta",
  id: "0",
  delta,
}));
const streamed: readonly LanguageModelV4StreamPart[] = [
  { type: "stream-start", warnings: [] },
  { type: "text-start", id: "0" },
  ...deltas,
  { type: "text-end", id: "0" },
  { type: "finish", finishReason: stop, usage },
];

/** A model that answers at once and keeps nothing: what is left is the cost of everything around it. */
export function bareModel(): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: "bare",
    modelId: "bare",
    supportedUrls: {},
    doGenerate: async () => ({ content: [{ type: "text", text: ANSWER }], finishReason: stop, usage, warnings: [] }),
    doStream: async () => ({
      stream: new ReadableStream<LanguageModelV4StreamPart>({
        start(controller) {
          for (const part of streamed) controller.enqueue(part);
          controller.close();
        },
      }),
    }),
  };
}

/** As `bareModel`, but it asks for `tool` whenever a person spoke last. */
export function callingModel(tool: string, input: object): LanguageModelV4 {
  const model = bareModel();
  const asked = JSON.stringify(input);
  return {
    ...model,
    doGenerate(options) {
      if (options.prompt.at(-1)?.role !== "user") return model.doGenerate(options);
      return Promise.resolve({
        content: [{ type: "tool-call", toolCallId: "call-0", toolName: tool, input: asked }],
        finishReason: { unified: "tool-calls", raw: undefined },
        usage,
        warnings: [],
      });
    },
  };
}
