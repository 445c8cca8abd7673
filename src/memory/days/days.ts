import type { Clock } from "../../clock.ts";
import { AssistantError, ConflictError } from "../../errors.ts";
import { type Store, type Value, createTurns, storeKey, textsIn } from "../../store/index.ts";
import type { Metrics } from "../../telemetry/index.ts";
import type { DigestResult, ExtractResult } from "../api.ts";
import { idsIn } from "../capture/duplicate.ts";
import type { MemoryEntry } from "../entry.ts";
import { factsOf } from "../lasting.ts";
import { RETENTION_DAYS } from "../lifecycle/plan.ts";
import type { MemoryStore } from "../memory-store.ts";
import { timeOfUlid } from "../time-input.ts";
import { type Calendar, calendarOrUtc, dayAfter, isDay } from "../../calendar.ts";
import { type WrittenLines, composeDigest, factLinesOf } from "./compose-digest.ts";
import { lineHash, oneLine } from "./lines.ts";
import { type DigestLine, digestLines, headingOf, recurringFacts, sameFacts } from "./long-term.ts";
import { FACT_HEADINGS, type LongTermFact, countFacts, mergeFacts } from "./merge-facts.ts";
import { fieldsOf, rewrite, stateKey } from "./state.ts";

export interface DaysParts {
  readonly store: Store;
  readonly memory: Pick<MemoryStore, "list" | "get">;
  readonly clock: Pick<Clock, "now">;
  /** Returns the user's time zone as an IANA name. */
  timezoneOf(userId: string): string;
  /** Default: nothing is counted. */
  readonly metrics?: Pick<Metrics, "increment" | "set"> | undefined;
}

/** Digests of a person's days, and the facts kept from them. Source: docs/memory-days.md. */
export interface Days {
  /**
   * Rewrites the digest of a day. Default today. A day without entries and without a digest gets none.
   * @throws {AssistantError} `OPTION_INVALID` for an invalid day.
   */
  digest(of: { readonly userId: string; readonly day?: string | undefined }): Promise<DigestResult>;
  /** Writes the missing digests of the last `days` days. Default 30. @returns The days written. */
  digestMissing(of: { readonly userId: string; readonly days?: number }): Promise<readonly string[]>;
  /**
   * Adds facts that recur, or that were stated as lasting, to MEMORY.md. First writes the missing digests of the last
   * `digestDays` days. Default 30.
   */
  extract(of: { readonly userId: string; readonly digestDays?: number }): Promise<ExtractResult>;
  /** Adds facts from another source to MEMORY.md. */
  addFacts(userId: string, facts: readonly LongTermFact[], options?: AddFactsOptions): Promise<ExtractResult>;
  /** The calendar of the person's time zone. */
  calendarOf(userId: string): Calendar;
  today(userId: string): string;
}

export interface AddFactsOptions {
  /** Whether to create MEMORY.md when it does not exist and there is nothing to add. Default false. */
  readonly begin?: boolean;
  /** Whether only lines of the same words count as the same. Default false: nearly the same words do. */
  readonly literal?: boolean;
}

interface Said {
  readonly entry: MemoryEntry;
  readonly times: readonly number[];
}

const DAY_MS = 86_400_000;
/** Number of the newest digests that are searched for recurring facts. */
const DIGESTS = 30;
/** Hashes of added lines that are kept: some ten years' worth. */
const MAX_KNOWN = 5000;

