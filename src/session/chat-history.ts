import { isOvertaken } from "./changes.ts";
import type { ChangeRecord, HeardRecord, InRecord, OutRecord, Sequenced } from "./records.ts";
import type { Sessions } from "./sessions.ts";

/** A message of a person or of the assistant. */
export interface ChatMessage {
  readonly seq: number;
  readonly atMs: number;
  /** `channel:id`, or `assistant`. */
  readonly from: string;
  /** The person's display name. */
  readonly name?: string;
  readonly text: string;
}

export interface ChatHistoryPage {
  /** Oldest first. */
  readonly messages: readonly ChatMessage[];
  /** `before` for the next, older page. Absent if there is none. */
  readonly nextBefore?: number;
}

export interface ChatHistoryOptions {
  /** Returns only messages before this record. Default: all. */
  readonly before?: number | undefined;
  /** Messages per page. */
  readonly limit: number;
  /** Whether the reader may see a message. Other messages are left out, and so are replies that answer only those. */
  isSeen(message: InRecord | HeardRecord): boolean;
}

/** Records per read, and most records per page. */
const WINDOW = 512;
const MAX_READ = 4096;
/** Records between a reply and the messages that it answers, at most. A reply further away is left out. */
const MAX_TURN_RECORDS = 256;

/**
 * Pages through the messages of a session, also those before `/new`. Shows each message's newest
 * text, without deleted messages.
 */
export type ChatHistory = ReturnType<typeof createChatHistory>;

export function createChatHistory({ sessions }: { readonly sessions: Pick<Sessions, "scan" | "size"> }) {
  return async function page(key: string, { before, limit, isSeen }: ChatHistoryOptions): Promise<ChatHistoryPage> {
    const changes = new Map<string, ChangeRecord>();
    async function read(after: number, to: number): Promise<Sequenced[]> {
      const records: Sequenced[] = [];
      for await (const record of sessions.scan(key, { after, limit: to - after })) {
        if (record.seq <= to) records.push(record);
        if (record.type !== "change") continue;
        const name = nameOf(record);
        if (!isOvertaken(record, changes.get(name))) changes.set(name, record);
      }
      return records;
    }

    const end = Math.min(await sessions.size(key), (before ?? Infinity) - 1);
    // Changes of a message can lie after its page.
    await read(end, end + MAX_READ);
    let records: Sequenced[] = [];
    let from = end;
    let whole = from;
    let found: readonly ChatMessage[] = [];
    while (from > 0 && found.length < limit && end - from < MAX_READ) {
      const to = from;
      from = Math.max(0, to - WINDOW);
      records = [...(await read(from, to)), ...records];
      whole = from === 0 ? 0 : from + MAX_TURN_RECORDS;
      const first = whole;
      found = messagesOf(records, isSeen, changes).filter(({ seq }) => seq > first);
    }
    const messages = found.slice(-limit);
    if (found.length > limit) return { messages, nextBefore: messages[0]?.seq ?? 1 };
    return { messages, ...(whole > 0 && { nextBefore: whole + 1 }) };
  };
}

function messagesOf(
  records: readonly Sequenced[],
  isSeen: ChatHistoryOptions["isSeen"],
  changes: ReadonlyMap<string, ChangeRecord>,
): readonly ChatMessage[] {
  const seen = new Set<string>();
  return records.flatMap((record): ChatMessage[] => {
    if (record.type === "out") return record.of.some((id) => seen.has(id)) ? replied(record) : [];
    if (record.type !== "in" && record.type !== "heard") return [];
    if (!isSeen(record)) return [];
    seen.add(record.id);
    const { change, text = record.text } = changes.get(nameOf(record)) ?? {};
    return isSaid(record) && change !== "deleted" ? [said({ ...record, text })] : [];
  });
}

/**
 * Identifies a message and its changes. A group is one session, whichever of a channel's
 * accounts received the message.
 */
function nameOf(message: ChangeRecord | InRecord | HeardRecord): string {
  const account = message.type !== "heard" && message.peer.kind === "direct" && message.account;
  return JSON.stringify([message.user, message.messageId, account]);
}

/** Whether a person wrote the message: not the runtime, no command and no retry. */
function isSaid(record: InRecord | HeardRecord): boolean {
  if (record.type === "heard") return true;
  return record.source === undefined && record.command === undefined && record.retries === undefined;
}

function said({ seq, at, user, sender: { name }, text }: Sequenced<InRecord | HeardRecord>): ChatMessage {
  return { seq, atMs: at, from: user, ...(name !== undefined && { name }), text };
}

function replied({ seq, at, text, silent }: Sequenced<OutRecord>): ChatMessage[] {
  return silent || text === "" ? [] : [{ seq, atMs: at, from: "assistant", text }];
}
