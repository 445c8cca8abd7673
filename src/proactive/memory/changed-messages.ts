import { idOf } from "../../ids.ts";
import {
  ENTRY_TYPES,
  type MemoryDraft,
  type MemoryEntry,
  type MemoryOfUsers,
  messageIdsIn,
  messageSlot,
  statements,
  traceWith,
  withGoal,
  withMessageIds,
} from "../../memory/index.ts";
import {
  type ChangeRecord,
  type InRecord,
  type LoggedTurn,
  type MemorySpeaker,
  type Sequenced,
  type Session,
  type Sessions,
  asItReads,
  isOvertaken,
  messageRef,
  refOf,
} from "../../session/index.ts";
import type { ModelRedactor } from "../../telemetry/index.ts";
import { withSpeaker } from "./speaker-of.ts";

export interface ChangedMessagesDeps {
  readonly memory: Pick<MemoryOfUsers, "get" | "list" | "remove" | "save">;
  /** Read only. */
  readonly sessions: Pick<Sessions, "load" | "refresh">;
  memoryUserOf(speaker: MemorySpeaker): string;
  /** Replaces secrets. */
  readonly redact: ModelRedactor;
  /** Stores a captured draft once, merged with an entry that says the same. */
  keep(userId: string, draft: MemoryDraft & { readonly id: string }, atMs: number, sessionKey: string): Promise<void>;
}

/** An answered message, as it read when it was answered. */
interface Answered {
  readonly message: Sequenced<InRecord>;
  readonly turn: LoggedTurn;
  /** The edits and deletions in the session. */
  readonly changes: Session["changes"];
}

const MAX_NOTE_CHARS = 8000;
/** Removes only the entry itself. Entries merged into it may come from another message and are checked separately. */
const ALONE = { alone: true };

/** Applies an edit or deletion to messages that still wait for their reply. */
export function changeWaiting(waiting: Map<string, Sequenced<InRecord>>, change: Sequenced<ChangeRecord>): void {
  const ref = messageRef(change);
  for (const [id, message] of waiting) {
    if (refOf(message) !== ref || isOvertaken(change, message.changed?.by)) continue;
    if (change.change === "deleted") waiting.delete(id);
    else waiting.set(id, { ...message, text: change.text, changed: { by: change, before: message } });
  }
}

/**
 * Updates the entries that were made from an edited or deleted message. An edited message is captured again and its
 * earlier entries are removed. A deleted one takes its entries along, unless they were confirmed since. Idempotent.
 *
 * Source: docs/capture-changes.md.
 */
