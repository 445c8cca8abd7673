import { estimateTokenCount } from "tokenx";
import type { Skill } from "./skill.ts";
import { shortened } from "../short-text.ts";

/** Most skills that a prompt names; the tool `skills` finds the others. */
const MAX_CATALOGUE = 60;
const MAX_LINE_CHARS = 200;
/** Token limit of the prompt's part that names skills. */
export const CATALOGUE_TOKENS = 4000;
/** Tokens for the text before and after the lines. */
const AROUND_TOKENS = 100;

/**
 * Returns one line per skill, higher priority first, then by name. The same skills give the same text, so that
 * providers' caches still hit.
 * @returns `undefined` if there are none.
 */
export function catalogueOf(skills: readonly Skill[]): string | undefined {
  if (skills.length === 0) return undefined;
  const sorted = skills.toSorted((a, b) => b.priority - a.priority || (a.name < b.name ? -1 : 1));
  const lines = within(CATALOGUE_TOKENS - AROUND_TOKENS, sorted.slice(0, MAX_CATALOGUE).map(lineOf));
  const more = sorted.length - lines.length;
  return [...lines, ...(more > 0 ? [`${more} more: the tool skills searches them`] : [])].join("\n");
}

/** The first lines that fit the tokens: a line takes several times the tokens in scripts without spaces. */
function within(tokens: number, lines: readonly string[]): readonly string[] {
  let left = tokens;
  const first = lines.findIndex((line) => (left -= estimateTokenCount(`${line}\n`)) < 0);
  return first < 0 ? lines : lines.slice(0, first);
}

function lineOf({ name, description }: Skill): string {
  const line = `- ${name}: ${description.replace(/\s+/g, " ").trim()}`;
  return shortened(line, MAX_LINE_CHARS, MAX_LINE_CHARS - 1);
}
