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
/** The folder of the documents that say what was learnt from. */
const CURSORS = storeKey(".index", "skill-learning");
/** A turn with fewer calls is no evidence. */
const MIN_CALLS = 2;
/** How long after a turn is learnt from it: by then what it did is in memory. */
export const LEARN_AFTER_MS = 30_000;
/** Turns that are learnt from, the newest. */
export const MAX_TRACES = 300;
/** Older turns say little of what a person does now. */
const LEARN_DAYS = 90;
const DAY_MS = 86_400_000;
/** Names that are tried for a skill whose name is taken. */
const MAX_NAMES = 50;
/** For how long nothing is looked for after nothing was found; what this process learns is offered at once. */
const NOTHING_MS = 60_000;
const MAX_PEOPLE = 10_000;
/** A store that takes longer than this is not waited for. */
export const SKILL_LEARNING_OPTIONS: HookOptions = { timeoutMs: 1000 };

export interface SkillLearningDeps {
  readonly memory: Pick<MemoryApi, "list">;
  /** Whose memory a turn is, and whose an earlier turn's is now. */
  readonly users: Pick<MemoryUsers, "memoryUserOf" | "canonicalUser">;
  readonly suggestions: Pick<Suggestions, "add" | "get" | "offer" | "name" | "decide" | "putOff">;
  readonly lessons: Lessons;
  readonly store: Store;
  readonly engine: Pick<Engine, "wake">;
  readonly events: Pick<EventBus, "publishAsync" | "has">;
  /** Nothing is learnt while a person is forgotten. */
  readonly lock: Pick<ReadWriteLock, "shared">;
  readonly clock: Pick<Clock, "now">;
}

/** Learns skills from what people do often. */
export type SkillLearning = ReturnType<typeof createSkillLearning>;

/**
 * After a turn that used tools, off the reply's way: what its person did often becomes a suggestion, which the person's next turn is told of, once a week. A skill is
 * written only when the person says yes.
 *
 * Source: docs/skills-learning.md, "Suggestions".
 */
export function createSkillLearning(deps: SkillLearningDeps) {
  const { memory, users, suggestions, lessons } = deps;
  const { memoryUserOf } = users;
  const { store, engine, events, lock, clock } = deps;

  /** When nothing was found to offer to a person: most turns need not look. */
  const nothing = new QuickLRU<string, number>({ maxSize: MAX_PEOPLE });

  const hook: ProactiveHook = {
    name: "skill-learning",
    onTaskStart: (task, { dryRun }) =>
      task.source === "message" && task.peer.kind === "direct" ? offerIn(task, dryRun) : [],
    async onTaskCompleted(task, { dryRun }) {
      if (dryRun || task.toolCalls < MIN_CALLS || task.peer.kind !== "direct") return;
      // What a run of a job did is in no trace, so its wake comes to nothing.
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
   * The handler of `skills:learn:` keys. May run again at any time: what is known is not suggested again. A turn whose wake a crash took is learnt from with its person's
   * next one.
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
   * Writes the skill of a suggestion and keeps the person's yes. Contract: done again, after a crash or by another press, it writes no second skill.
   * @returns The name of the skill: another one than suggested where that was taken.
   * @throws {AssistantError} `NOT_FOUND`; `CONFLICT` when the person declined before, or every name is taken.
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
        // Accepted before: it is written again if it was removed since.
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

  /** A pattern that offers the same, and waits for the morning, is not said. */
  async function decide(userId: string, idOrName: string, answer: "accepted" | "declined") {
    const decided = await suggestions.decide(userId, idOrName, answer);
    await engine.wake(lookKeyOf(userId));
    return decided;
  }

  return {
    hook,
    isKey: (key: string): boolean => key.startsWith(PREFIX),
    handle,
    /** Learns from a person's turns now. */
    learn: (userId: string): Promise<void> => handle(PREFIX + userId),
    accept,
    /** Keeps the person's no. @throws {AssistantError} `NOT_FOUND`; `CONFLICT` when they accepted before. */
    async decline(userId: string, idOrName: string): Promise<string> {
      return (await decide(userId, idOrName, "declined")).name;
    },
    /** Puts the suggestion off for a week. @throws {AssistantError} `NOT_FOUND`. */
    async putOff(userId: string, idOrName: string): Promise<string> {
      return (await suggestions.putOff(userId, idOrName)).name;
    },
  };
}

/** How far was learnt from the turns of people. */
export function createLearningErasure({ store }: { readonly store: Store }): Erasable {
  return { forget: (person) => eraseUnder(store, `${CURSORS}/`, person) };
}

/** How far was learnt under a name that is another now is forgotten: what is known is not suggested again. */
export function createLearningMove({ store }: { readonly store: Store }): Movable {
  return {
    async moveUser(from) {
      if ((await getIndex(store, cursorKeyOf(from))) !== null) await store.remove(cursorKeyOf(from));
      return 0;
    },
  };
}

/** How far was learnt is kept by person. */
export function createLearningRenaming(): Renamable {
  return {
    userMoves: async (from, to) => [{ from: cursorKeyOf(from), to: cursorKeyOf(to) }],
  };
}

function cursorKeyOf(userId: string): string {
  return `${CURSORS}/${storeKey(userId)}`;
}

/** What the model reads: a fact, and what it can do. */
function offerText({ id, name, description, toolSequence, occurrences, successRate }: SkillSuggestion): string {
  return [
    `This person has done the same work ${occurrences} times (${toolSequence.join(" → ")}; ${Math.round(successRate * 100)}% went well). It could become a skill of theirs: ${name}, "${description}".`,
    `If it suits the moment, ask them in one sentence at the end of the reply. If they say yes: the tool skills with action accept and name ${id}, or they write /skills accept ${name}. If no: action decline, or /skills decline ${name}. Without their yes nothing is kept.`,
  ].join("\n");
}

/** `research-2`, `research-3`, …; a name has at most 64 characters. */
function otherNames(name: string): readonly string[] {
  return Array.from({ length: MAX_NAMES - 1 }, (_, at) => {
    const end = `-${at + 2}`;
    return `${name.slice(0, 64 - end.length).replace(/-+$/, "")}${end}`;
  });
}
