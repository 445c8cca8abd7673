import type { Clock } from "../clock.ts";
import { ConflictError } from "../errors.ts";
import { newId } from "../ids.ts";
import {
  type JsonValue,
  type Store,
  type UnknownObject,
  type Version,
  areObjects,
  createTurns,
  keySegments,
  readDocument,
  removeUnder,
  storeKey,
} from "../store/index.ts";
import { type Logger, leftOut } from "../telemetry/index.ts";
import type { ArtifactLimits } from "./options.ts";

/** An artifact without its content. */
export interface ArtifactInfo {
  /** A ULID. */
  readonly id: string;
  /** For people; independent of where it is stored. */
  readonly name: string;
  /** As given, else `text/plain` for a text and `application/octet-stream` for bytes. */
  readonly mediaType: string;
  /** Size of the content; of a text in UTF-8. */
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Time of removal, milliseconds since the epoch. */
  readonly expiresAt: number;
  /** The person it was made for, as `channel:id`. */
  readonly user: string;
  /**
   * `written`: a tool or the host wrote it. `result`: a complete tool result that was too long for the prompt.
   * `attachment`: a file of a message. When room is needed, results are evicted first and attachments second.
   */
  readonly origin: "written" | "result" | "attachment";
}

/** An artifact with its content. */
export interface Artifact extends ArtifactInfo {
  /** The text or bytes that were written. */
  readonly content: string | Uint8Array;
}

export interface NewArtifact {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** Default `text/plain` for a text, `application/octet-stream` for bytes. */
  readonly mediaType?: string;
  readonly user: string;
  /** Default `written`. */
  readonly origin?: ArtifactInfo["origin"];
  /** Idempotency key: a second write for the same call, or the same file of a message, returns the first artifact. */
  readonly callId?: string;
  /**
   * Pending work that needs the artifact, as the id of a run. Until the work releases it, it does
   * not expire and is not evicted.
   */
  readonly heldBy?: string;
}

/**
 * Result of a write. `TOO_LARGE`: over the limit of one artifact. `QUOTA_EXCEEDED`: the
 * session's artifacts exceed their limit.
 */
export type ArtifactWritten =
  | { readonly ok: true; readonly artifact: ArtifactInfo }
  | { readonly ok: false; readonly code: "TOO_LARGE" | "QUOTA_EXCEEDED"; readonly reason: string };

export interface ArtifactsOptions extends ArtifactLimits {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  /** Default: nothing is logged. */
  readonly logger?: Pick<Logger, "error">;
}

/**
 * Files and long outputs that a session keeps. An artifact belongs to the session that made it and cannot be
 * found with another session's key.
 *
 * Source: docs/artifacts.md.
 */
export interface Artifacts {
  /**
   * Contract: refused if the artifact, or all of the session's together, would be too large. Results and then
   * attachments are evicted for it, oldest first. Resolved = durable.
   */
  write(sessionKey: string, artifact: NewArtifact): Promise<ArtifactWritten>;
  /** Contract: `null` if this session does not have the artifact, or no longer. */
  read(sessionKey: string, id: string): Promise<Artifact | null>;
  /** The artifact that a write with this `callId` made; `null` if there was none or it is gone. */
  ofCall(sessionKey: string, callId: string): Promise<ArtifactInfo | null>;
  /** Oldest first. */
  list(sessionKey: string): Promise<readonly ArtifactInfo[]>;
  /** Contract: false if this session does not have the artifact. */
  remove(sessionKey: string, id: string): Promise<boolean>;
  /** Removes what these users sent or made, including expired ones. */
  removeOf(sessionKey: string, isUser: (user: string) => boolean): Promise<void>;
  /**
   * Sets which of a session's artifacts this work holds. Others that it held before can expire and be evicted again.
   */
  hold(sessionKey: string, heldBy: string, ids: readonly string[]): Promise<void>;
  /** Removes all artifacts of a session. */
  removeSession(sessionKey: string): Promise<void>;
  /** The session of an artifact. Scans all sessions; for owners. */
  sessionOf(id: string): Promise<string | null>;
  /**
   * Removes expired artifacts and leftovers of crashes, in at most `sessions` (default 50)
   * sessions after the session `after`.
   * @returns The number removed, and the session to continue after; none when the scan is complete.
   */
  sweep(options?: {
    readonly after?: string;
    readonly sessions?: number;
    readonly signal?: AbortSignal;
  }): Promise<{ readonly removed: number; readonly next?: string }>;
}

