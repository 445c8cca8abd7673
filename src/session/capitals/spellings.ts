import type { InRecord } from "../records.ts";
import { parseSessionKey, parseUser, sessionKeyPart, userOf } from "../session-key.ts";

/** How ids were kept before the host's capitals counted. */
export function foldUser(user: string): string {
  const { channel, id } = parseUser(user);
  return userOf(channel, id.toLowerCase());
}

/** A direct conversation's key, taken apart. */
interface DirectKey {
  /** Up to the last part, with its colon. */
  readonly before: string;
  readonly part: string;
}

/** `null` for groups, for the owner's main conversation and for those of linked people: no id of the host stands in their keys. */
export function directKey(sessionKey: string): DirectKey | null {
  const match = /^(.*(?:^|:)direct:)([^:@]+)$/s.exec(parseSessionKey(sessionKey)?.rest ?? "");
  if (!match) return null;
  const [, before = "", part = ""] = match;
  return { before: sessionKey.slice(0, sessionKey.length - part.length - before.length) + before, part };
}

/**
 * The key that a message's conversation has when capitals count.
 *
 * @returns `undefined` when the record does not say how the conversation was written: the host named it and a person in it.
 */
export function spelledKey(sessionKey: string, { user, peer }: Pick<InRecord, "user" | "peer">): string | undefined {
  const key = directKey(sessionKey);
  if (!key) return sessionKey;
  const { channel, id } = parseUser(user);
  const cased = (text: string) => sessionKeyPart(text, { caseSensitive: true });
  const names = [peer.id, id];
  if (names.some((one) => cased(one) === key.part)) return sessionKey;
  const written = names.find((one) => sessionKeyPart(one) === key.part);
  if (written === undefined) return undefined;
  const before = key.before.replace(`:${sessionKeyPart(channel)}:`, `:${cased(channel)}:`);
  return before + cased(written);
}
