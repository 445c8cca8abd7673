import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultOutput,
} from "@ai-sdk/provider";
import type { Turn } from "./intent.ts";

/** Text that the runtime adds for a language model: the block before the person's words, and notes from other places. */
const RUNTIME_BLOCK = /^<(wakeful-context|wakeful-note|wakeful-data|wakeful-skill)(?: [^\n>]{0,2000})?>/;
/** The day of the message, in that block. */
const TODAY = /^time: \p{L}+ (\d{4}-\d\d-\d\d) /mu;
/** The runtime's note of a call that waited for an approval. Its content cannot close it. */
const APPROVAL_NOTE = /<wakeful-note source="approval [^"\n]{1,64}">\n([\s\S]*?)\n<\/wakeful-note>/;
/** The heading before the skills that the runtime chose for a task. */
const SKILLS_HEADING = /^# Activated skills\s+(?=<wakeful-skill )/;
/** The runtime's lines about a message's files. */
const ATTACHED = /(?:^|\n)\[attached: [^\n]*\](?=\n|$)/g;
/** The runtime's words to a sub-agent before its task. */
const HANDED_ON = /^(?:You are a sub-agent: |你是一个子代理：)[^\n]+\n\n/u;
/** The line of that block that distinguishes a group from a direct chat. */
const IN_GROUP = /^channel: (?!.*, direct chat$)/mu;
/** In a group, every message begins with its author. */
const SPEAKER = /^([^\n:]{1,64}): /u;

/** One message of one person, or of the assistant. */
export interface Utterance {
  /** The author, in a group. */
  readonly speaker: string | undefined;
  readonly text: string;
}

/** A tool result, as the prompt holds it. */
export type ToolOutcome =
  | { readonly ok: true; readonly output: unknown }
  | { readonly ok: false; readonly reason: string };

/**
 * The words of a message without the runtime's blocks. Empty for a message of blocks alone; in a group, one item for
 * each author.
 */
export function utterancesOf(message: LanguageModelV4Message): readonly Utterance[] {
  if (message.role !== "user" && message.role !== "assistant") return [];
  const text = textIn(message);
  const { words, inGroup } = message.role === "user" ? withoutBlocks(text) : { words: text, inGroup: false };
  if (words === "") return [];
  return inGroup ? bySpeaker(words) : [{ speaker: undefined, text: words.replace(HANDED_ON, "") }];
}

/** The runtime's part before a person's words: the notes, and the day. */
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

/** The outcome of a call that waited for an approval, if the message reports one. */
export function approvalOutcomeOf(message: LanguageModelV4Message): string | undefined {
  if (message.role !== "user") return undefined;
  for (const part of message.content) {
    const told = part.type === "text" ? APPROVAL_NOTE.exec(part.text)?.[1] : undefined;
    if (told !== undefined) return told.trim();
  }
  return undefined;
}

/** The names of the skills that the runtime chose for a task, if the message brings them. */
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

/** Index of the first unanswered message: after the last answer that called no tool. */
export function openFrom(prompt: LanguageModelV4Prompt): number {
  for (let index = prompt.length - 1; index >= 0; index--) {
    const message = prompt[index] as LanguageModelV4Message;
    if (message.role === "assistant" && toolCallsOf(message).length === 0) return index + 1;
  }
  return 0;
}

/**
 * Messages of the assistant and the speaker before the message at `end`, oldest first. Leaves out what others said in a
 * group.
 */
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

/** The assistant's last questions before the message at `end`: in a text, or by the tool `clarify`. */
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

/** A call number that no call of the prompt has: providers and journals identify calls by their ids. */
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

/**
 * Reads a result. A failure is one of the SDK's error parts, `{ ok: false, error }`, or a note that the call was
 * interrupted.
 */
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

/**
 * Result of a tool from elsewhere, which arrives as text between markers: inside is the tool's output, as JSON unless
 * it was a text.
 */
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

/** The runtime's message about a due job, with the job's task. */
const DUE = [/^The job "[^]*?" is due now \([^)]*\)\.[^]*?\n\n([^]+)$/u, /^任务“[^]*?”现在到时间了[^]*?\n\n([^]+)$/u];

/** The task of a due job, if the message is about one. */
export function dueTaskOf(message: LanguageModelV4Message): string | undefined {
  const [said, ...more] = message.role === "user" ? utterancesOf(message) : [];
  if (said === undefined || more.length > 0) return undefined;
  return DUE.map((words) => words.exec(said.text)?.[1]?.trim()).find((task) => task !== undefined);
}

/** Whether a person wrote the message: a due job or the end of a workflow may come between a question and its answer. */
export function isOfPerson(message: LanguageModelV4Message): boolean {
  return message.role === "user" && utterancesOf(message).length > 0 && dueTaskOf(message) === undefined;
}
