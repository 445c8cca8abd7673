import QuickLRU from "quick-lru";
import { type Erasable, eraseUnder } from "../../erasable/index.ts";
import type { Clock } from "../../clock.ts";
import type { Engine } from "../../engine/index.ts";
import type { EventBus } from "../../events/index.ts";
import { AssistantError, ConflictError, messageOf } from "../../errors.ts";
import { idOf } from "../../ids.ts";
import {
  type CapturedTurn,
  type CapturesUnderWay,
  ENTRY_TYPES,
  type Likeness,
  type MemoryOfUsers,
  type MemoryDraft,
  type MemoryEntry,
  type Slots,
  autoCapture,
  duplicateOf,
  idsIn,
  mergeEntries,
  messageSlot,
  outcomeOf,
  statements,
  tokensOf,
  workflowTrace,
} from "../../memory/index.ts";
import {
  type ChangeRecord,
  type InRecord,
  type LoggedTurn,
  type OutRecord,
  type MemorySpeaker,
  QUEUE_FULL,
  type Sequenced,
  type Sessions,
  messageRef,
  refOf,
} from "../../session/index.ts";
import { getIndex, type Renamable, type Store, respelling, storeKey } from "../../store/index.ts";
import { type Logger, type ModelRedactor, createRedactor } from "../../telemetry/index.ts";
import { unreadSentences } from "../../statements/index.ts";
import type { ProactiveHook } from "../hook.ts";
import { othersThanWhoForgot } from "./after-forgetting.ts";
import { changeWaiting, createChangedMessages } from "./changed-messages.ts";
import { withSpeaker } from "./speaker-of.ts";
import { type Followed, type NamedEnd, type WaitingTurn, createWaitingTurns } from "./waiting-turns.ts";
import { newestEntries } from "./flush.ts";
import { type Answered, type Found, type Look, type SecondLook, createLooks } from "./second-look.ts";

const PREFIX = "memory:capture:";
/** The folder of the cursors: one document per session. */
const CURSORS = storeKey(".index", "capture");
/**
 * Number of recent entries that a new one may be merged into, and number of further ones to search for what an
 * interrupted run of the same turn has stored.
 */
const RECENT = 5;
const OF_ONE_TURN = 8;
/** Share of common words from which a statement and the text of a `memory_write` call say the same. */
const WRITTEN_SHARE = 0.8;
/** Least capacity of the cache of sessions without turns left over from an earlier process. */
const MAX_SEEN = 10_000;

interface Draft {
  readonly userId: string;
  /** Name of the draft within its session; its id derives from it. */
  readonly name: string;
  readonly draft: MemoryDraft | undefined;
}

/** How far a session's log was read. */
interface Cursor {
  /** The last captured reply and its turn. The turn id shows whether the key now has another log. */
  readonly seq: number;
  readonly turn: string;
  /**
   * The next scan starts at this record: no earlier message is unanswered, and no earlier turn has calls that wait for
   * the owner.
   */
  readonly from: number;
  /** Message changes up to this record were handled. Default: up to the reply. */
  readonly changes?: number | undefined;
  /**
   * The start of capture, set once a newer record was read. Later records then count as newer, even if the clock was
   * set back.
   */
  readonly since?: number | undefined;
  /** With a second look by a model: how many messages it has not been asked about. */
  readonly looks?: readonly Look[] | undefined;
}

const BEGINNING: Cursor = { seq: 0, turn: "", from: 1 };

/** The key of a session's cursor. The document is removed with its session. */
export function captureCursorKey(sessionKey: string): string {
  return `${CURSORS}/${storeKey(sessionKey)}`;
}

const SINCE_KEY = `${CURSORS}/since`;

/** Erases the cursors of a person's sessions. */
export function createCaptureErasure({ store }: { readonly store: Store }): Erasable {
  return { forget: (person) => eraseUnder(store, `${CURSORS}/`, person) };
}

/** Cursors have session keys in their keys. */
export function createCaptureRenaming(): Renamable {
  return {
    async sessionMoves(from, to) {
      return [{ from: captureCursorKey(from), to: captureCursorKey(to), respell: respelling(from, to) }];
    },
  };
}

