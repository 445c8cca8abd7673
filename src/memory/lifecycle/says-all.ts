import { differsInSubstance } from "../capture/differs.ts";
import { tokensOf } from "../keyword/tokens.ts";

/** Share of a summary's words that the texts need not have, for what joins them; and of the texts' words that it need not have. */
const MAX_NEW = 0.2;
const MAX_LOST = 0.2;

/**
 * May a model's paragraph stand for these texts? Every number, date, name and negation of each stands in it, and none besides; and nearly all of its words
 * are theirs, and theirs its, so that nothing is made up and no order in a text was obeyed.
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
