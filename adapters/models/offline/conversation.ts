import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultOutput,
} from "@ai-sdk/provider";
import type { Turn } from "./intent.ts";

/** The runtime puts what the model should know before the person's words, between these marks. */
const CONTEXT_START = "<wakeful-context>";
const CONTEXT_END = "</wakeful-context>";

/** A result as the prompt holds it. */
export type ToolOutcome =
  | { readonly ok: true; readonly output: unknown }
  | { readonly ok: false; readonly reason: string };

/** What the person wrote, without what the runtime put before it. Empty for a message that is nothing but that. */
export function wordsOf(message: LanguageModelV4Message): string {
  if (message.role === "system") return message.content;
  let text = "";
  for (const part of message.content) {
    if (part.type === "text") text += text === "" ? part.text : `\n${part.text}`;
  }
  return message.role === "user" ? withoutContext(text) : text;
}

function withoutContext(text: string): string {
  let rest = text.trimStart();
  while (rest.startsWith(CONTEXT_START)) {
    const end = rest.indexOf(CONTEXT_END);
    if (end === -1) break;
    rest = rest.slice(end + CONTEXT_END.length).trimStart();
  }
  return rest.trimEnd();
}

export function toolCallsOf(message: LanguageModelV4Message): readonly LanguageModelV4ToolCallPart[] {
  if (message.role !== "assistant") return [];
  return message.content.filter((part) => part.type === "tool-call");
}

/** Where what is not answered yet begins: after the last answer that called no tool. */
export function openFrom(prompt: LanguageModelV4Prompt): number {
  for (let index = prompt.length - 1; index >= 0; index--) {
    const message = prompt[index] as LanguageModelV4Message;
    if (message.role === "assistant" && toolCallsOf(message).length === 0) return index + 1;
  }
  return 0;
}

/** What was said before the message at `end`, oldest first. */
export function turnsBefore(prompt: LanguageModelV4Prompt, end: number): Turn[] {
  const turns: Turn[] = [];
  for (const message of prompt.slice(0, end)) {
    if (message.role !== "user" && message.role !== "assistant") continue;
    const text = wordsOf(message);
    if (text !== "") turns.push({ role: message.role, text });
  }
  return turns;
}

/** An id that no call of the prompt has: providers and journals tell calls apart by it. */
export function nextCallNumber(prompt: LanguageModelV4Prompt): number {
  let highest = 0;
  for (const message of prompt) {
    for (const { toolCallId } of toolCallsOf(message)) {
      const number = /^offline-(\d{1,9})$/.exec(toolCallId)?.[1];
      if (number !== undefined) highest = Math.max(highest, Number(number));
    }
  }
  return highest + 1;
}

/** Reads a result: failures come as the SDK's error parts, as `{ ok: false, error }`, or as a note that the call was interrupted. */
export function outcomeOf(result: LanguageModelV4ToolResultOutput): ToolOutcome {
  switch (result.type) {
    case "error-text":
      return { ok: false, reason: result.value };
    case "error-json":
      return { ok: false, reason: reasonIn(result.value) };
    case "execution-denied":
      return { ok: false, reason: result.reason ?? "it was not allowed" };
    case "content":
      return {
        ok: true,
        output: result.value.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n"),
      };
    case "text":
      return { ok: true, output: result.value };
    case "json":
      return jsonOutcome(result.value);
    default:
      return { ok: true, output: result };
  }
}

function jsonOutcome(value: unknown): ToolOutcome {
  if (!isRecord(value)) return { ok: true, output: value };
  if (value["ok"] === false || value["interrupted"] === true) return { ok: false, reason: reasonIn(value) };
  return { ok: true, output: value["ok"] === true && "output" in value ? value["output"] : value };
}

function reasonIn(value: unknown): string {
  if (!isRecord(value)) return typeof value === "string" ? value : JSON.stringify(value);
  for (const key of ["error", "message", "note", "reason"]) {
    const inner = value[key];
    if (typeof inner === "string") return inner;
    if (isRecord(inner)) return reasonIn(inner);
  }
  return JSON.stringify(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The tools that a call may use: none when it forbids them. */
export function offeredTools(options: LanguageModelV4CallOptions): ReadonlySet<string> {
  if (options.toolChoice?.type === "none") return new Set();
  return new Set(options.tools?.map((tool) => tool.name));
}