/** Call this at a start without capture, so that messages from a time without capture are not captured later. */
export async function endCapture(store: Pick<Store, "remove">): Promise<void> {
  await store.remove(SINCE_KEY);
}

export interface CaptureDeps {
  readonly memory: Pick<MemoryOfUsers, "save" | "get" | "list" | "remove">;
  /** The memory user of a message. */
  memoryUserOf(speaker: MemorySpeaker): string;
  /** Read only. */
  readonly sessions: Pick<Sessions, "load" | "refresh" | "scan">;
  readonly store: Store;
  readonly engine: Pick<Engine, "wake">;
  readonly events: Pick<EventBus, "publishAsync" | "has">;
  readonly clock: Pick<Clock, "now">;
  readonly logger: Pick<Logger, "warn">;
  /** Replaces secrets. */
  readonly redact: ModelRedactor;
}

export interface MemoryCaptureOptions {
  /** Tracks the sessions with turns to capture. Default: no tracking. */
  readonly underWay?: Pick<CapturesUnderWay, "begin" | "end" | "turnsOf"> | undefined;
  readonly likenessTo?: Likeness | undefined;
  readonly secondLook?: SecondLook | undefined;
  dueOf?(said: string, whose: { readonly userId: string; readonly atMs: number }): Promise<string | undefined>;
}

export type MemoryCapture = ReturnType<typeof createMemoryCapture>;

/**
 * After a turn, without delaying the reply, stores what the turn did and what people stated in it. The hook only wakes
 * the session's key, and only if there is something to capture. The handler reads the log, so a turn that a crash left
 * out is captured after the session's next turn.
 *
 * Source: docs/capture.md, "Capture".
 *
 * @param options.likenessTo Semantic similarity of a text to some entries. Default: unknown, and only words decide what
 * is a duplicate.
 * @param options.secondLook Asks a model about sentences that the rules could not read. Default: only rules.
 * @param options.dueOf Returns the day by which a person wants to keep a commitment. Default: commitments have no due
 * day.
 */
