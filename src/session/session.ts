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

/** What a turn begins with, or takes in while it runs. */
export type TurnInputRecord = InRecord | NoteRecord | HeardRecord;

/** A turn as the log tells it. It is open until its `out` is there. */
export interface LoggedTurn {
  readonly id: string;
  /** Notes, what was heard, and the messages it answers, in the order they came. Some may have joined while it ran: its steps say which. */
  readonly inputs: readonly Sequenced<TurnInputRecord>[];
  readonly steps: readonly Sequenced<StepRecord>[];
  readonly tools: readonly Sequenced<ToolRecord>[];
  readonly out: Sequenced<OutRecord> | undefined;
}

/** A reply that goes to a channel, until every part of it is settled. */
export interface OpenDelivery {
  readonly seq: number;
  readonly record: OutRecord;
  readonly marks: readonly MarkRecord[];
}

/** The finished turns of a session that are kept in memory, oldest first. Recent replies answer a repeated `send`. */
export interface Session {
  readonly key: string;
  readonly log: string;
  /** The last record that this state holds. */
  readonly seq: number;
  /** Messages that no turn has begun to answer, in order. */
  readonly waiting: readonly Sequenced<InRecord>[];
  /** Ids of messages that a turn in this process is answering but has not logged a step for: they are still among `waiting`. */
  readonly claimed: readonly string[];
  /** Ids of waiting messages that are being refused right now. */
  readonly refusing: readonly string[];
  /** The newest replies that are no part of the conversation: that too many messages are waiting, or what a command came to. */
  readonly refusals: readonly OutRecord[];
  /** Notes that no turn has taken in. */
  readonly notes: readonly Sequenced<NoteRecord>[];
  /** The newest messages of a group that were not meant for the assistant, and that no turn has taken in. */
  readonly heard: readonly Sequenced<HeardRecord>[];
  /** The newest changes of messages, by `messageRef`, as far as the log was read. */
  readonly changes: ReadonlyMap<string, Sequenced<ChangeRecord>>;
  /** What stands for the turns before `history`. */
  readonly summary: Sequenced<CompactRecord> | undefined;
  readonly settings: SessionSettings;
  /** The record that set the last of them. 0: none was set. */
  readonly settingsAt: number;
  /** Messages before this record are not to be answered any more. 0: none. */
  readonly stoppedAt: number;
  /** The conversation begins after this record. 0: with the log. */
  readonly beganAt: number;
  /** The turn that was begun and not finished. */
  readonly open: LoggedTurn | undefined;
  readonly history: readonly LoggedTurn[];
  readonly deliveries: ReadonlyMap<string, OpenDelivery>;
  /** False when older records exist in the log than `history` shows. */
  readonly complete: boolean;
  /** What was open when the newest reply was written lies at or after this record. */
  readonly pending: number;
}

const MAX_REFUSALS = 100;
/** Messages of a group that the next turn's prompt may show. */
export const MAX_HEARD = 50;
/** More are kept: those that come while a turn waits for its model must not push out what its prompt showed. */
const MAX_HEARD_KEPT = 4 * MAX_HEARD;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type MutableTurn = {
  id: string;
  inputs: Sequenced<TurnInputRecord>[];
  steps: Sequenced<StepRecord>[];
  tools: Sequenced<ToolRecord>[];
  out: Sequenced<OutRecord> | undefined;
};

/** A session's state, made by applying its records in order. What it shows is only ever the fold of its log. */
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

/** As a rule of a message that waits; later only when a model's server did not take a file. */
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

/** Applies the next record. Records of a turn whose beginning lies before the loaded part of the log are passed over. */
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

