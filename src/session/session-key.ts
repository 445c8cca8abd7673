/**
 * Makes one part of a session key from a platform's id. The mapping is one to one, up to surrounding blanks and,
 * unless ids are case-sensitive, letter case. `:` and `%` are escaped, and so is a leading `@`, which marks a linked
 * person's name. An empty id becomes `unknown`.
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

/**
 * Splits `channel:id`. A text without a colon is a channel with one person: `sdk` is `{ channel: "sdk", id: "sdk" }`.
 */
export function parseUser(user: string): { channel: string; id: string } {
  const colon = user.indexOf(":");
  return colon === -1 ? { channel: user, id: user } : { channel: user.slice(0, colon), id: user.slice(colon + 1) };
}

/** Inverse of `parseUser`. */
export function userOf(channel: string, id: string): string {
  return channel === id ? channel : `${channel}:${id}`;
}

/** Splits a session key into its agent and the rest; `null` if the text is no session key. */
export function parseSessionKey(key: string): { agentId: string; rest: string } | null {
  const match = /^agent:([^:]+):(.+)$/s.exec(key);
  return match ? { agentId: match[1]!, rest: match[2]! } : null;
}

/**
 * The session of one run of an isolated job.
 * @param planned Planned time of the run, epoch milliseconds.
 */
export function runSessionKey(agentId: string, job: string, planned: number): string {
  return `agent:${agentId}:job:${job}:${planned}`;
}

/** Inverse of `runSessionKey`; `null` for other session keys. */
export function parseRunSession(key: string): { readonly job: string; readonly planned: number } | null {
  const [, job, planned] = /^job:(.+):(\d{10,})$/s.exec(parseSessionKey(key)?.rest ?? "") ?? [];
  return job === undefined ? null : { job, planned: Number(planned) };
}

/** Work in a session, and the work that started it. */
interface Link {
  readonly sessionKey: string;
  readonly startedBy?: Link | undefined;
}

/** Whether work belongs to a heartbeat, or was started by one directly or indirectly. No person asked for such work. */
export function isOfHeartbeat(work: Link | undefined): boolean {
  return !!work && (parseRunSession(work.sessionKey)?.job === "heartbeat" || isOfHeartbeat(work.startedBy));
}

/**
 * The session of work that a turn or a workflow hands on.
 * @param id Unique within its agent. Repeated work has the same id.
 */
export function subSessionKey(agentId: string, id: string): string {
  return `agent:${agentId}:sub:${sessionKeyPart(id, { caseSensitive: true })}`;
}

/** Whether the key is that of a sub-agent's session, or of a workflow step's. */
export function isSubSession(key: string): boolean {
  return /^sub:[^:]+$/s.test(parseSessionKey(key)?.rest ?? "");
}

/** Whether work has the session for itself, so that both end together. */
export function isWorkSession(key: string): boolean {
  return isSubSession(key) || parseRunSession(key) !== null;
}

/** The engine's wake key of a session. */
export function sessionWakeKey(sessionKey: string): string {
  return SESSION_WAKES + sessionKey;
}

/** Prefix of the engine's wake keys of sessions. */
export const SESSION_WAKES = "session:";