export function createMemoryCapture(
  { memory, memoryUserOf, sessions, store, engine, events, clock, logger, redact }: CaptureDeps,
  { underWay, likenessTo, secondLook, dueOf }: MemoryCaptureOptions = {},
) {
  const createdMs = clock.now();
  /** Redacts tool inputs by their names, as `password`. */
  const redactNamed = createRedactor();
  const seen = new QuickLRU<string, true>({ maxSize: MAX_SEEN });
  /** Keys that were woken and whose handler has not started. */
  const asked = new Set<string>();
  /**
   * For sessions whose turns seem older than capture because the clock was set back: the first turn that ended in this
   * process.
   */
  const firstSince = new Map<string, string>();
  let since: Promise<number> | undefined;

  const hook: ProactiveHook = {
    name: "memory-capture",
    async onTaskCompleted({ taskId }, { sessionKey, dryRun }) {
      if (dryRun) return;
      underWay?.begin(sessionKey);
      let isAsked = false;
      try {
        isAsked = await ask(sessionKey, taskId);
      } finally {
        if (!isAsked) underWay?.end(sessionKey);
      }
    },
  };

  /** Wakes the session's key. @returns False if there is nothing to capture. */
  async function ask(sessionKey: string, taskId: string): Promise<boolean> {
    if (clock.now() < (await capturingSince()) && !firstSince.has(sessionKey)) {
      if (firstSince.size >= MAX_SEEN) firstSince.clear();
      firstSince.set(sessionKey, taskId);
    }
    if (!(await owes(sessionKey, taskId))) return false;
    asked.add(PREFIX + sessionKey);
    await engine.wake(PREFIX + sessionKey);
    see(sessionKey);
    return true;
  }

  /**
   * Whether there is something to capture in this turn or, on the first call for a session, in turns left over from an
   * earlier process.
   */
  async function owes(key: string, turnId: string): Promise<boolean> {
    const { history, complete } = await sessions.load(key);
    if (seen.get(key)) {
      const turn = history.findLast(({ id }) => id === turnId);
      return turn === undefined || hasSomething(turn, secondLook !== undefined);
    }
    const { seq } = await readCursor(key);
    const isKnown = complete || (history[0]?.out?.seq ?? Infinity) <= seq;
    if (!isKnown || history.some((turn) => (turn.out?.seq ?? 0) > seq && hasSomething(turn, secondLook !== undefined)))
      return true;
    see(key);
    return false;
  }

  function see(key: string): void {
    seen.set(key, true);
  }

  async function readCursor(key: string): Promise<Cursor> {
    const value = (await getIndex(store, captureCursorKey(key)))?.value;
    return typeof value === "object" && value !== null && "seq" in value ? (value as unknown as Cursor) : BEGINNING;
  }

  /** Returns when capture was first enabled. Older messages were sent to an assistant that stored nothing. */
  function capturingSince(): Promise<number> {
    since ??= readSince().catch((error: unknown) => {
      since = undefined;
      throw error;
    });
    return since;
  }

  async function readSince(): Promise<number> {
    const known = (await getIndex(store, SINCE_KEY))?.value;
    if (typeof known === "number") return known;
    try {
      await store.put(SINCE_KEY, createdMs, { expect: null });
    } catch (error) {
      if (!ConflictError.is(error)) throw error;
      return readSince();
    }
    return createdMs;
  }

  /** The handler of `memory:capture:` keys. Idempotent: it finds what it has already stored. */
  async function handle(wakeKey: string, signal?: AbortSignal, look = true): Promise<void> {
    const key = wakeKey.slice(PREFIX.length);
    const turns = underWay?.turnsOf(key) ?? 0;
    asked.delete(wakeKey);
    try {
      await capture(key, signal, look);
    } finally {
      if (turns > 0) underWay?.end(key, turns);
    }
  }

  async function capture(key: string, signal: AbortSignal | undefined, look: boolean): Promise<void> {
    const cursor = await readCursor(key);
    const done = (await read(key, cursor, signal)) ?? (await read(key, BEGINNING, signal));
    if (!done) return;
    const last = done.changes.at(-1);
    if (last) {
      await changedMessages.follow(key, done.changes, signal);
      await writeCursor(key, { ...(await readCursor(key)), changes: last.seq });
    }
    if (!look || !secondLook?.isOpen()) return;
    const at = last ? { ...done.at, changes: last.seq } : done.at;
    await lookAgain(key, { at, looks: done.looks }, secondLook, signal);
  }

  /**
   * Shows a model the sentences that no rule could read. Moves the cursor before the call, so that a failed or
   * interrupted one counts too.
   */
  async function lookAgain(
    key: string,
    { at, looks }: Omit<Read, "changes">,
    look: SecondLook,
    signal?: AbortSignal,
  ): Promise<void> {
    for (const [userId, messages] of looks.due()) {
      looks.looked(userId, at.seq);
      await writeCursor(key, { ...at, looks: looks.saved() });
      for (const found of await look.find(messages, signal)) {
        signal?.throwIfAborted();
        await keepFound(key, userId, found);
      }
    }
  }

  async function keepFound(key: string, userId: string, { draft, index, message, out }: Found): Promise<void> {
    if (isWritten(draft.content, out)) return;
    const id = await idOf(out.at, `${key} ${out.turn} statement ${message.id} unread ${index}`);
    await keep(userId, { ...redact(withOrigin(draft, message, { key, turn: out.turn })), id }, out.at, key);
  }

  /** Captures the turns after the cursor and moves it. @returns `undefined` if the cursor belongs to another log. */
  async function read(key: string, cursor: Cursor, signal: AbortSignal | undefined): Promise<Read | undefined> {
    const sinceMs = await capturingSince();
    const looks = createLooks(cursor.looks);
    const waiting = new Map<string, Sequenced<InRecord>>();
    const asking = createWaitingTurns();
    let found = cursor.seq === 0;
    let written = cursor.seq;
    let at = cursor;
    let isSince = cursor.since === sinceMs;
    const { changes: followed = cursor.seq } = cursor;
    const changes: Sequenced<ChangeRecord>[] = [];
    // Start with the reply that the cursor names, to recognise the log.
    const first = Math.min(cursor.from, cursor.seq, followed + 1);
    for await (const record of sessions.scan(key, { after: Math.max(0, first - 1) })) {
      isSince ||= record.at >= sinceMs;
      if (record.seq === cursor.seq) found = record.type === "out" && record.turn === cursor.turn;
      if (record.seq >= cursor.seq && !found) return undefined;
      if (record.type === "in") waiting.set(record.id, record);
      if (record.type === "change") changeWaiting(waiting, record);
      if (record.type === "change") looks.changed(messageRef(record));
      if (record.type === "change" && record.seq > followed) changes.push(record);
      if (record.type !== "out") continue;
      const messages = record.of.flatMap((id) => waiting.get(id) ?? []);
      for (const id of record.of) waiting.delete(id);
      if (record.error?.code === QUEUE_FULL) continue;
      const asked = asking.follow(record, messages);
      const isNext = record.seq > cursor.seq;
      if (isNext) isSince ||= record.turn === firstSince.get(key);
      if (secondLook && isSince)
        for (const message of saidIn(record, messages))
          looks.hear(memoryUserOf(message), { message, out: record }, isNext);
      if (!isNext) continue;
      const isNew = isSince && (await captureTurn(key, record, messages, asked, signal));
      const needed = [asking.from(), looks.from(record.seq), ...[...waiting.values()].map(({ seq }) => seq)];
      const from = Math.min(record.seq + 1, ...needed);
      at = {
        seq: record.seq,
        turn: record.turn,
        from,
        since: isSince ? sinceMs : undefined,
        changes: changes.length === 0 ? undefined : followed,
        looks: looks.saved(),
      };
      if (!isNew) continue;
      await writeCursor(key, at);
      written = at.seq;
      signal?.throwIfAborted();
    }
    if (at.seq > written) await writeCursor(key, at);
    return found ? { at, looks, changes } : undefined;
  }

  async function writeCursor(
    key: string,
    { seq, turn, from, changes, since: sinceMs, looks = [] }: Cursor,
  ): Promise<void> {
    await store.put(captureCursorKey(key), {
      v: 1,
      seq,
      turn,
      from,
      ...(changes !== undefined && { changes }),
      ...(sinceMs !== undefined && { since: sinceMs }),
      ...(looks.length > 0 && { looks: looks.map(({ userId, heard, upTo }) => ({ userId, heard, upTo })) }),
    });
  }

  /** @returns Whether there was anything to capture. */
  async function captureTurn(
    key: string,
    out: Sequenced<OutRecord>,
    messages: readonly Sequenced<InRecord>[],
    followed: Followed,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const newest = messages.at(-1);
    // A job's run says nothing about its person's wishes.
    if (!newest || newest.command !== undefined || newest.origin !== undefined) return false;
    const userId = memoryUserOf(newest);
    // Messages around a `memory_forget` call name what must not be stored. Only messages of people who did not ask for
    // it are captured.
    const forgot = out.toolCalls.some(({ name }) => name === "memory_forget");
    const others = forgot ? othersThanWhoForgot(messages, out) : undefined;
    const drafts: Draft[] = followed.ended.flatMap((turn) => draftsOf(key, turn));
    // The outcome is unknown until the calls have ended.
    if (!others && !followed.isPart) {
      const ends = messages.flatMap(({ approval, source = "" }) => (approval ? [{ ...approval, tool: source }] : []));
      drafts.push(
        ...draftsOf(key, { out, messages, calls: out.toolCalls, ends: endsOf(ends, followed), reply: out.text }),
      );
    }
    for (const message of others?.messages ?? messages) {
      // A retried message was captured with its first reply.
      if (message.source !== undefined || message.retries !== undefined) continue;
      const whose = memoryUserOf(message);
      for (const [index, draft] of statedIn(message, { key, turn: out.turn }).entries()) {
        if (others?.quotes(draft.content)) continue;
        if (whose === userId && isWritten(draft.content, out)) continue;
        drafts.push({ userId: whose, name: `${out.turn} statement ${message.id} ${index}`, draft });
      }
    }
    let any = false;
    for (const { userId: whose, name, draft } of drafts) {
      if (!draft) continue;
      any = true;
      signal?.throwIfAborted();
      await keep(whose, { ...redact(draft), id: await idOf(out.at, `${key} ${name}`) }, out.at, key);
    }
    signal?.throwIfAborted();
    return any;
  }

  /** Returns the entries for a turn that used tools. Empty for a turn that called `memory_forget`. */
  function draftsOf(key: string, done: WaitingTurn): readonly Draft[] {
    const newest = done.messages.at(-1);
    if (!newest || done.calls.some(({ name }) => name === "memory_forget")) return [];
    const userId = memoryUserOf(newest);
    const own = done.messages.filter((message) => memoryUserOf(message) === userId);
    const turn = turnOf(key, done, (message) => own.includes(message));
    const made = (type: string, draft: MemoryDraft | undefined): Draft => ({
      userId,
      name: `${done.out.turn} ${type}`,
      draft: draft && { ...draft, slots: { ...draft.slots, ...madeFrom(own) } },
    });
    return [
      made(ENTRY_TYPES.autoCapture, autoCapture(turn)),
      made(ENTRY_TYPES.workflowTrace, workflowTrace(turn, redactNamed)),
    ];
  }

  async function keep(
    userId: string,
    { content, keywords = [], slots: given = {}, id }: MemoryDraft & { readonly id: string },
    atMs: number,
    key: string,
  ): Promise<void> {
    if (await memory.get(userId, id)) return;
    const isCommitment = given["type"] === ENTRY_TYPES.statement && given["kind"] === "commitment";
    const due = isCommitment ? await dueOf?.(content, { userId, atMs }) : undefined;
    const slots: Slots = { ...given, ...(due !== undefined && { due }) };
    const createdAt = new Date(atMs);
    const made: MemoryEntry = { id, userId, content, keywords, slots, createdAt, updatedAt: createdAt };
    let older: MemoryEntry | undefined;
    if (slots["type"] !== ENTRY_TYPES.workflowTrace) {
      // Ignore later entries, so that a run after a crash compares with the same entries as before.
      const isBefore = (entry: MemoryEntry) =>
        entry.createdAt.getTime() <= atMs && entry.slots["type"] !== ENTRY_TYPES.workflowTrace;
      const recent = await newestEntries(memory, userId, RECENT + OF_ONE_TURN, isBefore);
      // An interrupted run has already merged it.
      if (recent.some((entry) => idsIn(entry.slots).includes(id))) return;
      const last = recent.slice(0, RECENT);
      const likeness = await likenessTo?.(content, last).catch(() => undefined);
      older = duplicateOf(made, last, { similarity: likeness?.of, minSimilarity: likeness?.least });
    }
    const entry = older ? mergeEntries(older, made) : made;
    try {
      await memory.save(entry, { over: older && [older] });
    } catch (error) {
      // Memory would refuse this entry on every retry, so skip it.
      if (!AssistantError.is(error, "OPTION_INVALID")) throw error;
      logger.warn("Something of a turn could not be kept in memory", { session: key, error: messageOf(error) });
      return;
    }
    if (!events.has("proactive.memory.captured")) return;
    const { type } = entry.slots;
    const payload = { userId, id: entry.id, type: typeof type === "string" ? type : "", merged: older !== undefined };
    events.publishAsync({ type: "proactive.memory.captured", sessionId: key, timestamp: clock.now(), payload });
  }

  const changedMessages = createChangedMessages({ memory, sessions, memoryUserOf, redact, keep });

  return {
    hook,
    isKey: (key: string): boolean => key.startsWith(PREFIX),
    /** The key to wake when a message of a session was edited or deleted. */
    wakeKeyOf: (sessionKey: string): string => PREFIX + sessionKey,
    handle: (key: string, signal?: AbortSignal): Promise<void> => handle(key, signal),
    /**
     * Handles pending wakes after the engine has stopped, so that a stop right after a reply loses nothing. Starts no
     * new work once `signal` is aborted.
     */
    async finish(signal: AbortSignal): Promise<void> {
      for (const key of asked) {
        if (signal.aborted) return;
        // A session that fails waits for the next start; go on with the others.
        await handle(key, signal, false).catch(() => {});
      }
    },
    /** Call this at start: messages from now on are captured, including those that a crash leaves for later. */
    recover: async (): Promise<void> => void (await capturingSince()),
  };
}

