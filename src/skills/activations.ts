import type { Clock } from "../clock.ts";
import {
  type Erasable,
  type Exported,
  type ExportedPerson,
  type ForgottenPerson,
  type Movable,
  eraseUnder,
} from "../erasable/index.ts";
import { AssistantError, ConflictError } from "../errors.ts";
import type { ActivatedSkill } from "../events/index.ts";
import {
  type JsonValue,
  type KeyMove,
  type LogRecord,
  type Renamable,
  type Store,
  type Version,
  createTurns,
  getIndex,
  keySegments,
  keysUnder,
  removeUnder,
  respelling,
  storeKey,
} from "../store/index.ts";
import type { Metrics } from "../telemetry/index.ts";

/** Not `skills/…`: that folder holds only skills, and people put it under version control. */
const ROOM = "skill-activations";
const STATISTICS = storeKey(".index", "skill-statistics");
const FORMAT = 1;
/**
 * Records of one log. A person has at most two logs: when the third begins, the first is removed and its counts are
 * carried on.
 */
export const MAX_ACTIVATION_RECORDS = 200;
/** Number of newest records that contain an activation of a turn that just ended, if it was already recorded. */
const RECENT_RECORDS = 32;
/** Attempts before a record is given up because of concurrent writers of the log. */
const MAX_TRIES = 8;

/**
 * What activated a skill in a turn: its triggers, a request by a model or a person, or a chain of which it is a step.
 */
export type ActivatedBy = "auto" | "manual" | "chain";

/** A skill that was used in one turn. */
export interface SkillActivation {
  /** Derived from turn and skill, so the same activation always has the same id. */
  readonly id: string;
  /** Name of the skill. */
  readonly skill: string;
  readonly turn: string;
  /** Key of the session. */
  readonly session: string;
  /** The user of the person whose turn it was, also in groups. */
  readonly user: string;
  readonly activatedBy: ActivatedBy;
  /** Signals that the matcher found, with their weights. */
  readonly signals: ActivatedSkill["signals"];
  /** 0 to 1. */
  readonly score: number;
  /** How the turn ended. */
  readonly outcome: "success" | "failure" | "aborted";
  /** Names of the tools that the turn called, each once. */
  readonly toolsUsed: readonly string[];
  /** Whether the person found it helpful. Absent: they gave no verdict, or withdrew it. */
  readonly feedback?: boolean;
  /** When the turn ended, in milliseconds since the epoch. */
  readonly at: number;
}

/** An activation before it is recorded. */
export type NewActivation = Omit<SkillActivation, "id" | "feedback">;

/** How often a skill was activated, and the verdicts on it. */
export interface SkillStatistics {
  readonly activations: number;
  readonly helpful: number;
  readonly notHelpful: number;
  /** When it was activated last, in milliseconds since the epoch. */
  readonly lastAtMs: number;
}

/** A verdict, and the activations that it is about. */
export interface FeedbackGiven {
  /** The user who gives it. Only this user's own activations are considered. */
  readonly user: string;
  /** Default: every skill of the turn. */
  readonly skill?: string | undefined;
  /** Default: the newest turn that matches. */
  readonly turn?: string | undefined;
  /** Default: any session. */
  readonly session?: string | undefined;
  /** `null` withdraws an earlier verdict. */
  readonly helpful: boolean | null;
}

type Counts = Map<string, SkillStatistics>;

type ActivationLine = { readonly v: typeof FORMAT; readonly type: "activation" } & Omit<SkillActivation, "feedback">;
type KnownLine = ActivationLine & Pick<SkillActivation, "feedback">;
/** `was`: the previous verdict, so that counting needs no earlier record. */
type FeedbackLine = {
  readonly v: typeof FORMAT;
  readonly type: "feedback";
  readonly of: string;
  readonly skill: string;
  readonly was: boolean | null;
  readonly helpful: boolean | null;
  readonly at: number;
};
/** The first record of a log that follows another: the counts of everything before the log that it follows. */
type CarriedLine = {
  readonly v: typeof FORMAT;
  readonly type: "carried";
  readonly counts: Readonly<Record<string, SkillStatistics>>;
};
/**
 * Counts that were carried under another user id of the same person. `of`: that log and its length, so that it is
 * joined once.
 */
type JoinedLine = { readonly v: typeof FORMAT; readonly type: "joined"; readonly of: string } & Pick<
  CarriedLine,
  "counts"
>;
type Line = ActivationLine | FeedbackLine | CarriedLine | JoinedLine;

interface Log {
  readonly key: string;
  readonly number: number;
  readonly lastSeq: number;
}