export const DEFAULT_MAX_ARTIFACT_BYTES = 5 * 1024 * 1024;
export const DEFAULT_MAX_TOTAL_BYTES = 50 * 1024 * 1024;
/** Days until an artifact is removed. */
export const DEFAULT_KEEP_DAYS = 30;

/** The folder of all artifacts. */
export const ROOT = "artifacts/";
const FORMAT = 1;
const DAY_MS = 86_400_000;
/** Content without an entry is younger than this only while it is being written. */
const ORPHAN_MS = 3_600_000;
const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/;
const MAX_NAME_CHARS = 200;
const SESSIONS_A_SWEEP = 50;
/** Most artifacts of one session, because their list is one document. */
const MAX_ITEMS = 1000;
const MAX_TRIES = 20;
/** A time that JSON and `Date` can still represent. */
const FOR_EVER_DAYS = 365_000;

interface Entry extends Omit<ArtifactInfo, "expiresAt"> {
  readonly callId?: string;
  readonly heldBy?: string;
}
type Decide<T> = (entries: readonly Entry[]) => { readonly entries: readonly Entry[]; readonly result: T };

interface Index {
  readonly entries: readonly Entry[];
  /** `null`: the document does not exist yet. */
  readonly version: Version | null;
}

export function createArtifacts(options: ArtifactsOptions): Artifacts {
  const { store, clock, logger } = options;
  const { maxBytes = DEFAULT_MAX_ARTIFACT_BYTES, maxTotalBytes = DEFAULT_MAX_TOTAL_BYTES } = options;
  const { keepDays = DEFAULT_KEEP_DAYS } = options;
  const keepMs = (keepDays === 0 ? FOR_EVER_DAYS : keepDays) * DAY_MS;
  // Two segments below the session's own, so that ids and sessions cannot collide.
  const indexKey = (session: string) => `${ROOT}${storeKey(session, "index")}`;
  const contentKey = (session: string, id: string) => `${ROOT}${storeKey(session, "content", id)}`;
  const endOf = ({ createdAt, heldBy }: Entry) => createdAt + (heldBy === undefined ? keepMs : FOR_EVER_DAYS * DAY_MS);
  const infoOf = (entry: Entry): ArtifactInfo => {
    const { id, name, mediaType, bytes, createdAt, user, origin } = entry;
    return { id, name, mediaType, bytes, createdAt, expiresAt: endOf(entry), user, origin };
  };
  const isKept = (entry: Entry) => endOf(entry) > clock.now();
  // Serializes changes in this process, because many files at once would conflict on the same
  // list. Other processes are few.
  const inTurn = createTurns();

  async function load(session: string): Promise<Index> {
    const found = await store.get(indexKey(session));
    return found
      ? { entries: entriesOf(found.value, indexKey(session)), version: found.version }
      : { entries: [], version: null };
  }

  /**
   * Changes a session's list with compare-and-set, retrying on conflict. Then removes the
   * content of entries that are gone.
   */
  function change<T>(session: string, decide: Decide<T>): Promise<T> {
    return inTurn(session, async () => changeNow(session, decide));
  }

  async function changeNow<T>(session: string, decide: Decide<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      const { entries, version } = await load(session);
      const decided = decide(entries);
      if (decided.entries === entries) return decided.result;
      try {
        await store.put(indexKey(session), toJson(decided.entries), { expect: version });
      } catch (error) {
        if (!ConflictError.is(error) || tries >= MAX_TRIES) throw error;
        continue;
      }
      const left = new Set(decided.entries.map(({ id }) => id));
      for (const { id } of entries) if (!left.has(id)) await store.remove(contentKey(session, id));
      return decided.result;
    }
  }

  /** @returns Whether any was removed. */
  function drop(session: string, isGone: (entry: Entry) => boolean): Promise<boolean> {
    return change(session, (entries) => {
      const kept = entries.filter((entry) => !isGone(entry));
      const result = kept.length < entries.length;
      return { entries: result ? kept : entries, result };
    });
  }

  async function write(session: string, artifact: NewArtifact): Promise<ArtifactWritten> {
    const { content, callId, heldBy, origin = "written" } = artifact;
    const bytes = typeof content === "string" ? new TextEncoder().encode(content).byteLength : content.byteLength;
    const limit = Math.min(maxBytes, maxTotalBytes);
    if (bytes > limit) {
      const reason = `it has ${bytes} bytes, but an artifact may have at most ${limit}`;
      return { ok: false, code: "TOO_LARGE", reason };
    }
    const entry: Entry = {
      id: newId(clock),
      name: nameOf(artifact.name),
      mediaType: mediaTypeOf(artifact.mediaType, content),
      bytes,
      createdAt: clock.now(),
      user: artifact.user,
      origin,
      ...(callId !== undefined && { callId }),
      ...(heldBy !== undefined && { heldBy }),
    };
    // Content is written before its entry, so that every listed artifact can be read.
    await store.put(contentKey(session, entry.id), content, { expect: null });
    const forget = () => store.remove(contentKey(session, entry.id));
    const listed = change<ArtifactWritten>(session, (entries) => {
      const known = callId === undefined ? undefined : entries.find((one) => one.callId === callId && isKept(one));
      if (known) return { entries, result: { ok: true, artifact: infoOf(known) } };
      const kept = makeRoom(entries.filter(isKept), { bytes, items: 1 }, maxTotalBytes);
      if (kept) return { entries: [...kept, entry], result: { ok: true, artifact: infoOf(entry) } };
      const reason = `the artifacts of a conversation may have at most ${maxTotalBytes} bytes and number ${MAX_ITEMS} in total: delete some that are no longer needed`;
      return { entries, result: { ok: false, code: "QUOTA_EXCEEDED", reason } };
    });
    const written = await listed.catch(async (error: unknown) => {
      // Only a conflict proves that it is not listed. A sweep removes what remains.
      if (ConflictError.is(error)) await forget().catch(() => undefined);
      throw error;
    });
    if (!written.ok || written.artifact.id !== entry.id) await forget();
    return written;
  }

  async function find(session: string, id: string): Promise<Entry | undefined> {
    if (!ULID.test(id)) return undefined;
    return (await load(session)).entries.find((entry) => entry.id === id && isKept(entry));
  }

  async function sweepSession(session: string, contents: ReadonlySet<string>): Promise<number> {
    const isNew = (id: string) => clock.now() - timeOf(id) < ORPHAN_MS;
    const { before, after } = await change(session, (entries) => {
      // The contents were listed earlier, so content written since is not among them.
      const kept = entries.filter((entry) => isKept(entry) && (contents.has(entry.id) || isNew(entry.id)));
      const same = kept.length === entries.length;
      return { entries: same ? entries : kept, result: { before: entries, after: kept } };
    });
    const listed = new Set(before.map(({ id }) => id));
    let removed = before.length - after.length;
    for (const id of contents) {
      if (listed.has(id) || isNew(id)) continue;
      await store.remove(contentKey(session, id));
      removed += 1;
    }
    return removed;
  }

  /** Yields every session with artifacts, and the ids of its stored contents. */
  async function* sessions(
    after?: string,
  ): AsyncGenerator<{ readonly session: string; readonly contents: ReadonlySet<string> }> {
    let session: string | undefined;
    let contents = new Set<string>();
    // A session's list sorts after its contents.
    for await (const { key } of store.list(ROOT, {
      keysOnly: true,
      ...(after !== undefined && { after: indexKey(after) }),
    })) {
      const [, of = "", kind, id] = keySegments(key);
      if (session !== undefined && of !== session) {
        yield { session, contents };
        contents = new Set();
      }
      session = of;
      if (kind === "content" && id !== undefined) contents.add(id);
    }
    if (session !== undefined) yield { session, contents };
  }

  return {
    write,
    async read(session, id) {
      const entry = await find(session, id);
      const found = entry && (await store.get(contentKey(session, id)));
      if (!entry || !found) return null;
      const { value } = found;
      const content = typeof value === "string" || value instanceof Uint8Array ? value : JSON.stringify(value);
      return { ...infoOf(entry), content };
    },
    async ofCall(session, callId) {
      const entry = (await load(session)).entries.find((one) => one.callId === callId && isKept(one));
      return entry ? infoOf(entry) : null;
    },
    async list(session) {
      return (await load(session)).entries.filter(isKept).map(infoOf);
    },
    remove: (session, id) => drop(session, (entry) => entry.id === id),
    removeOf: async (session, isUser) => void (await drop(session, ({ user }) => isUser(user))),
    async hold(session, holder, ids) {
      const isRight = ({ id, heldBy }: Entry) => (heldBy === holder) === ids.includes(id);
      await change(session, (entries) => ({
        entries: entries.every(isRight)
          ? entries
          : entries.map((one) => {
              const { heldBy, ...entry } = one;
              return isRight(one) ? one : heldBy === holder ? entry : { ...entry, heldBy: holder };
            }),
        result: undefined,
      }));
    },
    async removeSession(session) {
      await removeUnder(store, `${ROOT}${storeKey(session)}/`);
    },
    async sessionOf(id) {
      if (!ULID.test(id)) return null;
      for await (const { session, contents } of sessions())
        if (contents.has(id) && (await find(session, id))) return session;
      return null;
    },
    async sweep({ after, sessions: most = SESSIONS_A_SWEEP, signal } = {}) {
      const found: { readonly session: string; readonly contents: ReadonlySet<string> }[] = [];
      let next: string | undefined;
      for await (const one of sessions(after)) {
        if (found.length === most) {
          next = found.at(-1)?.session;
          break;
        }
        found.push(one);
      }
      let removed = 0;
      for (const { session, contents } of found) {
        if (signal?.aborted) break;
        removed += (await sweepSession(session, contents).catch(leftOut(logger))) ?? 0;
      }
      return { removed, ...(next !== undefined && { next }) };
    },
  };
}

