import { foldCase } from "../patterns/index.ts";
import { type Alternative, type MessageForm, messageForm } from "./intent-pattern.ts";
import { type Keyword, type Matchable, type SkillLibrary, inOneLine, isWordSign, matchablesOf } from "./library.ts";
import type { Skill } from "./skill.ts";
import { type TextIndex, createTextIndex } from "./text-index.ts";

/** Longest message that is read whole, in characters. Of a longer one only the beginning and the end are read. */
export const MAX_INPUT_CHARS = 4000;
const INPUT_END_CHARS = 1000;
/**
 * Most work of pattern engines for one message, in characters that are read once: a few milliseconds. A pattern that
 * costs more than what is left is not tried.
 */
const MAX_ENGINE_WORK = 1_000_000;
const INTENT_WEIGHT = 0.5;
const TOOL_WEIGHT = 0.25;
const KEYWORDS_WEIGHT = 0.15;
const SLOT_WEIGHT = 0.1;

/** Input of a match. */
export interface MatchInput {
  /** The person's message. Of more than 4,000 characters the first 3,000 and the last 1,000 are read. */
  readonly taskInput: string;
  /** Names of the tools that were called in the session's last turns. Default none. */
  readonly recentTools?: readonly string[];
  /** Slots of the session: `task_type`, `channel`, `language`. Default none. */
  readonly slots?: Readonly<Record<string, string | undefined>>;
  /** The session, for callers that store matches; has no effect here. */
  readonly sessionId?: string;
  /** The memory user who wrote the message. Without it, skills for certain people do not activate. */
  readonly userId?: string;
}

/** A signal for a skill, or against it. */
export interface MatchSignal {
  /** `feedback`: verdicts of people. */
  readonly kind: "intent" | "tool" | "keywords" | "slot" | "feedback";
  /** The pattern, tools, keywords or slot that matched, or how many verdicts were helpful. */
  readonly matched: string;
  /** What it adds to the score; feedback can be negative. */
  readonly weight: number;
}

/** Skills that a message touches, with their signals; the list of signals can be empty. */
type Touched = readonly (readonly [skill: Skill, signals: readonly MatchSignal[]])[];

/** Finds the skills that a message touches, without testing each skill. */
type Look = (input: MatchInput) => Touched;

const looks = new WeakMap<SkillLibrary, Look>();

/** Returns the signals for each skill of a library, without feedback. */
export function findSignals(library: SkillLibrary, input: MatchInput): Touched {
  const look = looks.get(library) ?? createLook(matchablesOf(library));
  looks.set(library, look);
  return look(input);
}

/** What follows if a text of the index is found. */
interface Use {
  /** Alternatives of intent patterns that can match then, each with its skill. */
  readonly alternatives: (readonly [Matchable, Alternative])[];
  /** Skills that have the text as a keyword. */
  readonly keywords: (readonly [Matchable, Keyword])[];
}

function createLook(all: readonly Matchable[]): Look {
  const uses = new Map<string, Use>();
  const byTool = new Map<string, Matchable[]>();
  /** By slot, then by value. Slots that no skill uses are not read. */
  const bySlot = new Map<string, Map<string, Matchable[]>>();
  /** Skills with an alternative that can match without any certain text. */
  const always: Matchable[] = [];
  for (const matchable of all) {
    const { skill, intents, keywords, slots } = matchable;
    const alternatives = intents.flatMap((intent) => intent.alternatives);
    for (const alternative of alternatives)
      for (const text of alternative.needs ?? []) useOf(uses, text).alternatives.push([matchable, alternative]);
    if (alternatives.some(({ needs }) => needs === null)) always.push(matchable);
    for (const [text, keyword] of keywords) useOf(uses, text).keywords.push([matchable, keyword]);
    for (const tool of new Set(skill.triggers?.toolSignals)) push(byTool, tool, matchable);
    for (const [slot, values] of slots) {
      const byValue = bySlot.get(slot) ?? new Map<string, Matchable[]>();
      bySlot.set(slot, byValue);
      for (const value of values) push(byValue, value, matchable);
    }
  }
  const ranked = all.toSorted(
    ({ skill: one }, { skill: other }) => other.priority - one.priority || compareText(one.name, other.name),
  );
  const ranks = new Map(ranked.map((matchable, rank) => [matchable, rank]));
  const usesOf = [...uses.values()];
  const index = createTextIndex([...uses.keys()]);
  return ({ taskInput, recentTools = [], slots = {} }) => {
    const tools = new Set(recentTools);
    const seen = seenIn(taskInput, index, usesOf);
    const touched = new Set<Matchable>([...seen.touched, ...always]);
    for (const tool of tools) for (const matchable of byTool.get(tool) ?? []) touched.add(matchable);
    for (const [slot, byValue] of bySlot) {
      const value = own(slots, slot);
      if (typeof value !== "string") continue;
      for (const matchable of byValue.get(foldCase(value)) ?? []) touched.add(matchable);
    }
    const inOrder = [...touched].sort((one, other) => ranks.get(one)! - ranks.get(other)!);
    return inOrder.map((matchable) => {
      const signals = [...signalsOf(matchable, seen, tools), ...slotSignals(matchable, slots)];
      return [matchable.skill, signals] as const;
    });
  };
}