/** The content of one person's logs. */
interface Known {
  /** The two newest logs, the newest last. */
  readonly logs: readonly Log[];
  /** Oldest first. */
  readonly activations: ReadonlyMap<string, KnownLine>;
  /** Whether older activations have left the logs. */
  readonly isTrimmed: boolean;
  /** Logs of other user ids that were joined. */
  readonly joined: ReadonlySet<string>;
}

interface Statistics {
  readonly skills: Counts;
  /** The last counted record of each log. */
  readonly read: Map<string, number>;
  readonly version: Version | null;
}

export interface ActivationsDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  /** Default: no metrics. */
  readonly metrics?: Pick<Metrics, "increment"> | undefined;
}

/** Activations of skills and the verdicts on them. */
export type Activations = ReturnType<typeof createActivations>;

/**
 * A log of activations for each person, and statistics over all of them. The statistics are a fold of the logs and
 * are rebuilt when they are lost. An activation counts once, even after a crash or a repeated run. A person has one
 * verdict on it.
 *
 * Source: docs/skills-learning.md, "Feedback".
 */
export function createActivations({ store, clock, metrics }: ActivationsDeps) {
  const inTurn = createTurns();
  let counted = plainRecord(new Map());
  let loading: Promise<void> | undefined;

  /** @param last Number of newest records to read from each log. Default: all. */
  async function readPerson(user: string, last = Infinity): Promise<Known> {
    const logs = (await logsUnder(store, folderOf(user))).get(user) ?? [];
    const activations = new Map<string, KnownLine>();
    const joined = new Set<string>();
    let isTrimmed = false;
    for (const [at, { key }] of logs.entries()) {
      for await (const { record } of store.read(key, { last })) {
        const line = record as unknown as Line; // written here alone
        if (line.type === "activation") activations.set(line.id, line);
        if (line.type === "feedback") setFeedback(activations, line);
        if (line.type === "joined") joined.add(line.of);
        if (line.type === "carried" && at === logs.length - 1) isTrimmed ||= Object.keys(line.counts).length > 0;
      }
    }
    // Records joined from another user id stand after newer ones, so activations are sorted by time.
    const inOrder = joined.size === 0 ? activations : new Map([...activations].sort(([, a], [, b]) => a.at - b.at));
    return { logs, activations: inOrder, isTrimmed, joined };
  }

  /** Appends the lines that `decide` returns for the newest state. Decides again when another writer appended first. */
  function change(user: string, decide: (known: Known) => readonly Line[], last?: number): Promise<boolean> {
    return inTurn(user, async () => {
      for (let tries = 1; ; tries += 1) {
        const known = await readPerson(user, last);
        const lines = decide(known);
        if (lines.length === 0) return false;
        try {
          const log = await logFor(user, known);
          await store.append(log.key, lines as unknown as readonly LogRecord[], { expectSeq: log.lastSeq });
          return true;
        } catch (error) {
          if (!ConflictError.is(error) || tries === MAX_TRIES) throw error;
        }
      }
    });
  }

  /** Returns the log that takes the next record. Counts records before they leave the logs. */
  async function logFor(user: string, { logs }: Known): Promise<Log> {
    const newest = logs.at(-1);
    if (newest === undefined) return { key: logKey(user, 1), number: 1, lastSeq: 0 };
    if (newest.lastSeq < MAX_ACTIVATION_RECORDS) return newest;
    const carried = await carriedBehind(store, newest, logs.at(-2));
    const number = newest.number + 1;
    const key = logKey(user, number);
    const line: CarriedLine = { v: FORMAT, type: "carried", counts: Object.fromEntries(carried) };
    const { seq } = await store.append(key, line as unknown as LogRecord, { expectSeq: 0 });
    await count(user);
    for await (const { key: old } of store.list(folderOf(user)))
      if (numberOf(old) < newest.number) await store.remove(old);
    return { key, number, lastSeq: seq };
  }

  /** Adds new log records to the statistics. @param user Default: the logs of all people. */
  function count(user?: string): Promise<void> {
    return inTurn(STATISTICS, async () => {
      for (;;) {
        const { skills, read, version } = await readStatistics(store);
        const logs = await logsUnder(store, user === undefined ? `${ROOM}/` : folderOf(user));
        if (user === undefined && isOfOtherLogs(read, logs)) {
          skills.clear();
          read.clear();
        }
        let isChanged = false;
        for (const [whose, own] of logs) isChanged = (await countPerson(whose, own, { skills, read })) || isChanged;
        try {
          if (isChanged) await store.put(STATISTICS, documentOf(skills, read), { expect: version });
          counted = plainRecord(skills);
          return;
        } catch (error) {
          if (!ConflictError.is(error)) throw error;
        }
      }
    });
  }

  async function countPerson(
    user: string,
    logs: readonly Log[],
    { skills, read }: Pick<Statistics, "skills" | "read">,
  ): Promise<boolean> {
    const isFirst = !logs.some(({ key }) => read.has(key));
    let isChanged = false;
    for (const [at, { key, lastSeq }] of logs.entries()) {
      const after = read.get(key) ?? 0;
      if (lastSeq <= after) continue;
      for await (const { seq, record } of store.read(key, { after })) {
        const line = record as unknown as Line; // written here alone
        // The counts that the newest log carries were already counted record by record, unless nothing of this person
        // was.
        if (line.type !== "carried" || (isFirst && at === logs.length - 1)) addLine(skills, line);
        read.set(key, seq);
      }
      isChanged = true;
    }
    if (!isChanged) return false;
    const kept = new Set(logs.map(({ key }) => key));
    for (const key of read.keys()) if (userOfKey(key) === user && !kept.has(key)) read.delete(key);
    return true;
  }

  /**
   * Reads the statistics, and counts records that an earlier process left uncounted. Contract: can be called again;
   * only the first call reads.
   */
  function load(): Promise<void> {
    loading ??= count().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  }

  /**
   * Records an activation. Contract: the same activation is recorded once.
   *
   * @param endedJustNow Whether the turn just ended. An earlier record of it is then among the newest, so only these
   * are read.
   * @returns False if it was already recorded.
   */
  async function record(given: NewActivation, endedJustNow = false): Promise<boolean> {
    const id = activationId(given.turn, given.skill);
    const decide = ({ activations, isTrimmed }: Known): readonly Line[] => {
      const [oldest] = activations.values();
      // An activation older than the oldest that is left was recorded and has left the log.
      const hasLeft = !endedJustNow && isTrimmed && oldest !== undefined && given.at < oldest.at;
      return activations.has(id) || hasLeft ? [] : [{ v: FORMAT, type: "activation", id, ...given }];
    };
    const isNew = await change(given.user, decide, endedJustNow ? RECENT_RECORDS : undefined);
    await load();
    await count(given.user);
    if (isNew) metrics?.increment("skill.activation_total", { activated_by: given.activatedBy });
    return isNew;
  }

  /**
   * Stores a person's verdict on their own activations; a later verdict replaces an earlier one.
   * @returns The activations that the verdict is about, and those of them whose verdict changed.
   * @throws {AssistantError} `NOT_FOUND` if this person has no such activation.
   */
  async function addFeedback(given: FeedbackGiven): Promise<{
    readonly activations: readonly SkillActivation[];
    readonly changed: readonly SkillActivation[];
  }> {
    const { user, helpful } = given;
    let meant: readonly SkillActivation[] = [];
    let changed: readonly SkillActivation[] = [];
    await change(user, ({ activations }) => {
      meant = meantBy(given, [...activations.values()]).map(activationOf);
      if (meant.length === 0) throw notFound(given);
      changed = meant.filter(({ feedback = null }) => feedback !== helpful);
      const at = clock.now();
      return changed.map(({ id, skill, feedback = null }): FeedbackLine => {
        return { v: FORMAT, type: "feedback", of: id, skill, was: feedback, helpful, at };
      });
    });
    await load();
    await count(user);
    const verdict = helpful === null ? "none" : helpful ? "good" : "bad";
    for (const _ of changed) metrics?.increment("skill.feedback_total", { verdict });
    return { activations: meant, changed };
  }

  /**
   * Moves all activations and verdicts of another user id, and the counts that its logs carry, in one append: after a
   * crash all of it has moved, or nothing.
   */
  async function moveUser(from: string, to: string): Promise<number> {
    const { logs, activations: moved } = await readPerson(from);
    const newest = logs.at(-1);
    if (newest === undefined) return 0;
    const of = `${newest.key}#${newest.lastSeq} ${[...moved.keys()].at(-1)}`;
    const counts = await carriedBehind(store, newest, logs.at(-2));
    for await (const { record } of store.read(newest.key)) {
      const line = record as unknown as Line; // written here alone
      if (line.type !== "carried") addLine(counts, line);
    }
    for (const { skill, feedback } of moved.values())
      add(counts, skill, {
        activations: -1,
        helpful: -Number(feedback === true),
        notHelpful: -Number(feedback === false),
      });
    await change(to, ({ activations, joined }) => {
      const lines: Line[] = [];
      if (!joined.has(of)) lines.push({ v: FORMAT, type: "joined", of, counts: Object.fromEntries(counts) });
      for (const { feedback, ...one } of moved.values()) {
        if (activations.has(one.id)) continue;
        lines.push({ ...one, user: to });
        if (feedback !== undefined)
          lines.push({
            v: FORMAT,
            type: "feedback",
            of: one.id,
            skill: one.skill,
            was: null,
            helpful: feedback,
            at: one.at,
          });
      }
      return lines;
    });
    // The newest log is removed last: it identifies what was joined.
    await removeUnder(store, folderOf(from));
    // Rebuilds the statistics, because counted logs are gone.
    await count();
    return moved.size;
  }

  return {
    load,
    record,
    addFeedback,
    moveUser,
    /** How often each skill was activated, and the verdicts on it, as this process knows them; empty before `load`. */
    stats: (): Readonly<Record<string, SkillStatistics>> => counted,
    /** A person's activations, newest first. */
    async recent(user: string, { limit = MAX_ACTIVATION_RECORDS }: { readonly limit?: number } = {}) {
      const { activations } = await readPerson(user);
      return [...activations.values()].toReversed().slice(0, limit).map(activationOf);
    },
    /** A person's activations that are still in the logs, newest first. */
    async *exportPerson({ userId }: Pick<ExportedPerson, "userId">): AsyncGenerator<Exported> {
      const { activations } = await readPerson(userId);
      for (const one of [...activations.values()].toReversed()) yield { ...activationOf(one) };
    },
    /** Removes a person's activations and their counts in the statistics. */
    forget: async (person: ForgottenPerson): Promise<void> => {
      await eraseLogs(store, person);
      await store.remove(STATISTICS);
      await count();
    },
  } satisfies Erasable & Movable & Record<string, unknown>;
}

