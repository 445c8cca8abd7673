import type { Fact } from "./fact.ts";
import { byValue, showLedger } from "./ledger.ts";
import { type Words, formOf, normalised, sharedWords, wordsOf } from "./words.ts";

/** Most tokens of the facts that go from one compaction to the next, estimated. */
const DEFAULT_LEDGER_TOKENS = 1500;
/** Facts of one kind during a merge. The ledger's budget leaves fewer. */
const MAX_OF_A_KIND = 300;
const MAX_WEIGHT = 9;
/**
 * Least share of a task's words in a sentence that closes it: in one that says so
 * directly, and in one that only reports.
 */
const CLOSING = { said: 0.6, reported: 0.6 };
/**
 * Least share of a closing sentence's words that the task has. A long report that contains a short task's
 * words by chance closes nothing.
 */
const MIN_OF_CLOSING = { said: 0.25, reported: 0.5 };

/** The facts that go from one compaction to the next. */
export interface Ledger {
  readonly facts: readonly Fact[];
  /** Facts dropped for the budget, this time. Duplicates, closed tasks and replaced facts do not count. */
  readonly dropped: number;
}

interface Entry {
  readonly fact: Fact;
  readonly words: Words;
  readonly about: About;
}

/**
 * Adds new facts to the kept ones. Duplicates are merged. A newer sentence replaces an older one if it is about the
 * same subject and says that it changed. Completed tasks are closed. The rest is cut to the budget.
 *
 * Source: docs/compaction.md.
 *
 * @param previous The facts of the last compaction.
 * @param fresh The facts of the messages that are summarized now, oldest first. `done`
 * facts of newer messages may follow.
 * @param options.ledgerTokens Default 1500.
 */
export function mergeLedger(
  previous: readonly Fact[],
  fresh: readonly Fact[],
  options: { readonly ledgerTokens?: number | undefined } = {},
): Ledger {
  const { ledgerTokens = DEFAULT_LEDGER_TOKENS } = options;
  const kinds = { decision: [] as Entry[], task: [] as Entry[], fact: [] as Entry[] };
  const identifiers = new Map<string, Fact>();
  let dropped = 0;

  for (const fact of [...previous, ...fresh]) {
    if (fact.kind === "identifier") {
      addIdentifier(identifiers, fact);
      if (identifiers.size >= 2 * MAX_OF_A_KIND) dropped += trim(identifiers);
      continue;
    }
    const entry = { fact, words: wordsOf(fact.key), about: aboutOf(fact.text) };
    if (fact.kind === "done") {
      const closed = close(kinds.task, entry);
      if (closed) untie(identifiers, closed.fact, fact);
      continue;
    }
    const entries = kinds[fact.kind];
    addSaid(entries, entry);
    if (entries.length > MAX_OF_A_KIND) {
      const least = entries.reduce((worst, one) => (byValue(worst.fact, one.fact) < 0 ? one : worst));
      entries.splice(entries.indexOf(least), 1);
      dropped += 1;
    }
  }

  dropped += trim(identifiers);
  const facts = [...kinds.decision, ...kinds.task, ...kinds.fact].map(({ fact }) => fact);
  facts.push(...withoutReplaced([...identifiers.values()]));
  const kept = showLedger(facts, ledgerTokens).facts;
  return { facts: kept, dropped: dropped + facts.length - kept.length };
}

function addIdentifier(identifiers: Map<string, Fact>, fact: Fact): void {
  const older = identifiers.get(fact.key);
  // Keeps the more informative sentence: one of a decision, task or fact wins over one
  // that only mentions the identifier.
  const better = older && older.weight > fact.weight ? older : fact;
  identifiers.delete(fact.key);
  const weight = older ? Math.min(MAX_WEIGHT, Math.max(older.weight, fact.weight) + 1) : fact.weight;
  identifiers.set(fact.key, { ...better, seq: Math.max(older?.seq ?? 0, fact.seq), weight });
}

/** @returns How many were removed. */
function trim(identifiers: Map<string, Fact>): number {
  const gone = [...identifiers.values()].sort(byValue).slice(MAX_OF_A_KIND);
  for (const { key } of gone) identifiers.delete(key);
  return gone.length;
}

function addSaid(entries: Entry[], entry: Entry): void {
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const older = entries[index]!;
    const relation = compare(older, entry);
    if (relation === "other") continue;
    entries.splice(index, 1);
    if (relation === "older") {
      const { fact } = older;
      entries.push({
        ...older,
        fact: { ...fact, seq: entry.fact.seq, weight: Math.min(MAX_WEIGHT, fact.weight + 1) },
      });
      return;
    }
  }
  entries.push(entry);
}

