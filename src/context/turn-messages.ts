import type { InRecord, LoggedTurn, NoteRecord, StepRecord, ToolRecord } from "../session/index.ts";
import type { JsonValue } from "../store/index.ts";
import { noteBoundary, withoutMarkers } from "./boundaries.ts";

/** A message of the prompt, in the shape of the AI SDK's `ModelMessage`. */
export interface PromptMessage {
  readonly role: "user" | "assistant" | "tool";
  readonly content: JsonValue;
}

/** Longest line of a message that is only summarized, in characters. */
const SUMMARY_LINE_CHARS = 120;

/** What a turn answers, as its first prompt shows it. */
export interface TurnInput {
  readonly inputs: readonly (InRecord | NoteRecord)[];
  /** The runtime's block before the newest message. */
  readonly block?: string | undefined;
  /** Ids of messages told in one line each. */
  readonly summarized?: readonly string[] | undefined;
}

/** The messages that a turn put into the prompt, the same bytes each time they are made. */
export function turnMessages(turn: LoggedTurn): PromptMessage[] {
  const [first] = turn.steps;
  const messages = inputMessages({ inputs: turn.inputs, block: first?.block, summarized: first?.summarized });
  for (const step of turn.steps) messages.push(...stepMessages(step, turn.tools));
  const lastSpoke = (turn.steps.at(-1)?.calls.length ?? 0) === 0;
  if (turn.out && turn.out.text !== "" && !turn.out.error && !(turn.steps.length > 0 && lastSpoke)) {
    messages.push({ role: "assistant", content: [{ type: "text", text: turn.out.text }] });
  }
  return messages;
}

/** Notes, each in its boundary, then one user message of everything that the turn answers. */
export function inputMessages({ inputs, block, summarized = [] }: TurnInput): PromptMessage[] {
  const messages: PromptMessage[] = [];
  const lines: string[] = [];
  const briefs: string[] = [];
  for (const input of inputs) {
    if (input.type === "note") messages.push({ role: "user", content: noteBoundary(input.source, input.text) });
    else if (summarized.includes(input.id)) briefs.push(`- ${speaker(input)}${brief(input.text)}`);
    else lines.push(speaker(input) + withoutMarkers(input.text) + attachmentLine(input));
  }
  if (briefs.length > 0) {
    messages.push({ role: "user", content: noteBoundary("earlier messages, one line each", briefs.join("\n")) });
  }
  if (lines.length > 0) {
    const text = lines.join("\n");
    messages.push({ role: "user", content: block === undefined ? text : `${block}\n\n${text}` });
  }
  return messages;
}

/** The assistant's message of a step and the results of its calls, rebuilt from the journal. */
export function stepMessages(
  step: Pick<StepRecord, "step" | "message" | "calls">,
  tools: readonly ToolRecord[],
): PromptMessage[] {
  const messages: PromptMessage[] = [];
  const message = step.message as { content?: JsonValue } | null;
  if (message?.content !== undefined) messages.push({ role: "assistant", content: message.content });
  if (step.calls.length > 0) {
    const results = step.calls.map((call, index) => ({
      type: "tool-result",
      toolCallId: call.toolCallId,
      toolName: call.name,
      output: resultOutput(
        tools.find((tool) => tool.state === "done" && tool.step === step.step && tool.index === index),
      ),
    }));
    messages.push({ role: "tool", content: results });
  }
  return messages;
}

function resultOutput(done: ToolRecord | undefined): JsonValue {
  if (!done) return { type: "error-text", value: "The call was interrupted and has no result" };
  if (done.error) return { type: "error-text", value: `${done.error.code}: ${done.error.message}` };
  const output = done.output ?? null;
  return typeof output === "string" ? { type: "text", value: output } : { type: "json", value: output };
}

function speaker(message: InRecord): string {
  if (message.peer.kind === "direct") return "";
  return `${withoutMarkers(message.sender.name ?? message.sender.id).replaceAll("\n", " ")}: `;
}

function brief(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= SUMMARY_LINE_CHARS ? line : `${line.slice(0, SUMMARY_LINE_CHARS - 1)}…`;
}

function attachmentLine(message: InRecord): string {
  if (!message.attachments || message.attachments.length === 0) return "";
  const names = message.attachments.map(({ name, mediaType }) => withoutMarkers(`${name ?? "file"} (${mediaType})`));
  return `\n[attached: ${names.join(", ")}]`;
}
