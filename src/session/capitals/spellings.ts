import type { InRecord } from "../records.ts";
import { parseSessionKey, parseUser, sessionKeyPart, userOf } from "../session-key.ts";

/** The lower-case form in which an earlier version kept ids. */
export function foldUser(user: string): string {
  const { channel, id } = parseUser(user);
  return userOf(channel, id.toLowerCase());
}

/** The parts of a direct session's key. */
interface DirectKey {
  /** Everything before the last part, including its colon. */
  readonly before: string;
  readonly part: string;
}

/**
 * Returns `null` for groups, the owner's main session and sessions of linked people:
 * their keys hold no id of the host.
 */
export function directKey(sessionKey: string): DirectKey | null {
  const match = /^(.*(?:^|:)direct:)([^:@]+)$/s.exec(parseSessionKey(sessionKey)?.rest ?? "");
  if (!match) return null;
  const [, before = "", part = ""] = match;
  return { before: sessionKey.slice(0, sessionKey.length - part.length - before.length) + before, part };
}

/**
 * The key of a message's session when capitals count.
 *
 * @returns `undefined` when the record does not show how the session's name was spelled, because the host named both
 * the session and a person in it.
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
