import { estimateTokenCount } from "tokenx";
import type { Fact } from "./fact.ts";
import { shortened } from "./sentences.ts";

/** Above the facts of a summary. */
export const LEDGER_TITLE = "Kept word for word:";
const HEADINGS = { decision: "Decisions", task: "Open tasks", fact: "Facts", identifier: "Identifiers" } as const;
type KeptKind = keyof typeof HEADINGS;
const KINDS = Object.keys(HEADINGS) as KeptKind[];

/** The ledger as a summary shows it. */
export interface ShownLedger {
  /** Empty when there is nothing to show. */
  readonly text: string;
  readonly tokens: number;
  /** The facts that have a place, also those that another line or the prose tells already. */
  readonly facts: readonly Fact[];
}

/** How long the lines are: of the more valuable half of the identifiers, of the other half, and of everything else. 0: the identifier alone. */
const LENGTHS = [
  [160, 160, 240],
  [160, 80, 240],
  [80, 80, 240],
  [80, 0, 240],
  [0, 0, 240],
  [0, 0, 160],
] as const;
type Lengths = readonly [number, number, number];
const SHORTEST: Lengths = [0, 0, 80];

/**
 * Writes as much as the budget allows: first sentences around identifiers get shorter, then the least valuable identifiers are left out, then facts;
 * decisions and open tasks only when nothing else is left.
 *
 * @param prose What stands before it; identifiers and sentences in it are not written again.
 */
export function showLedger(facts: readonly Fact[], budgetTokens: number, prose = ""): ShownLedger {
  const ranked = facts.filter(({ kind }) => kind !== "done").sort(byValue);
  for (const lengths of LENGTHS) {
    const shown = write(ranked, lengths, prose);
    if (shown.tokens <= budgetTokens) return shown;
  }
  const others = ranked.filter(({ kind }) => kind !== "identifier").length;
  const whole = LENGTHS.at(-1)!;
  return (
    largest(others, ranked.length - 1, (count) => write(ranked.slice(0, count), whole, prose), budgetTokens) ??
    largest(0, others, (count) => write(ranked.slice(0, count), SHORTEST, prose), budgetTokens) ?? {
      text: "",
      tokens: 0,
      facts: [],
    }
  );
}

/** The one with the most that fits; more is never shorter. */
function largest(
  least: number,
  most: number,
  make: (count: number) => ShownLedger,
  budgetTokens: number,
): ShownLedger | undefined {
  let best: ShownLedger | undefined;
  let low = least;
  let high = most;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const shown = make(middle);
    if (shown.tokens <= budgetTokens) {
      best = shown;
      low = middle + 1;
    } else high = middle - 1;
  }
  return best;
}

/** The most valuable first: identifiers go before facts, facts before the rest, and of equals the older one goes. */
export function byValue(one: Fact, other: Fact): number {
  return rank(other) - rank(one) || other.weight - one.weight || other.seq - one.seq;
}

function rank({ kind }: Fact): number {
  return kind === "identifier" ? 0 : kind === "fact" ? 1 : 2;
}

function write(facts: readonly Fact[], [better, worse, rest]: Lengths, prose: string): ShownLedger {
  const lengthOf = new Map<Fact, number>();
  const identifiers = facts.filter(({ kind }) => kind === "identifier");
  identifiers.forEach((fact, index) => lengthOf.set(fact, index < identifiers.length / 2 ? better : worse));
  let shown = prose;
  let text = "";
  for (const kind of KINDS) {
    const lines: string[] = [];
    const bare: string[] = [];
    for (const fact of facts.filter((one) => one.kind === kind).sort((a, b) => a.seq - b.seq)) {
      const { value, text: sentence } = fact;
      const length = lengthOf.get(fact) ?? rest;
      if (value === undefined ? prose.includes(sentence) : standsIn(shown, value)) continue;
      if (length === 0 && value !== undefined) {
        bare.push(value);
        shown += `\n${value}`;
      } else {
        const at = value === undefined ? 0 : Math.max(0, sentence.indexOf(value));
        lines.push(`- ${shortened(sentence, length, at, value?.length)}`);
        shown += `\n${lines.at(-1)}`;
      }
    }
    if (bare.length > 0) lines.push(`- ${bare.join(", ")}`);
    if (lines.length > 0) text += `\n${HEADINGS[kind]}:\n${lines.join("\n")}`;
  }
  const whole = text === "" ? "" : LEDGER_TITLE + text;
  return { text: whole, tokens: estimateTokenCount(whole), facts };
}

/** As a whole: `#48` does not stand in `#4821`. */
function standsIn(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
    if (!isWordSign(text[at - 1]) && !isWordSign(text[at + value.length])) return true;
  }
  return false;
}

function isWordSign(sign: string | undefined): boolean {
  return sign !== undefined && /[a-z0-9]/i.test(sign);
}
