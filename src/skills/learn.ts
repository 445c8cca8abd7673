import { type JsonValue, isObject } from "../store/index.ts";
import type { SkillLibrary } from "./library.ts";
import type { Skill } from "./skill.ts";
import type { TracedTool, WorkflowTrace } from "./traces.ts";
import { inOneLine, shortened } from "../short-text.ts";

/** Least turns that a sequence must have been seen in. */
const DEFAULT_MIN_OCCURRENCE = 3;
/** Fewest tools of a sequence. */
const DEFAULT_MIN_STEPS = 2;
/** The share of turns that went well must be over this. */
const MIN_SUCCESS_RATE = 0.7;
/** Tool calls of one turn that are looked at, which is also the longest sequence. */
const MAX_CALLS = 50;
/** Newest turns of a person that are looked at. */
const MAX_TRACES = 500;
const MAX_EXAMPLES = 5;
const MAX_VALUES = 3;
const MAX_VALUE_CHARS = 80;
const MAX_NAME = 64;

/** The assistant's own tools: they are used in every kind of task. */
const OWN_TOOL = /^(?:memory_.*|acp_context|skills|plan|clarify|message|notify)$/;

/** What makes a skill worth suggesting. */
export interface LearnOptions {
  /** Least turns that a sequence was seen in. Default 3. */
  readonly minOccurrence?: number;
  /** Fewest tools of a sequence, 1 or more. Default 2. */
  readonly minSteps?: number;
  /** Skills that there are: what one of them covers is not suggested. Default none. */
  readonly library?: SkillLibrary | readonly Skill[];
}

/** An argument of a step whose value changed from turn to turn. */
export interface SuggestedParameter {
  /** Of the step, from 0. */
  readonly step: number;
  /** Name of the step's tool. */
  readonly tool: string;
  /** Name of the argument. */
  readonly argument: string;
  /** At most three values that it had, the newest first, each in one line of at most 80 characters. */
  readonly values: readonly string[];
}

/** A sequence of tools that a person uses often and that could become a skill. Source: docs/skills-matching.md, "Learning". */
export interface SkillSuggestion {
  /** The same for the same person and sequence. */
  readonly id: string;
  /** A name that no skill of the library has. */
  readonly name: string;
  /** What it does, in one line. */
  readonly description: string;
  /** Names of its tools, in the order in which they were called. */
  readonly toolSequence: readonly string[];
  /** Turns that it was seen in. */
  readonly occurrences: number;
  /** Of all its steps together. */
  readonly averageDurationMs: number;
  /** The share of these turns in which each of its steps and the turn succeeded. */
  readonly successRate: number;
  /** `successRate` × (1 − 1 ÷ `occurrences`). */
  readonly confidence: number;
  /** Whose habit it is. */
  readonly userId: string;
  /** What the person asked for, at most five texts, the newest first, each in one line. */
  readonly examples: readonly string[];
  /** Arguments whose value changed. */
  readonly parameters: readonly SuggestedParameter[];
  /** Arguments that every turn gave the same value: numbers, switches and short words alone. */
  readonly constants: readonly { readonly step: number; readonly argument: string; readonly value: string }[];
}

/**
 * Tool sequences that a person uses again and again: contiguous once the assistant's own tools are left out, in enough turns, with success in more than 70% of
 * them, and covered by no skill. A sequence within another one that is suggested is not suggested.
 *
 * A turn counts once for a sequence, however often it has it: a loop within one task is no habit. Turns of different people are never counted together. Of a
 * person the newest 500 turns are looked at, of a turn the first 50 calls.
 *
 * @returns By confidence, then length, then id.
 * @throws {RangeError} If `minOccurrence` or `minSteps` is no whole number of 1 or more.
 */
export function learnSkills(traces: readonly WorkflowTrace[], options: LearnOptions = {}): SkillSuggestion[] {
  const { minOccurrence = DEFAULT_MIN_OCCURRENCE, minSteps = DEFAULT_MIN_STEPS, library = [] } = options;
  for (const [name, value] of Object.entries({ minOccurrence, minSteps })) {
    if (!Number.isInteger(value) || value < 1)
      throw new RangeError(`Cannot learn skills as ${name} must be a whole number >= 1: current value is ${value}`);
  }
  const skills = "skills" in library ? library.skills : library;
  const taken = new Set(skills.map(({ name }) => name));
  const suggestions: SkillSuggestion[] = [];
  for (const [userId, own] of byUser(traces)) {
    const usable = skills.filter(({ people }) => people === undefined || people.includes(userId));
    /** Sequences that are suggested or covered: a part of one says nothing more. */
    const known: (readonly string[])[] = [];
    const frequent = frequentSequences(own, minOccurrence)
      .filter(({ tools }) => tools.length >= minSteps)
      .sort((one, other) => other.tools.length - one.tools.length);
    for (const sequence of frequent) {
      const { tools } = sequence;
      if (known.some((longer) => isWithin(tools, longer))) continue;
      const successRate = successRateOf(sequence, own);
      const isCovered = usable.some((skill) => covers(skill, tools));
      if (!isCovered && successRate <= MIN_SUCCESS_RATE) continue;
      known.push(tools);
      if (!isCovered) suggestions.push(suggestionOf(userId, { ...sequence, successRate }, own, taken));
    }
  }
  return suggestions.sort(
    (one, other) =>
      other.confidence - one.confidence ||
      other.toolSequence.length - one.toolSequence.length ||
      (one.id < other.id ? -1 : 1),
  );
}

