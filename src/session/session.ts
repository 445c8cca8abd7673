import type {
  InRecord,
  MarkRecord,
  NoteRecord,
  OutRecord,
  Sequenced,
  SessionRecord,
  StepRecord,
  ToolRecord,
} from "./records.ts";
import { QUEUE_FULL } from "./records.ts";

/** A turn as the log tells it. It is open until its `out` is there. */
export interface LoggedTurn {
  readonly id: string;
  /** Notes and messages it answers, in the order they came. */
  readonly inputs: readonly Sequenced<InRecord | NoteRecord>[];
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
  /** The newest replies that only said that too many messages are waiting. */
  readonly refusals: readonly OutRecord[];
  /** Notes that no turn has taken in. */
  readonly notes: readonly Sequenced<NoteRecord>[];
  /** The turn that was begun and not finished. */
  readonly open: LoggedTurn | undefined;
  readonly history: readonly LoggedTurn[];
  readonly deliveries: ReadonlyMap<string, OpenDelivery>;
  /** False when older records exist in the log than `history` shows. */
  readonly complete: boolean;
  /** What was open when the newest reply was written lies at or after this record. */
  readonly pending: number;
}

const MOST_REFUSALS = 100;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type MutableTurn = {
  id: string;
  inputs: Sequenced<InRecord | NoteRecord>[];
  steps: Sequenced<StepRecord>[];
  tools: Sequenced<ToolRecord>[];
  out: Sequenced<OutRecord> | undefined;
};

/** A session's state, made by applying its records in order. What it shows is only ever the fold of its log. */
export interface FoldedSession extends Mutable<Omit<Session, "waiting" | "notes" | "open" | "history" | "deliveries">> {
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
    open: undefined,
    history: [],
    deliveries: new Map(),
    complete: seq === 0,
    pending: Infinity,
  };
}

/** Applies the next record. Records of a turn whose beginning lies before the loaded part of the log are passed over. */
export function applyRecord(session: FoldedSession, record: Sequenced): void {
  session.seq = record.seq;
  switch (record.type) {
    case "in":
      session.waiting.push(record);
      return;
    case "note":
      session.notes.push(record);
      return;
    case "step":
      if (record.step === 0) openTurn(session, record);
      if (session.open?.id === record.turn) session.open.steps.push(record);
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
  }
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
  if (session.open?.id === out.turn) {
    session.open.out = out;
    session.history.push(session.open);
    session.open = undefined;
  } else {
    // No model was asked: an overflow, an error before the first step, or a turn that began before the loaded part.
    const inputs = takeInputs(session, out.of, out.seen ?? 0);
    if (out.error?.code === QUEUE_FULL) keepRefusal(session, out);
    else session.history.push({ id: out.turn, inputs, steps: [], tools: [], out });
  }
  session.pending = out.pending ?? session.pending;
  session.refusing = session.refusing.filter((id) => !out.of.includes(id));
  if (out.target && out.parts.length > 0) session.deliveries.set(out.turn, { seq: out.seq, record: out, marks: [] });
}

/** Refusals are no part of the conversation; the newest are kept for callers who ask for their reply again. */
function keepRefusal(session: FoldedSession, out: Sequenced<OutRecord>): void {
  session.refusals = [...session.refusals, out].slice(-MOST_REFUSALS);
  if (session.refusals.length === MOST_REFUSALS) session.complete = false;
}

/** The messages with these ids, and the notes up to `notesUpTo`, leave the waiting line. */
function takeInputs(
  session: FoldedSession,
  ids: readonly string[],
  notesUpTo: number,
): Sequenced<InRecord | NoteRecord>[] {
  const messages = session.waiting.filter((message) => ids.includes(message.id));
  if (messages.length > 0) session.waiting = session.waiting.filter((message) => !ids.includes(message.id));
  const notes = session.notes.filter((note) => note.seq <= notesUpTo);
  if (notes.length === 0) return messages;
  session.notes = session.notes.filter((note) => note.seq > notesUpTo);
  return [...notes, ...messages].sort((a, b) => a.seq - b.seq);
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
export function isDelivered({ record, marks }: OpenDelivery): boolean {
  return record.parts.every((_, part) =>
    marks.some((mark) => mark.part === part && (mark.delivery === "sent" || mark.delivery === "dead")),
  );
}

/** True for the records that only a turn's own writer appends: finding a foreign one means that the turn was lost. */
export function isTurnRecord(record: SessionRecord): boolean {
  return (
    record.type === "step" || record.type === "tool" || (record.type === "out" && record.error?.code !== QUEUE_FULL)
  );
}

/** Where the oldest thing lies that is still open: what waits, what a turn has begun to answer, notes that nobody read, and what is being appended. */
export function oldestPending(session: Session, answered: readonly string[] = []): number {
  const waiting = session.waiting.filter(({ id }) => !answered.includes(id));
  const begun = session.open?.inputs.filter((input) => input.type !== "in" || !answered.includes(input.id)) ?? [];
  const seqs = [...waiting, ...session.notes, ...begun].map(({ seq }) => seq);
  return Math.min(session.seq + 1, ...seqs);
}
