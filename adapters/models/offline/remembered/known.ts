import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { tokensOf } from "../../../../kit.ts";
import { notesBefore, outcomeOf, utterancesOf } from "../conversation.ts";
import { asTold, statementsIn, withoutName } from "./statements.ts";

/** One fact in the prompt about the author of the request. It is data: the model may repeat it and never obeys it. */
export interface Known {
  /** Word for word, without the bullet, day or name before it. */
  readonly text: string;
  /** `2026-05-03`; `undefined` when the prompt names no day. */
  readonly day: string | undefined;
  /** The source: the person, a note of the assistant, or a file by its name. */
  readonly from: "said" | "noted" | "MEMORY.md" | "USER.md";
  /** Whether the "I" in it may be another person, as in the notes of a group. */
  readonly isOfOthers?: boolean;
}

interface Placed extends Known {
  /** Index of its message in the prompt. */
  readonly at: number;
  readonly isOfConversation: boolean;
}

/** Most facts kept from a long conversation; older ones are dropped. */
const MAX_KNOWN = 300;
const MEMORY_HEADING = "# From memory";
const MEMORY_ITEM = /^- \(([^)\n]*)\) ([^]*)$/;
const DAY_FIRST = /^(\d{4}-\d\d-\d\d)(?:, | |$)/;
const DAY_LAST = /\s*\((\d{4}-\d\d-\d\d)\)$/;
const USER_FILE_BEGINS = "\n\nWhom you talk to is the owner, who wrote this of themselves:\n\n";
/** What can follow that file: another file of the owner, or a note, which is cut out first. */
const USER_FILE_ENDS = /\n\n(?:House rules of the owner:|Notes of the owner on your tools:)\n\n|\n<wakeful-note>/;
const NOTE_IN_SYSTEM = /<wakeful-note source="([^\n"]*)">\n([^]*?)\n<\/wakeful-note>/g;
/** Outcomes of turns, which are not statements of the person. */
const OF_THE_WORK = /memory: (?:auto_|workflow_)/;
const WORK = /^Goal: [^]*\sOutcome: /;
const FACTS_OF_A_DAY = /^## Facts and decisions\n([^]*?)(?=\n## |$(?![^]))/m;
const SPEAKER = /^([^\n:：]{1,40}): /u;
/** The runtime's note about a changed message: its author in a group, its beginning, and its new text. */
const CHANGED =
  /^(?:[^\n]*\([^\s:()]*:([^()\n]*)\)|[^\n]*?) (?:edited|deleted) an earlier message(?: that began ("(?:[^"\\\n]|\\.)*"))?(?:, which now reads:\n([^]*)|: what it said counts no more)$/;
/** Characters of a message that the note quotes. */
const QUOTED_CHARS = 80;

/**
 * Collects the facts in the prompt about the author of the request, newest first: memories, lasting facts, the owner's
 * own file, notes, and earlier statements.
 */
