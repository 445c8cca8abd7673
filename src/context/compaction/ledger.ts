import { estimateTokenCount } from "tokenx";
import type { Fact } from "./fact.ts";
import { shortened } from "./shortened.ts";

/** Heading above the facts of a summary. */
export const LEDGER_TITLE = "Kept word for word:";
const HEADINGS = { decision: "Decisions", task: "Open tasks", fact: "Facts", identifier: "Identifiers" } as const;
type KeptKind = keyof typeof HEADINGS;
const KINDS = Object.keys(HEADINGS) as KeptKind[];

/** The ledger as a summary shows it. */
export interface ShownLedger {
  /** Empty if there is nothing to show. */
  readonly text: string;
  /** Estimated; slightly above the estimate of `text`. */
  readonly tokens: number;
  /** The facts that have a place, including those that another line or the prose already contains. */
  readonly facts: readonly Fact[];
}

/**
 * Line lengths: of the more valuable half of the identifiers, of the other half, and of all other
 * facts. 0: the identifier alone.
 */
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
 * Writes as many facts as the budget allows. First the sentences around identifiers get shorter. Then the least
 * valuable identifiers are dropped, then facts, and decisions and open tasks last.
 *
 * @param prose The text before the ledger. Identifiers and sentences that it contains are not repeated.
 */
export function showLedger(facts: readonly Fact[], budgetTokens: number, prose = ""): ShownLedger {
  const ranked = facts.filter(({ kind }) => kind !== "done").sort(byValue);
  const others = ranked.filter((fact) => rank(fact) > 0).length;
  const places = placesOf(ranked, prose);
  const shortest = LENGTHS.length - 1;
  /** Each step writes less: first shorter lines, then fewer. */
  const attempt = (step: number): ShownLedger => {
    const left = ranked.length - Math.max(0, step - shortest);
    const lengths = left < others ? SHORTEST : LENGTHS[Math.min(step, shortest)]!;
    return write(ranked.slice(0, left), lengths, prose, places);
  };
  let low = 0;
  let high = shortest + ranked.length;
  for (let step = low; low < high; step = step === 0 ? Math.min(shortest, high - 1) : (low + high) >> 1) {
    if (attempt(step).tokens <= budgetTokens) high = step;
    else low = step + 1;
  }
  return attempt(low);
}

interface Line {
  readonly text: string;
  readonly tokens: number;
}

function lineOf(text: string): Line {
  // A line break can count as one token.
  return { text, tokens: estimateTokenCount(text) + 1 };
}

/** Lines by length. Facts never change and outlive many summaries, so each line is built and counted once. */
const linesOf = new WeakMap<Fact, Map<number, Line>>();

function factLine(fact: Fact, length: number): Line {
  let made = linesOf.get(fact);
  if (!made) linesOf.set(fact, (made = new Map()));
  let line = made.get(length);
  if (!line) {
    const { value, text } = fact;
    const shown =
      value === undefined
        ? shortened(text, length)
        : shortened(text, length, Math.max(0, text.indexOf(value)), value.length);
    made.set(length, (line = lineOf(`- ${shown}`)));
  }
  return line;
}

const valueTokens = new WeakMap<Fact, number>();

/** Identifiers without their sentences, on one line. Each is counted once; the sum is slightly too high. */
function bareLine(facts: readonly Fact[]): Line {
  let tokens = 2;
  for (const fact of facts) {
    let own = valueTokens.get(fact);
    if (own === undefined) valueTokens.set(fact, (own = estimateTokenCount(fact.value ?? "") + 1));
    tokens += own;
  }
  return { text: `- ${facts.map(({ value }) => value).join(", ")}`, tokens };
}

/**
 * Sorts the most valuable first. Identifiers are dropped before facts, facts before decisions and tasks, and the
 * older of two equal ones first.
 */
export function byValue(one: Fact, other: Fact): number {
  return rank(other) - rank(one) || other.weight - one.weight || other.seq - one.seq;
}

function rank({ kind, weight }: Fact): number {
  const own = kind === "identifier" ? 0 : kind === "fact" ? 1 : 2;
  // One of a series: a mere counter is worth less than anything that was said once.
  return weight < 0 ? own - 3 : own;
}

/** Texts that also contain an identifier. Only their written lines are searched for it. */
interface Places {
  readonly inProse: boolean;
  readonly facts: readonly Fact[];
}

/**
 * Finds the places of each identifier with one search through all texts. A text that several facts share occurs once.
 */
function placesOf(facts: readonly Fact[], prose: string): ReadonlyMap<Fact, Places> {
  const byText = new Map<string, Fact[]>();
  for (const fact of facts) byText.set(fact.text, [...(byText.get(fact.text) ?? []), fact]);
  const starts: number[] = [];
  let all = "";
  for (const text of byText.keys()) {
    starts.push(all.length);
    all += `${text}\n`;
  }
  const groups = [...byText.values()];
  const places = new Map<Fact, Places>();
  for (const fact of facts) {
    const { value } = fact;
    if (value === undefined || value === "") continue;
    const found: Fact[] = [];
    let group = 0;
    for (let at = all.indexOf(value); at !== -1; at = all.indexOf(value, starts[group + 1] ?? Infinity)) {
      while ((starts[group + 1] ?? Infinity) <= at) group += 1;
      found.push(...groups[group]!.filter((other) => other !== fact));
    }
    places.set(fact, { inProse: standsIn(prose, value), facts: found });
  }
  return places;
}

const NOWHERE: Places = { inProse: false, facts: [] };

function write(
  facts: readonly Fact[],
  [better, worse, rest]: Lengths,
  prose: string,
  places: ReadonlyMap<Fact, Places>,
): ShownLedger {
  const lengthOf = new Map<Fact, number>();
  const identifiers = facts.filter(({ kind }) => kind === "identifier");
  identifiers.forEach((fact, index) => lengthOf.set(fact, index < identifiers.length / 2 ? better : worse));
  const lines: Line[] = [];
  const written = new Map<Fact, Line>();
  const isTold = (fact: Fact, value: string) => {
    const { inProse, facts: others } = places.get(fact) ?? NOWHERE;
    return inProse || others.some((other) => standsIn(written.get(other)?.text ?? "", value));
  };
  const add = (to: Line[], fact: Fact, length: number) => {
    const line = factLine(fact, length);
    written.set(fact, line);
    to.push(line);
  };
  for (const kind of KINDS) {
    const own: Line[] = [];
    const bare: Fact[] = [];
    for (const fact of facts.filter((one) => one.kind === kind).sort((a, b) => a.seq - b.seq)) {
      const { value, text } = fact;
      const length = lengthOf.get(fact) ?? rest;
      if (value === undefined) {
        if (!prose.includes(text)) add(own, fact, length);
      } else if (!isTold(fact, value)) {
        if (length === 0) bare.push(fact);
        else add(own, fact, length);
      }
    }
    if (bare.length > 0) own.push(bareLine(bare));
    if (own.length > 0) lines.push(lineOf(`${HEADINGS[kind]}:`), ...own);
  }
  if (lines.length > 0) lines.unshift(lineOf(LEDGER_TITLE));
  return {
    text: lines.map(({ text }) => text).join("\n"),
    tokens: lines.reduce((sum, { tokens }) => sum + tokens, 0),
    facts,
  };
}

/** Whether a text contains a value as a whole: `#48` does not occur in `#4821`. */
function standsIn(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
    if (!isWordSign(text[at - 1]) && !isWordSign(text[at + value.length])) return true;
  }
  return false;
}

function isWordSign(sign: string | undefined): boolean {
  return sign !== undefined && /[a-z0-9]/i.test(sign);
}