export function createChangedMessages({ memory, sessions, memoryUserOf, redact, keep }: ChangedMessagesDeps) {
  /** @param changes Changes of one session, in log order. */
  async function follow(key: string, changes: readonly Sequenced<ChangeRecord>[], signal?: AbortSignal): Promise<void> {
    const session = await sessions.load(key);
    // Another process may have appended the changes.
    await sessions.refresh(key);
    const newest = new Map<string, Sequenced<ChangeRecord>>();
    for (const change of changes) {
      const ref = messageRef(change);
      if (!isOvertaken(change, newest.get(ref))) newest.set(ref, change);
    }
    for (const [ref, change] of newest) {
      signal?.throwIfAborted();
      const last = session.changes.get(ref);
      const holds = last === undefined || last.seq === change.seq;
      // An unanswered message is captured later, with its reply and its current text.
      if (holds && !isUnanswered(session, ref)) await followOne(key, ref, change, answeredIn(session, ref));
    }
  }

  async function followOne(
    key: string,
    ref: string,
    change: Sequenced<ChangeRecord>,
    answered: Answered | undefined,
  ): Promise<void> {
    const userId = memoryUserOf(change);
    // If the turn was running when the message changed, capture uses the new text; only the model's own notes need an
    // update.
    const wasAtWork = (answered?.turn.out?.seq ?? 0) > change.seq;
    const isTheirs = (entry: MemoryEntry) =>
      isMadeFrom(entry, key, ref, answered) && !(wasAtWork && messageIdsIn(entry.slots).includes(ref));
    const made: MemoryEntry[] = [];
    for await (const entry of memory.list(userId)) if (isTheirs(entry)) made.push(entry);
    await removeArchived(userId, isTheirs);
    if (change.change === "deleted") {
      for (const entry of made) if (!isConfirmed(entry)) await letGo(entry, ref, answered, undefined);
      return;
    }
    if (made.length === 0 && (!answered || wasAtWork)) return;
    const drafts = draftsOf(key, ref, change, answered, made);
    const contents = new Set<string>();
    for (const [index, draft] of drafts.entries()) {
      const redacted = redact(draft);
      contents.add(redacted.content);
      await keep(userId, { ...redacted, id: await idOf(change.at, `${key} ${change.id} ${index}`) }, change.at, key);
    }
    for (const { id } of made) {
      const entry = await memory.get(userId, id);
      // Keep the entry if the new text still says it or was merged into it.
      if (entry && !contents.has(entry.content)) await letGo(entry, ref, answered, change.text);
    }
  }

  /** Also removes archived entries, but not those that other messages support too. */
  async function removeArchived(userId: string, isTheirs: (entry: MemoryEntry) => boolean): Promise<void> {
    const ids: string[] = [];
    for await (const entry of memory.list(userId, { archived: true }))
      if (isTheirs(entry) && messageIdsIn(entry.slots).length <= 1) ids.push(entry.id);
    if (ids.length > 0) await memory.remove(userId, ids, ALONE);
  }

  function draftsOf(
    key: string,
    ref: string,
    change: ChangeRecord,
    answered: Answered | undefined,
    made: readonly MemoryEntry[],
  ): readonly MemoryDraft[] {
    const { turn, message } = answered ?? {};
    const turnId = turn?.id ?? made[0]?.slots["turn"];
    const of = { session_id: key, ...(turnId !== undefined && { turn: turnId }), ...messageSlot([ref]) };
    const isOwn = message?.source === undefined && message?.origin === undefined && message?.command === undefined;
    const hadForgotten = turn?.out?.toolCalls.some(({ name }) => name === "memory_forget") === true;
    // The person asked to forget it: do not store it in other words.
    if (!isOwn || hadForgotten) return [];
    // If the old text has no entries left, its statements were removed since; do not store them again.
    const removed = made.length > 0 || !message ? [] : statements(message.text);
    const said = statements(change.text).filter(({ content }) => !removed.some((other) => other.content === content));
    const wasNoted = made.some(isNote);
    // The model stored a note that no rule would find, so the new text is stored as a note too.
    if (said.length === 0 && wasNoted && change.text.trim() !== "")
      return [
        {
          content: change.text.slice(0, MAX_NOTE_CHARS),
          slots: { type: ENTRY_TYPES.note, source: "memory_write", ...of },
        },
      ];
    return said.map(({ content, slots, ...draft }) => {
      return { ...draft, content: withSpeaker(content, change), slots: { ...slots, ...of } };
    });
  }

  /**
   * Removes a message from an entry. If other messages support the entry, it stays. What a turn did stays without the
   * message's words. Any other entry is deleted permanently.
   */
  async function letGo(
    entry: MemoryEntry,
    ref: string,
    answered: Answered | undefined,
    text: string | undefined,
  ): Promise<void> {
    const others = messageIdsIn(entry.slots).filter((other) => other !== ref);
    const { type } = entry.slots;
    const isTrace = type === ENTRY_TYPES.workflowTrace;
    if (isTrace || type === ENTRY_TYPES.autoCapture) {
      const wanted = answered && wantedIn(answered);
      // Tool inputs in a trace may contain the deleted words.
      if (wanted !== undefined && !(isTrace && text === undefined)) {
        const content = isTrace ? traceWith(entry.content, wanted) : withGoal(entry.content, wanted);
        const slots = text === undefined ? withMessageIds(entry.slots, others) : entry.slots;
        await memory.save({ ...entry, ...redact({ content }), slots }, { over: [entry] });
        return;
      }
    }
    // For a turn's entry, `others` are messages of a turn that it was merged with.
    if (!isTrace && others.length > 0 && (answered || type !== ENTRY_TYPES.autoCapture)) {
      await memory.save({ ...entry, slots: withMessageIds(entry.slots, others) }, { over: [entry] });
      return;
    }
    await memory.remove(entry.userId, [entry.id], ALONE);
  }

  /** Returns the current text of a turn's messages. `undefined` if all were deleted. */
  function wantedIn({ message, turn, changes }: Answered): string | undefined {
    const whose = memoryUserOf(message);
    const texts = turn.inputs.flatMap((input) => {
      if (input.type !== "in" || input.approval !== undefined || memoryUserOf(input) !== whose) return [];
      return asItReads(changes, input)?.text ?? [];
    });
    return texts.length === 0 ? undefined : texts.join("\n");
  }

  return { follow };
}

function isUnanswered({ waiting, open }: Session, ref: string): boolean {
  return [...waiting, ...(open?.inputs ?? [])].some((input) => input.type === "in" && refOf(input) === ref);
}

function answeredIn({ history, changes }: Session, ref: string): Answered | undefined {
  for (const turn of history.toReversed())
    for (const input of turn.inputs)
      if (input.type === "in" && refOf(input) === ref) return { message: input, turn, changes };
  return undefined;
}

/**
 * Whether an entry comes from this message. Includes notes of the model from a turn that answered only this message, or
 * with words that only this message contains.
 */
function isMadeFrom(entry: MemoryEntry, key: string, ref: string, answered: Answered | undefined): boolean {
  if (messageIdsIn(entry.slots).includes(ref)) return true;
  if (!answered || entry.slots["session_id"] !== key) return false;
  const { message, turn, changes } = answered;
  if (isNote(entry)) {
    const isSaidElsewhere = turn.inputs.some(
      (input) =>
        input.type === "in" && input !== message && asItReads(changes, input)?.text.includes(entry.content) === true,
    );
    const isOfIt = turn.out?.of.length === 1 || (message.text.includes(entry.content) && !isSaidElsewhere);
    return entry.slots["turn"] === turn.id && isOfIt;
  }
  return entry.slots["type"] === ENTRY_TYPES.autoFlush && message.text !== "" && entry.content.includes(message.text);
}

function isNote({ slots }: MemoryEntry): boolean {
  return slots["type"] === ENTRY_TYPES.note && slots["source"] === "memory_write";
}

/** Whether the entry was changed after its capture, other than by merging. */
function isConfirmed({ createdAt, updatedAt, slots }: MemoryEntry): boolean {
  return updatedAt > createdAt && slots["merged_ids"] === undefined;
}
