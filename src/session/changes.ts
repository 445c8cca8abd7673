import type { ChangeRecord, HeardRecord, InRecord, NoteRecord, Sequenced } from "./records.ts";
import type { FoldedSession } from "./session.ts";

/** Messages of a session whose newest change is known, at least. */
const MAX_KNOWN = 1000;
const MAX_QUOTED_CHARS = 80;
/** What stands for a message that was deleted while it waited. */
const DELETED = "[deleted by its writer before it was answered]";

/** Names one message of one person in one chat. */
export type MessageName = Pick<ChangeRecord, "channel" | "account" | "peer" | "user" | "messageId">;

/** The same for a message and for all that becomes of it, and for nothing else: the platform's ids of messages are its chat's alone. */
export function messageRef({ channel, account, peer, user, messageId }: MessageName): string {
  return [channel, account, peer.id, user, messageId]
    .map((part) => part.replaceAll("%", "%25").replaceAll("/", "%2F"))
    .join("/");
}

/** The ref of a message that is in the log; `undefined` for one that its platform gave no id. */
export function refOf(
  message: Pick<InRecord, "channel" | "account" | "peer" | "user" | "messageId">,
): string | undefined {
  const { messageId } = message;
  return messageId === undefined ? undefined : messageRef({ ...message, messageId });
}

/** Whether `change` was overtaken: platforms deliver late and again, and what is deleted stays so. Of two at one time the later delivery counts. */
export function isOvertaken(change: ChangeRecord, by: ChangeRecord | undefined): boolean {
  if (by === undefined) return false;
  if (by.change === "deleted") return true;
  if (change.change === "deleted") return false;
  return (change.changedAtMs ?? change.at) < (by.changedAtMs ?? by.at);
}

/** What the model and people read of a change. @param before The message as it read, where that is known. */
export function changeText({ change, peer, sender, user, text }: ChangeRecord, before?: string): string {
  const { name = "Somebody" } = sender;
  // Two members of a group may have one name, and anybody may take another's.
  const who = peer.kind === "direct" ? name : `${JSON.stringify(name)} (${user})`;
  const begin = before === undefined ? "" : ` that began ${JSON.stringify(before.slice(0, MAX_QUOTED_CHARS))}`;
  if (change === "edited") return `${who} edited an earlier message${begin}, which now reads:\n${text}`;
  return `${who} deleted an earlier message${begin}: what it said counts no more`;
}

/** A message of a finished turn as it reads by now; `undefined`: its writer deleted it. */
export function asItReads<M extends InRecord>(changes: ReadonlyMap<string, ChangeRecord>, message: M): M | undefined {
  const change = changes.get(refOf(message) ?? "");
  if (change?.change === "deleted") return undefined;
  return change ? { ...message, text: change.text } : message;
}

/** A message as it is taken in: platforms may tell what became of it before they deliver it. */
export function asItArrives<M extends Pick<InRecord, "channel" | "account" | "peer" | "user" | "messageId" | "text">>(
  changes: ReadonlyMap<string, ChangeRecord>,
  message: M,
): M {
  const change = changes.get(refOf(message) ?? "");
  return change ? { ...message, text: nowText(change) } : message;
}

/** Takes in a message: what was told of it before it came, it says itself. */
export function applyArrival(session: FoldedSession, message: Sequenced<InRecord>): void {
  const change = session.changes.get(refOf(message) ?? "");
  if (change) session.notes = session.notes.filter(({ id }) => id !== change.id);
  session.waiting.push(message);
}

/** Applies a change: a message that waits reads as it does now, what was shown to the model already is told of in a note. */
export function applyChange(session: FoldedSession, record: Sequenced<ChangeRecord>): void {
  const ref = messageRef(record);
  const last = session.changes.get(ref);
  if (isOvertaken(record, last)) return;
  session.changes.delete(ref);
  session.changes.set(ref, record);
  const [oldest] = session.changes.keys();
  if (session.changes.size > MAX_KNOWN && oldest !== undefined) session.changes.delete(oldest);

  const isIt = (message: InRecord) => message.messageId === record.messageId && refOf(message) === ref;
  if (session.waiting.some(isIt)) {
    session.waiting = session.waiting.map((message) => (isIt(message) ? changed(message, record) : message));
    return;
  }
  // One group is one session, whichever account of a channel heard it.
  const isHeard = ({ messageId, user }: HeardRecord) => messageId === record.messageId && user === record.user;
  if (session.heard.some(isHeard)) {
    session.heard = session.heard.flatMap((heard) => {
      if (!isHeard(heard)) return [heard];
      return record.change === "deleted" ? [] : [{ ...heard, text: record.text }];
    });
    return;
  }
  const inputs = [...session.history, ...(session.open ? [session.open] : [])].flatMap((turn) => turn.inputs);
  const shown = inputs.findLast(
    (input): input is Sequenced<InRecord | HeardRecord> =>
      (input.type === "in" && isIt(input)) || (input.type === "heard" && isHeard(input)),
  );
  // What a group says among itself and nobody heard is no news either when it changes.
  if (!shown && record.mentioned === false) return;
  const before = last?.text ?? shown?.text;
  // Platforms tell of changes that are none to a reader: a preview of a link, a button.
  if (record.change === "edited" && before === record.text) return;
  session.notes.push(noteOf(record, before));
}

/**
 * A message as the prompt of a turn showed it that was built from the records up to `seen`. What became of it later, the turn did not know: those changes become notes.
 */
export function asPrompted(session: FoldedSession, message: Sequenced<InRecord>, seen: number): Sequenced<InRecord> {
  let shown = message;
  const later = message.changed?.by;
  while (shown.changed && shown.changed.by.seq > seen) shown = shown.changed.before;
  if (later && later.seq > seen) {
    session.notes.push(noteOf(later, shown.text));
    session.notes.sort((a, b) => a.seq - b.seq);
  }
  const { changed: _changed, ...record } = shown;
  return record;
}

function changed(message: Sequenced<InRecord>, by: Sequenced<ChangeRecord>): Sequenced<InRecord> {
  return { ...message, text: nowText(by), changed: { by, before: message } };
}

function nowText({ change, text }: ChangeRecord): string {
  return change === "deleted" ? DELETED : text;
}

function noteOf(record: Sequenced<ChangeRecord>, before: string | undefined): Sequenced<NoteRecord> {
  const { v, at, seq, id, channel } = record;
  return { v, at, seq, type: "note", id, source: `${channel} edit`, text: changeText(record, before) };
}