/** The platform's references of the messages that an entry is made from. */
const madeFrom = (messages: readonly InRecord[]) => messageSlot(messages.flatMap((message) => refOf(message) ?? []));

/** How far a session's log was read, and which parts a model may look at. */
interface Read {
  readonly at: Cursor;
  readonly looks: ReturnType<typeof createLooks>;
  /** Message changes to handle. */
  readonly changes: readonly Sequenced<ChangeRecord>[];
}

/** @param looks Whether a model looks at sentences that no rule can read. */
function hasSomething({ inputs, out }: LoggedTurn, looks: boolean): boolean {
  if ((out?.toolCalls.length ?? 0) > 0) return true;
  return inputs.some(
    (input) =>
      input.type === "in" &&
      (input.approval !== undefined ||
        (input.source === undefined &&
          (statements(input.text).length > 0 || (looks && unreadSentences(input.text).length > 0)))),
  );
}

/** Returns what people wrote themselves in a turn. Empty for jobs, commands and turns that called `memory_forget`. */
function saidIn({ toolCalls }: OutRecord, messages: readonly Sequenced<InRecord>[]): Answered["message"][] {
  const { command, origin } = messages.at(-1) ?? {};
  if (command !== undefined || origin !== undefined) return [];
  if (toolCalls.some(({ name }) => name === "memory_forget")) return [];
  return messages.filter(({ source, retries }) => source === undefined && retries === undefined);
}

