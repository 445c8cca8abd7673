import { type Statement, readStatements } from "../../statements/index.ts";
import type { JsonValue } from "../../store/index.ts";
import { ENTRY_TYPES, type MemoryDraft, type MemoryEntry } from "../entry.ts";
import { tokensOf } from "../keyword/tokens.ts";
import { differsInSubstance } from "./differs.ts";
import { briefly, isMemoryTool } from "./turn.ts";
import { headOf } from "../../short-text.ts";

/** A message as the AI SDK writes it (`ModelMessage`), or one with a plain text. */
export interface FlushMessage {
  /** `system`, `user`, `assistant` or `tool`. Drafts come from what users say. */
  readonly role: string;
  /** A text, or a list of parts. */
  readonly content: unknown;
}

/** Options of `extractFlush`. */
export interface FlushOptions {
  /** Most drafts. Default 5. */
  readonly limit?: number;
  /** Session of the messages, for the slot `session_id` of each draft. Default: no such slot. */
  readonly sessionId?: string;
  /** User of each draft, so that it can be saved as it is. */
  readonly userId?: string;
}

/** Length that a tool's result is cut to, and the length above which it is kept. */
const MAX_RESULT_CHARS = 500;
const MIN_RESULT_CHARS = 200;
const MAX_MESSAGE_CHARS = 1000;

/** Keywords of drafts that hold a person's words. */
const CLASSES: readonly string[] = ["preference", "user_instruction"];

/** Ranks of drafts, best first. */
const INSTRUCTION = 0;
const DECISION = 1;
const RESULT = 2;

type FlushDraft = MemoryDraft & { readonly userId?: string };

export const MAX_FLUSHED = 5;

/**
 * Extracts what must outlive messages that a summary is about to replace: preferences and instructions of people, the
 * assistant's decisions with their tools, and long tool results. Best first: in that order, newest first, each once.
 * Leaves out what the runtime put into the messages, recalled memories included.
 *
 * Source: docs/capture.md, "Flush before compaction".
 *
 * @param messages Oldest first.
 */
export function extractFlush(
  messages: readonly FlushMessage[],
  { limit = MAX_FLUSHED, ...options }: FlushOptions = {},
): FlushDraft[] {
  return takeFresh(flushDrafts(messages, options), [], { limit }).fresh;
}

/** Returns all drafts that `extractFlush` selects from. */
export function flushDrafts(
  messages: readonly FlushMessage[],
  { sessionId, userId }: Omit<FlushOptions, "limit"> = {},
): FlushDraft[] {
  const found: { readonly rank: number; readonly content: string; readonly keywords: readonly string[] }[] = [];
  let isOfForgetting = false;
  /** Number of drafts found in later turns. */
  let behind = 0;
  for (let index = messages.length - 1; index >= 0; index -= 1) {
    const { role, content } = messages[index]!;
    if (role !== "user" && messages[index + 1]?.role === "user") {
      isOfForgetting = false;
      behind = found.length;
    }
    if (role === "assistant" && toolsOf(content).includes("memory_forget")) {
      isOfForgetting = true;
      found.length = behind;
    }
    // A turn that forgets something is left out, as capture leaves it out: its question and answer name what must not
    // be kept.
    if (isOfForgetting) continue;
    if (role === "user") {
      const text = withoutRuntime(textOf(content));
      const classes = text === "" ? [] : classesOf(text);
      if (classes.length > 0)
        found.push({ rank: INSTRUCTION, content: text.slice(0, MAX_MESSAGE_CHARS), keywords: classes });
    } else if (role === "assistant") {
      const called = toolsOf(content);
      const tools = called.filter((name) => !isMemoryTool(name));
      const said = briefly(withoutRuntime(textOf(content)), MAX_MESSAGE_CHARS);
      if (tools.length > 0)
        found.push({
          rank: DECISION,
          content: `${said}${said === "" ? "" : "\n"}${TOOLS_LINE} ${tools.join(", ")}`,
          keywords: tools,
        });
    } else if (role === "tool") {
      for (const { name, text } of resultsOf(content))
        if (text.length > MIN_RESULT_CHARS && !isMemoryTool(name))
          found.push({
            rank: RESULT,
            content: headOf(text, MAX_RESULT_CHARS),
            keywords: ["tool_result", ...(name === "" ? [] : [name])],
          });
    }
  }
  return found
    .sort((one, other) => one.rank - other.rank)
    .map(({ content, keywords }) => ({
      content,
      keywords,
      slots: {
        type: ENTRY_TYPES.autoFlush,
        source: "context_compact",
        ...(isSaidByPerson(keywords) && lastingIn(content).length > 0 && { lasting: true }),
        ...(sessionId !== undefined && { session_id: sessionId }),
      },
      ...(userId !== undefined && { userId }),
    }));
}

