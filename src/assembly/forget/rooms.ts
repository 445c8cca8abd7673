import { ConflictError } from "../../errors.ts";
import type { Sessions } from "../../session/index.ts";
import { type LogRecord, type Store, keySegments, rewriteLog } from "../../store/index.ts";
import type { Person } from "./person.ts";
import { FILLER, idOf, scrubbed } from "./records.ts";
import { NOBODY, type Words, keyPartsOf, partsOf } from "./words.ts";

export interface RoomsParts {
  readonly store: Store;
  readonly sessions: Pick<Sessions, "alone">;
  /** Lets go of somebody's index. */
  dropIndex(userId: string): Promise<void>;
}

/** What other rooms keep: whatever names the person in a key goes, and their id goes out of what stays. */
const ROOMS: readonly string[] = [
  "sessions/",
  "memory/",
  ".index/",
  "contexts/",
  "artifacts/",
  "outbox/",
  "plans/",
  "late-results/",
  "notifications/",
  "attention/",
  "goals/",
  "users/",
  "jobs/",
  "workflows/",
];

/** Rooms of what is still to be said in a conversation. */
const WAITING = /^(?:late-results|notifications)\//;

/** Takes the person's names out of what stays, wherever it stands. */
export function createRoomSweep({ store, sessions, dropIndex }: RoomsParts) {
  /** Whatever still names them, in any room. */
  async function sweep(person: Person, words: Words): Promise<void> {
    const requests = partsOf(person.requests);
    const isNamed = keyPartsOf(person.ids, person.keepsCapitals);
    for (const room of ROOMS) {
      const keys: string[] = [];
      for await (const { key } of store.list(room)) keys.push(key);
      for (const key of keys) {
        if (isOf(key, person, isNamed)) await store.remove(key);
        else await scrubKey(key, words, person.sessions, room === "outbox/" ? requests : undefined);
      }
    }
  }

  function isOf(key: string, { userId, sessions: gone, chats }: Person, isNamed: ReturnType<typeof keyPartsOf>) {
    if (chats.has(key)) return true;
    const [room, ...segments] = keySegments(key);
    // A conversation is theirs by what was said in it, not by its key.
    if (room === "sessions") return gone.has(`agent:${segments[0]}:${segments[1]}`);
    // An id that is a part of another's id, or stands in a text, names nobody.
    return segments.some((segment, at) => {
      // A channel may be called as its one person is: `sdk`.
      if (room === "outbox" && at < segments.length - 1) return false;
      return segment === userId || gone.has(segment) || isNamed(segment, segments.slice(0, at));
    });
  }

  /** @param gone Conversations of theirs alone: what waits to be said in one goes, whoever is called to have it. */
  async function scrubKey(key: string, words: Words, gone: ReadonlySet<string>, requests?: Words): Promise<void> {
    if (await isLog(key)) {
      const change = (record: LogRecord) => scrubbed(record, words, gone, requests);
      const options = { idOf, filler: FILLER };
      const sessionKey = sessionKeyOf(key);
      if (sessionKey === undefined) await rewriteLog(store, key, change, options);
      else if (await holds(key, change))
        await sessions.alone(sessionKey, async () => void (await rewriteLog(store, key, change, options)));
      return;
    }
    for (;;) {
      const found = await store.get(key);
      if (!found || found.value instanceof Uint8Array) return;
      const { sessionKey: saidIn } = (found.value ?? {}) as { readonly sessionKey?: unknown };
      if (WAITING.test(key) && typeof saidIn === "string" && gone.has(saidIn)) return await store.remove(key);
      const value = words.scrub(found.value);
      if (value === found.value) return;
      try {
        await store.put(key, value, { expect: found.version });
        const [room, userId] = keySegments(key);
        if (room === "memory" && userId !== undefined) await dropIndex(userId);
        return;
      } catch (error) {
        if (!ConflictError.is(error)) throw error;
      }
    }
  }

  async function isLog(key: string): Promise<boolean> {
    try {
      return (await store.lastSeq(key)) > 0;
    } catch (error) {
      if (error instanceof TypeError) return false; // a document
      throw error;
    }
  }

  async function holds(log: string, change: (record: LogRecord) => LogRecord): Promise<boolean> {
    for await (const { record } of store.read(log)) if (change(record) !== record) return true;
    return false;
  }

  /** What is left of a line of the audit that names them: that it was done. */
  async function sweepAudit(person: Person, words: Words): Promise<void> {
    const days: string[] = [];
    for await (const { key } of store.list("audit/")) days.push(key);
    for (const day of days) {
      await rewriteLog(store, day, (line) => {
        const { v, at, who, what, verdict } = line;
        const isWho = typeof who === "string" && who !== NOBODY && person.isUser(who);
        if (!isWho && !words.isNamed(JSON.stringify(line))) return line;
        const isNamed = isWho || (typeof who === "string" && words.isNamed(who));
        const bare = { v, at, who: isNamed ? NOBODY : who, what, verdict };
        return JSON.stringify(bare) === JSON.stringify(line) ? line : bare;
      });
    }
  }

  return { sweep, sweepAudit };
}

function sessionKeyOf(key: string): string | undefined {
  const [room, agent, rest, file] = keySegments(key);
  return room === "sessions" && file !== undefined ? `agent:${agent}:${rest}` : undefined;
}
