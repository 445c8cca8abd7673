import { estimateTokenCount } from "tokenx";
import { withoutMarkers } from "../../guard/index.ts";
import { MAX_CHARS_A_TOKEN, cutText } from "../cut-text.ts";
import type { Fact } from "./fact.ts";
import { LEDGER_TITLE, showLedger } from "./ledger.ts";
import { readFacts } from "./read-facts.ts";

/** Most tokens of a summary, estimated. */
export const DEFAULT_SUMMARY_TOKENS = 2000;
/** Least share of the budget for the prose, so that facts do not crowd out their connections. */
const PROSE_PART = 0.25;
/** A shorter text says nothing about a conversation. */
const MIN_PROSE_TOKENS = 8;
const SILENCE = /^\W*NO_REPLY\W*$/i;
/** Phrases with which models refuse. */
const REFUSAL =
  /^\W*(?:(?:i['’]m |i am )?(?:very |so )?sorry\b|i (?:can(?:no|['’])t|am unable|won['’]t)\b|as an ai\b|抱歉|对不起|很遗憾|我(?:无法|不能))/i;

/** The result of a compaction. Plain JSON, stored with the log. */
export interface CompactionSummary {
  /**
   * The text for the prompt: prose, then the facts kept word for word. Contains no markers of the
   * runtime and has no boundary yet.
   */
  readonly text: string;
  /** The prose alone. The next summary folds it in. */
  readonly prose: string;
  readonly facts: readonly Fact[];
  /** Estimated tokens of `text`. */
  readonly tokens: number;
}

export interface ComposeInput {
  /** The model's answer. It can be anything, also empty. */
  readonly prose: string;
  /** `extractiveProse`, used if the model's answer is unusable. */
  readonly fallback?: string | undefined;
  /** The last summary. Its prose is kept if the model's answer is unusable. */
  readonly previous?: Pick<CompactionSummary, "prose"> | undefined;
  /** From `mergeLedger`. */
  readonly ledger: readonly Fact[];
  /** Most tokens in total. Default 2000. */
  readonly budgetTokens?: number | undefined;
}

/**
 * Composes the summary that is stored and shown: the model's prose, as far as there is room, and the
 * facts that are kept word for word.
 *
 * Source: docs/compaction.md.
 */
export function composeSummary(input: ComposeInput): CompactionSummary {
  const { ledger, previous, fallback = "", budgetTokens = DEFAULT_SUMMARY_TOKENS } = input;
  const written = cleanProse(input.prose, budgetTokens);
  const wanted = isUsableProse(written)
    ? written
    : cleanProse(continued(lastLines(previous?.prose ?? "", budgetTokens * PROSE_PART), fallback), budgetTokens);
  const least = Math.min(estimateTokenCount(wanted), Math.floor(budgetTokens * PROSE_PART));
  const whole = showLedger(ledger, budgetTokens - least - 1);
  const prose = cutText(wanted, budgetTokens - whole.tokens - 1).text;
  const shown = showLedger(ledger, budgetTokens - estimateTokenCount(prose) - 1, prose);
  const text = joined(prose, withoutMarkers(shown.text));
  return { text, prose, facts: whole.facts, tokens: estimateTokenCount(text) };
}

/**
 * Whether a model's answer can replace a conversation: not empty, no `NO_REPLY`, no refusal, more than a word or two.
 */
export function isUsableProse(prose: string): boolean {
  return !SILENCE.test(prose) && !REFUSAL.test(prose) && estimateTokenCount(prose) >= MIN_PROSE_TOKENS;
}

/**
 * Reads a summary that a person edited, for the next compaction. Facts whose words were deleted are dropped. Added
 * text is folded in as prose; added decisions and requests are also kept word for word.
 *
 * @param before The summary before the edit.
 * @param text The complete edited text.
 */
export function readEditedSummary(
  before: Pick<CompactionSummary, "text" | "facts">,
  text: string,
): Pick<CompactionSummary, "prose" | "facts"> {
  const { facts } = before;
  const left = facts.filter((fact) => text.includes(fact.value ?? fact.text));
  const known = new Set(left.map(keyOf));
  const seq = facts.reduce((last, fact) => Math.max(last, fact.seq), 0);
  const added = readFacts([{ role: "user", text, seq }]).filter(
    (fact) => fact.kind !== "done" && !known.has(keyOf(fact)) && !before.text.includes(fact.text),
  );
  return { prose: cleanProse(text, Infinity), facts: [...left, ...added] };
}

function keyOf({ kind, key }: Fact): string {
  return `${kind} ${key}`;
}

/** The lines of the first text, then the new lines of the second. */
function continued(before: string, after: string): string {
  const known = new Set(before.split("\n"));
  return joined(
    before,
    after
      .split("\n")
      .filter((line) => !known.has(line))
      .join("\n"),
  );
}

function cleanProse(prose: string, budgetTokens: number): string {
  const safe = withoutMarkers(prose.slice(0, budgetTokens * MAX_CHARS_A_TOKEN));
  // Otherwise a model that repeats the list of facts would duplicate it.
  const [own = ""] = safe.split(LEDGER_TITLE, 1);
  return own.replace(/\n\s*\n+/g, "\n\n").trim();
}

/** The last lines within the budget. The newest additions are at the end. */
function lastLines(text: string, tokens: number): string {
  const lines = text.split("\n");
  let from = lines.length;
  for (let left = tokens; from > 0; from -= 1) {
    left -= estimateTokenCount(lines[from - 1] ?? "") + 1;
    if (left < 0) break;
  }
  return cutText(lines.slice(Math.min(from, lines.length - 1)).join("\n"), tokens).text;
}

function joined(one: string, other: string): string {
  return [one, other].filter((text) => text !== "").join("\n\n");
}