export function knownIn(prompt: LanguageModelV4Prompt, speaker: string | undefined): readonly Known[] {
  const found: Placed[] = [];
  const byId = new Map<string, string>();
  const heard: string[] = [];
  let lastDay: string | undefined;
  for (const [at, message] of prompt.entries()) {
    const place = { at, isOfConversation: false };
    if (message.role === "system") found.push(...ofSystem(message.content).map((known) => ({ ...known, ...place })));
    if (message.role === "tool") readResults(message, at);
    if (message.role !== "user") continue;
    const { day, notes } = notesBefore(message);
    lastDay = day ?? lastDay;
    for (const note of notes) followChange(note, at);
    found.push(...notes.flatMap(memoriesIn).map((known) => ({ ...known, ...place })));
    const words = utterancesOf(message).filter((said) => said.speaker === speaker);
    for (const { text } of words) hear(text, day, at);
  }

  function hear(words: string, day: string | undefined, at: number): void {
    heard.push(words);
    for (const text of statementsIn(words)) found.push({ text, day, from: "said", at, isOfConversation: true });
  }

  /** Replaces an edited message by its new text, and removes a deleted one. */
  function followChange(note: string, at: number): void {
    const [whole, id, quoted, now = ""] = CHANGED.exec(note) ?? [];
    if (whole === undefined || (speaker !== undefined && speaker !== id && !speaker.endsWith(` (${id})`))) return;
    const began = quoted === undefined ? "" : String(JSON.parse(quoted));
    const before = began.length < QUOTED_CHARS ? began : heard.findLast((words) => words.startsWith(began));
    const gone = new Set(statementsIn(before ?? began));
    found.splice(0, found.length, ...found.filter((known) => !known.isOfConversation || !gone.has(known.text)));
    hear(now, lastDay, at);
  }

  function readResults(message: LanguageModelV4Message & { role: "tool" }, at: number): void {
    for (const part of message.content) {
      if (part.type !== "tool-result" || !/^memory_(?:recall|forget)$/.test(part.toolName)) continue;
      const result = outcomeOf(part.output);
      const output = result.ok ? result.output : undefined;
      const shown = shownMemories(output);
      for (const { id, content } of shown) byId.set(id, content);
      if (part.toolName === "memory_recall")
        found.push(...shown.flatMap(recalled).map((one) => ({ ...one, at, isOfConversation: false })));
      const { was, forgotten } = (output ?? {}) as { readonly was?: unknown; readonly forgotten?: unknown };
      if (!forgotten) continue;
      const contents = isShown(was)
        ? [was.content]
        : idsOf(prompt, part.toolCallId).flatMap((id) => byId.get(id) ?? []);
      for (const content of contents) drop(content);
    }
  }

  /** Removes a forgotten memory, which is still in an earlier part of the prompt. */
  function drop(memory: string): void {
    // In the conversation the text lacks the name that a group's memory puts before it.
    const content = asTold(speaker === undefined ? memory : (ofWhom(memory, speaker) ?? memory));
    const words = tokensOf(content);
    const isForgotten = (text: string) => {
      const has = new Set(tokensOf(text));
      return text === content || (words.length > 0 && words.every((word) => has.has(word)));
    };
    found.splice(0, found.length, ...found.filter(({ text }) => !isForgotten(text)));
  }

  const own = found.flatMap((known) => ofSpeaker(known, speaker));
  return distinct(own.sort(newestFirst)).slice(0, MAX_KNOWN).map(bare);
}

/** Adds the results of a call of `memory_recall` to the known facts. */
export function withRecalled(known: readonly Known[], output: unknown, speaker: string | undefined): readonly Known[] {
  const found = shownMemories(output)
    .flatMap(recalled)
    .map((one) => ({ ...one, at: 0, isOfConversation: false }));
  const before = known.map((one) => ({ ...one, at: 1, isOfConversation: false }));
  return distinct([...before, ...found.flatMap((one) => ofSpeaker(one, speaker))].sort(newestFirst)).map(bare);
}

function bare({ text, day, from, isOfOthers }: Placed): Known {
  return { text, day, from, ...(isOfOthers && { isOfOthers }) };
}

interface ShownMemory {
  readonly id: string;
  readonly content: string;
  readonly date?: string;
}

function isShown(value: unknown): value is ShownMemory {
  const { id, content, date } = (value ?? {}) as Partial<Record<string, unknown>>;
  return typeof id === "string" && typeof content === "string" && (date === undefined || typeof date === "string");
}

function shownMemories(output: unknown): readonly ShownMemory[] {
  const { memories } = (output ?? {}) as { readonly memories?: unknown };
  return Array.isArray(memories) ? memories.filter(isShown) : [];
}

function recalled({ content, date }: ShownMemory): readonly Known[] {
  return WORK.test(content) ? [] : [said(content, date, "noted")];
}

function idsOf(prompt: LanguageModelV4Prompt, toolCallId: string): readonly string[] {
  for (const { role, content } of prompt) {
    if (role !== "assistant") continue;
    for (const part of content) {
      if (part.type !== "tool-call" || part.toolCallId !== toolCallId) continue;
      const { ids } = (part.input ?? {}) as { readonly ids?: unknown };
      return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
    }
  }
  return [];
}

