import { keySegments, storeKey } from "../store/index.ts";

/** One chat of one account, which has one outbox. A `Target` is one. */
export interface OutboxAddress {
  readonly channel: string;
  readonly account: string;
  readonly chat: string;
}

const PREFIX = "outbox:";

/** The engine's key for resending dead letters. A chat's key has three parts. */
export const DEAD_LETTERS_KEY = `${PREFIX}dead`;

/** The engine's key of a chat's outbox. Parts are escaped, so that two chats never share a key. */
export function outboxKey({ channel, account, chat }: OutboxAddress): string {
  return PREFIX + [channel, account, chat].map(escapePart).join(":");
}

/** Parses a key of `outboxKey`; `null` for any other text. */
export function parseOutboxKey(key: string): OutboxAddress | null {
  if (!key.startsWith(PREFIX)) return null;
  const parts = key.slice(PREFIX.length).split(":");
  const [channel, account, chat] = parts.map(unescapePart);
  if (parts.length !== 3 || channel === undefined || account === undefined || chat === undefined) return null;
  const address = { channel, account, chat };
  return outboxKey(address) === key ? address : null;
}

/** The log of a chat's outbox. */
export function outboxLog({ channel, account, chat }: OutboxAddress): string {
  return storeKey("outbox", channel, account, `${chat}.jsonl`);
}

/** The chat of an outbox log. */
export function addressOfLog(log: string): OutboxAddress {
  const [, channel = "", account = "", file = ""] = keySegments(log);
  return { channel, account, chat: file.slice(0, -".jsonl".length) };
}

function escapePart(part: string): string {
  return part.replaceAll("%", "%25").replaceAll(":", "%3A");
}

function unescapePart(part: string): string {
  return part.replaceAll("%3A", ":").replaceAll("%25", "%");
}
