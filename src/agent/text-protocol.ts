import type {
  LanguageModelV4,
  LanguageModelV4Content,
  LanguageModelV4Message,
  LanguageModelV4Text,
} from "@ai-sdk/provider";
import type { Clock } from "../clock.ts";
import { newId } from "../ids.ts";
import type { OfferedTool } from "./ask-once.ts";
import { createCallBlocks } from "./call-blocks.ts";
import { type DeltaListener, type ModelObject, foldStream, generatingWith } from "./fold-stream.ts";

export interface TextProtocolOptions {
  readonly tools: readonly OfferedTool[];
  /** Whether the answer must be a text. */
  readonly isLast: boolean;
  readonly clock: Pick<Clock, "now">;
  /** Receives the text as it streams, without the calls in it. */
  readonly onDelta?: DeltaListener | undefined;
}

/**
 * A model for which tools are described in the text and calls are read from its text, for models without function
 * calling. All calls and results of the history become the same text, so that a conversation can change models.
 *
 * Source: docs/models.md, "Models that cannot call tools".
 */
export function textProtocol(model: ModelObject, options: TextProtocolOptions): ModelObject {
  const { tools, isLast, clock, onDelta } = options;
  return generatingWith(model, async (inner, { tools: _tools, toolChoice: _toolChoice, ...request }) => {
    const shown = onDelta && hidingCalls(onDelta);
    const asked = (shown ? foldStream(model, shown.listener) : inner) as LanguageModelV4;
    const prompt = asText(request.prompt, instructionsFor(tools, isLast));
    const result = await asked.doGenerate({ ...request, prompt });
    shown?.end();
    return {
      ...result,
      content: result.content.flatMap((part) => (part.type === "text" ? contentOf(part, clock) : [part])),
    };
  });
}

function hidingCalls(onDelta: DeltaListener) {
  const blocks = createCallBlocks({ onText: (text) => onDelta({ type: "text", text }), onCall: () => {} });
  const listener: DeltaListener = (delta) => (delta.type === "text" ? blocks.push(delta.text) : onDelta(delta));
  return { listener, end: blocks.end };
}

function contentOf(answer: LanguageModelV4Text, clock: Pick<Clock, "now">): LanguageModelV4Content[] {
  const content: LanguageModelV4Content[] = [];
  let text = "";
  const flush = () => {
    if (text !== "") content.push({ type: "text", text });
    text = "";
  };
  const blocks = createCallBlocks({
    onText: (piece) => void (text += piece),
    onCall({ name, input }) {
      flush();
      content.push({ type: "tool-call", toolCallId: newId(clock), toolName: name, input });
    },
  });
  blocks.push(answer.text);
  blocks.end();
  if (content.length === 0) return [{ ...answer, text }];
  flush();
  return content;
}

const described = new WeakMap<readonly OfferedTool[], string>();

function instructionsFor(tools: readonly OfferedTool[], isLast: boolean): string {
  if (tools.length === 0) return "";
  let text = described.get(tools);
  if (text === undefined) {
    const list = tools.map(({ modelName: name, description, jsonSchema: parameters }) =>
      JSON.stringify({ name, description, parameters }),
    );
    text = `# Tools
You can call these tools. Each line is one, with the JSON schema of its arguments:
${list.join("\n")}

To call a tool, write this in your answer, once for each call, and then stop:
<tool_call>
{"name": "the tool's name", "arguments": {"an argument": "its value"}}
</tool_call>
The results come in the next message, as <tool_result> in the same order.`;
    described.set(tools, text);
  }
  return isLast ? `${text}\nCall no tool in your next answer.` : text;
}

/**
 * The prompt without tools: instructions in the system message, calls and results as text, and never two user
 * messages in a row, because some templates refuse those.
 */
function asText(prompt: readonly LanguageModelV4Message[], instructions: string): LanguageModelV4Message[] {
  const written: LanguageModelV4Message[] = [];
  if (instructions !== "" && prompt[0]?.role !== "system") written.push({ role: "system", content: instructions });
  for (const message of prompt) {
    if (message.role === "system") {
      const isFirst = instructions !== "" && written.length === 0;
      written.push(isFirst ? { ...message, content: `${message.content}\n\n${instructions}` } : message);
      continue;
    }
    if (message.role === "assistant") {
      const texts = message.content.flatMap((part) => {
        if (part.type === "text") return [part.text];
        return part.type === "tool-call" ? [block("call", { name: part.toolName, arguments: part.input })] : [];
      });
      // An answer with reasoning only leaves nothing, and many servers refuse an empty message.
      if (texts.some((text) => text !== "")) written.push({ role: "assistant", content: [textPart(texts.join("\n"))] });
      continue;
    }
    const content =
      message.role === "tool"
        ? message.content.flatMap((part) =>
            part.type === "tool-result"
              ? [textPart(block("result", { name: part.toolName, content: outputOf(part.output) }))]
              : [],
          )
        : // A person's text must not imitate a tool result.
          message.content.map((part) =>
            part.type === "text"
              ? { ...part, text: part.text.replace(/<(?=\/?tool_(?:call|result)\b)/gi, "&lt;") }
              : part,
          );
    const last = written.at(-1);
    if (last?.role === "user") written[written.length - 1] = { ...last, content: [...last.content, ...content] };
    else written.push({ role: "user", content });
  }
  return written;
}

function textPart(text: string): { readonly type: "text"; readonly text: string } {
  return { type: "text", text };
}

/** Escapes tags inside the JSON, so that they are not read as tags. */
function block(kind: "call" | "result", value: unknown): string {
  const json = JSON.stringify(value).replace(/<(?=\/?tool_)/gi, "\\u003c");
  return `<tool_${kind}>\n${json}\n</tool_${kind}>`;
}

function outputOf(output: { readonly type: string; readonly value?: unknown; readonly reason?: unknown }): unknown {
  return output.type.startsWith("error") ? { error: output.value } : (output.value ?? output.reason ?? null);
}