/** Which of the library's texts occur in a message. */
interface Seen {
  /** The message normalized (NFKC) in one line, and as written; one form if both are the same. */
  readonly forms: readonly MessageForm[];
  /** Engine work that is left for this message. */
  workLeft: number;
  readonly touched: ReadonlySet<Matchable>;
  readonly alternatives: ReadonlySet<Alternative>;
  readonly keywords: ReadonlySet<Keyword>;
}

function seenIn(taskInput: string, index: TextIndex, uses: readonly Use[]): Seen {
  const written = lookedAt(taskInput);
  const plain = inOneLine(written).slice(0, MAX_INPUT_CHARS);
  const folded = foldCase(plain);
  /** Sets of indexes, since a message may repeat the text of a thousand skills. */
  const possible = new Set<number>();
  const said = new Set<number>();
  index.search(folded, (found, at, length) => {
    possible.add(found);
    const keyword = uses[found]?.keywords[0]?.[1];
    if (keyword && !said.has(found) && standsAlone(keyword, folded, at, at + length)) said.add(found);
  });
  if (written !== plain) index.search(foldCase(written), (found) => possible.add(found));

  const touched = new Set<Matchable>();
  const alternatives = new Set<Alternative>();
  const keywords = new Set<Keyword>();
  for (const found of possible) {
    for (const [matchable, alternative] of uses[found]?.alternatives ?? []) {
      alternatives.add(alternative);
      touched.add(matchable);
    }
  }
  for (const found of said) {
    for (const [matchable, keyword] of uses[found]?.keywords ?? []) {
      keywords.add(keyword);
      touched.add(matchable);
    }
  }
  const forms = (written === plain ? [plain] : [plain, written]).map(messageForm);
  return { forms, workLeft: MAX_ENGINE_WORK, touched, alternatives, keywords };
}

/** The part of a message that is read. */
function lookedAt(text: string): string {
  if (text.length <= MAX_INPUT_CHARS) return text;
  return `${text.slice(0, MAX_INPUT_CHARS - INPUT_END_CHARS - 1)}\n${text.slice(-INPUT_END_CHARS)}`;
}

function standsAlone({ hasLeftBorder, hasRightBorder }: Keyword, text: string, from: number, to: number): boolean {
  if (hasLeftBorder && from > 0 && isWordSign(signBefore(text, from))) return false;
  return !(hasRightBorder && to < text.length && isWordSign(String.fromCodePoint(text.codePointAt(to)!)));
}

function signBefore(text: string, at: number): string {
  const isPair = /[\uDC00-\uDFFF]/.test(text.charAt(at - 1)) && at > 1;
  return text.slice(at - (isPair ? 2 : 1), at);
}

function signalsOf({ skill, intents, keywords }: Matchable, seen: Seen, tools: ReadonlySet<string>): MatchSignal[] {
  const signals: MatchSignal[] = [];
  const hit = intents.find(({ alternatives }) => alternatives.some((alternative) => isHit(alternative, seen)));
  if (hit) signals.push({ kind: "intent", matched: hit.pattern, weight: INTENT_WEIGHT });
  const called = skill.triggers?.toolSignals.filter((tool) => tools.has(tool)) ?? [];
  if (called.length > 0) signals.push({ kind: "tool", matched: [...new Set(called)].join(", "), weight: TOOL_WEIGHT });
  const said = [...keywords.values()].filter((keyword) => seen.keywords.has(keyword));
  if (said.length > 0) {
    const weight = rounded((KEYWORDS_WEIGHT * said.length) / keywords.size);
    signals.push({ kind: "keywords", matched: said.map(({ written }) => written).join(", "), weight });
  }
  return signals;
}

function slotSignals({ slots }: Matchable, given: NonNullable<MatchInput["slots"]>): MatchSignal[] {
  return slots.flatMap(([slot, values]) => {
    const value = own(given, slot);
    if (typeof value !== "string" || !values.has(foldCase(value))) return [];
    return [{ kind: "slot", matched: `${slot}: ${value}`, weight: SLOT_WEIGHT }];
  });
}

function isHit(alternative: Alternative, seen: Seen): boolean {
  if (alternative.needs !== null && !seen.alternatives.has(alternative)) return false;
  return seen.forms.some((form) => {
    const cost = alternative.costOf(form);
    if (cost > seen.workLeft) return false;
    seen.workLeft -= cost;
    return alternative.test(form);
  });
}

function useOf(uses: Map<string, Use>, text: string): Use {
  const before = uses.get(text) ?? { alternatives: [], keywords: [] };
  uses.set(text, before);
  return before;
}

function push<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** Reads a caller's table without its prototype: a skill may be called `constructor`. */
export function own<Value>(table: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined {
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Removes rounding errors of floating-point sums. */
export function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/** Compares names. */
export function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
