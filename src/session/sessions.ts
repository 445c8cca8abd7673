import type { Clock } from "../clock.ts";
import { createArrivals } from "../engine/index.ts";
import { AssistantError, ConflictError } from "../errors.ts";
import { type LogRecord, type ReadOptions, type Store, keySegments, refuseNewer, storeKey } from "../store/index.ts";
import {
  type MarkRecord,
  type NoteRecord,
  type OutRecord,
  SESSION_FORMAT,
  type Sequenced,
  type SessionRecord,
} from "./records.ts";
import { parseSessionKey } from "./session-key.ts";
import {
  type FoldedSession,
  type LoggedTurn,
  type OpenDelivery,
  type Session,
  applyRecord,
  emptySession,
  isTurnRecord,
} from "./session.ts";

/** Records that are read at first when a session is loaded; doubled until its window is filled. */
const FIRST_READ = 256;
/** A conflict means that messages arrived while a turn wrote: reading them in and trying again ends after at most so many rounds. */
const MAX_CONFLICTS = 100;

export type NewRecord = SessionRecord extends infer R ? (R extends SessionRecord ? Omit<R, "v" | "at"> : never) : never;

export interface SessionsOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Sessions kept in memory, least recently used out first. Default 200; those in use stay. */
  readonly maxLoaded?: number;
  /** Turns kept in memory of sessions that nobody uses: long ones are let go of before there are many of them. Default 8,000, some 20 MB. */
  readonly maxTurns?: number;
  /** True once the loaded turns of a session fill its window, so that nothing older needs to be read. Default: 40 turns. */
  filled?(session: Session): boolean;
  /** Told of replies that another process wrote. */
  onReply?(key: string, out: OutRecord): void;
}

/** Another process took the turn: what this one still wants to write is not the truth any more. */
export class TurnLostError extends AssistantError {
  constructor(key: string) {
    super("CONFLICT", `The turn of ${key} is written by another process: this one stops`);
  }
}

interface Loaded {
  readonly session: FoldedSession;
  /** Who holds it open; it is not evicted meanwhile. */
  users: number;
  /** Its turns when it was last held. */
  turns: number;
  /** Told when nobody holds it any more. */
  readonly whenFree: (() => void)[];
  /** Records that were appended but whose predecessors have not been applied yet. */
  readonly ahead: Map<number, Sequenced>;
  /** Turns whose replies were undelivered when the session was loaded. */
  unhanded: readonly string[];
  /** The turn's last append: its next one waits for it, so that it never takes its own record for another writer's. */
  writing: Promise<void> | undefined;
}

export type Sessions = ReturnType<typeof createSessions>;

