import type { Access } from "../../access/index.ts";
import type { Artifacts } from "../../artifacts/index.ts";
import type { Clock } from "../../clock.ts";
import type { Engine } from "../../engine/index.ts";
import { AssistantError, ConflictError, messageOf } from "../../errors.ts";
import { type IsTheirs, type Traces, findTraces } from "./forget-session.ts";
import { FORGOTTEN, NOBODY, type Words, keyPartsOf, partsOf, wordsOf } from "./forget-words.ts";
import { type ForgetResult, type MemoryApi, type MemoryStore, createMemoryFiles } from "../../memory/index.ts";
import { type MemoryPeople, OWNER_MEMORY } from "../memory-people.ts";
import { outboxKey } from "../../outbox/index.ts";
import type { Sessions } from "../../session/index.ts";
import {
  type JsonValue,
  type LogRecord,
  type Store,
  createTurns,
  finishRewrites,
  keySegments,
  rewriteLog,
  storeKey,
} from "../../store/index.ts";
import type { Audit, Logger } from "../../telemetry/index.ts";
import type { UsageRecorder } from "../../usage/index.ts";

export interface ForgetParts {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  readonly sessions: Sessions;
  /** Ends a turn at work. */
  readonly running: { of(sessionKey: string): { stop(reason: AssistantError): void } | undefined };
  readonly engine: Pick<Engine, "wake" | "compact">;
  /** Runs work while no capture and no digest is at work, which would write behind it. */
  alone<R>(work: () => Promise<R>): Promise<R>;
  /** The engine lets go of keys that name the person only while it runs. */
  start(): Promise<void>;
  readonly artifacts: Pick<Artifacts, "list" | "remove" | "removeSession">;
  readonly memory: Pick<MemoryApi, "counts" | "list" | "remove" | "users"> &
    Pick<MemoryStore, "forget"> & {
      /** Lets go of what is in memory of somebody, whose index is made anew of the files. */
      drop(userId: string): void;
    };
  readonly people: MemoryPeople;
  readonly access: Pick<Access, "forget">;
  readonly usage: Pick<UsageRecorder, "rename">;
  readonly audit: Pick<Audit, "write" | "settled">;
  readonly logger: Pick<Logger, "error">;
}

/** Who is being forgotten, so that a crash does not leave it half done. Gone when it is done. */
const STATE = "forgetting/who";
const FORMAT = 1;
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

/** What is known of the person while it is done. */
interface Person {
  readonly userId: string;
  readonly isUser: (user: string) => boolean;
  readonly isTheirs: IsTheirs;
  /** `channel:id`s, as they were written. */
  readonly ids: Set<string>;
  /** Keys of conversations that went, and what is kept under them elsewhere. */
  readonly sessions: Set<string>;
  /** Logs of the chats in which they alone were answered. */
  readonly chats: Set<string>;
  /** Ids of their messages, and of their requests for approval, whose texts were sent to others. */
  readonly requests: Set<string>;
  /** Everybody else who was met meanwhile, and their groups. */
  readonly others: Set<string>;
}

const SETS = ["ids", "sessions", "chats", "requests"] as const;
type Saved = { readonly userId: string; readonly given: string } & Readonly<
  Record<(typeof SETS)[number], readonly string[]>
>;

/** What is read of a request for approval. */
interface SavedRequest {
  readonly id?: string;
  readonly code?: string;
  readonly approvers?: readonly string[];
  readonly caller?: { readonly user?: string; readonly speakers?: readonly string[]; readonly sessionKey?: string };
}

/** Has the engine let go of keys that were at work while somebody was forgotten. */
export const FORGOTTEN_KEY = "memory:forgotten";
const ANSWERED_MS = 1000;

/**
 * Removes everything of a person. It can be done again at any time: what is gone is passed over, and what a crash left is finished.
 *
 * Source: docs/privacy.md.
 */
