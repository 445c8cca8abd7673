/**
 * Makes one part of a session key from a platform's id. One to one up to surrounding blanks and, unless the channel tells capitals apart, letter case:
 * `:` and `%` are escaped, and so is a leading `@`, which marks a linked person's name. An empty id becomes `unknown`.
 */
export function sessionKeyPart(id: string, options: { caseSensitive?: boolean } = {}): string {
  const trimmed = id.trim();
  const cased = options.caseSensitive
    ? trimmed.replace(/%|:/g, escapeCharacter).replace(/\p{Lu}/gu, escapeCharacter)
    : trimmed.toLowerCase().replace(/%|:/g, escapeCharacter);
  return (cased.startsWith("@") ? `%40${cased.slice(1)}` : cased) || "unknown";
}

function escapeCharacter(character: string): string {
  return Array.from(new TextEncoder().encode(character), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}

/** Splits `channel:id`. A text without a colon is a channel of one person: `sdk` is `{ channel: "sdk", id: "sdk" }`. */
export function parseUser(user: string): { channel: string; id: string } {
  const colon = user.indexOf(":");
  return colon === -1 ? { channel: user, id: user } : { channel: user.slice(0, colon), id: user.slice(colon + 1) };
}

/** The reverse of `parseUser`. */
export function userOf(channel: string, id: string): string {
  return channel === id ? channel : `${channel}:${id}`;
}

/** The agent that a session key belongs to and the rest of the key; `null` for a text that is no session key. */
export function parseSessionKey(key: string): { agentId: string; rest: string } | null {
  const match = /^agent:([^:]+):(.+)$/s.exec(key);
  return match ? { agentId: match[1]!, rest: match[2]! } : null;
}

/** The session that one run of an isolated job has for itself. @param planned The time that the run was planned for, epoch milliseconds. */
export function runSessionKey(agentId: string, job: string, planned: number): string {
  return `agent:${agentId}:job:${job}:${planned}`;
}

/** The reverse of `runSessionKey`; `null` for the key of another session. */
export function parseRunSession(key: string): { readonly job: string; readonly planned: number } | null {
  const [, job, planned] = /^job:(.+):(\d{10,})$/s.exec(parseSessionKey(key)?.rest ?? "") ?? [];
  return job === undefined ? null : { job, planned: Number(planned) };
}

/** Work in a session, and who began it. */
interface Link {
  readonly sessionKey: string;
  readonly startedBy?: Link | undefined;
}

/** Is it of a heartbeat, or of what one began, however far? Nobody asked for that. */
export function isOfHeartbeat(work: Link | undefined): boolean {
  return !!work && (parseRunSession(work.sessionKey)?.job === "heartbeat" || isOfHeartbeat(work.startedBy));
}

/** The session of work that a turn or a workflow hands on. @param id Unique in its agent; a repeat of the work has the same one. */
export function subSessionKey(agentId: string, id: string): string {
  return `agent:${agentId}:sub:${sessionKeyPart(id, { caseSensitive: true })}`;
}

/** Is it the session of a sub-agent, or of a step of a workflow? */
export function isSubSession(key: string): boolean {
  return /^sub:[^:]+$/s.test(parseSessionKey(key)?.rest ?? "");
}

/** Is it a session that work has for itself, which ends with it? */
export function isWorkSession(key: string): boolean {
  return isSubSession(key) || parseRunSession(key) !== null;
}

/** The engine's key for the work of a session. */
export function sessionWakeKey(sessionKey: string): string {
  return SESSION_WAKES + sessionKey;
}

/** What the engine's keys of sessions begin with. */
export const SESSION_WAKES = "session:";
