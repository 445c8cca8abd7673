import { type JsonValue, isObject } from "../store/index.ts";
import type { SkillLibrary } from "./library.ts";
import type { Skill } from "./skill.ts";
import type { TracedTool, WorkflowTrace } from "./traces.ts";
import { inOneLine, shortened } from "../short-text.ts";

/** Fewest turns in which a sequence must occur. */
const DEFAULT_MIN_OCCURRENCE = 3;
/** Fewest tools of a sequence. */
const DEFAULT_MIN_STEPS = 2;
/** The share of successful turns must be greater than this. */
const MIN_SUCCESS_RATE = 0.7;
/** Most tool calls of one turn that are examined, which is also the longest sequence. */
const MAX_CALLS = 50;
/** Most of a person's turns that are examined, newest first. */
const MAX_TRACES = 500;
const MAX_EXAMPLES = 5;
const MAX_VALUES = 3;
const MAX_VALUE_CHARS = 80;
const MAX_NAME = 64;

/** The assistant's own tools. They are left out since every kind of task uses them. */
const OWN_TOOL = /^(?:memory_.*|acp_context|skills|plan|clarify|message|notify)$/;

/** Conditions for suggesting a skill. */
export interface LearnOptions {
  /** Fewest turns in which a sequence occurs. Default 3. */
  readonly minOccurrence?: number;
  /** Fewest tools of a sequence, 1 or more. Default 2. */
  readonly minSteps?: number;
  /** Existing skills: a sequence that one of them covers is not suggested. Default none. */
  readonly library?: SkillLibrary | readonly Skill[];
}

/** An argument of a step whose value varied between turns. */
export interface SuggestedParameter {
  /** Index of the step, from 0. */
  readonly step: number;
  /** Name of the step's tool. */
  readonly tool: string;
  /** Name of the argument. */
  readonly argument: string;
  /** At most three of its values, newest first, each in one line of at most 80 characters. */
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
  /** Names of its tools, in the order of the calls. */
  readonly toolSequence: readonly string[];
  /** Number of turns in which it occurred. */
  readonly occurrences: number;
  /** Average total duration of its steps. */
  readonly averageDurationMs: number;
  /** The share of these turns in which each of its steps and the turn succeeded. */
  readonly successRate: number;
  /** `successRate` × (1 − 1 ÷ `occurrences`). */
  readonly confidence: number;
  /** The person whose habit it is. */
  readonly userId: string;
  /** The person's requests, at most five texts, newest first, each in one line. */
  readonly examples: readonly string[];
  /** Arguments whose value varied. */
  readonly parameters: readonly SuggestedParameter[];
  /** Arguments with the same value in every turn: only numbers, booleans and short words. */
  readonly constants: readonly { readonly step: number; readonly argument: string; readonly value: string }[];
}

/**
 * Finds tool sequences that a person uses repeatedly: contiguous once the assistant's own tools are left out, in
 * enough turns, successful in more than 70% of them, and covered by no skill. A sequence within another suggested one
 * is not suggested.
 *
 * A turn counts once for a sequence, even if it contains it several times: a loop within one task is no habit. Turns
 * of different people are never counted together. The newest 500 turns of a person are examined, and the first 50
 * calls of a turn.
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
    /** Sequences that are suggested or covered. A part of one adds nothing. */
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

/** A turn with its tools, without the assistant's own. */
interface Turn {
  readonly trace: WorkflowTrace;
  readonly tools: readonly TracedTool[];
}

/** A sequence, and the turns in which it occurs. */
interface Sequence {
  readonly tools: readonly string[];
  /** Index of the turn, and the positions in it where the sequence begins, in order. */
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

/** Extends only frequent sequences, since no sequence is more frequent than a part of it. */
function frequentSequences(turns: readonly Turn[], minOccurrence: number): Sequence[] {
  const found: Sequence[] = [];
  /**
   * For each turn, the positions where a frequent sequence of the previous length begins, with its index in `found`;
   * at first the empty sequence everywhere.
   */
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

/**
 * Returns the first position in a turn at which every step succeeded, so that a failed try before a repetition is
 * ignored.
 */
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

/** Whether the skill names the tools of the sequence as its signals, in the same order. */
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

/** Whether a value is a number, a boolean or a short word, so that it cannot contain a person's sentence. */
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

/** Builds a skill name from the first and the last tool; adds a piece of the id if the name is taken. */
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

/** 128 bits in hexadecimal: four runs of a multiplicative hash with different seeds. No secret depends on it. */
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
