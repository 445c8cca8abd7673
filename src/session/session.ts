import { applyArrival, applyChange, asPrompted } from "./changes.ts";
import type {
  ChangeRecord,
  CompactRecord,
  FilesRecord,
  HeardRecord,
  InRecord,
  MarkRecord,
  NoteRecord,
  OutRecord,
  Sequenced,
  SessionRecord,
  SessionSettings,
  StepRecord,
  ToolRecord,
} from "./records.ts";
import { QUEUE_FULL } from "./records.ts";

/** An input of a turn, present at its beginning or added while it runs. */
export type TurnInputRecord = InRecord | NoteRecord | HeardRecord;

/** A turn as the log records it. It is open until its `out` is logged. */
export interface LoggedTurn {
  readonly id: string;
  /**
   * Notes, overheard messages and the messages that the turn answers, in order of arrival.
   * Steps list those that joined later.
   */
  readonly inputs: readonly Sequenced<TurnInputRecord>[];
  readonly steps: readonly Sequenced<StepRecord>[];
  readonly tools: readonly Sequenced<ToolRecord>[];
  readonly out: Sequenced<OutRecord> | undefined;
}

/** A reply for a channel, until every part of it is settled. */
export interface OpenDelivery {
  readonly seq: number;
  readonly record: OutRecord;
  readonly marks: readonly MarkRecord[];
}

/** The state of a session. It keeps finished turns in memory, oldest first. Recent replies answer a repeated `send`. */
export interface Session {
  readonly key: string;
  readonly log: string;
  /** The last record that this state includes. */
  readonly seq: number;
  /** Messages that no turn has begun to answer, in order. */
  readonly waiting: readonly Sequenced<InRecord>[];
  /** Ids of messages that a turn in this process answers without a logged step yet. They are still in `waiting`. */
  readonly claimed: readonly string[];
  /** Ids of waiting messages that are being refused. */
  readonly refusing: readonly string[];
  /**
   * The newest replies outside of the conversation: that too many messages are waiting, or the outcome of a command.
   */
  readonly refusals: readonly OutRecord[];
  /** Notes that no turn has taken in. */
  readonly notes: readonly Sequenced<NoteRecord>[];
  /** The newest overheard group messages that no turn has taken in. */
  readonly heard: readonly Sequenced<HeardRecord>[];
  /** The newest changes by `messageRef`, as far as the log was read. */
  readonly changes: ReadonlyMap<string, Sequenced<ChangeRecord>>;
  /** Replaces the turns before `history`. */
  readonly summary: Sequenced<CompactRecord> | undefined;
  readonly settings: SessionSettings;
  /** The record that last changed the settings. 0: none. */
  readonly settingsAt: number;
  /** Messages before this record are no longer answered. 0: none. */
  readonly stoppedAt: number;
  /** The conversation begins after this record. 0: with the log. */
  readonly beganAt: number;
  /** The turn that has begun and not finished. */
  readonly open: LoggedTurn | undefined;
  readonly history: readonly LoggedTurn[];
  readonly deliveries: ReadonlyMap<string, OpenDelivery>;
  /** False if the log has older records than those in `history`. */
  readonly complete: boolean;
  /** Everything that was open when the newest reply was written lies at or after this record. */
  readonly pending: number;
}

const MAX_REFUSALS = 100;
/** Overheard group messages that the next turn's prompt can show. */
export const MAX_HEARD = 50;
/** More are kept, so that messages that arrive while the model answers do not push out those that its prompt showed. */
const MAX_HEARD_KEPT = 4 * MAX_HEARD;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type MutableTurn = {
  id: string;
  inputs: Sequenced<TurnInputRecord>[];
  steps: Sequenced<StepRecord>[];
  tools: Sequenced<ToolRecord>[];
  out: Sequenced<OutRecord> | undefined;
};

/** A session's state, built by applying its records in order. It never holds anything but the fold of its log. */
export interface FoldedSession extends Mutable<
  Omit<Session, "waiting" | "notes" | "heard" | "changes" | "open" | "history" | "deliveries">
> {
  changes: Map<string, Sequenced<ChangeRecord>>;
  heard: Sequenced<HeardRecord>[];
  waiting: Sequenced<InRecord>[];
  notes: Sequenced<NoteRecord>[];
  open: MutableTurn | undefined;
  history: LoggedTurn[];
  deliveries: Map<string, OpenDelivery & { marks: MarkRecord[] }>;
}

export function emptySession(key: string, log: string, seq = 0): FoldedSession {
  return {
    key,
    log,
    seq,
    waiting: [],
    claimed: [],
    refusing: [],
    refusals: [],
    notes: [],
    heard: [],
    changes: new Map(),
    summary: undefined,
    settings: {},
    settingsAt: 0,
    stoppedAt: 0,
    beganAt: 0,
    open: undefined,
    history: [],
    deliveries: new Map(),
    complete: seq === 0,
    pending: Infinity,
  };
}

