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
/** The folder of the documents that say how far sessions were captured. */
const CURSORS = storeKey(".index", "capture");
/** Entries that a new one may be joined into; and those besides among which is what one turn kept before it was cut off. */
const RECENT = 5;
const OF_ONE_TURN = 8;
/** Of the words of a statement and of what a tool wrote: from so many in common they say the same. */
const WRITTEN_SHARE = 0.8;
/** Sessions of which is known that nothing of an earlier process is owed, at least. */
const MAX_SEEN = 10_000;

interface Draft {
  readonly userId: string;
  /** Of its session: what its id is made of. */
  readonly name: string;
  readonly draft: MemoryDraft | undefined;
}

/** How far a session's log was read. */
interface Cursor {
  /** The last reply whose turn was captured, and that turn, by which another log under the same key is known. */
  readonly seq: number;
  readonly turn: string;
  /** No message that a later turn answers, nor a turn whose calls wait for the owner, lies before this record. */
  readonly from: number;
  /** Changes of messages up to here were followed. Default: up to the reply. */
  readonly changes?: number | undefined;
  /** Set to when capture was first on, once something newer was read: what follows is newer too, whatever a clock that was set back says. */
  readonly since?: number | undefined;
  /** Where a model helps: how many messages it has not been asked about. */
  readonly looks?: readonly Look[] | undefined;
}

const BEGINNING: Cursor = { seq: 0, turn: "", from: 1 };

/** The document that says how far a session was captured; it goes with its session. */
export function captureCursorKey(sessionKey: string): string {
  return `${CURSORS}/${storeKey(sessionKey)}`;
}

const SINCE_KEY = `${CURSORS}/since`;

/** How far the sessions of people were captured. */
export function createCaptureErasure({ store }: { readonly store: Store }): Erasable {
  return { forget: (person) => eraseUnder(store, `${CURSORS}/`, person) };
}

/** How far sessions were captured, by their keys. */
export function createCaptureRenaming(): Renamable {
  return {
    async sessionMoves(from, to) {
      return [{ from: captureCursorKey(from), to: captureCursorKey(to), respell: respelling(from, to) }];
    },
  };
}

/** What was said while nothing is captured is not captured later: to be called at a start without capture. */
export async function endCapture(store: Pick<Store, "remove">): Promise<void> {
  await store.remove(SINCE_KEY);
}

export interface CaptureDeps {
  readonly memory: Pick<MemoryOfUsers, "save" | "get" | "list" | "remove">;
  /** Whose memory a message is. */
  memoryUserOf(speaker: MemorySpeaker): string;
  /** Only read. */
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
  /** Is told which sessions' turns are to be captured. Default: nobody is. */
  readonly underWay?: Pick<CapturesUnderWay, "begin" | "end" | "turnsOf"> | undefined;
  readonly likenessTo?: Likeness | undefined;
  readonly secondLook?: SecondLook | undefined;
  dueOf?(said: string, whose: { readonly userId: string; readonly atMs: number }): Promise<string | undefined>;
}

export type MemoryCapture = ReturnType<typeof createMemoryCapture>;

/**
 * After a turn, off the reply's way: what it did and what people stated in it. The hook only asks the engine to wake the session's key, and not even that
 * where there is nothing; the handler reads the log, so what a crash left out is captured after the session's next turn.
 *
 * Source: docs/capture.md, "Capture".
 *
 * @param options.likenessTo How alike a text and some entries are in meaning. Default: unknown, and words alone decide what is a duplicate.
 * @param options.secondLook Asks a model about sentences that the rules could not read. Default: rules alone decide.
 * @param options.dueOf The day by which a person wants to have done what they said then. Default: commitments have no days.
 */
