import type { Clock } from "../clock.ts";
import type { Engine } from "../engine/index.ts";
import type { Erasable, Named } from "../erasable/index.ts";
import type { ForgetResult, MemoryApi } from "../memory/index.ts";
import { addressOfLog, outboxKey } from "../outbox/index.ts";
import { type MemoryUsers, OWNER_MEMORY, sessionWakeKey } from "../session/index.ts";
import type { Store } from "../store/index.ts";
import type { Audit } from "../telemetry/index.ts";
import type { Conversations } from "./conversations.ts";
import { type Person, type SavedPerson, forgottenPerson, namesOf, personOf, savedOf } from "./person.ts";

export interface EraserDeps {
  readonly store: Pick<Store, "get" | "put" | "remove" | "scrub">;
  readonly clock: Pick<Clock, "now">;
  readonly engine: Pick<Engine, "wake" | "compact">;
  readonly audit: Pick<Audit, "write">;
  readonly users: MemoryUsers;
  readonly conversations: Conversations;
  readonly named: readonly Named[];
  readonly memory: Pick<MemoryApi, "counts" | "users">;
  /** Called one after another, in this order. */
  readonly keepers: readonly Erasable[];
}

/** State of an erasure under way, so that a crash does not leave it half done. Removed at the end. */
const STATE = "forgetting/who";
const FORMAT = 1;
/** The engine's key that compacts keys that were busy during an erasure. */
export const FORGOTTEN_KEY = "memory:forgotten";
const ANSWERED_MS = 1000;

export type Eraser = ReturnType<typeof createEraser>;

/** Erases one person: finds their data, writes that down, removes it, and compacts the engine and the store. */
export function createEraser(deps: EraserDeps) {
  const { store, clock, engine, audit, users, conversations, named, memory, keepers } = deps;

  /** The person whose erasure a crash interrupted, if any. */
  async function unfinished(): Promise<Partial<SavedPerson>> {
    return ((await store.get(STATE))?.value ?? {}) as Partial<SavedPerson>;
  }

  async function erase(userId: string, given: string): Promise<ForgetResult> {
    const person = personOf(users, userId, given, await unfinished());
    for await (const other of memory.users()) if (!person.isUser(other)) person.others.add(other);
    const { theirs, shared } = await conversations.find(person);
    for (const room of named) for (const name of await room.namesOf(person)) person.requests.add(name);
    // Written first: removed data no longer tells what else belonged to them.
    await store.put(STATE, { v: FORMAT, ...savedOf(person, given) });
    const { entries, archived } = await memory.counts(userId);
    for (const key of theirs) await conversations.remove(key);
    for (const key of shared) await conversations.rewrite(key, person);
    const words = namesOf([...person.ids, ...person.sessions], person);
    const forgotten = forgottenPerson(person, words, userId === users.canonicalUser(OWNER_MEMORY));
    const failures: unknown[] = [];
    for (const keeper of keepers) await keeper.forget(forgotten).catch((error: unknown) => failures.push(error));
    // A failure of one room does not stop the others.
    if (failures.length > 0) throw failures[0];
    await engine.compact?.(isWakeOf(person, words.isNamed));
    const scrub = async () => {
      await store.scrub?.((text) => words.isNamed(text));
    };
    await scrub();
    await store.remove(STATE);
    // Again, as the state document named them too.
    await scrub();
    // Messages that waited at the gate are answered by then; their keys name the person.
    await engine.wake(FORGOTTEN_KEY, new Date(clock.now() + ANSWERED_MS));
    // The line does not name the person, only the size of the erasure.
    const done = { entries: entries + archived, sessions: person.sessions.size };
    audit.write({ who: "runtime", what: "memory.forgotten", verdict: "ok", ...done });
    return { userId, ...done };
  }

  return { erase, unfinished };
}

/** Whether an engine's key is about the person. */
function isWakeOf({ sessions, chats }: Person, isNamed: (text: string) => boolean): (key: string) => boolean {
  const wakes = new Set([
    ...[...sessions].map((key) => sessionWakeKey(key)),
    ...[...chats].map((log) => outboxKey(addressOfLog(log))),
  ]);
  return (key) => wakes.has(key) || isNamed(key);
}
