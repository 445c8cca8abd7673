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

/** Records read first when a session is loaded. Doubled until its window is filled. */
const FIRST_READ = 256;
/**
 * Rounds of a fenced append. Each conflict means that records arrived while the turn wrote; they
 * are read in before the next try.
 */
const MAX_CONFLICTS = 100;

export type NewRecord = SessionRecord extends infer R ? (R extends SessionRecord ? Omit<R, "v" | "at"> : never) : never;

export interface SessionsOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Sessions kept in memory, least recently used out first. Default 200; those in use stay. */
  readonly maxLoaded?: number;
  /**
   * Turns kept in memory for unused sessions, so that a few long sessions are evicted
   * early. Default 8,000, about 20 MB.
   */
  readonly maxTurns?: number;
  /** Whether the loaded turns fill the session's window, so that nothing older needs to be read. Default: 40 turns. */
  filled?(session: Session): boolean;
  /** Called for replies that another process wrote. */
  onReply?(key: string, out: OutRecord): void;
}

/** Another process has taken over the turn, so this process must not write it any more. */
export class TurnLostError extends AssistantError {
  constructor(key: string) {
    super("CONFLICT", `The turn of ${key} is being written by another process: this one stops`);
  }
}

interface Loaded {
  readonly session: FoldedSession;
  /** Number of holders. A held session is not evicted. */
  users: number;
  /** Turns in its history when its last holder released it. */
  turns: number;
  /** Called when the last holder releases it. */
  readonly whenFree: (() => void)[];
  /** Appended records whose predecessors have not been applied yet. */
  readonly ahead: Map<number, Sequenced>;
  /** Turns whose replies were undelivered when the session was loaded. */
  unhanded: readonly string[];
  /**
   * The turn's last append. The next one waits for it, so that it does not mistake this
   * turn's record for another writer's.
   */
  writing: Promise<void> | undefined;
}

export type Sessions = ReturnType<typeof createSessions>;