/** A turn as it is counted: the tools that are not the assistant's own. */
interface Turn {
  readonly trace: WorkflowTrace;
  readonly tools: readonly TracedTool[];
}

/** A sequence, and the turns that have it. */
interface Sequence {
  readonly tools: readonly string[];
  /** Index of the turn, and where in it the sequence begins, in order. */
  readonly places: readonly (readonly [turn: number, starts: readonly number[]])[];
}

/** The newest turns of each person, newest first. */
function byUser(traces: readonly WorkflowTrace[]): Map<string, Turn[]> {
  const users = new Map<string, Map<string, WorkflowTrace>>();
  for (const trace of [...traces].sort((one, other) => Number(other.createdAt) - Number(one.createdAt))) {
    const own = users.get(trace.userId) ?? new Map<string, WorkflowTrace>();
    users.set(trace.userId, own);
    if (own.size < MAX_TRACES && !own.has(trace.taskId)) own.set(trace.taskId, trace);
  }
  return new Map(
    Array.from(users, ([userId, own]) => {
      const turns = Array.from(own.values(), (trace) => ({
        trace,
        tools: trace.tools.filter(({ name }) => !OWN_TOOL.test(name)).slice(0, MAX_CALLS),
      }));
      return [userId, turns];
    }),
  );
}

/** Longer sequences are made of frequent ones alone, since no sequence is more frequent than a part of it. */
function frequentSequences(turns: readonly Turn[], minOccurrence: number): Sequence[] {
  const found: Sequence[] = [];
  /** For each turn where a frequent sequence of the length before begins, and which one by its index in `found`; at first the empty one everywhere. */
  let starts = turns.map(({ tools }) => new Map(tools.map((_, at) => [at, -1])));
  for (let length = 1; starts.some(({ size }) => size > 0); length += 1) {
    const grown = new Map<string, Map<number, number[]>>();
    for (const [turn, here] of starts.entries()) {
      for (const [start, before] of here) {
        const last = turns[turn]?.tools[start + length - 1];
        if (last === undefined || (length > 1 && !here.has(start + 1))) continue;
        const key = `${before} ${last.name}`;
        const places = grown.get(key) ?? new Map<number, number[]>();
        grown.set(key, places);
        places.set(turn, [...(places.get(turn) ?? []), start]);
      }
    }
    starts = turns.map(() => new Map<number, number>());
    for (const [key, places] of grown) {
      if (places.size < minOccurrence) continue;
      const [before = "", last = ""] = key.split(/ (.*)/s);
      found.push({ tools: [...(found[Number(before)]?.tools ?? []), last], places: [...places] });
      for (const [turn, at] of places) for (const start of at) starts[turn]!.set(start, found.length - 1);
    }
  }
  return found;
}

/** Of the places in a turn the first at which every step went well counts: a try that failed before it was repeated. */
function placeIn({ tools }: Turn, starts: readonly number[], length: number): { at: number; isWhole: boolean } {
  const at = starts.find((start) => tools.slice(start, start + length).every(({ success }) => success));
  return at === undefined ? { at: starts[0] ?? 0, isWhole: false } : { at, isWhole: true };
}

function successRateOf({ tools, places }: Sequence, turns: readonly Turn[]): number {
  const well = places.filter(([turn, starts]) => {
    const { trace } = turns[turn]!;
    return trace.outcome === "success" && placeIn(turns[turn]!, starts, tools.length).isWhole;
  });
  return well.length / places.length;
}

/** The skill names the tools of the sequence as its signals, in the same order. */
function covers({ triggers }: Skill, tools: readonly string[]): boolean {
  if (!triggers) return false;
  let at = -1;
  for (const tool of new Set(tools)) {
    at = triggers.toolSignals.indexOf(tool, at + 1);
    if (at < 0) return false;
  }
  return true;
}