/** Sessions as logs: loads them, appends to them, and keeps the recently used ones folded in memory. */
export function createSessions(options: SessionsOptions) {
  const {
    store,
    clock,
    maxLoaded = 200,
    maxTurns = 8000,
    filled = ({ history }) => history.length >= 40,
    onReply,
  } = options;
  const loaded = new Map<string, Loaded>();
  /** Of those, the ones that nobody holds open, the least recently used first. */
  const unused = new Map<string, Loaded>();
  let unusedTurns = 0;
  const removing = new Map<string, Promise<void>>();
  const loading = new Map<string, Promise<FoldedSession>>();
  /** Appends of messages, notes and marks that are under way. */
  const arrivals = createArrivals();

  /** The session's state, kept in memory until `release`. */
  async function open(key: string): Promise<Session> {
    await load(key);
    const entry = loaded.get(key);
    if (!entry) return open(key); // removed, or evicted by others, meanwhile
    entry.users += 1;
    pickUp(key);
    return entry.session;
  }

  function release(key: string): void {
    const entry = loaded.get(key);
    if (!entry || entry.users === 0) return;
    entry.users -= 1;
    if (entry.users === 0) {
      putDown(key, entry);
      for (const told of entry.whenFree.splice(0)) told();
    }
    evict();
  }

  /** A handler that has nothing to answer any more leaves within moments; one that answers is not waited for. */
  async function isFree(key: string): Promise<boolean> {
    for (;;) {
      const entry = loaded.get(key);
      if (!entry || entry.users === 0) return true;
      const { open: turn, claimed, waiting } = entry.session;
      if (turn || claimed.length > 0 || waiting.length > 0) return false;
      await new Promise<void>((free) => entry.whenFree.push(free));
    }
  }

  async function load(key: string): Promise<FoldedSession> {
    if (removing.has(key)) await removing.get(key);
    const entry = loaded.get(key);
    if (entry) {
      if (pickUp(key)) putDown(key, entry);
      return entry.session;
    }
    let pending = loading.get(key);
    if (!pending) {
      pending = readSession(key).finally(() => loading.delete(key));
      loading.set(key, pending);
    }
    const session = await pending;
    const present = loaded.get(key);
    if (present) return present.session;
    const loadedNow: Loaded = {
      session,
      users: 0,
      turns: 0,
      whenFree: [],
      ahead: new Map(),
      writing: undefined,
      unhanded: [...session.deliveries.keys()],
    };
    loaded.set(key, loadedNow);
    putDown(key, loadedNow);
    evict(key);
    return session;
  }

  /**
   * Reads from the end of the log, twice as far each time, until the window is filled, or the log begins; and never less far than to what was still
   * open when the newest reply was written.
   */
  async function readSession(key: string): Promise<FoldedSession> {
    const log = logOf(key);
    for (let count = FIRST_READ; ; count *= 2) {
      const records: Sequenced[] = [];
      for await (const { seq, record } of store.read(log, { last: count })) records.push(parseRecord(record, seq, log));
      const from = records[0]?.seq ?? 1;
      const session = emptySession(key, log);
      // A log whose first lines are gone begins where it begins.
      const isAll = from === 1 || records.length < count;
      session.complete = isAll;
      for (const record of records) applyRecord(session, record);
      const reachesPending = session.pending !== Infinity && from <= session.pending;
      if (isAll || (reachesPending && (reachesBeginning(session, from) || filled(session)))) return session;
    }
  }

  /** Is everything there that the conversation shows: all since `/new`, or since what the newest summary tells, and what waited then and was answered? */
  function reachesBeginning({ summary, beganAt, history }: FoldedSession, from: number): boolean {
    const begins = summary?.readFrom ?? beganAt;
    return from <= begins && history.every(isWhole);
  }

  function putDown(key: string, entry: Loaded): void {
    entry.turns = entry.session.history.length;
    unusedTurns += entry.turns;
    unused.set(key, entry);
  }

  function pickUp(key: string): boolean {
    unusedTurns -= unused.get(key)?.turns ?? 0;
    return unused.delete(key);
  }

  /** Drops the sessions that nobody uses and that were not used for longest. What they hold is in their logs. */
  function evict(except?: string): void {
    for (const key of unused.keys()) {
      if (loaded.size <= maxLoaded && unusedTurns <= maxTurns) return;
      if (key === except) continue;
      drop(key);
    }
  }

  function drop(key: string): void {
    pickUp(key);
    loaded.delete(key);
  }

  /** Replies that were on their way when the session was loaded: a crash may have come before they were handed to the outbox. Told once. */
  function takeUnhanded(key: string): readonly OpenDelivery[] {
    const entry = loaded.get(key);
    const turns = entry?.unhanded ?? [];
    if (entry) entry.unhanded = [];
    return turns.flatMap((turn) => entry?.session.deliveries.get(turn) ?? []);
  }

  /** Adds records without claiming to know the log's end: messages, notes and marks. The append itself is issued in the same tick. */
  async function append(
    key: string,
    record: NewRecord | readonly NewRecord[],
    how: { id?: string; flush?: boolean } = {},
  ): Promise<{ seq: number; duplicate: boolean }> {
    if (removing.has(key)) await removing.get(key);
    const records = stamp(record);
    const log = loaded.get(key)?.session.log ?? logOf(key);
    const appending = store.append(log, asLogRecords(records), how);
    arrivals.add(key, appending);
    const result = await appending;
    const entry = loaded.get(key);
    // Another process removed the log, as when a person is forgotten, and it began anew. Who holds it open finds out at its next write.
    if (entry && entry.users === 0 && result.seq <= entry.session.seq && !result.duplicate) drop(key);
    else if (!result.duplicate) take(key, records, result.seq);
    return result;
  }

  /**
   * Adds a turn's own records, fenced: messages, notes and marks of others are taken in first; a turn record of another writer means that the turn was lost.
   * @throws TurnLostError
   */
  function appendTurn(
    session: Session,
    record: NewRecord | readonly NewRecord[],
    how: { flush?: boolean } = {},
  ): Promise<number> {
    const entry = loaded.get(session.key);
    if (!entry) throw new RangeError(`Cannot write a turn of ${session.key} as the session is not open`);
    const records = stamp(record);
    // With nothing under way the append is issued in this very tick, so that it shares its fsync with what the caller issues beside it.
    const written = entry.writing
      ? entry.writing.then(() => appendFenced(session, records, how))
      : appendFenced(session, records, how);
    const settled: Promise<void> = written.then(noop, noop).then(() => {
      if (entry.writing === settled) entry.writing = undefined;
    });
    entry.writing = settled;
    return written;
  }

  async function appendFenced(
    session: Session,
    records: readonly SessionRecord[],
    how: { flush?: boolean },
  ): Promise<number> {
    for (let round = 0; ; round += 1) {
      try {
        const { seq } = await store.append(session.log, asLogRecords(records), { ...how, expectSeq: session.seq });
        take(session.key, records, seq);
        return seq;
      } catch (error) {
        if (!ConflictError.is(error) || round === MAX_CONFLICTS) throw error;
        if (Number(error.actual) < session.seq) {
          drop(session.key);
          throw new TurnLostError(session.key);
        }
        // What this process appends beside it has its number already, and can be read only once it is written.
        await arrivals.landed(session.key);
        if ((await refresh(session.key)).some(isTurnRecord)) throw new TurnLostError(session.key);
      }
    }
  }

  /** Reads in what others appended. @returns The records that were new. */
  async function refresh(key: string): Promise<readonly Sequenced[]> {
    const entry = loaded.get(key);
    if (!entry) return [];
    const fresh: Sequenced[] = [];
    for await (const { seq, record } of store.read(entry.session.log, { after: entry.session.seq })) {
      if (seq !== entry.session.seq + 1) continue; // taken in meanwhile by the append that wrote it
      const own = entry.ahead.get(seq);
      const parsed = own ?? parseRecord(record, seq, entry.session.log);
      entry.ahead.delete(seq);
      applyRecord(entry.session, parsed);
      if (own) continue;
      fresh.push(parsed);
      if (parsed.type === "out") onReply?.(key, parsed);
    }
    return fresh;
  }

  /** Appends resolve in any order; the fold needs them in theirs. */
  function take(key: string, records: readonly SessionRecord[], lastSeq: number): void {
    const entry = loaded.get(key);
    if (!entry) return;
    records.forEach((record, index) => {
      const seq = lastSeq - records.length + 1 + index;
      if (seq > entry.session.seq) entry.ahead.set(seq, { ...record, seq });
    });
    for (let next = entry.ahead.get(entry.session.seq + 1); next; next = entry.ahead.get(entry.session.seq + 1)) {
      entry.ahead.delete(next.seq);
      applyRecord(entry.session, next);
    }
  }

  function stamp(record: NewRecord | readonly NewRecord[]): readonly SessionRecord[] {
    const at = clock.now();
    const list: readonly NewRecord[] = isList(record) ? record : [record];
    return list.map((one): SessionRecord => ({ ...one, v: SESSION_FORMAT, at }));
  }

  /** Says which waiting messages a turn has taken up, so that they do not count as waiting. */
  function claim(key: string, messageIds: readonly string[]): void {
    const entry = loaded.get(key);
    if (entry) entry.session.claimed = messageIds;
  }

  /** A waiting message that is about to be refused: no turn takes it up. @returns A function that takes this back. */
  function refuse(key: string, messageId: string): () => void {
    const session = loaded.get(key)?.session;
    if (session) session.refusing = [...session.refusing, messageId];
    return () => {
      if (session) session.refusing = session.refusing.filter((id) => id !== messageId);
    };
  }

  /** A reply that could not be handed to the outbox: `takeUnhanded` tells of it again. */
  function addUnhanded(key: string, turn: string): void {
    const entry = loaded.get(key);
    if (entry) entry.unhanded = [...entry.unhanded, turn];
  }

  /** Forgets turns older than the newest `keep` ones; the log keeps them. */
  function trim(session: Session, keep: number): void {
    const folded = loaded.get(session.key)?.session;
    if (!folded || folded.history.length <= keep) return;
    folded.history.splice(0, folded.history.length - keep);
    folded.complete = false;
  }

  /** The reply that a turn gave, with its delivery; `null` when there is none (any more). */
  async function findOut(key: string, turn: string): Promise<OpenDelivery | null> {
    const session = await load(key);
    const open = session.deliveries.get(turn);
    if (open) return withMarksAhead(key, open);
    return findBackwards(key, (out) => out.turn === turn);
  }

  /** A mark may be written while a message before it is not yet: the fold has to wait for that, but whoever would send the part again must not. */
  function withMarksAhead(key: string, delivery: OpenDelivery): OpenDelivery {
    const ahead = [...(loaded.get(key)?.ahead.values() ?? [])].filter((record) => record.type === "mark");
    const marks = ahead.filter(({ of }) => of === delivery.seq);
    return marks.length === 0 ? delivery : { ...delivery, marks: [...delivery.marks, ...marks] };
  }

  /** The reply to a message that was answered; `null` while it is not. */
  async function findReply(key: string, messageId: string): Promise<OutRecord | null> {
    const session = await load(key);
    const isAsked = (input: { readonly type: string; readonly id?: string }) =>
      input.type === "in" && input.id === messageId;
    if (session.waiting.some(isAsked) || session.open?.inputs.some(isAsked)) return null;
    for (let index = session.history.length - 1; index >= 0; index -= 1) {
      const out = session.history[index]?.out;
      if (out?.of.includes(messageId)) return out;
    }
    const refusal = session.refusals.find((out) => out.of.includes(messageId));
    if (refusal) return refusal;
    if (session.complete) return null;
    return (await findBackwards(key, (out) => out.of.includes(messageId)))?.record ?? null;
  }

  async function findBackwards(key: string, matches: (out: OutRecord) => boolean): Promise<OpenDelivery | null> {
    const log = logOf(key);
    const end = await store.lastSeq(log);
    for (let count = FIRST_READ; ; count *= 2) {
      let found: (OpenDelivery & { marks: MarkRecord[] }) | null = null;
      for await (const { seq, record } of store.read(log, { last: count })) {
        const parsed = parseRecord(record, seq, log);
        if (parsed.type === "out" && matches(parsed)) found = { seq, record: parsed, marks: [] };
        else if (parsed.type === "mark" && found?.seq === parsed.of) found.marks.push(parsed);
      }
      if (found || count >= end) return found;
    }
  }

  async function mark(key: string, record: Omit<MarkRecord, "v" | "at" | "type">): Promise<void> {
    await append(key, { ...record, type: "mark" }, { flush: false });
  }

  async function addNote(key: string, note: Omit<NoteRecord, "v" | "at" | "type">): Promise<{ duplicate: boolean }> {
    return append(key, { ...note, type: "note" }, note.id === undefined ? {} : { id: note.id });
  }

  /** In the order of their keys. `prefix`: only keys of one agent that begin so, as `agent:main:web:direct:`. */
  async function list(
    listOptions: { after?: string; limit?: number; prefix?: string } = {},
  ): Promise<{ key: string; agentId: string; records: number }[]> {
    const { after, limit = 100, prefix } = listOptions;
    const found: { key: string; agentId: string; records: number }[] = [];
    const under = prefix === undefined ? "sessions/" : logOf(prefix).slice(0, -"/log.jsonl".length);
    for await (const { key, version } of store.list(under, after === undefined ? {} : { after: logOf(after) })) {
      const [, agentId = "", rest = "", file] = keySegments(key);
      if (file !== "log.jsonl") continue;
      found.push({ key: `agent:${agentId}:${rest}`, agentId, records: Number(version) });
      if (found.length >= limit) break;
    }
    return found;
  }

  /** Every record of the newest `limit`, in order. */
  async function read(key: string, limit: number): Promise<readonly Sequenced[]> {
    const records: Sequenced[] = [];
    const log = logOf(key);
    for await (const { seq, record } of store.read(log, { last: limit })) records.push(parseRecord(record, seq, log));
    return records;
  }

  /** Every record in order, or those that are asked for, one after the other: however long the log is, little of it is in memory. */
  async function* scan(key: string, range: ReadOptions = {}): AsyncGenerator<Sequenced> {
    const log = logOf(key);
    for await (const { seq, record } of store.read(log, range)) yield parseRecord(record, seq, log);
  }

  /** How many records a session has; 0: there is none. */
  const size = async (key: string): Promise<number> => store.lastSeq(logOf(key));

  /** @param newest The log's last record, when nothing may have come since. @throws {AssistantError} `CONFLICT` when it has, or while it is answered. */
  async function remove(key: string, newest?: number): Promise<boolean> {
    const log = logOf(key);
    const lastSeq = await store.lastSeq(log);
    if (lastSeq === 0) return false;
    if (newest !== undefined && lastSeq !== newest)
      throw new ConflictError(`Cannot remove ${key}: something was said in it meanwhile`, lastSeq);
    if (!(await isFree(key))) {
      throw new AssistantError(
        "CONFLICT",
        `Cannot remove ${key} as it is answering a message right now: try again when it has`,
      );
    }
    // Whoever loads it meanwhile waits: a fold of the old log would not fit the new one.
    // The log goes last: what failed half-way is tried again, and no later session finds the summaries of this one.
    const removal = store
      .remove(summariesOf(key))
      .then(() => store.remove(log, newest === undefined ? {} : { expect: newest }))
      .finally(() => {
        removing.delete(key);
        drop(key);
      });
    removing.set(key, removal.then(noop, noop));
    await removal;
    return true;
  }

  /**
   * Works on what a session keeps while nobody reads or writes it: waits for whoever holds it open, and whoever comes meanwhile waits. What is in memory of
   * it is dropped.
   */
  async function alone<T>(key: string, work: (logs: readonly string[]) => Promise<T>): Promise<T> {
    for (let entry = loaded.get(key); entry && entry.users > 0; entry = loaded.get(key)) {
      const { whenFree } = entry;
      await new Promise<void>((free) => whenFree.push(free));
    }
    await removing.get(key);
    const working = (async () => {
      await arrivals.landed(key);
      return work([summariesOf(key), logOf(key)]);
    })().finally(() => {
      removing.delete(key);
      drop(key);
    });
    removing.set(key, working.then(noop, noop));
    return working;
  }

  return {
    alone,
    open,
    release,
    append,
    appendTurn,
    /** Waits for what this process is appending right now: a handler does so before it looks at the log. */
    arrived: arrivals.landed,
    claim,
    refuse,
    takeUnhanded,
    addUnhanded,
    refresh,
    trim,
    findOut,
    findReply,
    mark,
    addNote,
    list,
    read,
    scan,
    size,
    remove,
    load: load as (key: string) => Promise<Session>,
  };
}

