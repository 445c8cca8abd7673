import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultOutput,
} from "@ai-sdk/provider";
import type { Turn } from "./intent.ts";

/** What the runtime adds for a language model to know: the block before the person's words, and notes from elsewhere. */
const RUNTIME_BLOCK = /^<(wakeful-context|wakeful-note|wakeful-data|wakeful-skill)(?: [^\n>]{0,2000})?>/;
/** The day of the message, in that block. */
const TODAY = /^time: \p{L}+ (\d{4}-\d\d-\d\d) /mu;
/** The runtime's note of a call that waited for an approval. What stands in it cannot close it. */
const APPROVAL_NOTE = /<wakeful-note source="approval [^"\n]{1,64}">\n([\s\S]*?)\n<\/wakeful-note>/;
/** What stands before the skills that the runtime chose for a task. */
const SKILLS_HEADING = /^# Activated skills\s+(?=<wakeful-skill )/;
/** What the runtime says of a message's files. */
const ATTACHED = /(?:^|\n)\[attached: [^\n]*\](?=\n|$)/g;
/** What the runtime says to a sub-agent before its task. */
const HANDED_ON = /^(?:You are a sub-agent: |你是一个子代理：)[^\n]+\n\n/u;
/** A line of that block that tells a group from a direct chat. */
const IN_GROUP = /^channel: (?!.*, direct chat$)/mu;
/** In a group every message begins with who wrote it. */
const SPEAKER = /^([^\n:]{1,64}): /u;

/** One message of one person, or of the assistant. */
export interface Utterance {
  /** Who wrote it, in a group. */
  readonly speaker: string | undefined;
  readonly text: string;
}

/** A result as the prompt holds it. */
export type ToolOutcome =
  | { readonly ok: true; readonly output: unknown }
  | { readonly ok: false; readonly reason: string };

/** What a message of the prompt says, without what the runtime put before it: nothing, when it is only that, and in a group what each one wrote. */
export function utterancesOf(message: LanguageModelV4Message): readonly Utterance[] {
  if (message.role !== "user" && message.role !== "assistant") return [];
  const text = textIn(message);
  const { words, inGroup } = message.role === "user" ? withoutBlocks(text) : { words: text, inGroup: false };
  if (words === "") return [];
  return inGroup ? bySpeaker(words) : [{ speaker: undefined, text: words.replace(HANDED_ON, "") }];
}

/** What the runtime put before a person's words: the notes, and the day. */
export function notesBefore(message: LanguageModelV4Message): {
  readonly day: string | undefined;
  readonly notes: readonly string[];
} {
  if (message.role !== "user") return { day: undefined, notes: [] };
  const { blocks } = withoutBlocks(textIn(message));
  const textsOf = (wanted: string) => blocks.flatMap(({ name, text }) => (name === wanted ? [text] : []));
  return { day: TODAY.exec(textsOf("wakeful-context").join("\n"))?.[1], notes: textsOf("wakeful-note") };
}

