import QuickLRU from "quick-lru";
import type { Clock } from "../../clock.ts";
import type { Engine } from "../../engine/index.ts";
import { type Erasable, type Movable, eraseUnder } from "../../erasable/index.ts";
import { AssistantError } from "../../errors.ts";
import type { EventBus } from "../../events/index.ts";
import { ENTRY_TYPES, type MemoryApi, type MemoryEntry, type ReadWriteLock } from "../../memory/index.ts";
import type { MemoryUsers } from "../../session/index.ts";
import type { Lessons, SkillSuggestion, Suggestions } from "../../skills/index.ts";
import { getIndex, type Renamable, type Store, storeKey } from "../../store/index.ts";
import type { HookOptions } from "../hook-registry.ts";
import type { HookTask, Injections, ProactiveHook } from "../hook.ts";
import { lookKeyOf } from "../patterns/index.ts";

const PREFIX = "skills:learn:";
/** The folder of the cursors: one document per person with the newest trace that was learnt from. */
const CURSORS = storeKey(".index", "skill-learning");
/** Turns with fewer tool calls are not learnt from. */
const MIN_CALLS = 2;
/** Delay between a turn and learning from it. By then its trace is in memory. */
export const LEARN_AFTER_MS = 30_000;
/** Maximum number of traces to learn from, newest first. */
export const MAX_TRACES = 300;
/** Traces older than this are ignored: they say little about what a person does now. */
const LEARN_DAYS = 90;
const DAY_MS = 86_400_000;
/** Maximum number of names to try for a skill if its name is taken. */
const MAX_NAMES = 50;
/** How long an empty result is cached. A new suggestion of this process clears it. */
const NOTHING_MS = 60_000;
const MAX_PEOPLE = 10_000;
/** The turn goes on without a store that takes longer. */
export const SKILL_LEARNING_OPTIONS: HookOptions = { timeoutMs: 1000 };

export interface SkillLearningDeps {
  readonly memory: Pick<MemoryApi, "list">;
  /** Maps a speaker to a memory user, and an earlier memory user to the current one. */
  readonly users: Pick<MemoryUsers, "memoryUserOf" | "canonicalUser">;
  readonly suggestions: Pick<Suggestions, "add" | "get" | "offer" | "name" | "decide" | "putOff">;
  readonly lessons: Lessons;
  readonly store: Store;
  readonly engine: Pick<Engine, "wake">;
  readonly events: Pick<EventBus, "publishAsync" | "has">;
  /** Read lock: no learning while a person is erased. */
  readonly lock: Pick<ReadWriteLock, "shared">;
  readonly clock: Pick<Clock, "now">;
}

/** Learns skills from a person's repeated work. */
export type SkillLearning = ReturnType<typeof createSkillLearning>;

/**
 * After a turn with tools, without delaying the reply, turns a person's repeated work into suggestions. A later turn of
 * the person is told of one, once a week. A skill is written only if the person agrees.
 *
 * Source: docs/skills-learning.md, "Suggestions".
 */