export function createForget(parts: ForgetParts) {
  const { store, sessions, people, audit, logger } = parts;
  const inTurn = createTurns();
  /** Whose messages wait at the door meanwhile. */
  const closed = new Map<string, Promise<unknown>>();

  /** @throws {AssistantError} `OPTION_INVALID` for an empty id; the store's errors, after which it can be called again. */
  function forget({ userId }: { readonly userId: string }): Promise<ForgetResult> {
    return forgetAfter(userId, parts.start);
  }

  /** From the first moment on whoever writes as that person waits, also for what has to be done before. */
  async function forgetAfter(given: string, prepare: () => Promise<void>): Promise<ForgetResult> {
    if (given.trim() === "")
      throw new AssistantError("OPTION_INVALID", "Invalid userId: expected whom to forget, as telegram:42 or @name");
    const userId = people.canonicalUser(given.trim());
    const work = inTurn("forget", async () => {
      await prepare();
      return parts.alone(() => forgetNow(userId, given.trim()));
    });
    closed.set(userId, work);
    try {
      return await work;
    } finally {
      if (closed.get(userId) === work) closed.delete(userId);
    }
  }

  async function forgetNow(userId: string, given: string): Promise<ForgetResult> {
    const person = personOf(userId, given);
    await recall(person);
    const conversations = await discover(person);
    // Once something is gone it does not say any more what else was theirs.
    await store.put(STATE, { v: FORMAT, userId, given, ...namesIn(person) });
    const { entries, archived } = await parts.memory.counts(userId);
    for (const key of conversations.theirs) await removeSession(key);
    for (const key of conversations.shared) await rewriteSession(key, person);
    const words = namesOf([...person.ids, ...person.sessions], person);
    await forgetApprovals(person, words);
    await parts.memory.forget(userId);
    if (userId !== people.canonicalUser(OWNER_MEMORY)) await parts.access.forget(person.isUser, NOBODY);
    await parts.usage.rename((user) => user !== NOBODY && person.isUser(user), NOBODY);
    await sweep(person, words);
    await audit.settled();
    await sweepAudit(person, words);
    await store.remove(STATE);
    const chats = [...person.chats].map((log) => keySegments(log));
    const wakes = new Set([
      ...[...person.sessions].map((key) => `session:${key}`),
      ...chats.map(([, channel = "", account = "", file = ""]) =>
        outboxKey({ channel, account, chat: file.slice(0, -".jsonl".length) }),
      ),
    ]);
    await parts.engine.compact?.((key) => wakes.has(key) || words.isNamed(key));
    await store.scrub?.((text) => words.isNamed(text));
    // What waited at the gate meanwhile is answered by then; its keys name the person.
    await parts.engine.wake(FORGOTTEN_KEY, new Date(parts.clock.now() + ANSWERED_MS));
    // Nothing of whom: that somebody was forgotten, and how much there was.
    const done = { entries: entries + archived, sessions: person.sessions.size };
    audit.write({ who: "runtime", what: "memory.forgotten", verdict: "ok", ...done });
    return { userId, ...done };
  }

  function personOf(userId: string, given: string): Person {
    const ids = new Set([userId, given, ...people.usersOf(userId)]);
    const isUser = (user: string) => {
      const isIt = people.canonicalUser(user) === userId;
      if (isIt) ids.add(user);
      return isIt;
    };
    const isTheirs: IsTheirs = (message) => {
      const isIt = people.memoryUserOf(message) === userId;
      if (isIt) ids.add(message.user);
      return isIt || isUser(message.user);
    };
    const [sessions, chats, requests, others] = [
      new Set<string>(),
      new Set<string>(),
      new Set<string>(),
      new Set<string>(),
    ];
    return { userId, isUser, isTheirs, ids, sessions, chats, requests, others };
  }

  /** What was found before a crash. */
  async function recall(person: Person): Promise<void> {
    const saved = (await read(STATE)) as Partial<Saved>;
    if (saved.userId !== person.userId) return;
    for (const name of SETS) for (const known of saved[name] ?? []) person[name].add(known);
  }

  /** Looks for everything that has to do with them before anything goes. */
  async function discover(person: Person) {
    const theirs: string[] = [];
    const shared: string[] = [];
    for await (const other of parts.memory.users()) if (!person.isUser(other)) person.others.add(other);
    for (const { key } of await sessions.list({ limit: Infinity })) {
      const whose = await whoseIs(key, person);
      if (whose === "others") continue;
      (whose === "theirs" ? theirs : shared).push(key);
      if (whose === "theirs") person.sessions.add(key);
      for await (const record of sessions.scan(key)) {
        if (record.type !== "in" || !person.isTheirs(record)) continue;
        person.requests.add(record.id);
        if (whose === "theirs" && record.target) person.chats.add(chatOf(record.target));
      }
    }
    for await (const { key } of store.list("approvals/requests/")) {
      const { id, code, caller } = (await read(key)) as SavedRequest;
      const { user = "", speakers = [], sessionKey = "" } = caller ?? {};
      if (!person.sessions.has(sessionKey) && ![user, ...speakers].some(person.isUser)) continue;
      for (const name of [id, code]) if (name !== undefined) person.requests.add(name);
    }
    return { theirs, shared };
  }

  /** A conversation is theirs when nobody else speaks in it. */
  async function whoseIs(
    key: string,
    { isTheirs, isUser, userId, others }: Person,
  ): Promise<"theirs" | "shared" | "others"> {
    let [own, foreign] = [0, 0];
    for await (const record of sessions.scan(key)) {
      if (record.type !== "in" && record.type !== "heard") continue;
      if (record.user === NOBODY) continue;
      const isOwn = record.type === "in" ? isTheirs(record) : isUser(record.user);
      // A group that is forgotten: all that was said in it.
      if (record.type === "in" && record.peer.kind !== "direct" && people.memoryUserOf(record) === userId)
        return "theirs";
      if (isOwn) own += 1;
      else foreign += 1;
      if (!isOwn) others.add(record.user);
      if (record.type === "in" && record.peer.kind !== "direct") others.add(people.memoryUserOf(record));
    }
    if (own === 0) return "others";
    return foreign === 0 && !/:(?:group|channel):/.test(key) ? "theirs" : "shared";
  }

  async function removeSession(key: string): Promise<void> {
    // The same as /stop: the turn ends, and what waits is not begun.
    await sessions.append(key, { type: "stop", by: NOBODY });
    parts.running.of(key)?.stop(new AssistantError("ABORTED", "The conversation was removed"));
    await parts.artifacts.removeSession(key);
    await sessions.alone(key, async (logs) => {
      for (const log of logs) await store.remove(log);
    });
    // Of a turn that was at work until now.
    await parts.artifacts.removeSession(key);
  }

  async function rewriteSession(key: string, person: Person): Promise<void> {
    for (const { id, user } of await parts.artifacts.list(key))
      if (person.isUser(user)) await parts.artifacts.remove(key, id);
    const groups = new Set<string>();
    for await (const record of sessions.scan(key))
      if (record.type === "in" && record.peer.kind !== "direct") groups.add(people.memoryUserOf(record));
    await sessions.alone(key, async ([summaries = "", log = ""]) => {
      const found = await findTraces(sessions.scan(key), person.isTheirs, person.isUser, namesOf(person.ids, person));
      // What the group remembers goes first: afterwards nobody can tell which of it was theirs.
      for (const group of groups) await forgetInGroup(group, found);
      if (!found.found) return;
      await rewriteLog(store, log, found.without, { idOf, filler: FILLER });
      // Rebuilt from the log when they are listed.
      await store.remove(summaries);
    });
  }

  /** What a group remembers of what they said. */
  async function forgetInGroup(group: string, traces: Traces): Promise<void> {
    const isOfThem = saidBy(traces);
    const gone: string[] = [];
    for (const archived of [false, true]) {
      for await (const { id, content, slots } of parts.memory.list(group, { archived })) {
        const named = Object.values(slots).some((value) => typeof value === "string" && traces.ids.has(value));
        if (named || content.split("\n").some(isOfThem)) gone.push(id);
      }
    }
    if (gone.length > 0) await parts.memory.remove(group, gone);
    await dropIndex(group);
    const files = createMemoryFiles({ store });
    for (const name of ["MEMORY.md", ...(await files.days(group))]) {
      for (;;) {
        const found = await files.read(group, name);
        const kept = found?.text.split("\n").filter((line) => !isOfThem(line));
        if (!found || !kept || kept.length === found.text.split("\n").length) break;
        try {
          await files.write(group, name, kept.join("\n"), { expect: found.version });
          break;
        } catch (error) {
          if (!AssistantError.is(error, "CONFLICT")) throw error;
        }
      }
    }
  }

  /** An index keeps what was removed until it is merged. */
  async function dropIndex(userId: string): Promise<void> {
    const keys: string[] = [];
    for await (const { key } of store.list(`${storeKey(".index", "memory", userId)}/`)) keys.push(key);
    for (const key of keys) await store.remove(key);
    parts.memory.drop(userId);
  }

  async function forgetApprovals(person: Person, words: Words): Promise<void> {
    const found: string[] = [];
    for await (const { key } of store.list("approvals/requests/")) found.push(key);
    for (const key of found) {
      const request = (await read(key)) as SavedRequest;
      const { id = "", code } = request;
      // Who may answer is the owner's business, and an owner may be who is forgotten.
      const { approvers: _, ...said } = request;
      if (!person.requests.has(id) && !words.isNamed(JSON.stringify(said))) continue;
      if (code !== undefined) await store.remove(`approvals/codes/${code}`);
      if (id !== "") await store.remove(`approvals/unsettled/${storeKey(id)}`);
      await store.remove(key);
    }
    const saved = await store.get("approvals/rules");
    const { rules } = (saved?.value ?? {}) as { readonly rules?: readonly JsonValue[] };
    if (!saved || !rules) return;
    const kept = rules.filter((rule) => {
      const { for: whom = "" } = rule as { readonly for?: string };
      return !whom.split("+").some(person.isUser) && !words.isNamed(JSON.stringify(rule));
    });
    if (kept.length === rules.length) return;
    await store.put("approvals/rules", { ...(saved.value as object), rules: kept }, { expect: saved.version });
  }

  /** Whatever still names them, in any room. */
  async function sweep(person: Person, words: Words): Promise<void> {
    const requests = partsOf(person.requests);
    const isNamed = keyPartsOf(person.ids);
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

  async function read(key: string): Promise<unknown> {
    return (await store.get(key))?.value ?? {};
  }

  return {
    forget,
    /** Waits while the person is being forgotten: what they write then belongs to what comes after. */
    async passed(speaker: Parameters<IsTheirs>[0]): Promise<void> {
      if (closed.size === 0) return;
      const work = closed.get(people.memoryUserOf(speaker)) ?? closed.get(people.canonicalUser(speaker.user));
      await work?.catch(() => undefined);
    },
    /** After a crash: ends what was begun. To be called before the engine starts. */
    async recover(): Promise<void> {
      await finishRewrites(store);
      const found = await store.get(STATE);
      const { given } = (found?.value ?? {}) as { readonly given?: string };
      if (given === undefined) return;
      await forgetAfter(given, async () => {}).catch((error: unknown) => {
        logger.error("A person could not be forgotten to the end: the next start, or forgetting again, goes on", {
          error: messageOf(error),
        });
      });
    },
  };
}

export type Forget = ReturnType<typeof createForget>;

/** Keeps the number of a record that cannot be read, and changes nothing. */
const FILLER: LogRecord = { v: 1, type: "setting", at: 0, settings: {}, by: "runtime" };

/** What names the person and nobody else. */
function namesOf(ids: Iterable<string>, { others }: Person): Words {
  return wordsOf(ids, new Set([...others].map((other) => other.slice(other.lastIndexOf(":") + 1).toLowerCase())));
}

function namesIn(person: Person) {
  return Object.fromEntries(SETS.map((name) => [name, [...person[name]]]));
}

/** The ids with which records are appended, by room. */
function idOf(record: LogRecord): string | undefined {
  const { id, type, part, attempts } = record;
  if (typeof id !== "string") return undefined;
  // A dead letter.
  if (type === undefined && typeof part === "number" && attempts !== undefined) return `${id}.${part}`;
  return id;
}

/** A message that answers them, or shows one of their requests, says nothing any more. */
function scrubbed(record: LogRecord, words: Words, gone: ReadonlySet<string>, requests?: Words): LogRecord {
  const bare = words.scrub(record);
  const { text } = bare;
  const { thread = "" } = (record["target"] ?? {}) as { readonly thread?: string };
  const shows =
    (typeof record["id"] === "string" && requests?.isNamed(record["id"]) === true) ||
    (requests !== undefined && gone.has(thread));
  return shows && text !== undefined && text !== FORGOTTEN ? { ...bare, text: FORGOTTEN } : bare;
}

/** Of a shorter line nobody can tell who said it. */
const FEWEST_WORDS = 3;
/** So much of a remembered line stands in one message of theirs. */
const SHARE_OF_WORDS = 0.6;
/** So close together, at least: a page that somebody pasted holds the words of everything. */
const FEWEST_BESIDE = 60;

/** Is a line made of what they said? */
export function saidBy({ texts, quotes }: Pick<Traces, "texts" | "quotes">): (line: string) => boolean {
  const said = texts.map((text) => {
    const words = wordsIn(text);
    return { words, own: new Set(words) };
  });
  return (line) => {
    if (quotes.isNamed(line)) return true;
    const words = wordsIn(line);
    if (words.length < FEWEST_WORDS) return false;
    const isMadeOf = (own: ReadonlySet<string>) =>
      words.filter((word) => own.has(word)).length >= SHARE_OF_WORDS * words.length;
    const beside = Math.max(FEWEST_BESIDE, words.length * 2);
    return said.some(({ words: all, own }) => {
      if (!isMadeOf(own)) return false;
      for (let at = 0; at === 0 || at + beside / 2 < all.length; at += beside / 2)
        if (isMadeOf(new Set(all.slice(at, at + beside)))) return true;
      return false;
    });
  };
}

/** Words, and each sign of scripts that put no spaces between them. */
function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu) ?? [];
}

function sessionKeyOf(key: string): string | undefined {
  const [room, agent, rest, file] = keySegments(key);
  return room === "sessions" && file !== undefined ? `agent:${agent}:${rest}` : undefined;
}

/** The log of a chat's outbox. */
function chatOf({
  channel,
  account,
  chat,
}: {
  readonly channel: string;
  readonly account: string;
  readonly chat: string;
}): string {
  return storeKey("outbox", channel, account, `${chat}.jsonl`);
}