function noop(): void {}

/** Are all messages there that the turn answered? */
function isWhole({ inputs, out }: LoggedTurn): boolean {
  const ids = new Set(inputs.map(({ id }) => id));
  return out?.of.every((id) => ids.has(id)) ?? true;
}

function isList<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}

/** Session records are plain JSON; interfaces only lack the index signature that `LogRecord` has. */
function asLogRecords(records: readonly SessionRecord[]): readonly LogRecord[] {
  return records as unknown as readonly LogRecord[];
}

function logOf(key: string): string {
  return fileOf(key, "log.jsonl");
}

/** The log beside a session's own that holds its summaries. */
export function summariesOf(key: string): string {
  return fileOf(key, "summary.jsonl");
}

function fileOf(key: string, name: string): string {
  const parsed = parseSessionKey(key);
  if (!parsed)
    throw new AssistantError(
      "NOT_FOUND",
      `Not a session key: ${JSON.stringify(key)}; expected agent:<agent>:<conversation>`,
    );
  return storeKey("sessions", parsed.agentId, parsed.rest, name);
}

function parseRecord(record: { readonly [key: string]: unknown }, seq: number, log: string): Sequenced {
  refuseNewer(record["v"], SESSION_FORMAT, `record ${seq} of ${log}`);
  return { ...(record as unknown as SessionRecord), seq };
}