function textIn(message: LanguageModelV4Message & { role: "user" | "assistant" }): string {
  return message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

/** What came of a call that waited for an approval, when that is what a message tells. */
export function approvalOutcomeOf(message: LanguageModelV4Message): string | undefined {
  if (message.role !== "user") return undefined;
  for (const part of message.content) {
    const told = part.type === "text" ? APPROVAL_NOTE.exec(part.text)?.[1] : undefined;
    if (told !== undefined) return told.trim();
  }
  return undefined;
}

/** The skills that the runtime chose for a task, by their names, when that is what a message brings. */
export function activatedSkillsOf(message: LanguageModelV4Message): readonly string[] {
  if (message.role !== "user") return [];
  const text = textIn(message);
  if (!SKILLS_HEADING.test(text)) return [];
  return [...text.matchAll(/^<wakeful-skill name="([^"\n]{1,64})"/gm)].map(([, name = ""]) => name);
}

function withoutBlocks(text: string): { words: string; inGroup: boolean; blocks: { name: string; text: string }[] } {
  let rest = text.trim().replace(SKILLS_HEADING, "");
  let inGroup = false;
  const blocks: { name: string; text: string }[] = [];
  for (let block = RUNTIME_BLOCK.exec(rest); block !== null; block = RUNTIME_BLOCK.exec(rest)) {
    const end = `</${block[1]}>`;
    const at = rest.indexOf(end);
    if (at === -1) break;
    if (block[1] === "wakeful-context") inGroup = IN_GROUP.test(rest.slice(0, at));
    blocks.push({ name: block[1] ?? "", text: rest.slice(block[0].length, at).trim() });
    rest = rest.slice(at + end.length).trimStart();
  }
  return { words: rest.replaceAll(ATTACHED, ""), inGroup, blocks };
}

function bySpeaker(text: string): Utterance[] {
  const utterances: { speaker: string | undefined; text: string }[] = [];
  for (const line of text.split("\n")) {
    const speaker = SPEAKER.exec(line);
    const last = utterances.at(-1);
    if (speaker !== null) utterances.push({ speaker: speaker[1], text: line.slice(speaker[0].length) });
    else if (last === undefined) utterances.push({ speaker: undefined, text: line });
    else last.text += `\n${line}`;
  }
  return utterances;
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

/** What the assistant and the speaker said before the message at `end`, oldest first. What others said in a group is theirs. */
export function turnsBefore(prompt: LanguageModelV4Prompt, end: number, speaker: string | undefined): Turn[] {
  const turns: Turn[] = [];
  for (const message of prompt.slice(0, end)) {
    if (message.role !== "user" && message.role !== "assistant") continue;
    for (const said of utterancesOf(message)) {
      if (message.role === "assistant" || said.speaker === speaker) turns.push({ role: message.role, text: said.text });
    }
  }
  return turns;
}

/** What the assistant asked last before the message at `end`: in a text, or by the tool `clarify`. */
export function questionsBefore(prompt: LanguageModelV4Prompt, end: number): string[] {
  const questions: string[] = [];
  for (let index = end - 1; index >= 0; index--) {
    const message = prompt[index] as LanguageModelV4Message;
    if (isOfPerson(message) && activatedSkillsOf(message).length === 0) break;
    if (message.role !== "assistant") continue;
    for (const part of message.content) {
      if (part.type === "text" && /[?？]/u.test(part.text)) questions.push(part.text);
      if (part.type === "tool-call" && part.toolName === "clarify" && isRecord(part.input)) {
        questions.push(String(part.input["question"]));
      }
    }
  }
  return questions;
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
      return { ok: false, reason: insideOf(result.value).replace(/^[A-Z][A-Z_]{2,40}: /u, "") };
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
      return { ok: true, output: withinBoundary(result.value) };
    case "json":
      return jsonOutcome(result.value);
    default:
      return { ok: true, output: result };
  }
}

/** What a tool brought in from elsewhere comes as text between marks; inside is what the tool gave, as JSON unless it was a text. */
function withinBoundary(text: string): unknown {
  const inside = insideOf(text);
  if (inside === text) return text;
  try {
    return JSON.parse(inside);
  } catch {
    return inside;
  }
}

function insideOf(text: string): string {
  return /^<wakeful-data source="[^\n]*">\n([\s\S]*)\n<\/wakeful-data>$/.exec(text)?.[1] ?? text;
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

/** How the runtime says that a job is due, and what the job is about. */
const DUE = [/^The job "[^]*?" is due now \([^)]*\)\.[^]*?\n\n([^]+)$/u, /^任务“[^]*?”现在到时间了[^]*?\n\n([^]+)$/u];

/** What a job says that is due, when that is what a message tells. */
export function dueTaskOf(message: LanguageModelV4Message): string | undefined {
  const [said, ...more] = message.role === "user" ? utterancesOf(message) : [];
  if (said === undefined || more.length > 0) return undefined;
  return DUE.map((words) => words.exec(said.text)?.[1]?.trim()).find((task) => task !== undefined);
}

/** Whether a person wrote it: a job that is due, or how a workflow ended, may come between a question and its answer. */
export function isOfPerson(message: LanguageModelV4Message): boolean {
  return message.role === "user" && utterancesOf(message).length > 0 && dueTaskOf(message) === undefined;
}
