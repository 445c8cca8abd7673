import { AssistantError } from "../errors.ts";
import { type CutBody, cutBody } from "./cut-body.ts";
import type { SkillLibrary } from "./library.ts";
import { findBrokenLinks } from "./links.ts";
import type { ChainStep, Skill } from "./skill.ts";

/** Fewest tokens that a step's body is cut to when a chain must fit. */
const MIN_STEP_TOKENS = 100;

/** Options of a written-out chain. */
export interface ExpandChainOptions {
  /**
   * Most tokens of the instruction, estimated; the longest bodies are cut first. Default: each body has its own
   * `maxTokens`. A chain that cannot be cut that far stays longer.
   */
  readonly maxTokens?: number;
}

/**
 * Writes a chain as one instruction with several steps. Each step has its input, its parameters, the name of its
 * output, when it is done, what to do if it fails, and the body of its skill. A step that is itself a chain is
 * written out in its place. Source: docs/skills-matching.md, "Chains".
 *
 * @param skill A skill with a chain, or its name.
 * @throws {AssistantError} `NOT_FOUND` if there is no skill of the name; `OPTION_INVALID` if it has no chain, or the
 * chain cannot be followed: a missing step, a circle, an input that no earlier step produced.
 */
export function expandChain(
  library: SkillLibrary | readonly Skill[],
  skill: Skill | string,
  options: ExpandChainOptions = {},
): string {
  const skills = "skills" in library ? library.skills : library;
  const byName = new Map([...skills].reverse().map((one) => [one.name, one])); // of two skills with one name the first wins, as in a library
  const chain = typeof skill === "string" ? byName.get(skill) : skill;
  if (!chain) {
    const name = JSON.stringify(skill);
    const left =
      "problems" in library ? library.problems.find((one) => one.skill === skill && one.isLeftOut) : undefined;
    if (left) throw new AssistantError("OPTION_INVALID", `Cannot expand the skill ${name}: ${left.reason}`);
    throw new AssistantError("NOT_FOUND", `Cannot expand the skill ${name}: There is none`);
  }
  byName.set(chain.name, chain);
  const reason = chain.chain === undefined ? "It has no chain" : findBrokenLinks(byName).get(chain.name)?.reason;
  if (reason !== undefined)
    throw new AssistantError("OPTION_INVALID", `Cannot expand the skill ${JSON.stringify(chain.name)}: ${reason}`);
  return chainText(chain, (name) => byName.get(name), options.maxTokens).text;
}

/** Replaces a body that already stands before the step. */
const SHOWN_BODY = "Its instructions stand above.";

/** As `expandChain`, for a checked chain. @param shown Skills whose text stands before the chain. */
export function chainText(
  skill: Skill,
  find: (name: string) => Skill | undefined,
  maxTokens = Number.POSITIVE_INFINITY,
  shown: ReadonlySet<string> = new Set(),
): CutBody {
  const steps = stepsOf(skill, find, "");
  let cap = Math.max(skill.maxTokens, ...steps.map(({ skill: { maxTokens } }) => maxTokens));
  for (;;) {
    const { text, isCut } = written(skill, steps, cap, shown);
    const { tokens } = cutBody(text, Number.POSITIVE_INFINITY);
    if (tokens <= maxTokens || cap <= MIN_STEP_TOKENS) return { text, tokens, isCut };
    cap = Math.max(MIN_STEP_TOKENS, Math.floor(cap * 0.8));
  }
}

/** A step to be written out: its number, and the skill whose body it has. */
interface Step extends Omit<ChainStep, "skill"> {
  readonly number: string;
  readonly skill: Skill;
}

function stepsOf(chain: Skill, find: (name: string) => Skill | undefined, before: string): Step[] {
  return (chain.chain ?? []).flatMap((given, index) => {
    const skill = find(given.skill);
    if (!skill) return [];
    const step = { ...given, number: `${before}${index + 1}`, skill };
    return [step, ...stepsOf(skill, find, `${step.number}.`)];
  });
}

function written(
  chain: Skill,
  steps: readonly Step[],
  cap: number,
  shown: ReadonlySet<string>,
): { text: string; isCut: boolean } {
  const own = cutBody(chain.body, Math.min(chain.maxTokens, cap));
  let { isCut } = own;
  const pieces = [
    own.text,
    "Take these steps in order. Begin one only when the one before is done, and keep each output under its name for the steps that take it.",
  ];
  const above = new Set(shown);
  for (const step of steps) {
    const text = above.has(step.skill.name) ? SHOWN_BODY : step.skill.body;
    above.add(step.skill.name);
    const body = cutBody(text, Math.min(step.skill.maxTokens, cap));
    isCut ||= body.isCut;
    pieces.push(stepText(step), body.text);
  }
  const { format, artifacts } = chain.output ?? {};
  const as = format === undefined ? "" : ` in the format ${quoted(format)}`;
  const kept = artifacts === true ? " and keep it as an artifact" : "";
  pieces.push(`When the last step is done, answer with what it produced${as}${kept}.`);
  return { text: pieces.filter((piece) => piece !== "").join("\n\n"), isCut };
}

function stepText({ number, skill, inputFrom, outputAs, params }: Step): string {
  const output = outputAs === undefined ? "what this step asks for" : quoted(outputAs);
  const lines = [
    `## Step ${number}: ${skill.name}`,
    "",
    `- Input: ${inputFrom === undefined ? "the task, and what was found so far" : `${quoted(inputFrom)}, from the step that produced it`}`,
    ...(params === undefined ? [] : [`- Parameters: ${JSON.stringify(params)}`]),
    `- Output: ${outputAs === undefined ? "as its instructions say" : quoted(outputAs)}`,
    `- Done when: ${output} is there, is not empty, and holds against the task and the instructions of this step`,
    "- If it fails: try once more in another way; if it fails again, end here, say which step failed and why, and give what the steps before produced",
  ];
  return lines.join("\n");
}

function quoted(name: string): string {
  return `\`${name.replace(/[`\s]+/g, " ").trim()}\``;
}