/** Which of two sentences to keep if they say the same. */
function compare(older: Entry, newer: Entry): "older" | "newer" | "other" {
  if (older.fact.key === newer.fact.key) return "older";
  if (isReplaced(older.about, newer.about)) return "newer";
  const shared = sharedWords(older.words, newer.words);
  if (shared < 3) return "other";
  if (shared === newer.words.all.size) return "older";
  // The assistant's paraphrase does not replace a person's words.
  return shared === older.words.all.size && newer.fact.weight >= older.fact.weight ? "newer" : "other";
}

/** Removes and returns the newest of the best matching tasks. */
function close(tasks: Entry[], done: Entry): Entry | undefined {
  const way = done.fact.weight <= 0 ? "reported" : "said";
  let best = -1;
  let bestPart = 0;
  tasks.forEach(({ words, fact }, index) => {
    const shared = sharedWords(words, done.words);
    const smaller = way === "said" ? Math.min(words.all.size, done.words.all.size) : words.all.size;
    const part = fact.key.length > 0 ? shared / Math.max(1, smaller) : 0;
    const isMatch =
      part >= CLOSING[way] && shared / done.words.all.size >= MIN_OF_CLOSING[way] && shared >= Math.min(2, smaller);
    if (!isMatch || part < bestPart) return;
    best = index;
    bestPart = part;
  });
  return best === -1 ? undefined : tasks.splice(best, 1)[0];
}

/** The identifier of a closed task must not read like an open task. It gets the closing sentence, or stands alone. */
function untie(identifiers: Map<string, Fact>, task: Fact, done: Fact): void {
  for (const [key, fact] of identifiers) {
    const { value } = fact;
    if (fact.text !== task.text || value === undefined) continue;
    const text = done.text.includes(value) ? done.text : value;
    identifiers.set(key, { ...fact, text, weight: Math.max(1, fact.weight - 3) });
  }
}

const SUBJECT =
  /^(?:[^:]{1,42}: )?(?:(?:actually|update|correction|please note|note|remember|fyi)[,:]? (?:that )?)?(.{2,60}?)(?: (?:is|are|was|has|changed|moved)\b|(?:现在|已经?)?(?:是|为|改成|改为|换成|变成))/i;
const STANDING = /^(?:[^:]{1,42}: )?(?:now )?(i live in|i work (?:at|for|as)|call me|我住|我叫|叫我)/i;
const CHANGE =
  /\b(?:now|actually|instead|changed|moved|new|no longer|correction|update)\b|现在|改成|改为|换成|变成|更正|不再/i;
/** A person's statement about their own things holds until they change it. */
const OWN = /^(?:my|our|我的|我们的)/i;

/** The subject of a sentence. */
interface About {
  readonly subject: string | undefined;
  /** Whether it says that something has changed. */
  readonly isChange: boolean;
}

function aboutOf(sentence: string): About {
  const text = sentence.replace(/\b(?:now )(?=live|work)|现在/, "");
  const standing = STANDING.exec(text)?.[1];
  const subject = standing ?? SUBJECT.exec(text)?.[1];
  return {
    subject: subject === undefined ? undefined : normalised(subject).replace(/^the /, ""),
    isChange: standing !== undefined || CHANGE.test(sentence) || OWN.test(subject ?? ""),
  };
}

/** Whether the newer sentence replaces the older one. */
function isReplaced(older: About, newer: About): boolean {
  return newer.isChange && newer.subject !== undefined && newer.subject === older.subject;
}

/** Drops identifiers of the same form and subject as the newest one, if its sentence says that they changed. */
function withoutReplaced(identifiers: readonly Fact[]): readonly Fact[] {
  const newest = new Map<string, { readonly fact: Fact; readonly about: About }>();
  const described = identifiers.map((fact) => {
    const about = aboutOf(fact.text);
    const key = `${about.subject}\n${formOf(fact.value ?? "")}`;
    if (fact.seq >= (newest.get(key)?.fact.seq ?? -1)) newest.set(key, { fact, about });
    return { fact, about, key };
  });
  return described.flatMap(({ fact, about, key }) => {
    const last = newest.get(key);
    const isGone = last && last.fact.text !== fact.text && last.fact.seq > fact.seq && isReplaced(about, last.about);
    return isGone ? [] : [fact];
  });
}