const TOOLS_LINE = "Tools:";
const ANY_TOOLS_LINE = /^Tools: .*$/m;
const NOTES = /<wakeful-(context|note|data)(?: source="[^\n]*")?>\n[\s\S]*?\n<\/wakeful-\1>\s*/g;
const DATA_EDGES = /<wakeful-data source="[^\n]*">\n|\n<\/wakeful-data>/g;
const ATTACHED = /\n?\[attached: [^\n]*/g;
/** In a group each message begins with its speaker: `Ada (42): …`. */
const SPEAKER = /^[^:\n]{1,120}: /;
const SPEAKER_WITH_ID = /^[^:\n]{1,80} \([^()\n]{1,40}\): /gm;

/**
 * Removes what the runtime added to a text: the block of time and place, notes, injections of hooks, other messages of
 * a group, and lists of files.
 */
function withoutRuntime(text: string): string {
  return text.replace(NOTES, "").replace(ATTACHED, withoutList).trim();
}

/**
 * A list ends with its last bracket. The regular expression does not search for it: a text full of beginnings would
 * take quadratic time.
 */
function withoutList(line: string): string {
  const end = line.lastIndexOf("]");
  return end < 0 ? line : line.slice(end + 1);
}

/** Sentences that state a preference or instruct the assistant, each with its classes. */
function wishes(text: string): readonly { readonly said: string; readonly classes: readonly string[] }[] {
  return readStatements(text).flatMap(({ kind, text: said, instructs }) => {
    const classes = [...(kind === "preference" ? ["preference"] : []), ...(instructs ? ["user_instruction"] : [])];
    return classes.length > 0 ? [{ said, classes }] : [];
  });
}

function classesOf(text: string): string[] {
  const found = [text, text.replace(SPEAKER, "")].flatMap((one) => wishes(one).flatMap(({ classes }) => classes));
  return [...new Set(found.sort())];
}

/** Whether a flushed entry with these keywords holds a person's words. */
export function isSaidByPerson(keywords: readonly string[]): boolean {
  return keywords.some((word) => CLASSES.includes(word));
}

/** Lasting statements in a message; a group's message begins with its speaker. */
export function lastingIn(message: string): readonly Statement[] {
  return readStatements(message.replace(SPEAKER_WITH_ID, "")).filter(({ lasting }) => lasting);
}

interface Part {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly toolName?: unknown;
  readonly output?: unknown;
}

function partsOf(content: unknown): readonly Part[] {
  return Array.isArray(content)
    ? content.filter((part): part is Part => typeof part === "object" && part !== null)
    : [];
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const texts = partsOf(content).flatMap(({ type, text }) =>
    type === "text" && typeof text === "string" ? [text] : [],
  );
  return texts.join("\n");
}

function toolsOf(content: unknown): readonly string[] {
  const names = partsOf(content).flatMap(({ type, toolName }) =>
    type === "tool-call" && typeof toolName === "string" ? [toolName] : [],
  );
  return [...new Set(names)];
}

function resultsOf(content: unknown): readonly { readonly name: string; readonly text: string }[] {
  if (typeof content === "string") return [{ name: "", text: content }];
  return partsOf(content).flatMap(({ type, toolName, output }) => {
    if (type !== "tool-result") return [];
    const { value = output } = (typeof output === "object" && output !== null ? output : {}) as { value?: JsonValue };
    const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
    return [{ name: typeof toolName === "string" ? toolName : "", text: text.replace(DATA_EDGES, "").trim() }];
  });
}

export const DEFAULT_DEDUPE_THRESHOLD = 0.8;

export interface FreshOptions {
  /** Share of the shorter text's words above which two texts say the same. Default 0.8. */
  readonly dedupeThreshold?: number | undefined;
  /** Most drafts. Default all. */
  readonly limit?: number;
}

/**
 * Selects drafts, best first, that repeat neither memory nor an earlier draft. A draft is a repeat if the shorter text
 * shares more than `dedupeThreshold` of its words with the other, and no number, date or name differs. Names of tools
 * and kinds do not count as words. A message is also a repeat if each of its wishes is known, as capture keeps them.
 *
 * @returns The drafts, and the number of repeats.
 */
export function takeFresh<Draft extends MemoryDraft>(
  drafts: readonly Draft[],
  lastEntries: readonly Pick<MemoryEntry, "content">[],
  { dedupeThreshold = DEFAULT_DEDUPE_THRESHOLD, limit = Infinity }: FreshOptions = {},
): { readonly fresh: Draft[]; readonly repeats: number } {
  const known = lastEntries.map(({ content }) => comparable(content));
  const isKnown = (draft: ReturnType<typeof comparable>) =>
    known.some(
      (entry) =>
        entry.content === draft.content ||
        (overlap(draft.words, entry.words) > dedupeThreshold && !differsInSubstance(draft.plain, entry.plain)),
    );
  /** Each wish counts in two forms: as it stands in the message, and with its speaker in front, as capture keeps it in a group. */
  function areWishesKnown({ content, keywords = [] }: MemoryDraft): boolean {
    if (!isSaidByPerson(keywords)) return false;
    const said = content.split("\n").flatMap((line) => {
      const speaker = SPEAKER.exec(line)?.[0] ?? "";
      return wishes(line.slice(speaker.length)).map((one) => ["", speaker].map((who) => comparable(who + one.said)));
    });
    return said.length > 0 && said.every((ways) => ways.some(isKnown));
  }
  const fresh: Draft[] = [];
  let repeats = 0;
  for (const draft of drafts) {
    if (fresh.length >= limit) break;
    const compared = comparable(draft.content);
    if (isKnown(compared) || areWishesKnown(draft)) {
      repeats += 1;
      continue;
    }
    known.push(compared);
    fresh.push(draft);
  }
  return { fresh, repeats };
}

function comparable(content: string) {
  const plain = content.replace(ANY_TOOLS_LINE, "");
  return { content, plain, words: new Set(tokensOf(plain)) };
}

/** Shared words ÷ words of the smaller set; 0 where either has none. */
function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of one) if (other.has(word)) shared += 1;
  return shared === 0 ? 0 : shared / Math.min(one.size, other.size);
}