export function createSkillLearning(deps: SkillLearningDeps) {
  const { memory, users, suggestions, lessons } = deps;
  const { memoryUserOf } = users;
  const { store, engine, events, lock, clock } = deps;

  /** When no suggestion was found for a person. Spares most turns the read. */
  const nothing = new QuickLRU<string, number>({ maxSize: MAX_PEOPLE });

  const hook: ProactiveHook = {
    name: "skill-learning",
    onTaskStart: (task, { dryRun }) =>
      task.source === "message" && task.peer.kind === "direct" ? offerIn(task, dryRun) : [],
    async onTaskCompleted(task, { dryRun }) {
      if (dryRun || task.toolCalls < MIN_CALLS || task.peer.kind !== "direct") return;
      // A job's run leaves no trace, so its wake does nothing.
      await engine.wake(PREFIX + memoryUserOf(task), new Date(clock.now() + LEARN_AFTER_MS));
    },
  };

  function offerIn(task: HookTask, dryRun: boolean): Promise<Injections> | Injections {
    const userId = memoryUserOf(task);
    const ageMs = clock.now() - (nothing.get(userId) ?? -Infinity);
    return ageMs >= 0 && ageMs < NOTHING_MS ? [] : lookFor(userId, task.taskId, dryRun);
  }

  async function lookFor(userId: string, turn: string, dryRun: boolean): Promise<Injections> {
    const offered = await suggestions.offer(userId, turn, { dryRun });
    if (!offered) nothing.set(userId, clock.now());
    return offered ? [{ type: "suggestion", content: offerText(offered), source: "skills", priority: 0 }] : [];
  }

  /**
   * The handler of `skills:learn:` keys. Idempotent: known suggestions are not added again. If a crash lost a wake, the
   * next one learns from that turn too.
   */
  function handle(key: string): Promise<void> {
    return lock.shared(() => learnFrom(users.canonicalUser(key.slice(PREFIX.length))));
  }

  async function learnFrom(userId: string): Promise<void> {
    const cursorKey = cursorKeyOf(userId);
    const cursor = (await getIndex(store, cursorKey))?.value;
    const entries: MemoryEntry[] = [];
    const since = new Date(clock.now() - LEARN_DAYS * DAY_MS);
    for await (const entry of memory.list(userId, { slots: { type: ENTRY_TYPES.workflowTrace }, since })) {
      if (entries.length === 0 && entry.id === cursor) return;
      entries.push(entry);
      if (entries.length >= MAX_TRACES) break;
    }
    const newest = entries[0]?.id;
    if (newest === undefined) return;
    const added = await suggestions.add(userId, await lessons.learn(entries), { isAll: true });
    if (added.length > 0) nothing.delete(userId);
    for (const one of added) tellSuggested(userId, one);
    await store.put(cursorKey, newest);
  }

  function tellSuggested(userId: string, { id, name, occurrences, confidence }: SkillSuggestion): void {
    if (!events.has("proactive.skill.suggested")) return;
    const payload = { userId, id, name, occurrences, confidence };
    events.publishAsync({ type: "proactive.skill.suggested", sessionId: null, timestamp: clock.now(), payload });
  }

  /**
   * Writes the suggested skill and stores the person's yes. Contract: a repeat, after a crash or a second press, writes
   * no second skill.
   * @returns The skill's name, which differs from the suggested one if that was taken.
   * @throws {AssistantError} `NOT_FOUND`; `CONFLICT` if the person declined before, or every name is taken.
   */
  async function accept(userId: string, idOrName: string): Promise<string> {
    const found = await suggestions.get(userId, idOrName);
    if (!found)
      throw new AssistantError("NOT_FOUND", `There is no suggestion ${JSON.stringify(idOrName.slice(0, 64))}`);
    const { id } = found;
    const first = found.skill ?? found.name;
    for (const tried of [first, ...otherNames(found.name)]) {
      const { state, skill: name = tried } = await suggestions.name(userId, id, tried);
      try {
        // If it was accepted before and then removed, it is written again.
        await lessons.write(found, name);
      } catch (error) {
        if (!AssistantError.is(error, "CONFLICT")) throw error;
        if (state === "accepted") return name;
        continue;
      }
      await decide(userId, id, "accepted");
      return name;
    }
    throw new AssistantError("CONFLICT", `Every name for the skill ${found.name} is taken`);
  }

  /** The wake re-checks the person's patterns: a held notice about this suggestion is withdrawn. */
  async function decide(userId: string, idOrName: string, answer: "accepted" | "declined") {
    const decided = await suggestions.decide(userId, idOrName, answer);
    await engine.wake(lookKeyOf(userId));
    return decided;
  }

  return {
    hook,
    isKey: (key: string): boolean => key.startsWith(PREFIX),
    handle,
    /** Learns from a person's turns immediately. */
    learn: (userId: string): Promise<void> => handle(PREFIX + userId),
    accept,
    /** Stores the person's no. @throws {AssistantError} `NOT_FOUND`; `CONFLICT` if they accepted before. */
    async decline(userId: string, idOrName: string): Promise<string> {
      return (await decide(userId, idOrName, "declined")).name;
    },
    /** Postpones the suggestion by a week. @throws {AssistantError} `NOT_FOUND`. */
    async putOff(userId: string, idOrName: string): Promise<string> {
      return (await suggestions.putOff(userId, idOrName)).name;
    },
  };
}

/** Erases a person's learning cursor. */
export function createLearningErasure({ store }: { readonly store: Store }): Erasable {
  return { forget: (person) => eraseUnder(store, `${CURSORS}/`, person) };
}

/** Removes the cursor of the old user id. Learning then starts again, and known suggestions are not added again. */
export function createLearningMove({ store }: { readonly store: Store }): Movable {
  return {
    async moveUser(from) {
      if ((await getIndex(store, cursorKeyOf(from))) !== null) await store.remove(cursorKeyOf(from));
      return 0;
    },
  };
}

/** Cursors have user ids in their keys. */
export function createLearningRenaming(): Renamable {
  return {
    userMoves: async (from, to) => [{ from: cursorKeyOf(from), to: cursorKeyOf(to) }],
  };
}

function cursorKeyOf(userId: string): string {
  return `${CURSORS}/${storeKey(userId)}`;
}

/** The text for the model: a fact, and what it can do. */
function offerText({ id, name, description, toolSequence, occurrences, successRate }: SkillSuggestion): string {
  return [
    `This person has done the same work ${occurrences} times (${toolSequence.join(" → ")}; ${Math.round(successRate * 100)}% went well). It could become a skill of theirs: ${name}, "${description}".`,
    `If it suits the moment, ask them in one sentence at the end of the reply. If they say yes: the tool skills with action accept and name ${id}, or they write /skills accept ${name}. If no: action decline, or /skills decline ${name}. Without their yes nothing is kept.`,
  ].join("\n");
}

/** `research-2`, `research-3`, …; at most 64 characters each. */
function otherNames(name: string): readonly string[] {
  return Array.from({ length: MAX_NAMES - 1 }, (_, at) => {
    const end = `-${at + 2}`;
    return `${name.slice(0, 64 - end.length).replace(/-+$/, "")}${end}`;
  });
}