/** Renames the logs of activations of a user. */
export function createActivationRenaming({ store }: { readonly store: Store }): Renamable {
  return {
    userMoves: (from, to): Promise<KeyMove[]> => keysUnder(store, folderOf(from), folderOf(to), respelling(from, to)),
    // The statistics are rebuilt from the logs.
    dropUser: () => store.remove(STATISTICS),
  };
}

/** The id of an activation. */
function activationId(turn: string, skill: string): string {
  return `${turn} ${skill}`;
}

async function eraseLogs(store: Store, person: ForgottenPerson): Promise<void> {
  const { userId, sessions, words } = person;
  const gone = new Set<string>();
  await eraseUnder(store, `${ROOM}/`, person, {
    isTheirs(key) {
      const user = userOfKey(key);
      return user === userId || person.isNamedBy(user, []);
    },
    /** Removes activations in a removed conversation, also other people's, and the verdicts on them. */
    change(record) {
      const line = record as unknown as Line; // written here alone
      if (line.type === "activation" && sessions.has(line.session)) gone.add(line.id);
      const isGone =
        (line.type === "activation" && gone.has(line.id)) || (line.type === "feedback" && gone.has(line.of));
      return isGone ? FILLER : words.scrub(record);
    },
    rewriting: { filler: FILLER },
  });
}