/** Returns the statements of a message, each with its origin. */
function statedIn(message: InRecord, where: { readonly key: string; readonly turn: string }): readonly MemoryDraft[] {
  return statements(message.text).map((draft) => withOrigin(draft, message, where));
}

function withOrigin(
  { content, slots, ...said }: MemoryDraft,
  message: InRecord,
  { key, turn }: { readonly key: string; readonly turn: string },
): MemoryDraft {
  return {
    ...said,
    content: withSpeaker(content, message),
    slots: { ...slots, session_id: key, turn, ...madeFrom([message]) },
  };
}

/** Returns the outcomes of calls that no known turn of this session has requested. */
function endsOf(ends: readonly NamedEnd[], { ended }: Followed): ReadonlyMap<string, NamedEnd> {
  const isKnown = ({ id }: NamedEnd) => ended.some((turn) => [...turn.ends.values()].some((end) => end.id === id));
  return new Map(ends.filter((end) => !isKnown(end)).map((end) => [end.id, end]));
}

function turnOf(
  sessionId: string,
  { out, messages, calls, ends, reply }: WaitingTurn,
  isAskers: (message: Sequenced<InRecord>) => boolean,
): CapturedTurn {
  const { error } = out;
  const done = calls.map((call) => asEnded(call, ends));
  // The outcome of a call that waited already includes its error.
  const { outcome, problems } = outcomeOf(
    done.filter(({ end }) => end === undefined).map(({ call }) => call),
    [...ends.values()],
  );
  const own = messages.filter((message) => isAskers(message) && message.approval === undefined);
  return {
    id: out.turn,
    sessionId,
    text: (own.length > 0 ? own : messages.filter(isAskers)).map(({ text }) => text).join("\n"),
    reply,
    outcome: !error || ends.size > 0 ? outcome : error.code === "ABORTED" ? "aborted" : "failure",
    problems,
    calls: done.map(({ call }) => call),
  };
}

const AWAITING = /^awaiting approval ([0-9A-Z]+):/;

/** Returns a call with its outcome, if it waited for the owner. */
function asEnded(call: OutRecord["toolCalls"][number], ends: ReadonlyMap<string, NamedEnd>) {
  const [, code = ""] = AWAITING.exec(typeof call.output === "string" ? call.output : "") ?? [];
  const end = ends.get(code);
  if (!end || end.verdict === "done") return { call, end };
  const { output: _, ...rest } = call;
  return { call: { ...rest, error: { code: end.verdict.toUpperCase(), message: end.reason ?? "" } }, end };
}

/** Whether the model stored the statement itself, during the turn. */
function isWritten(statement: string, { toolCalls }: Pick<OutRecord, "toolCalls">): boolean {
  const said = new Set(tokensOf(statement));
  return toolCalls.some(({ name, input, error }) => {
    const written = name === "memory_write" && !error && typeof input === "object" ? input : null;
    const content = written && "content" in written ? written["content"] : undefined;
    const words = typeof content === "string" ? [...new Set(tokensOf(content))] : [];
    const shared = words.filter((word) => said.has(word)).length;
    return shared > 0 && shared >= WRITTEN_SHARE * Math.min(words.length, said.size);
  });
}
