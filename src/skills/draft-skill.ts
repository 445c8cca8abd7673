import { withoutMarkers } from "../guard/index.ts";
import type { SkillSuggestion } from "./learn.ts";
import { commonWords } from "./words.ts";
import { inOneLine, shortened } from "../short-text.ts";

/** Most keywords of a drafted skill. */
const MAX_KEYWORDS = 8;
const MAX_TEXT = 200;

/** Options of a draft. */
export interface DraftSkillOptions {
  /** The skill's name: 1 to 64 of `a`–`z`, `0`–`9` and single hyphens within. Default: the suggestion's name. */
  readonly name?: string;
}

/** A drafted skill, to be written into a folder of its name. */
export interface SkillDraft {
  /** Name of the skill and its folder. */
  readonly name: string;
  /** The text of its `SKILL.md`. */
  readonly text: string;
}

/**
 * Writes the `SKILL.md` of a suggestion: its tools become signals, the words that its example tasks share become
 * intent patterns and keywords, followed by its steps, and its varying arguments as parameters. The skill is offered
 * only to the suggestion's person. Without shared words it has no intent patterns, and is activated only on request.
 *
 * The same suggestion gives the same text. Names of tools and arguments come from outside: each is written in one
 * line, quoted, and without the runtime's markers.
 *
 * Source: docs/skills-matching.md, "Learning".
 *
 * @throws {RangeError} If the name is not a valid skill name.
 */
export function draftSkill(suggestion: SkillSuggestion, options: DraftSkillOptions = {}): SkillDraft {
  const { name = suggestion.name } = options;
  if (name.length > 64 || !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) {
    const given = JSON.stringify(name);
    throw new RangeError(
      `Cannot draft a skill as its name must consist of a–z, 0–9 and single hyphens: current value is ${given}`,
    );
  }
  const { examples } = suggestion;
  // A single example means that all tasks used the same words: all of its words are shared.
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

/**
 * Patterns for the two words that most tasks share, in either order; for one word alone if there is no other. Each
 * pattern runs on every engine.
 */
function intentPatterns([first, second]: readonly string[]): string[] {
  if (first === undefined) return [];
  if (second === undefined) return [literal(first)];
  return [`${literal(first)}.*${literal(second)}`, `${literal(second)}.*${literal(first)}`];
}

/**
 * For a Chinese message that is one run of characters without any hint where to cut: the first and the last two
 * characters. The whole run would only match the very same words. Counted from the end, since a one-character word
 * comes first.
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

/** The word as a pattern, with word borders if its script uses spaces. `\b` knows only ASCII letters. */
function literal(word: string): string {
  // Not every engine accepts an escape of other characters, as ’ or a hyphen.
  const escaped = word.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  return `${/^\w/.test(word) ? String.raw`\b` : ""}${escaped}${/\w$/.test(word) ? String.raw`\b` : ""}`;
}

/** A YAML list in one line. */
function list(texts: readonly string[]): string {
  return `[${texts.map(scalar).join(", ")}]`;
}

/** A double-quoted YAML scalar. JSON strings of plain text are valid ones. */
function scalar(text: string): string {
  return JSON.stringify(plain(text));
}

/** One code span, which nothing in the text can end. */
function code(text: string): string {
  return `\`${plain(text).replaceAll("`", "'")}\``;
}

/** One line, without invisible characters and without the runtime's markers. */
function plain(text: string): string {
  return shortened(withoutMarkers(inOneLine(text)), MAX_TEXT, MAX_TEXT - 1);
}
