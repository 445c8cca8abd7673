import { withoutMarkers } from "../guard/index.ts";
import type { SkillSuggestion } from "./learn.ts";
import { commonWords } from "./words.ts";
import { inOneLine, shortened } from "../short-text.ts";

/** Most keywords of a drafted skill. */
const MAX_KEYWORDS = 8;
const MAX_TEXT = 200;

/** How a skill is drafted. */
export interface DraftSkillOptions {
  /** Its name: 1 to 64 of `a`–`z`, `0`–`9` and single hyphens within. Default: that of the suggestion. */
  readonly name?: string;
}

/** A skill as it may be written into a folder of its name. */
export interface SkillDraft {
  /** Of the skill and its folder. */
  readonly name: string;
  /** The text of its `SKILL.md`. */
  readonly text: string;
}

/**
 * Writes the `SKILL.md` of a suggestion: its tools as signals, the words that its example tasks share as intent patterns and keywords, its steps, and the
 * arguments that changed as parameters. It is offered to its person alone. Without words in common it has no intent patterns, and comes when it is asked for.
 *
 * The same suggestion gives the same text. Names of tools and arguments come from elsewhere: each stands in one line, quoted, and without the runtime's markers.
 *
 * Source: docs/skills-matching.md, "Learning".
 *
 * @throws {RangeError} If the name is no name of a skill.
 */
export function draftSkill(suggestion: SkillSuggestion, options: DraftSkillOptions = {}): SkillDraft {
  const { name = suggestion.name } = options;
  if (name.length > 64 || !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) {
    const given = JSON.stringify(name);
    throw new RangeError(
      `Cannot draft a skill as its name must be a–z, 0–9 and single hyphens: current value is ${given}`,
    );
  }
  const { examples } = suggestion;
  // Asked in the same words each time: all of them are common.
  const words = commonWords(examples.length === 1 ? [...examples, ...examples] : examples);
  const patterns = intentPatterns(examples.length === 1 ? pairsIn(words) : words);
  const contextSignals =
    words.length === 0 ? [] : [`      context_signals: { keywords: ${list(words.slice(0, MAX_KEYWORDS))} }`];
  const head = [
    "---",
    `name: ${name}`,
    `description: ${scalar(suggestion.description)}`,
    "metadata:",
    "  wakeful:",
    `    people: ${list([suggestion.userId])}`,
    "    triggers:",
    ...(patterns.length === 0 ? [] : [`      intent_patterns: ${list(patterns)}`]),
    `      tool_signals: ${list([...new Set(suggestion.toolSequence)])}`,
    ...contextSignals,
    "---",
  ];
  return { name, text: `${[...head, "", ...bodyOf(suggestion)].join("\n")}\n` };
}

function bodyOf({ description, toolSequence, parameters, constants, examples }: SkillSuggestion): string[] {
  const steps = toolSequence.map((tool, index) => {
    const fixed = constants.filter(({ step }) => step === index);
    const open = parameters.filter(({ step }) => step === index);
    const withFixed = fixed.map(({ argument, value }) => `${code(argument)} is ${code(value)}`);
    const withOpen = open.map(({ argument }) => `${code(argument)} fits the task`);
    const details = [...withFixed, ...withOpen];
    return `${index + 1}. Call ${code(tool)}${details.length === 0 ? "" : `; ${details.join(", ")}`}.`;
  });
  const open = parameters.map(
    ({ step, argument, values }) => `- ${code(argument)} of step ${step + 1}, before: ${values.map(code).join(", ")}`,
  );
  const asked = examples.map((example) => `- ${code(example)}`);
  return [
    `${plain(description)}.`,
    "",
    "## Steps",
    "",
    ...steps,
    "",
    "Look at what each step gives before the next one. When a step fails, try it once in another way, then say what is missing.",
    ...(open.length === 0 ? [] : ["", "## Parameters", "", ...open]),
    ...(asked.length === 0 ? [] : ["", "## Tasks that it was learnt from", "", ...asked]),
  ];
}

/** The two words that most tasks have, in either order; one word alone where there is no other. Each pattern runs on every engine. */
function intentPatterns([first, second]: readonly string[]): string[] {
  if (first === undefined) return [];
  if (second === undefined) return [literal(first)];
  return [`${literal(first)}.*${literal(second)}`, `${literal(second)}.*${literal(first)}`];
}

/**
 * Of a Chinese message that is one run of signs, and that nothing else says where to cut, the first and the last two: as a whole it would be asked for in the
 * very same words alone. Counted from the end, since a word of one sign comes first.
 */
function pairsIn(words: readonly string[]): readonly string[] {
  const [word = "", ...others] = words;
  if (others.length > 0 || !/^\p{Script=Han}{3,}$/u.test(word)) return words;
  const signs = Array.from(word);
  const first = signs
    .slice(signs.length % 2)
    .slice(0, 2)
    .join("");
  const last = signs.slice(-2).join("");
  return first === last ? [last] : [first, last];
}

/** The word as a pattern, with borders where its script writes spaces. `\b` knows the letters of ASCII alone. */
function literal(word: string): string {
  // Of other signs, as ’ or a hyphen, not every engine takes an escape.
  const escaped = word.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  return `${/^\w/.test(word) ? String.raw`\b` : ""}${escaped}${/\w$/.test(word) ? String.raw`\b` : ""}`;
}

/** A list of YAML in one line. */
function list(texts: readonly string[]): string {
  return `[${texts.map(scalar).join(", ")}]`;
}

/** A double-quoted scalar of YAML, which JSON's strings are once they are plain. */
function scalar(text: string): string {
  return JSON.stringify(plain(text));
}

/** In one span of code, which nothing within can end. */
function code(text: string): string {
  return `\`${plain(text).replaceAll("`", "'")}\``;
}

/** In one line, without what is not seen and without the runtime's markers. */
function plain(text: string): string {
  return shortened(withoutMarkers(inOneLine(text)), MAX_TEXT, MAX_TEXT - 1);
}
