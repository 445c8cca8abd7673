import type { ChangeRecord, HeardRecord, InRecord, NoteRecord, Sequenced } from "./records.ts";
import type { FoldedSession } from "./session.ts";

/** Messages of a session whose newest change is kept. The oldest is dropped first. */
const MAX_KNOWN = 1000;
const MAX_QUOTED_CHARS = 80;
/** Replaces the text of a message that was deleted while it waited. */
const DELETED = "[deleted by its writer before it was answered]";

/** The fields that identify one message of one person in one chat. */
export type MessageName = Pick<ChangeRecord, "channel" | "account" | "peer" | "user" | "messageId">;

/** Identifies a message; all its changes have the same ref. A platform's message ids are unique only within a chat. */
export function messageRef({ channel, account, peer, user, messageId }: MessageName): string {
  return [channel, account, peer.id, user, messageId]
    .map((part) => part.replaceAll("%", "%25").replaceAll("/", "%2F"))
    .join("/");
}

/** The ref of a message in the log; `undefined` if its platform gave it no id. */
export function refOf(
  message: Pick<InRecord, "channel" | "account" | "peer" | "user" | "messageId">,
): string | undefined {
  const { messageId } = message;
  return messageId === undefined ? undefined : messageRef({ ...message, messageId });
}

/**
 * Whether `change` is older than `by`. Platforms deliver late and more than once. A deletion is final. If both have
 * the same time, the later delivery wins.
 */
export function isOvertaken(change: ChangeRecord, by: ChangeRecord | undefined): boolean {
  if (by === undefined) return false;
  if (by.change === "deleted") return true;
  if (change.change === "deleted") return false;
  return (change.changedAtMs ?? change.at) < (by.changedAtMs ?? by.at);
}

/**
 * The text of a change for the model and for people.
 * @param before The message's text before the change, if known.
 */
export function changeText({ change, peer, sender, user, text }: ChangeRecord, before?: string): string {
  const { name = "Somebody" } = sender;
  // Two members of a group can have the same name, and anyone can take another member's name.
  const who = peer.kind === "direct" ? name : `${JSON.stringify(name)} (${user})`;
  const begin = before === undefined ? "" : ` that began ${JSON.stringify(before.slice(0, MAX_QUOTED_CHARS))}`;
  if (change === "edited") return `${who} edited an earlier message${begin}, which now reads:\n${text}`;
  return `${who} deleted an earlier message${begin}: what it said counts no more`;
}

/** A message of a finished turn with its newest text; `undefined` if its writer deleted it. */
export function asItReads<M extends InRecord>(changes: ReadonlyMap<string, ChangeRecord>, message: M): M | undefined {
  const change = changes.get(refOf(message) ?? "");
  if (change?.change === "deleted") return undefined;
  return change ? { ...message, text: change.text } : message;
}

/** A message on arrival. Platforms can report a change before they deliver the message. */
export function asItArrives<M extends Pick<InRecord, "channel" | "account" | "peer" | "user" | "messageId" | "text">>(
  changes: ReadonlyMap<string, ChangeRecord>,
  message: M,
): M {
  const change = changes.get(refOf(message) ?? "");
  return change ? { ...message, text: nowText(change) } : message;
}

/**
 * Adds a message to those that wait. A change that arrived before the message is shown in its
 * text, so the note about it goes.
 */
export function applyArrival(session: FoldedSession, message: Sequenced<InRecord>): void {
  const change = session.changes.get(refOf(message) ?? "");
  if (change) session.notes = session.notes.filter(({ id }) => id !== change.id);
  session.waiting.push(message);
}

/** Applies a change. A waiting message gets its new text; a message that the model has already seen gets a note. */
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
  // A group is one session, whichever of a channel's accounts received the message.
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
  // The change of a group message that the assistant neither answered nor overheard is no news.
  if (!shown && record.mentioned === false) return;
  const before = last?.text ?? shown?.text;
  // Platforms report edits that do not change the text, such as a link preview or a button.
  if (record.change === "edited" && before === record.text) return;
  session.notes.push(noteOf(record, before));
}

/**
 * The message as it read in a prompt that was built from the records up to `seen`. Later changes become notes,
 * because the turn did not know them.
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
