import { memoryStore, systemClock } from "../../mod.ts";
import { type LogRecord, type Platform, type Store } from "../../kit.ts";
import { createMemory, idsIn } from "../../src/memory/index.ts";
import { QUEUE_FULL } from "../../src/session/index.ts";
import { keySegments } from "../../src/store/index.ts";
import type { Acknowledged } from "./load.ts";
import { askedIds } from "./script.ts";

/** What one person's memory holds at the end, read from the store. */
export interface PersonMemory {
  readonly userId: string;
  /** Entries that are in recall, and those in the archive. */
  readonly entries: readonly KeptEntry[];
  /** `MEMORY.md` and digests. */
  readonly texts: readonly string[];
  /** What each question finds, as ids, with the index as it was found and with one that is built from the files. */
  readonly recalled: readonly {
    readonly question: string;
    readonly found: readonly string[];
    readonly rebuilt: readonly string[];
  }[];
}

export interface KeptEntry {
  readonly id: string;
  readonly type: string;
  /** The turn that it was captured of. */
  readonly turn: string;
  readonly content: string;
  readonly isArchived: boolean;
  /** The ids of what was joined into it. */
  readonly mergedIds: readonly string[];
}

export interface MemoryEvidence {
  readonly people: readonly PersonMemory[];
  /** Files that nobody can read. */
  readonly damaged: readonly string[];
}

export interface MemoryVerdict {
  /** Statements that are in the memory of who said them. */
  readonly remembered: number;
  /** Statements and turns that are in no memory. More time may bring them. */
  readonly missing: number;
  /** Statements that a compaction kept besides. */
  readonly flushedToo: number;
}

const FOLDER = "memory/";
const MAX_QUESTIONS = 6;
const QUESTION_LIMIT = 10;

/** Reads everything, and asks each memory a few questions. Only while nobody writes to the store. */
export async function readMemory(store: Store, { yaml }: Pick<Platform, "yaml">): Promise<MemoryEvidence> {
  const clock = systemClock();
  const files = memoryStore();
  const textsOf = new Map<string, string[]>();
  const damaged: string[] = [];
  for await (const { key } of store.list(FOLDER)) {
    if (!key.endsWith(".md")) continue; // what the assistant notes for itself
    const value = (await store.get(key))?.value;
    if (typeof value !== "string" || value.trim() === "") {
      damaged.push(`${key} is no text`);
      continue;
    }
    await files.put(key, value);
    const [, user = "", folder = ""] = keySegments(key);
    if (folder !== "entries" && folder !== "archive") textsOf.set(user, [...(textsOf.get(user) ?? []), value]);
  }
  const asFound = createMemory({ yaml, store, clock });
  const rebuilt = createMemory({ yaml, store: files, clock });
  const people: PersonMemory[] = [];
  for await (const userId of asFound.users()) {
    const listed = [];
    for (const archived of [false, true])
      for await (const entry of asFound.list(userId, { archived })) listed.push({ entry, archived });
    const entries = listed.map(({ entry: { id, content, slots }, archived }) => ({
      id,
      content,
      isArchived: archived,
      mergedIds: idsIn(slots),
      type: wordOf(slots["type"]),
      turn: wordOf(slots["turn"] ?? slots["task_id"]),
    }));
    // Comparing the index with the files, which a start does beside its work, is over then.
    await asFound.settled();
    const said = listed.flatMap(({ entry, archived }) => (archived ? [] : [entry.content]));
    const step = Math.max(1, Math.ceil(said.length / (MAX_QUESTIONS - 1)));
    const questions = ["which seat do I prefer", ...said.filter((_, index) => index % step === 0)];
    const recalled = [];
    for (const question of questions) {
      const query = { userId, text: question, limit: QUESTION_LIMIT };
      const ask = async (memory: typeof asFound) => (await memory.recall(query)).map(({ entry }) => entry.id);
      recalled.push({ question, found: await ask(asFound), rebuilt: await ask(rebuilt) });
    }
    for (const { key, line, message } of await asFound.problems(userId))
      damaged.push(`${key}, line ${line}: ${message}`);
    people.push({ userId, entries, texts: textsOf.get(userId) ?? [], recalled });
  }
  await asFound.close();
  await rebuilt.close();
  return { people, damaged };
}

/**
 * Holds memories against what was said and answered: each statement and each turn that called a tool is kept once, by whoever it is of, and nobody else's
 * memory names it; each file is readable, and an index finds what one that is built anew finds.
 */