/** Turns that the summary tells leave the prompt. */
function compact(session: FoldedSession, record: Sequenced<CompactRecord>): void {
  const stays = (turn: LoggedTurn) => (turn.out?.seq ?? Infinity) >= record.range.to;
  // One that was written before `/new` tells of another conversation.
  if (record.range.to <= session.beganAt) return;
  // A person's text for a summary that was written anew meanwhile tells too little.
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

/** A turn that is asked to be answered again: what it said is no part of the conversation any more, and what it knew is for the next one. */
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
    // Messages that joined it for a step which never came to be.
    open.inputs.push(...takeJoined(session, out.of));
    open.out = out;
    if (beginningOf(open) >= session.beganAt) session.history.push(open);
    session.open = undefined;
  } else {
    // No model was asked: an overflow, an error before the first step, or a turn that began before the loaded part.
    const inputs = takeInputs(session, out.of, out.seen ?? 0);
    const messages = inputs.filter((input) => input.type === "in");
    const isCommand = messages.length === out.of.length && messages.every(({ command }) => command !== undefined);
    // Where `/new` is loaded, a turn whose first step is not began before it.
    const began = out.steps === 0 ? (out.seen ?? out.seq) : 0;
    if (isCommand || out.error?.code === QUEUE_FULL) keepRefusal(session, out);
    else if (began >= session.beganAt) session.history.push({ id: out.turn, inputs, steps: [], tools: [], out });
  }
  session.pending = out.pending ?? session.pending;
  // A change that was appended while the reply was written is newer than what the reply says.
  if (out.settings && (out.settingsAt ?? 0) > session.settingsAt) {
    session.settings = out.settings;
    session.settingsAt = out.settingsAt ?? 0;
  }
  session.refusing = session.refusing.filter((id) => !out.of.includes(id));
  if (out.target && out.parts.length > 0) session.deliveries.set(out.turn, { seq: out.seq, record: out, marks: [] });
}

/** The last record that a turn's first prompt was built from: what `/new` came after is part of the conversation before it. */
function beginningOf({ steps: [first] }: MutableTurn): number {
  return first?.seen ?? first?.seq ?? 0;
}

/** No part of the conversation; the newest are kept for callers who ask for their reply again. */
function keepRefusal(session: FoldedSession, out: Sequenced<OutRecord>): void {
  session.refusals = [...session.refusals, out].slice(-MAX_REFUSALS);
  if (session.refusals.length === MAX_REFUSALS) session.complete = false;
}

/** The messages with these ids, and the notes and what was heard up to `seen`, leave the waiting line. */
function takeInputs(session: FoldedSession, ids: readonly string[], seen: number): Sequenced<TurnInputRecord>[] {
  // 0: nobody said what its prompt was built from.
  const messages = takeMessages(session, ids).map((message) => asPrompted(session, message, seen || Infinity));
  const isSeen = (record: Sequenced) => record.seq <= seen;
  const besides = [...session.notes.filter(isSeen), ...session.heard.filter(isSeen)];
  if (besides.length === 0) return messages;
  session.notes = session.notes.filter((note) => !isSeen(note));
  session.heard = session.heard.filter((heard) => !isSeen(heard));
  return [...besides, ...messages].sort((a, b) => a.seq - b.seq);
}

/** Messages that joined a turn while it ran: as they read then. */
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

/** Is every part of the reply sent or given up? */
function isDelivered({ record, marks }: OpenDelivery): boolean {
  return record.parts.every((_, part) =>
    marks.some((mark) => mark.part === part && (mark.delivery === "sent" || mark.delivery === "dead")),
  );
}

/** True for the records that only a turn's own writer appends: finding a foreign one means that the turn was lost. */
export function isTurnRecord(record: SessionRecord): boolean {
  if (record.type === "out") return record.error?.code !== QUEUE_FULL;
  if (record.type === "compact") return record.reason !== "edit";
  return record.type === "step" || record.type === "tool";
}

/** What a reply says of its session besides: with it little of the log has to be read to know all of it. `answered`: the ids of its messages. */
export function standingOf(
  session: Session,
  answered: readonly string[],
): Pick<OutRecord, "pending" | "settings" | "settingsAt"> {
  const { settings, settingsAt } = session;
  return { pending: oldestPending(session, answered), ...(settingsAt > 0 && { settings, settingsAt }) };
}

/**
 * Where the oldest thing lies that is still open: what waits, what a turn has begun to answer, notes that nobody read, and what is being appended; and
 * what stands for older turns.
 */
function oldestPending(session: Session, answered: readonly string[]): number {
  const waiting = session.waiting.filter(({ id }) => !answered.includes(id));
  const begun = session.open?.inputs.filter((input) => input.type !== "in" || !answered.includes(input.id)) ?? [];
  const seqs = [...waiting, ...session.notes, ...session.heard, ...begun].map(({ seq }) => seq);
  return Math.min(session.seq + 1, session.summary?.seq ?? Infinity, ...seqs);
}
