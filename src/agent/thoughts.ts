import { wrapLanguageModel } from "ai";
import type {
  LanguageModelV4,
  LanguageModelV4Content,
  LanguageModelV4Middleware,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";

/**
 * Wraps a model that writes its thoughts between `<think>` and `</think>` before its answer, as Qwen, DeepSeek and
 * others do behind servers that do not separate them. The thoughts become reasoning, which is neither sent nor
 * remembered. A later tag is text: the model writes about it.
 *
 * Source: docs/models.md, "Local servers".
 */
export function withThoughtsApart(model: LanguageModelV4): LanguageModelV4 {
  return wrapLanguageModel({ model, middleware: thoughtsApart });
}

const thoughtsApart: LanguageModelV4Middleware = {
  specificationVersion: "v4",
  async wrapGenerate({ doGenerate }) {
    const result = await doGenerate();
    const content = result.content.flatMap((part): LanguageModelV4Content[] => {
      if (part.type !== "text") return [part];
      const { thought, text } = takeApart()(part.text, true);
      return thought === ""
        ? [{ ...part, text }]
        : [
            { type: "reasoning" as const, text: thought },
            { ...part, text },
          ];
    });
    const { structuredOutputText: json } = result;
    return { ...result, content, ...(json && { structuredOutputText: takeApart()(json, true).text }) };
  },
  async wrapStream({ doStream }) {
    const { stream, ...rest } = await doStream();
    return { ...rest, stream: stream.pipeThrough(new TransformStream(inStream())) };
  },
};

function inStream(): Transformer<LanguageModelV4StreamPart, LanguageModelV4StreamPart> {
  interface Open {
    readonly take: ReturnType<typeof takeApart>;
    /** Set until the text begins, after its thoughts. */
    start: LanguageModelV4StreamPart | undefined;
    hasThought: boolean;
  }
  const texts = new Map<string, Open>();
  return {
    transform(part, controller) {
      if (part.type === "text-start") {
        texts.set(part.id, { take: takeApart(), start: part, hasThought: false });
        return;
      }
      const open = part.type === "text-delta" || part.type === "text-end" ? texts.get(part.id) : undefined;
      if ((part.type !== "text-delta" && part.type !== "text-end") || open === undefined) {
        controller.enqueue(part);
        return;
      }
      const isEnd = part.type === "text-end";
      const { thought, text } = open.take(isEnd ? "" : part.delta, isEnd);
      const id = `${part.id}-thought`;
      if (thought !== "") {
        if (!open.hasThought) controller.enqueue({ type: "reasoning-start", id });
        open.hasThought = true;
        controller.enqueue({ type: "reasoning-delta", id, delta: thought });
      }
      if (open.start !== undefined && (text !== "" || isEnd)) {
        if (open.hasThought) controller.enqueue({ type: "reasoning-end", id });
        controller.enqueue(open.start);
        open.start = undefined;
      }
      if (text !== "") controller.enqueue({ ...part, type: "text-delta", delta: text });
      if (isEnd) controller.enqueue(part);
    },
  };
}

const OPEN = "<think>";
const CLOSE = "</think>";
/** The end of a thought that can still become the end tag. */
const MAYBE_CLOSE = /<[/a-z]{0,6}$/;

/**
 * Separates thoughts from text as they stream. The result does not depend on how the stream is chunked. An answer
 * that is cut off inside a thought has no end tag.
 */
function takeApart() {
  let state: "begin" | "thought" | "text" = "begin";
  let buffer = "";
  return (piece: string, isEnd: boolean): { readonly thought: string; readonly text: string } => {
    buffer += piece;
    let thought = "";
    for (;;) {
      if (state === "begin") {
        const rest = buffer.trimStart();
        if (rest.startsWith(OPEN)) {
          buffer = rest.slice(OPEN.length);
          state = "thought";
        } else if (isEnd || !OPEN.startsWith(rest)) state = "text";
        else return { thought, text: "" };
      } else if (state === "thought") {
        const close = buffer.indexOf(CLOSE);
        const kept = isEnd || close !== -1 ? -1 : buffer.search(MAYBE_CLOSE);
        const to = close !== -1 ? close : kept !== -1 ? kept : buffer.length;
        thought += buffer.slice(0, to);
        buffer = buffer.slice(close === -1 ? to : to + CLOSE.length);
        if (close === -1) return { thought, text: "" };
        state = "begin";
      } else {
        const text = buffer;
        buffer = "";
        return { thought, text };
      }
    }
  };
}