/** Keeps the sequence number of a removed record, and counts nothing. */
const FILLER: LogRecord = { v: FORMAT, type: "carried", counts: {} };

function folderOf(user: string): string {
  return `${storeKey(ROOM, user)}/`;
}

function logKey(user: string, number: number): string {
  return storeKey(ROOM, user, `${String(number).padStart(6, "0")}.jsonl`);
}

function userOfKey(key: string): string {
  return keySegments(key)[1] ?? "";
}

function numberOf(key: string): number {
  return Number.parseInt(keySegments(key)[2] ?? "", 10);
}

/** The two newest logs of each person. Earlier ones were left by a crash; the newest carries their counts. */
async function logsUnder(store: Pick<Store, "list">, prefix: string): Promise<ReadonlyMap<string, readonly Log[]>> {
  const logs = new Map<string, Log[]>();
  for await (const { key, version } of store.list(prefix)) {
    const own = logs.get(userOfKey(key)) ?? [];
    own.push({ key, number: numberOf(key), lastSeq: Number(version) });
    logs.set(userOfKey(key), own);
  }
  return new Map([...logs].map(([user, own]) => [user, own.sort((a, b) => a.number - b.number).slice(-2)]));
}

/** The counts of everything before the newest log. */
async function carriedBehind(store: Pick<Store, "read">, newest: Log, older: Log | undefined): Promise<Counts> {
  const counts: Counts = new Map();
  for await (const { record } of store.read(newest.key, { limit: 1 })) {
    const line = record as unknown as Line; // written here alone
    if (line.type === "carried") addLine(counts, line);
  }
  if (older === undefined) return counts;
  for await (const { record } of store.read(older.key)) {
    const line = record as unknown as Line; // written here alone
    if (line.type !== "carried") addLine(counts, line);
  }
  return counts;
}