export function createMemoryCapture(
  { memory, memoryUserOf, sessions, store, engine, events, clock, logger, redact }: CaptureDeps,
  { underWay, likenessTo, secondLook, dueOf }: MemoryCaptureOptions = {},
) {
  const createdMs = clock.now();
  /** What a tool was given under a name such as `password` is nothing to learn from. */
  const redactNamed = createRedactor();
  const seen = new QuickLRU<string, true>({ maxSize: MAX_SEEN });
  /** What the engine was asked to do and has not begun. */
  const asked = new Set<string>();
  /** Of sessions whose turns a clock that was set back makes look older than capture: the first that ended here. */
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

  /** Asks the engine for it. @returns False where there is nothing. */
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

  /** Is there anything to capture of this turn, or, the first time, of those that an earlier process may have left? */
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

  /** When capture was first on: what is older was said to an assistant that kept nothing. */
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

  /** The handler of `memory:capture:` keys. May run again at any time: what it has saved it finds. */
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

  /** Shows a model what nobody could read. The cursor is moved before it is asked: a call that fails or is cut off counts too. */
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

  /** Captures the turns after the cursor, and moves it. @returns `undefined` when the cursor is of another log. */
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
    // With the reply that the cursor names: by it the log is known.
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

  /** @returns Whether there was anything. */
  async function captureTurn(
    key: string,
    out: Sequenced<OutRecord>,
    messages: readonly Sequenced<InRecord>[],
    followed: Followed,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const newest = messages.at(-1);
    // What a run did is no evidence of what its person wants.
    if (!newest || newest.command !== undefined || newest.origin !== undefined) return false;
    const userId = memoryUserOf(newest);
    // What was asked and answered here names what is not to be kept: only what others said besides is.
    const forgot = out.toolCalls.some(({ name }) => name === "memory_forget");
    const others = forgot ? othersThanWhoForgot(messages, out) : undefined;
    const drafts: Draft[] = followed.ended.flatMap((turn) => draftsOf(key, turn));
    // How it went is not known before its calls have ended.
    if (!others && !followed.isPart) {
      const ends = messages.flatMap(({ approval, source = "" }) => (approval ? [{ ...approval, tool: source }] : []));
      drafts.push(
        ...draftsOf(key, { out, messages, calls: out.toolCalls, ends: endsOf(ends, followed), reply: out.text }),
      );
    }
    for (const message of others?.messages ?? messages) {
      // A message that is asked again was captured with its first answer.
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

  /** What is kept of a turn that used tools; nothing of one that forgot something. */
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
      // What came later is not counted: after a crash, the same entries are looked at as before it.
      const isBefore = (entry: MemoryEntry) =>
        entry.createdAt.getTime() <= atMs && entry.slots["type"] !== ENTRY_TYPES.workflowTrace;
      const recent = await newestEntries(memory, userId, RECENT + OF_ONE_TURN, isBefore);
      // A run that a crash cut off has joined it already.
      if (recent.some((entry) => idsIn(entry.slots).includes(id))) return;
      const last = recent.slice(0, RECENT);
      const likeness = await likenessTo?.(content, last).catch(() => undefined);
      older = duplicateOf(made, last, { similarity: likeness?.of, minSimilarity: likeness?.least });
    }
    const entry = older ? mergeEntries(older, made) : made;
    try {
      await memory.save(entry, { over: older && [older] });
    } catch (error) {
      // One that memory refuses would be refused for ever.
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
    /** Whom to wake when a message of a session was edited or deleted. */
    wakeKeyOf: (sessionKey: string): string => PREFIX + sessionKey,
    handle: (key: string, signal?: AbortSignal): Promise<void> => handle(key, signal),
    /** Does what waits for an engine that has stopped, so that who stops right after a reply finds what was said. Nothing is begun once `signal` is aborted. */
    async finish(signal: AbortSignal): Promise<void> {
      for (const key of asked) {
        if (signal.aborted) return;
        // What one session's log or memory fails at waits for the next start; the others' is kept.
        await handle(key, signal, false).catch(() => {});
      }
    },
    /** To be called at start: from now on what people say is captured, also what a crash leaves for later. */
    recover: async (): Promise<void> => void (await capturingSince()),
  };
}

/** The messages that an entry is made from, as far as their platform names them. */
const madeFrom = (messages: readonly InRecord[]) => messageSlot(messages.flatMap((message) => refOf(message) ?? []));

/** How far a session's log was read, and what of it a model may look at. */
interface Read {
  readonly at: Cursor;
  readonly looks: ReturnType<typeof createLooks>;
  /** Changes of messages that are to be followed. */
  readonly changes: readonly Sequenced<ChangeRecord>[];
}

/** @param looks Whether a model looks at what no rule can read. */
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

/** What people said themselves in a turn, asked for and in which nothing was to be forgotten. */
function saidIn({ toolCalls }: OutRecord, messages: readonly Sequenced<InRecord>[]): Answered["message"][] {
  const { command, origin } = messages.at(-1) ?? {};
  if (command !== undefined || origin !== undefined) return [];
  if (toolCalls.some(({ name }) => name === "memory_forget")) return [];
  return messages.filter(({ source, retries }) => source === undefined && retries === undefined);
}

/** What one message states, each with where it was said. */
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

/** What came of calls that no turn of this session is known to have asked for. */
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
  // A call that waited has no error of its own besides how it ended.
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

/** A call with what came of it, when it waited for the owner. */
function asEnded(call: OutRecord["toolCalls"][number], ends: ReadonlyMap<string, NamedEnd>) {
  const [, code = ""] = AWAITING.exec(typeof call.output === "string" ? call.output : "") ?? [];
  const end = ends.get(code);
  if (!end || end.verdict === "done") return { call, end };
  const { output: _, ...rest } = call;
  return { call: { ...rest, error: { code: end.verdict.toUpperCase(), message: end.reason ?? "" } }, end };
}

/** The model has kept it itself, in the turn. */
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
