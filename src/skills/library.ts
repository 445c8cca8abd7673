import { type PatternEngine, foldCase } from "../patterns/index.ts";
import { type IntentPattern, type IntentReading, compileIntent, readIntent } from "./intent-pattern.ts";
import { findBrokenLinks } from "./links.ts";
import type { Skill, SkillTriggers } from "./skill.ts";

/** What is wrong with a skill. Source: docs/skills-matching.md, "What a library refuses". */
export interface SkillProblem {
  /** The skill's name. */
  readonly skill: string;
  /** The file that it was read from, if any. */
  readonly path?: string;
  /** From 1, if known. */
  readonly line?: number;
  /** The field that is wrong, as `triggers.intent_patterns`. */
  readonly field: string;
  /** The rejected pattern. */
  readonly pattern?: string;
  /** Why, in a sentence without a full stop. */
  readonly reason: string;
  /** True: the skill is not in the library. False: it is in the library without the faulty part. */
  readonly isLeftOut: boolean;
}

/** Skills that were checked together, with compiled patterns. Source: docs/skills-matching.md. */
export interface SkillLibrary {
  /** Usable skills, in the given order. */
  readonly skills: readonly Skill[];
  /** The skill of a name, or undefined. */
  find(name: string): Skill | undefined;
  /** Skills that were left out, and rejected patterns. */
  readonly problems: readonly SkillProblem[];
  /** Whether a pattern runs on the linear engine. */
  readonly usesLinearEngine: boolean;
}

/** Options of a library. */
export interface LibraryOptions {
  /**
   * Engine for patterns that could slow down the runtime's own engine. Default: the linear engine of the runtime;
   * null: none, and such patterns are rejected.
   */
  readonly engine?: PatternEngine | null;
}

/** A keyword prepared for the search. */
export interface Keyword {
  /** The keyword as the skill has it. */
  readonly written: string;
  /**
   * Whether it begins with a letter or digit of a script that writes spaces, so that none may precede it in a
   * message.
   */
  readonly hasLeftBorder: boolean;
  readonly hasRightBorder: boolean;
}

/** A skill with triggers, ready to be matched. */
export interface Matchable {
  readonly skill: Skill;
  readonly intents: readonly { readonly pattern: string; readonly alternatives: Alternatives }[];
  /** By case-folded text. */
  readonly keywords: ReadonlyMap<string, Keyword>;
  /** Case-folded values by slot. */
  readonly slots: readonly (readonly [slot: string, values: ReadonlySet<string>])[];
}

type Alternatives = Extract<IntentPattern, { ok: true }>["alternatives"];

const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u;
const WORD_SIGN = /[\p{L}\p{N}\p{M}_]/u;

/**
 * Cached, so that a skill that is in several libraries, because it comes with Wakeful or did not change, is read
 * once.
 */
const readings = new WeakMap<SkillTriggers, readonly IntentReading[]>();

function readingsOf(triggers: SkillTriggers): readonly IntentReading[] {
  const read = readings.get(triggers) ?? triggers.intentPatterns.map(readIntent);
  readings.set(triggers, read);
  return read;
}

const matchables = new WeakMap<SkillLibrary, readonly Matchable[]>();

/** Skills of a library that can activate by themselves. */
export function matchablesOf(library: SkillLibrary): readonly Matchable[] {
  return matchables.get(library) ?? [];
}

const shared = new WeakMap<() => PatternEngine | null, WeakMap<Skill, SkillLibrary>>();

/**
 * As `createLibrary`, but assistants of one process with the same skills share a library. The cache keeps the last
 * library for each first skill.
 */
export function sharedLibrary(skills: readonly Skill[], linear: () => PatternEngine | null): SkillLibrary {
  const [first] = skills;
  if (!first) return createLibrary(skills, {}, linear);
  const ofEngine = shared.get(linear) ?? new WeakMap<Skill, SkillLibrary>();
  shared.set(linear, ofEngine);
  const known = ofEngine.get(first);
  if (known?.skills.length === skills.length && known.skills.every((skill, index) => skill === skills[index]))
    return known;
  const library = createLibrary(skills, {}, linear);
  ofEngine.set(first, library);
  return library;
}

/**
 * Checks skills together and compiles their patterns once.
 *
 * A skill is left out if its chain or prerequisites cannot be followed, or if another skill has its name. An unusable
 * pattern is dropped, and its skill stays. Both are reported in `problems`; nothing is thrown.
 *
 * @param linear Returns the linear engine if no `engine` is given. Called only when a pattern needs it.
 */
export function createLibrary(
  skills: readonly Skill[],
  options: LibraryOptions,
  linear: () => PatternEngine | null,
): SkillLibrary {
  const { engine } = options;
  const engineOf = engine === undefined ? linear : () => engine;
  const problems: SkillProblem[] = [];
  const byName = new Map<string, Skill>();
  const tell = (skill: Skill, problem: Omit<SkillProblem, "skill" | "path">) =>
    void problems.push({ skill: skill.name, ...(skill.path === undefined ? {} : { path: skill.path }), ...problem });
  for (const skill of skills) {
    if (byName.has(skill.name)) tell(skill, { field: "name", reason: "Another skill has this name", isLeftOut: true });
    else byName.set(skill.name, skill);
  }
  for (const [name, { field, reason }] of findBrokenLinks(byName)) {
    tell(byName.get(name)!, { field, reason, isLeftOut: true });
    byName.delete(name);
  }
  const ready: Matchable[] = [];
  let usesLinearEngine = false;
  for (const skill of byName.values()) {
    if (!skill.triggers) continue;
    const intents: { pattern: string; alternatives: Alternatives }[] = [];
    for (const reading of readingsOf(skill.triggers)) {
      const { pattern } = reading;
      const compiled = compileIntent(reading, engineOf);
      if (compiled.ok) {
        intents.push({ pattern, alternatives: compiled.alternatives });
        usesLinearEngine ||= compiled.usesLinearEngine;
      } else tell(skill, { field: "triggers.intent_patterns", pattern, reason: compiled.reason, isLeftOut: false });
    }
    ready.push(matchableOf(skill, intents));
  }
  const library: SkillLibrary = {
    skills: [...byName.values()],
    find: (name) => byName.get(name),
    problems,
    usesLinearEngine,
  };
  matchables.set(library, ready);
  return library;
}

function matchableOf(skill: Skill, intents: Matchable["intents"]): Matchable {
  const { keywords = [], slots = {} } = skill.triggers?.contextSignals ?? {};
  const byText = new Map<string, Keyword>();
  for (const written of keywords) {
    const text = foldCase(inOneLine(written));
    if (text !== "" && !byText.has(text)) byText.set(text, keywordOf(written, text));
  }
  return {
    skill,
    intents,
    keywords: byText,
    slots: Object.entries(slots).map(([slot, values]) => [slot, new Set(values.map(foldCase))]),
  };
}

function keywordOf(written: string, text: string): Keyword {
  const signs = Array.from(text);
  return { written, hasLeftBorder: isWordSign(signs[0]), hasRightBorder: isWordSign(signs.at(-1)) };
}

/** Whether a sign is a letter, digit or mark of a script that writes spaces between words. */
export function isWordSign(sign: string | undefined): boolean {
  return sign !== undefined && WORD_SIGN.test(sign) && !WITHOUT_SPACES.test(sign);
}

/** Returns the text in one line, NFKC-normalized, with single spaces. */
export function inOneLine(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/\s{2,}|[^\S ]/g, " ")
    .trim();
}
