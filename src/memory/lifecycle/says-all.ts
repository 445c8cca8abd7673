import { differsInSubstance } from "../capture/differs.ts";
import { tokensOf } from "../keyword/tokens.ts";

/**
 * Largest share of a summary's words that the texts may lack, for connecting words; and of the texts' words that the
 * summary may lack.
 */
const MAX_NEW = 0.2;
const MAX_LOST = 0.2;

/**
 * Whether a model's paragraph may replace these texts. It must have every number, date, name and negation of each, and
 * no others. Nearly all words must be common to both, so that nothing was invented and no instruction in a text was
 * followed.
 */
export function saysAll(summary: string, texts: readonly string[]): boolean {
  if (summary === "" || /[\r\n]/.test(summary)) return false;
  const words = new Set(tokensOf(summary));
  const theirs = new Set(texts.flatMap((text) => [...tokensOf(text)]));
  const made = [...words].filter((word) => !theirs.has(word)).length;
  const lost = [...theirs].filter((word) => !words.has(word)).length;
  if (made > words.size * MAX_NEW || lost > theirs.size * MAX_LOST) return false;
  return texts.every((text) => !differsInSubstance(text, summary));
}