/** Origins that are evicted for new artifacts, in this order, each oldest first. */
const MAKES_ROOM = ["result", "attachment"] as const;

/** The entries that stay when room is made; `undefined` if there is not enough. */
function makeRoom(
  entries: readonly Entry[],
  more: { readonly bytes: number; readonly items: number },
  maxTotalBytes: number,
): readonly Entry[] | undefined {
  let total = entries.reduce((sum, entry) => sum + entry.bytes, more.bytes);
  let items = entries.length + more.items;
  const isFull = () => total > maxTotalBytes || items > MAX_ITEMS;
  let kept = entries;
  for (const origin of MAKES_ROOM) {
    kept = kept.filter((entry) => {
      if (entry.origin !== origin || entry.heldBy !== undefined || !isFull()) return true;
      total -= entry.bytes;
      items -= 1;
      return false;
    });
  }
  return isFull() ? undefined : kept;
}

/** Time of a ULID: its first ten digits, in base 32. */
function timeOf(id: string): number {
  let time = 0;
  for (const digit of id.slice(0, 10)) time = time * 32 + "0123456789ABCDEFGHJKMNPQRSTVWXYZ".indexOf(digit);
  return time;
}

function nameOf(name: string): string {
  return (
    name
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
      .trim()
      .slice(0, MAX_NAME_CHARS) || "unnamed"
  );
}

function mediaTypeOf(given: string | undefined, content: string | Uint8Array): string {
  if (
    given !== undefined &&
    /^[a-z0-9][a-z0-9!#$&^_.+-]{0,60}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,60}(?:; ?[a-z0-9=-]{1,40})?$/i.test(given)
  )
    return given.toLowerCase();
  return typeof content === "string" ? "text/plain" : "application/octet-stream";
}

function toJson(entries: readonly Entry[]): JsonValue {
  return { v: FORMAT, entries: entries as unknown as JsonValue };
}

function entriesOf(value: unknown, key: string): readonly Entry[] {
  const isEntry = ({ id, createdAt }: UnknownObject) => typeof id === "string" && typeof createdAt === "number";
  const index = readDocument(value, key, FORMAT, ({ entries }) => areObjects(entries, isEntry));
  return index["entries"] as readonly Entry[]; // only this file writes it
}
