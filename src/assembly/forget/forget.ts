import type { Access } from "../../access/index.ts";
import type { Clock } from "../../clock.ts";
import type { Engine } from "../../engine/index.ts";
import { AssistantError, messageOf } from "../../errors.ts";
import type { ForgetResult, MemoryApi, MemoryStore } from "../../memory/index.ts";
import { outboxKey } from "../../outbox/index.ts";
import { createTurns, finishRewrites, keySegments, storeKey } from "../../store/index.ts";
import type { Audit, Logger } from "../../telemetry/index.ts";
import type { UsageRecorder } from "../../usage/index.ts";
import { OWNER_MEMORY } from "../memory-people.ts";
import { type ConversationsParts, createForgottenConversations } from "./conversations.ts";
import { type SavedPerson, createDiscovery, namesOf, savedOf } from "./person.ts";
import { forgetApprovals } from "./requests.ts";
import { createRoomSweep } from "./rooms.ts";
import type { IsTheirs } from "./traces.ts";
import { NOBODY } from "./words.ts";

export interface ForgetParts extends Omit<ConversationsParts, "dropIndex" | "memory"> {
  readonly clock: Pick<Clock, "now">;
  readonly engine: Pick<Engine, "wake" | "compact">;
  /** Runs work while no capture and no digest is at work, which would write behind it. */
  alone<R>(work: () => Promise<R>): Promise<R>;
  /** The engine lets go of keys that name the person only while it runs. */
  start(): Promise<void>;
  readonly memory: Pick<MemoryApi, "counts" | "list" | "remove" | "users"> &
    Pick<MemoryStore, "forget"> & {
      /** Lets go of what is in memory of somebody, whose index is made anew of the files. */
      drop(userId: string): void;
    };
  readonly access: Pick<Access, "forget">;
  readonly usage: Pick<UsageRecorder, "rename">;
  readonly audit: Pick<Audit, "write" | "settled">;
  readonly logger: Pick<Logger, "error">;
}

/** Who is being forgotten, so that a crash does not leave it half done. Gone when it is done. */
const STATE = "forgetting/who";
const FORMAT = 1;
/** Has the engine let go of keys that were at work while somebody was forgotten. */
export const FORGOTTEN_KEY = "memory:forgotten";
const ANSWERED_MS = 1000;

/**
 * Removes everything of a person. It can be done again at any time: what is gone is passed over, and what a crash left is finished.
 *
 * Source: docs/privacy.md.
 */
export function createForget(parts: ForgetParts) {
  const { store, people, audit, logger } = parts;
  const { personOf, discover } = createDiscovery(parts);
  const { removeSession, rewriteSession } = createForgottenConversations({ ...parts, dropIndex });
  const { sweep, sweepAudit } = createRoomSweep({ ...parts, dropIndex });
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
    const person = personOf(userId, given, await unfinished());
    const conversations = await discover(person);
    // Once something is gone it does not say any more what else was theirs.
    await store.put(STATE, { v: FORMAT, ...savedOf(person, given) });
    const { entries, archived } = await parts.memory.counts(userId);
    for (const key of conversations.theirs) await removeSession(key);
    for (const key of conversations.shared) await rewriteSession(key, person);
    const words = namesOf([...person.ids, ...person.sessions], person);
    await forgetApprovals(store, person, words);
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

  /** An index keeps what was removed until it is merged. */
  async function dropIndex(userId: string): Promise<void> {
    const keys: string[] = [];
    for await (const { key } of store.list(`${storeKey(".index", "memory", userId)}/`)) keys.push(key);
    for (const key of keys) await store.remove(key);
    parts.memory.drop(userId);
  }

  /** Of whom a crash left it half done, if of anybody. */
  async function unfinished(): Promise<Partial<SavedPerson>> {
    return ((await store.get(STATE))?.value ?? {}) as Partial<SavedPerson>;
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
      const { given } = await unfinished();
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