async function readStatistics(store: Pick<Store, "get" | "remove">): Promise<Statistics> {
  const found = await getIndex(store, STATISTICS);
  const { v, skills, read } = (found?.value ?? {}) as {
    readonly v?: unknown;
    readonly skills?: Readonly<Record<string, SkillStatistics>> | null;
    readonly read?: Readonly<Record<string, number>> | null;
  };
  // An unknown or unreadable format is rebuilt.
  const isKnown = v === FORMAT && isObject(skills) && isObject(read);
  return {
    skills: new Map(isKnown ? Object.entries(skills) : []),
    read: new Map(isKnown ? Object.entries(read) : []),
    version: found?.version ?? null,
  };
}

function isObject<T>(value: T | null | undefined): value is T & object {
  return typeof value === "object" && value !== null;
}

function documentOf(skills: Counts, read: ReadonlyMap<string, number>): JsonValue {
  return {
    v: FORMAT,
    skills: Object.fromEntries(skills) as unknown as JsonValue, // plain data all the way down
    read: Object.fromEntries(read),
  };
}

/** Whether counted logs are gone or were restarted. */
function isOfOtherLogs(read: ReadonlyMap<string, number>, logs: ReadonlyMap<string, readonly Log[]>): boolean {
  return [...read].some(([key, seq]) => {
    const own = logs.get(userOfKey(key));
    const log = own?.find((one) => one.key === key);
    return own === undefined || (log !== undefined && log.lastSeq < seq);
  });
}

function addLine(counts: Counts, line: Line): void {
  if (line.type === "activation") add(counts, line.skill, { activations: 1, lastAtMs: line.at });
  if (line.type === "carried" || line.type === "joined")
    for (const [skill, of] of Object.entries(line.counts)) add(counts, skill, of);
  if (line.type !== "feedback") return;
  const { was, helpful } = line;
  add(counts, line.skill, {
    helpful: Number(helpful === true) - Number(was === true),
    notHelpful: Number(helpful === false) - Number(was === false),
  });
}

function add(counts: Counts, skill: string, more: Partial<SkillStatistics>): void {
  const before = counts.get(skill) ?? { activations: 0, helpful: 0, notHelpful: 0, lastAtMs: 0 };
  counts.set(skill, {
    activations: before.activations + (more.activations ?? 0),
    helpful: before.helpful + (more.helpful ?? 0),
    notHelpful: before.notHelpful + (more.notHelpful ?? 0),
    lastAtMs: Math.max(before.lastAtMs, more.lastAtMs ?? 0),
  });
}

function activationOf({ v: _v, type: _type, ...activation }: KnownLine): SkillActivation {
  return activation;
}

function setFeedback(activations: Map<string, KnownLine>, { of, helpful }: FeedbackLine): void {
  const activation = activations.get(of);
  if (!activation) return;
  const { feedback: _, ...rest } = activation;
  activations.set(of, helpful === null ? rest : { ...rest, feedback: helpful });
}

/** Activations of one turn: the given turn, or the newest turn with a match. */
function meantBy({ skill, turn, session }: FeedbackGiven, activations: readonly KnownLine[]): readonly KnownLine[] {
  const fitting = activations.filter(
    (one) =>
      (skill === undefined || one.skill === skill) &&
      (turn === undefined || one.turn === turn) &&
      (session === undefined || one.session === session),
  );
  const newest = fitting.at(-1)?.turn;
  return fitting.filter((one) => one.turn === newest);
}

function notFound({ skill, turn, session }: FeedbackGiven): AssistantError {
  const what = skill === undefined ? "No skill" : `No skill ${JSON.stringify(skill.slice(0, 64))}`;
  const where = turn !== undefined ? " in that turn" : session !== undefined ? " in this conversation" : "";
  return new AssistantError(
    "NOT_FOUND",
    `Cannot record feedback: ${what} was recently activated for this person${where}`,
  );
}

/** Has no prototype, since a skill may be called `constructor`. */
function plainRecord(counts: Counts): Readonly<Record<string, SkillStatistics>> {
  return Object.assign(Object.create(null) as Record<string, SkillStatistics>, Object.fromEntries(counts));
}