export function createDays({ store, memory, clock, timezoneOf, metrics }: DaysParts): Days {
  const inTurn = createTurns();
  const factCounts = new Map<string, number>();

  const calendarOf = (userId: string) => calendarOrUtc(timezoneOf(userId));
  const today = (userId: string) => calendarOf(userId).dayOf(clock.now());
  const dayKey = (userId: string, day: string) => storeKey("memory", userId, "daily", `${day}.md`);

  /**
   * Entries said since `fromMs`, with their times; archived ones included. An entry that repetitions were merged into
   * has their times too.
   */
  async function saidSince(userId: string, fromMs: number): Promise<readonly Said[]> {
    const since = new Date(fromMs - RETENTION_DAYS * DAY_MS);
    const entries = new Map<string, MemoryEntry>();
    for (const archived of [true, false])
      for await (const entry of memory.list(userId, { archived, since })) entries.set(entry.id, entry);
    return [...entries.values()].flatMap((entry) => {
      const joined = idsIn(entry.slots).flatMap((id) => (entries.has(id) ? [] : (timeOfUlid(id)?.getTime() ?? [])));
      const times = [entry.createdAt.getTime(), ...joined].filter((at) => at >= fromMs);
      return times.length > 0 ? [{ entry, times }] : [];
    });
  }

  /** @param given Entries said since the start of the day or earlier, if the caller has them. */
  async function digest(userId: string, day: string, given?: readonly Said[]): Promise<DigestResult> {
    if (!isDay(day)) {
      const got = JSON.stringify(day);
      throw new AssistantError("OPTION_INVALID", `Invalid day ${got}: expected an existing day such as 2026-02-01`);
    }
    const calendar = calendarOf(userId);
    const untilMs = calendar.startOf(dayAfter(day, 1));
    const fromMs = calendar.startOf(day);
    const said = given ?? (await saidSince(userId, fromMs));
    const isOfDay = ({ times }: Said) => times.some((at) => at >= fromMs && at < untilMs);
    const entries = said.filter(isOfDay).map(({ entry }) => entry);
    const stateOf = stateKey(userId, `digest-${day}`);
    const lines = fieldsOf(fieldsOf((await store.get(stateOf))?.value)["lines"]) as WrittenLines;
    let text: string | undefined;
    let written: WrittenLines | undefined;
    await rewrite(store, dayKey(userId, day), (value) => {
      const previous = writable(dayKey(userId, day), value);
      if (entries.length === 0 && previous === undefined) return undefined;
      ({ text, written } = composeDigest({ day, entries, previous, written: lines }));
      if (text === previous) return undefined;
      metrics?.increment("memory.daily_summary.generated");
      return text;
    });
    if (written !== undefined && JSON.stringify(written) !== JSON.stringify(lines))
      await store.put(stateOf, { v: 1, lines: written });
    if (entries.length === 0 && text === composeDigest({ day, entries }).text) {
      await removeAsItIs(dayKey(userId, day), text);
      return { day, entryCount: 0 };
    }
    return { day, entryCount: entries.length, ...(text !== undefined && { text }) };
  }

  /** Removes a digest unless it was changed in the meantime. */
  async function removeAsItIs(key: string, text: string): Promise<void> {
    const found = await store.get(key);
    if (found?.value !== text) return;
    await store.remove(key, { expect: found.version }).catch((error: unknown) => {
      if (!ConflictError.is(error)) throw error;
    });
  }

  async function daysWithDigest(userId: string): Promise<readonly string[]> {
    const days: string[] = [];
    const prefix = storeKey("memory", userId, "daily", "-").slice(0, -1);
    for await (const { key } of store.list(prefix)) {
      const [, day] = /^(\d{4}-\d{2}-\d{2})\.md$/.exec(key.slice(prefix.length)) ?? [];
      if (day !== undefined) days.push(day);
    }
    return days.reverse();
  }

  async function digestMissing(userId: string, days: number): Promise<readonly string[]> {
    const calendar = calendarOf(userId);
    const said = await saidSince(userId, calendar.startOf(dayAfter(today(userId), 1 - days)));
    const busy = new Set(said.flatMap(({ times }) => times.map((at) => calendar.dayOf(at))));
    const made: string[] = [];
    for (const day of [...busy].sort()) {
      if ((await store.get(stateKey(userId, `digest-${day}`))) !== null) continue;
      await digest(userId, day, said);
      made.push(day);
    }
    return made;
  }

  async function extract(userId: string, digestDays: number): Promise<ExtractResult> {
    await digestMissing(userId, digestDays);
    const lines: DigestLine[] = [];
    for (const day of (await daysWithDigest(userId)).slice(0, DIGESTS)) {
      const found = await store.get(dayKey(userId, day));
      if (typeof found?.value === "string") lines.push(...digestLines(factLinesOf(found.value), day).toReversed());
    }
    const facts: LongTermFact[] = [];
    for (const { id, ...fact } of await recurringFacts(lines)) {
      const entry = id === undefined ? undefined : await memory.get(userId, id);
      facts.push(entry ? { ...fact, heading: headingOf(fact.text, entry.slots) } : fact);
    }
    const calendar = calendarOf(userId);
    for await (const entry of memory.list(userId, { slots: { lasting: true } })) {
      const day = calendar.dayOf(entry.createdAt.getTime());
      for (const text of factsOf(entry))
        facts.push({ text: oneLine(text), day, heading: headingOf(text, entry.slots) });
    }
    return addFacts(userId, facts);
  }

  async function addFacts(
    userId: string,
    facts: readonly LongTermFact[],
    { begin = false, literal = false }: AddFactsOptions = {},
  ): Promise<ExtractResult> {
    const stateOf = stateKey(userId, "facts");
    const before = textsIn(fieldsOf((await store.get(stateOf))?.value)["known"]);
    const isSame = literal ? (one: string, other: string) => lineHash(one) === lineHash(other) : sameFacts();
    let merged = mergeFacts("", [], { known: before, isSame });
    const longTerm = storeKey("memory", userId, "MEMORY.md");
    await rewrite(store, longTerm, (value) => {
      const previous = writable(longTerm, value);
      merged = mergeFacts(previous ?? "", facts, { known: before, isSame });
      if (previous === undefined && merged.text === "" && begin) merged = { ...merged, text: EMPTY };
      return merged.text === (previous ?? "") ? undefined : merged.text;
    });
    // Written after the file: after a crash in between, the file already has the lines.
    if (merged.known.length !== before.length)
      await store.put(stateOf, { v: 1, known: merged.known.slice(-MAX_KNOWN) });
    const count = countFacts(merged.text);
    factCounts.set(userId, count);
    metrics?.set(
      "memory.longterm.facts_count",
      [...factCounts.values()].reduce((sum, one) => sum + one, 0),
    );
    return { added: merged.added, facts: count };
  }

  return {
    digest: ({ userId, day = today(userId) }) => inTurn(userId, () => digest(userId, day)),
    digestMissing: ({ userId, days = DIGESTS }) => inTurn(userId, () => digestMissing(userId, days)),
    extract: ({ userId, digestDays = DIGESTS }) => inTurn(userId, () => extract(userId, digestDays)),
    addFacts: (userId, facts, options) => inTurn(userId, () => addFacts(userId, facts, options)),
    calendarOf,
    today,
  };
}

/** Refuses to overwrite a file that is not UTF-8 text: it is still the person's. */
function writable(key: string, value: Value | undefined): string | undefined {
  if (value === undefined || typeof value === "string") return value;
  throw new AssistantError(
    "CONFLICT",
    `Cannot add to ${JSON.stringify(key)} as it is not UTF-8 text: save it as UTF-8`,
  );
}

/** A first MEMORY.md: the headings alone. */
const EMPTY = Object.values(FACT_HEADINGS)
  .map((heading) => `## ${heading}\n`)
  .join("\n");