function isWithin(short: readonly string[], long: readonly string[]): boolean {
  return long.some((_, from) => short.every((tool, index) => tool === long[from + index]));
}

function suggestionOf(
  userId: string,
  { tools, places, successRate }: Sequence & { readonly successRate: number },
  turns: readonly Turn[],
  taken: Set<string>,
): SkillSuggestion {
  const runs = places.map(([turn, starts]) => {
    const { at } = placeIn(turns[turn]!, starts, tools.length);
    return { trace: turns[turn]!.trace, calls: turns[turn]!.tools.slice(at, at + tools.length) };
  });
  const id = hashOf([userId, ...tools]);
  const name = nameOf(tools, id, taken);
  taken.add(name);
  const occurrences = runs.length;
  const total = runs.reduce((sum, { calls }) => sum + calls.reduce((ms, { durationMs }) => ms + durationMs, 0), 0);
  const examples = runs.map(({ trace }) => inLine(trace.text ?? "")).filter((text) => text !== "");
  return {
    id,
    name,
    description: `Uses ${listed(tools.map(inLine))}, one after the other, as in ${occurrences} tasks before`.slice(
      0,
      1000,
    ),
    toolSequence: tools,
    occurrences,
    averageDurationMs: Math.round(total / occurrences),
    successRate,
    confidence: successRate * (1 - 1 / occurrences),
    userId,
    examples: [...new Set(examples)].slice(0, MAX_EXAMPLES),
    ...argumentsOf(
      runs.map(({ calls }) => calls),
      tools,
    ),
  };
}

function argumentsOf(
  runs: readonly (readonly TracedTool[])[],
  tools: readonly string[],
): Pick<SkillSuggestion, "parameters" | "constants"> {
  const parameters: SuggestedParameter[] = [];
  const constants: SkillSuggestion["constants"][number][] = [];
  for (const [step, tool] of tools.entries()) {
    const given = runs.map((calls) => tableOf(calls[step]?.arguments));
    for (const argument of [...new Set(given.flatMap((table) => [...table.keys()]))].sort()) {
      const values = given.flatMap((table) => (table.has(argument) ? [table.get(argument)!] : []));
      const texts = [
        ...new Set(values.map((value) => inLine(typeof value === "string" ? value : JSON.stringify(value)))),
      ];
      const [first] = values;
      if (texts.length > 1) parameters.push({ step, tool, argument, values: texts.slice(0, MAX_VALUES) });
      else if (values.length === runs.length && isShort(first)) constants.push({ step, argument, value: texts[0]! });
    }
  }
  return { parameters, constants };
}

/** A number, a switch, or a word or two: nothing in which somebody's sentence could stand. */
function isShort(value: JsonValue | undefined): boolean {
  if (typeof value === "number" || typeof value === "boolean") return true;
  return typeof value === "string" && /^[\p{L}\p{N}._/-]{1,40}$/u.test(value);
}

function tableOf(value: JsonValue | undefined): ReadonlyMap<string, JsonValue> {
  return new Map(isObject(value) ? Object.entries(value as { readonly [name: string]: JsonValue }) : []);
}

function inLine(text: string): string {
  return shortened(inOneLine(text), MAX_VALUE_CHARS, MAX_VALUE_CHARS - 1);
}

function listed(tools: readonly string[]): string {
  return tools.length === 1 ? (tools[0] ?? "") : `${tools.slice(0, -1).join(", ")} and ${tools.at(-1)}`;
}

/** Of the first and the last tool, in the letters of a skill's name; with a piece of the id when it is taken. */
function nameOf(tools: readonly string[], id: string, taken: ReadonlySet<string>): string {
  const words = [...new Set([tools[0] ?? "", tools.at(-1) ?? ""])].map((tool) =>
    tool
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, ""),
  );
  const name = words
    .filter((word) => word !== "")
    .join("-then-")
    .slice(0, MAX_NAME - 9)
    .replace(/-+$/, "");
  if (name !== "" && !taken.has(name)) return name;
  return `${name === "" ? "workflow" : name}-${id.slice(0, 8)}`;
}

/** 128 bits in hexadecimal: four runs of a multiplying hash with other beginnings. No secret depends on it. */
function hashOf(parts: readonly string[]): string {
  const text = JSON.stringify(parts);
  return [0x9e37_79b9, 0x85eb_ca6b, 0xc2b2_ae35, 0x27d4_eb2f]
    .map((seed) => {
      let hash = seed;
      for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
      hash = Math.imul(hash ^ (hash >>> 16), 0x7feb_352d);
      return ((hash ^ (hash >>> 15)) >>> 0).toString(16).padStart(8, "0");
    })
    .join("");
}