/** Usually the message still waits. It is part of a turn only if a model's server refused a file. */
function applyFiles(session: FoldedSession, { of, attachments }: FilesRecord): void {
  const isOf = ({ type, id }: { readonly type: string; readonly id?: string | undefined }) =>
    type === "in" && id === of;
  if (session.waiting.some(isOf)) {
    session.waiting = session.waiting.map((message) => (isOf(message) ? { ...message, attachments } : message));
    return;
  }
  const changed = <Turn extends LoggedTurn>(turn: Turn): Turn =>
    turn.inputs.some(isOf)
      ? { ...turn, inputs: turn.inputs.map((input) => (isOf(input) ? { ...input, attachments } : input)) }
      : turn;
  if (session.open?.inputs.some(isOf)) session.open = changed(session.open);
  else if (session.history.some(({ inputs }) => inputs.some(isOf))) session.history = session.history.map(changed);
}

/** Applies the next record. Skips records of a turn that began before the loaded part of the log. */
export function applyRecord(session: FoldedSession, record: Sequenced): void {
  session.seq = record.seq;
  switch (record.type) {
    case "in":
      applyArrival(session, record);
      if (record.retries !== undefined) forgetTurn(session, record.retries);
      return;
    case "note":
      session.notes.push(record);
      return;
    case "heard":
      session.heard.push(record);
      if (session.heard.length > MAX_HEARD_KEPT) session.heard.shift();
      return;
    case "change":
      applyChange(session, record);
      return;
    case "files":
      applyFiles(session, record);
      return;
    case "step":
      if (record.step === 0) openTurn(session, record);
      if (session.open?.id !== record.turn) return;
      session.open.inputs.push(...takeJoined(session, record.joined ?? []));
      session.open.steps.push(record);
      return;
    case "tool":
      if (session.open?.id === record.turn) session.open.tools.push(record);
      return;
    case "out":
      closeTurn(session, record);
      return;
    case "mark":
      applyMark(session, record);
      return;
    case "compact":
      compact(session, record);
      return;
    case "setting":
      session.settings = withSettings(session.settings, record.settings);
      session.settingsAt = record.seq;
      return;
    case "stop":
      session.stoppedAt = record.seq;
      return;
    case "reset":
      beginAnew(session, record.seq);
      return;
  }
}

/** Removes the summarized turns from the prompt. */
function compact(session: FoldedSession, record: Sequenced<CompactRecord>): void {
  const stays = (turn: LoggedTurn) => (turn.out?.seq ?? Infinity) >= record.range.to;
  // A summary of turns before `/new` belongs to another conversation.
  if (record.range.to <= session.beganAt) return;
  // A newer summary covers more turns than the one that the person edited, so the edit is ignored.
  if (record.reason === "edit" && session.summary && record.range.to < session.summary.range.to) return;
  if (!session.history.every(stays)) {
    session.history = session.history.filter(stays);
    session.complete = false;
  }
  session.summary = record;
}

function beginAnew(session: FoldedSession, seq: number): void {
  session.beganAt = seq;
  session.history = [];
  session.notes = [];
  session.heard = [];
  session.summary = undefined;
  session.complete = false;
}

/** Removes a turn that is to be answered again. The next turn takes over its notes and overheard messages. */
function forgetTurn(session: FoldedSession, turn: string): void {
  const forgotten = session.history.find(({ id }) => id === turn);
  if (!forgotten) return;
  session.history = session.history.filter((other) => other !== forgotten);
  session.notes.unshift(...forgotten.inputs.filter((input) => input.type === "note"));
  session.heard.unshift(...forgotten.inputs.filter((input) => input.type === "heard"));
  session.complete = false;
}

function withSettings(before: SessionSettings, change: SessionSettings): SessionSettings {
  const all = Object.entries({ ...before, ...change });
  return Object.fromEntries(all.filter(([, value]) => value !== null && value !== undefined));
}

function openTurn(session: FoldedSession, first: Sequenced<StepRecord>): void {
  session.open = {
    id: first.turn,
    inputs: takeInputs(session, first.of ?? [], first.seen ?? 0),
    steps: [],
    tools: [],
    out: undefined,
  };
}