/** Sessions as logs: loads them, appends to them, and caches the recently used folds. */
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
  /** Loaded sessions without a holder, the least recently used first. */
  const unused = new Map<string, Loaded>();
  let unusedTurns = 0;
  const removing = new Map<string, Promise<void>>();
  const loading = new Map<string, Promise<FoldedSession>>();
  /** Pending appends of messages, notes and marks. */
  const arrivals = createArrivals();

  /** Loads a session and keeps it in memory until `release`. */
  async function open(key: string): Promise<Session> {
    await load(key);
    const entry = loaded.get(key);
    if (!entry) return open(key); // removed or evicted in the meantime
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

  /**
   * Waits while a holder has nothing left to answer, because it releases within moments.
   * Returns false if it is answering.
   */
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
   * Reads from the end of the log, twice as far each time, until the window is filled or the log begins. Always
   * reaches back to everything that was open when the newest reply was written.
   */
  async function readSession(key: string): Promise<FoldedSession> {
    const log = logOf(key);
    for (let count = FIRST_READ; ; count *= 2) {
      const records: Sequenced[] = [];
      for await (const { seq, record } of store.read(log, { last: count })) records.push(parseRecord(record, seq, log));
      const from = records[0]?.seq ?? 1;
      const session = emptySession(key, log);
      // A log whose first lines were removed has no earlier records to read.
      const isAll = from === 1 || records.length < count;
      session.complete = isAll;
      for (const record of records) applyRecord(session, record);
      const reachesPending = session.pending !== Infinity && from <= session.pending;
      if (isAll || (reachesPending && (reachesBeginning(session, from) || filled(session)))) return session;
    }
  }

  /**
   * Whether everything that the conversation shows is loaded: all records since `/new` or since the turns that the
   * newest summary leaves, and all messages that those turns answered.
   */
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

  /** Drops the least recently used sessions without a holder. Their state is in their logs. */
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

  /**
   * Replies that were undelivered when the session was loaded: a crash can have come before they
   * reached the outbox. Returned once.
   */
  function takeUnhanded(key: string): readonly OpenDelivery[] {
    const entry = loaded.get(key);
    const turns = entry?.unhanded ?? [];
    if (entry) entry.unhanded = [];
    return turns.flatMap((turn) => entry?.session.deliveries.get(turn) ?? []);
  }

  /** Appends messages, notes and marks, without an expected end of the log. Issues the append in the same tick. */
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
    // Another process removed the log, for example to forget a person, and it began again. A
    // holder finds out at its next write.
    if (entry && entry.users === 0 && result.seq <= entry.session.seq && !result.duplicate) drop(key);
    else if (!result.duplicate) take(key, records, result.seq);
    return result;
  }

  /**
   * Appends a turn's own records, fenced by sequence number. Messages, notes and marks of others are read in first. A
   * turn record of another writer means that the turn was lost.
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
    // Without a pending append, issues this one in the same tick, so that it shares its fsync
    // with the caller's other appends.
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
        // This process's own pending appends already have numbers, but can be read only once they are written.
        await arrivals.landed(session.key);
        if ((await refresh(session.key)).some(isTurnRecord)) throw new TurnLostError(session.key);
      }
    }
  }

  /**
   * Reads in what other writers appended.
   * @returns The new records.
   */
  async function refresh(key: string): Promise<readonly Sequenced[]> {
    const entry = loaded.get(key);
    if (!entry) return [];
    const fresh: Sequenced[] = [];
    for await (const { seq, record } of store.read(entry.session.log, { after: entry.session.seq })) {
      if (seq !== entry.session.seq + 1) continue; // the append that wrote it has applied it in the meantime
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

  /** Applies appended records in order. Appends can resolve in any order. */
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

  /** Marks messages that a turn has taken up, so that they do not count as waiting. */
  function claim(key: string, messageIds: readonly string[]): void {
    const entry = loaded.get(key);
    if (entry) entry.session.claimed = messageIds;
  }

  /**
   * Marks a waiting message that is about to be refused, so that no turn takes it up.
   * @returns A function that undoes this.
   */
  function refuse(key: string, messageId: string): () => void {
    const session = loaded.get(key)?.session;
    if (session) session.refusing = [...session.refusing, messageId];
    return () => {
      if (session) session.refusing = session.refusing.filter((id) => id !== messageId);
    };
  }

  /** Records a reply that could not be handed to the outbox. `takeUnhanded` returns it again. */
  function addUnhanded(key: string, turn: string): void {
    const entry = loaded.get(key);
    if (entry) entry.unhanded = [...entry.unhanded, turn];
  }

  /** Drops turns older than the newest `keep` from memory. The log keeps them. */
  function trim(session: Session, keep: number): void {
    const folded = loaded.get(session.key)?.session;
    if (!folded || folded.history.length <= keep) return;
    folded.history.splice(0, folded.history.length - keep);
    folded.complete = false;
  }

  /** The reply of a turn with its delivery; `null` if there is none (any more). */
  async function findOut(key: string, turn: string): Promise<OpenDelivery | null> {
    const session = await load(key);
    const open = session.deliveries.get(turn);
    if (open) return withMarksAhead(key, open);
    return findBackwards(key, (out) => out.turn === turn);
  }

  /**
   * A mark can be written before the message that it follows. The fold then waits for that message; the sender must
   * still skip the part, so it reads the mark directly.
   */
  function withMarksAhead(key: string, delivery: OpenDelivery): OpenDelivery {
    const ahead = [...(loaded.get(key)?.ahead.values() ?? [])].filter((record) => record.type === "mark");
    const marks = ahead.filter(({ of }) => of === delivery.seq);
    return marks.length === 0 ? delivery : { ...delivery, marks: [...delivery.marks, ...marks] };
  }

  /** The reply to a message; `null` while it is not answered. */
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

  /**
   * Lists sessions in order of their keys. `prefix`: only keys of one agent with this prefix,
   * such as `agent:main:web:direct:`.
   */
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

  /** The newest `limit` records, in order. */
  async function read(key: string, limit: number): Promise<readonly Sequenced[]> {
    const records: Sequenced[] = [];
    const log = logOf(key);
    for await (const { seq, record } of store.read(log, { last: limit })) records.push(parseRecord(record, seq, log));
    return records;
  }

  /** Yields all records or a range, in order. Little is in memory, however long the log is. */
  async function* scan(key: string, range: ReadOptions = {}): AsyncGenerator<Sequenced> {
    const log = logOf(key);
    for await (const { seq, record } of store.read(log, range)) yield parseRecord(record, seq, log);
  }

  /** Number of records of a session; 0 if it does not exist. */
  const size = async (key: string): Promise<number> => store.lastSeq(logOf(key));

  /**
   * Removes a session.
   * @param newest The log's last record, if no later one may exist.
   * @throws {AssistantError} `CONFLICT` if there is a later record, or while a message is being answered.
   */
  async function remove(key: string, newest?: number): Promise<boolean> {
    const log = logOf(key);
    const lastSeq = await store.lastSeq(log);
    if (lastSeq === 0) return false;
    if (newest !== undefined && lastSeq !== newest)
      throw new ConflictError(`Cannot remove ${key}: a message arrived in it in the meantime. Try again`, lastSeq);
    if (!(await isFree(key))) {
      throw new AssistantError(
        "CONFLICT",
        `Cannot remove ${key} as it is answering a message right now: try again when it has finished`,
      );
    }
    // Loads wait until the removal is done, because a fold of the old log would not fit the new one.
    // The log goes last: a removal that fails half-way is retried, and no later session
    // finds the summaries of this one.
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
   * Runs work while the session has no reader or writer. It waits for the current holders, and new ones wait for it.
   * The cached state is dropped afterwards.
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
    /** Waits for this process's pending appends. A handler calls it before it reads the log. */
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

/** Whether all messages that the turn answered are loaded. */
function isWhole({ inputs, out }: LoggedTurn): boolean {
  const ids = new Set(inputs.map(({ id }) => id));
  return out?.of.every((id) => ids.has(id)) ?? true;
}

function isList<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}

/** Session records are plain JSON; their interfaces only lack the index signature of `LogRecord`. */
function asLogRecords(records: readonly SessionRecord[]): readonly LogRecord[] {
  return records as unknown as readonly LogRecord[];
}

function logOf(key: string): string {
  return fileOf(key, "log.jsonl");
}

/** The log next to a session's own that holds its summaries. */
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