export function verifyMemory(
  { people, damaged }: MemoryEvidence,
  acknowledged: readonly Acknowledged[],
  sessions: ReadonlyMap<string, readonly LogRecord[]>,
  complain: (text: string) => void,
): MemoryVerdict {
  for (const one of damaged) complain(`a file of memory is damaged: ${one}`);
  const chatOf = new Map(acknowledged.map(({ id, chat }) => [id, chat]));
  const said = saidIn(sessions);
  const turnsIn = turnsOf(sessions);
  const kept = new Map<string, number>();
  const count = (what: string) => void kept.set(what, (kept.get(what) ?? 0) + 1);
  for (const { userId, entries, texts, recalled } of people) {
    const own = userId.replace(/^telegram:/, "");
    // Tidying keeps what it joined in the archive: the two are one.
    const joined = new Set(entries.flatMap(({ isArchived, mergedIds }) => (isArchived ? [] : mergedIds)));
    for (const { id, type, turn, content, isArchived } of entries) {
      if (isArchived && joined.has(id)) continue;
      for (const seat of seatsIn(content)) if (type !== "auto_capture") count(`${type} ${seat}`);
      if (type === "auto_capture" || type === "workflow_trace") count(`${type} ${turn}`);
    }
    for (const text of [...texts, ...entries.map(({ content }) => content)]) {
      const named = [...new Set([...askedIds(text), ...seatsIn(text)])];
      const strange = named.find((id) => (chatOf.get(id) ?? said.get(id)?.chat ?? own) !== own);
      if (strange !== undefined)
        complain(`the memory of ${userId} has what chat ${chatOf.get(strange)} said: ${text.slice(0, 120)}`);
    }
    for (const { question, found, rebuilt } of recalled)
      if (found.join(" ") !== rebuilt.join(" "))
        complain(`the index of ${userId} finds ${found.join(" ")} for ${question}, built anew ${rebuilt.join(" ")}`);
  }

  let remembered = 0;
  let missing = 0;
  let flushedToo = 0;
  for (const { id, chat, kind } of acknowledged) {
    if (kind !== "s" || said.get(id)?.answered !== true) continue;
    const times = kept.get(`statement ${id}`) ?? 0;
    if (times === 1) remembered += 1;
    else if (times === 0) missing += 1;
    if (times !== 1) complain(`what chat ${chat} stated in update ${id} is in memory ${times} times`);
    flushedToo += kept.get(`auto_flush ${id}`) ?? 0;
  }
  // Turns that were asked the same, since a person had it answered again, may be one entry.
  for (const turns of Map.groupBy(turnsIn, ({ asked }) => asked).values()) {
    for (const [type, least] of [
      ["auto_capture", 1],
      ["workflow_trace", 2],
    ] as const) {
      const times = turns.map(({ turn }) => kept.get(`${type} ${turn}`) ?? 0);
      const wanted = turns.filter(({ calls }) => calls >= least).length;
      const sum = times.reduce((a, b) => a + b, 0);
      if (sum === 0 && wanted > 0) missing += 1;
      const isJoined = type === "auto_capture" && sum > 0;
      if (
        times.some((one, index) => one > ((turns[index]?.calls ?? 0) >= least ? 1 : 0)) ||
        (sum < wanted && !isJoined)
      )
        complain(
          `the turn ${turns.map(({ turn }) => turn).join(" and ")} is in memory ${times.join(" and ")} times as ${type}`,
        );
    }
  }
  return { remembered, missing, flushedToo };
}

/** The numbers of the statements that a text has. */
function seatsIn(text: string): readonly number[] {
  return [...text.matchAll(/\bseat (\d+)\b/g)].map(([, id]) => Number(id));
}

interface Said {
  readonly chat: string;
  answered: boolean;
}

/** Messages by their numbers. */
function saidIn(sessions: ReadonlyMap<string, readonly LogRecord[]>): ReadonlyMap<number, Said> {
  const said = new Map<number, Said>();
  for (const records of sessions.values()) {
    for (const { type, id, peer, of, error } of records) {
      if (type === "in")
        said.set(numberOf(id), { chat: wordOf((peer as { id?: unknown } | undefined)?.id), answered: false });
      if (type !== "out" || (error as { code?: string } | undefined)?.code === QUEUE_FULL) continue;
      for (const one of of as readonly string[]) {
        const message = said.get(numberOf(one));
        if (message) message.answered = true;
      }
    }
  }
  return said;
}

interface AnsweredTurn {
  readonly turn: string;
  /** What it answered, as text that is the same for the same. */
  readonly asked: string;
  readonly calls: number;
}

/** Turns that answered somebody, and how many tools they called. */
function turnsOf(sessions: ReadonlyMap<string, readonly LogRecord[]>): readonly AnsweredTurn[] {
  const turns: AnsweredTurn[] = [];
  for (const [key, records] of sessions) {
    const textOf = new Map(
      records.flatMap(({ type, id, text }) => (type === "in" ? [[id, text]] : [])) as [string, string][],
    );
    const commands = new Set(records.flatMap(({ id, command }) => (command === undefined ? [] : [id])));
    for (const { type, turn, of, toolCalls, error } of records) {
      if (type !== "out" || (error as { code?: string } | undefined)?.code === QUEUE_FULL) continue;
      // A turn that obeyed a command is no work to learn from.
      if (commands.has((of as readonly string[]).at(-1))) continue;
      const asked = `${key} ${(of as readonly string[]).map((id) => textOf.get(id)).join(" ")}`;
      turns.push({ turn: turn as string, asked, calls: (toolCalls as readonly unknown[] | undefined)?.length ?? 0 });
    }
  }
  return turns;
}

/** `telegram:default:17` is 17. */
function numberOf(id: unknown): number {
  return Number(wordOf(id).split(":").at(-1));
}

function wordOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