function closeTurn(session: FoldedSession, out: Sequenced<OutRecord>): void {
  const { open } = session;
  if (open?.id === out.turn) {
    // Messages that joined the turn for a step that was never logged.
    open.inputs.push(...takeJoined(session, out.of));
    open.out = out;
    if (beginningOf(open) >= session.beganAt) session.history.push(open);
    session.open = undefined;
  } else {
    // No step is loaded: a refusal, an error before the first step, or a turn that began before the loaded part.
    const inputs = takeInputs(session, out.of, out.seen ?? 0);
    const messages = inputs.filter((input) => input.type === "in");
    const isCommand = messages.length === out.of.length && messages.every(({ command }) => command !== undefined);
    // If `/new` is loaded and the turn's first step is not, the turn began before `/new`.
    const began = out.steps === 0 ? (out.seen ?? out.seq) : 0;
    if (isCommand || out.error?.code === QUEUE_FULL) keepRefusal(session, out);
    else if (began >= session.beganAt) session.history.push({ id: out.turn, inputs, steps: [], tools: [], out });
  }
  session.pending = out.pending ?? session.pending;
  // A settings change that was appended while the reply was written is newer than the reply's copy.
  if (out.settings && (out.settingsAt ?? 0) > session.settingsAt) {
    session.settings = out.settings;
    session.settingsAt = out.settingsAt ?? 0;
  }
  session.refusing = session.refusing.filter((id) => !out.of.includes(id));
  if (out.target && out.parts.length > 0) session.deliveries.set(out.turn, { seq: out.seq, record: out, marks: [] });
}

/**
 * The last record that a turn's first prompt was built from. A turn with an earlier beginning than `/new` belongs
 * to the conversation before it.
 */
function beginningOf({ steps: [first] }: MutableTurn): number {
  return first?.seen ?? first?.seq ?? 0;
}

/** Refusals are outside of the conversation. The newest are kept for callers that ask for their reply again. */
function keepRefusal(session: FoldedSession, out: Sequenced<OutRecord>): void {
  session.refusals = [...session.refusals, out].slice(-MAX_REFUSALS);
  if (session.refusals.length === MAX_REFUSALS) session.complete = false;
}

/**
 * Removes the messages with these ids, and notes and overheard messages up to `seen`,
 * from the queues and returns them.
 */
function takeInputs(session: FoldedSession, ids: readonly string[], seen: number): Sequenced<TurnInputRecord>[] {
  // 0: the record does not say what its prompt was built from.
  const messages = takeMessages(session, ids).map((message) => asPrompted(session, message, seen || Infinity));
  const isSeen = (record: Sequenced) => record.seq <= seen;
  const besides = [...session.notes.filter(isSeen), ...session.heard.filter(isSeen)];
  if (besides.length === 0) return messages;
  session.notes = session.notes.filter((note) => !isSeen(note));
  session.heard = session.heard.filter((heard) => !isSeen(heard));
  return [...besides, ...messages].sort((a, b) => a.seq - b.seq);
}

/** Takes messages that joined a running turn, with the text they have now. */
function takeJoined(session: FoldedSession, ids: readonly string[]): Sequenced<InRecord>[] {
  return takeMessages(session, ids).map((message) => asPrompted(session, message, Infinity));
}

function takeMessages(session: FoldedSession, ids: readonly string[]): Sequenced<InRecord>[] {
  if (ids.length === 0) return [];
  const messages = session.waiting.filter((message) => ids.includes(message.id));
  if (messages.length > 0) session.waiting = session.waiting.filter((message) => !ids.includes(message.id));
  return messages;
}

function applyMark(session: FoldedSession, mark: Sequenced<MarkRecord>): void {
  for (const [turn, delivery] of session.deliveries) {
    if (delivery.seq !== mark.of) continue;
    delivery.marks.push(mark);
    if (isDelivered(delivery)) session.deliveries.delete(turn);
    return;
  }
}

/** Whether every part of the reply is sent or given up. */
function isDelivered({ record, marks }: OpenDelivery): boolean {
  return record.parts.every((_, part) =>
    marks.some((mark) => mark.part === part && (mark.delivery === "sent" || mark.delivery === "dead")),
  );
}

/** Whether only a turn's own writer appends this record. A record of another writer means that the turn was lost. */
export function isTurnRecord(record: SessionRecord): boolean {
  if (record.type === "out") return record.error?.code !== QUEUE_FULL;
  if (record.type === "compact") return record.reason !== "edit";
  return record.type === "step" || record.type === "tool";
}

/**
 * State of the session that a reply records, so that little of the log must be read to know it.
 * @param answered Ids of the messages that the reply answers.
 */
export function standingOf(
  session: Session,
  answered: readonly string[],
): Pick<OutRecord, "pending" | "settings" | "settingsAt"> {
  const { settings, settingsAt } = session;
  return { pending: oldestPending(session, answered), ...(settingsAt > 0 && { settings, settingsAt }) };
}

/**
 * The oldest record that is still open: waiting messages, inputs of the open turn, unread notes, and the record being
 * appended. The summary of older turns counts as open too.
 */
function oldestPending(session: Session, answered: readonly string[]): number {
  const waiting = session.waiting.filter(({ id }) => !answered.includes(id));
  const begun = session.open?.inputs.filter((input) => input.type !== "in" || !answered.includes(input.id)) ?? [];
  const seqs = [...waiting, ...session.notes, ...session.heard, ...begun].map(({ seq }) => seq);
  return Math.min(session.seq + 1, session.summary?.seq ?? Infinity, ...seqs);
}