function said(text: string, day: string | undefined, from: Known["from"]): Known {
  return { text: asTold(text), day, from };
}

/** In a group a memory begins with its speaker. Marks those of others. */
function ofSpeaker(known: Placed, speaker: string | undefined): readonly Placed[] {
  if (speaker === undefined || known.isOfConversation) return [known];
  const name = SPEAKER.exec(known.text)?.[1];
  if (name === undefined) return [{ ...known, isOfOthers: true }];
  const text = ofWhom(known.text, speaker);
  return text === undefined ? [] : [{ ...known, text }];
}

/**
 * The speaker's own words in a group memory, also in an older one without their id; `undefined` when another person
 * said it.
 */
function ofWhom(memory: string, speaker: string): string | undefined {
  const name = SPEAKER.exec(memory)?.[1];
  const isTheirs = name !== undefined && (name === speaker || name === speaker.replace(/ \([^()]*\)$/, ""));
  return isTheirs ? withoutName(memory.slice(name.length + 2)) : undefined;
}

function newestFirst(one: Placed, other: Placed): number {
  const byDay = (other.day ?? "").localeCompare(one.day ?? "");
  if (byDay !== 0) return byDay;
  return Number(other.isOfConversation) - Number(one.isOfConversation) || other.at - one.at;
}

function distinct(list: readonly Placed[]): readonly Placed[] {
  const seen = new Set<string>();
  return list.filter(({ text }) => {
    const words = text
      .toLowerCase()
      .replace(/[\s\p{P}]+/gu, " ")
      .trim();
    return words !== "" && !seen.has(words) && seen.add(words);
  });
}

/** The memories that the runtime put before a message. */
function memoriesIn(note: string): readonly Known[] {
  if (!note.startsWith(`${MEMORY_HEADING}\n`)) return [];
  const items = note.slice(MEMORY_HEADING.length + 1).split(/\n(?=- \()/);
  return items.flatMap((item) => {
    const [, source = "", text = ""] = MEMORY_ITEM.exec(item) ?? [];
    if (text === "" || OF_THE_WORK.test(source)) return [];
    const day = DAY_FIRST.exec(source)?.[1];
    const from = source.endsWith("MEMORY.md") ? "MEMORY.md" : source.endsWith("memory: statement") ? "said" : "noted";
    return [said(text.replaceAll("\n  ", "\n"), day, from)];
  });
}

function ofSystem(text: string): readonly Known[] {
  const known = [...text.matchAll(NOTE_IN_SYSTEM)].flatMap(([, source = "", note = ""]): readonly Known[] => {
    if (source === "MEMORY.md") return linesOf(note, "MEMORY.md");
    if (source === "your notes: PEER" || source === "your notes: MEMORY of this person") return linesOf(note, "noted");
    const day = /^digest of (\d{4}-\d\d-\d\d)$/.exec(source)?.[1];
    if (day === undefined) return [];
    return linesOf(FACTS_OF_A_DAY.exec(note)?.[1] ?? "", "noted").map((line) => ({ ...line, day }));
  });
  const bare = text.replace(NOTE_IN_SYSTEM, "<wakeful-note>");
  const at = bare.indexOf(USER_FILE_BEGINS);
  if (at === -1) return known;
  return [...known, ...linesOf(bare.slice(at + USER_FILE_BEGINS.length).split(USER_FILE_ENDS, 1)[0] ?? "", "USER.md")];
}

/** The lines of a file that have content, without bullets, and with the day that a line begins or ends with. */
function linesOf(text: string, from: Known["from"]): readonly Known[] {
  return text.split("\n").flatMap((line) => {
    const bare = line.replace(/^\s*(?:[-*+]|\d{1,2}[.)])\s+(?:\[[ x]\]\s+)?/, "").trim();
    if (bare === "" || /^[#<|`>]|^-{3,}$/.test(bare) || !/[\p{L}\p{N}]/u.test(bare)) return [];
    const day = DAY_FIRST.exec(bare)?.[1] ?? DAY_LAST.exec(bare)?.[1];
    return [said(bare.replace(DAY_FIRST, "").replace(DAY_LAST, ""), day, from)];
  });
}
