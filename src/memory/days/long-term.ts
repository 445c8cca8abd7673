import { differsInSubstance } from "../capture/differs.ts";
import { jaccard } from "../capture/duplicate.ts";
import type { MemoryEntry } from "../entry.ts";
import { tokensOf } from "../keyword/tokens.ts";
import { clustersOf } from "../lifecycle/clusters.ts";
import { readLine } from "./lines.ts";
import { FACT_HEADINGS, type LongTermFact } from "./merge-facts.ts";

/** A line of a digest. */
export interface DigestLine {
  readonly text: string;
  readonly id?: string | undefined;
  readonly day: string;
}

/** Digests that must have a fact before it is kept for good. */
const RECURRING_DAYS = 3;
/** Jaccard similarity of words above which two lines are the same fact: less than for merging entries, since nothing is lost. */
const SAME_FACT_JACCARD = 0.6;

const DECISION =
  /\b(?:decid\w+|decision|architectur\w*|chose|chosen|settled on|agreed|adopt\w*|migrat\w+|we (?:use|run on)|stack|database|framework)\b|决定|采用|架构|选用|选定|改用|方案|技术栈/i;
const WORKFLOW =
  /\b(?:workflow|process|routine|procedure|every (?:time|day|week|morning|month)|before (?:each|every)|after (?:each|every)|whenever|deploy\w*|releas\w+|steps?|first .* then)\b|流程|步骤|每次|每天|每周|部署|发布|惯例/i;

/**
 * Returns a predicate: whether two lines say the same, with the same numbers, dates, names and negations. It caches the
 * words of each line.
 */
export function sameFacts(): (one: string, other: string) => boolean {
  const words = new Map<string, ReadonlySet<string>>();
  const wordsOf = (text: string) => {
    const found = words.get(text) ?? new Set(tokensOf(text));
    words.set(text, found);
    return found;
  };
  return (one, other) =>
    one === other || (jaccard(wordsOf(one), wordsOf(other)) > SAME_FACT_JACCARD && !differsInSubstance(one, other));
}

/** Finds facts in digests of at least `RECURRING_DAYS` days, in their newest wording. @param lines Newest first. */
export async function recurringFacts(
  lines: readonly DigestLine[],
): Promise<readonly (LongTermFact & { readonly id?: string | undefined })[]> {
  const texts = lines.map(({ text }) => text);
  const facts: (LongTermFact & { readonly id?: string | undefined })[] = [];
  for (const cluster of await clustersOf(texts, { threshold: SAME_FACT_JACCARD })) {
    const of = cluster.flatMap((index) => lines[index] ?? []);
    const [newest] = of;
    if (!newest || new Set(of.map(({ day }) => day)).size < RECURRING_DAYS) continue;
    facts.push({
      text: newest.text,
      day: newest.day,
      heading: headingOf(newest.text),
      variants: [...new Set(of.map(({ text }) => text))].slice(1),
      id: newest.id,
    });
  }
  return facts;
}

/** Chooses the heading of a fact: by the kind that capture gave it, else by its words. */
export function headingOf(text: string, slots: MemoryEntry["slots"] = {}): string {
  const { kind } = slots;
  if (kind === "preference" || kind === "fact")
    return WORKFLOW.test(text) && kind !== "preference" ? FACT_HEADINGS.workflows : FACT_HEADINGS.preferences;
  if (kind === "decision") return FACT_HEADINGS.decisions;
  if (DECISION.test(text)) return FACT_HEADINGS.decisions;
  return WORKFLOW.test(text) ? FACT_HEADINGS.workflows : FACT_HEADINGS.preferences;
}

/** Reads the fact lines of a digest. */
export function digestLines(texts: readonly string[], day: string): readonly DigestLine[] {
  return texts.flatMap((line) => {
    const { text, id } = readLine(line);
    return text === "" ? [] : [{ text, id, day }];
  });
}
