import QuickLRU from "quick-lru";
import type { Clock } from "../clock.ts";
import {
  type ExportedPerson,
  type ForgottenPerson,
  cannotJoin,
  eraseUnder,
  exportUnder,
  moveDocument,
} from "../erasable/index.ts";
import { AssistantError, ConflictError, messageOf } from "../errors.ts";
import {
  type KeyMove,
  type Renamable,
  type Store,
  type Value,
  type Version,
  canonicalJson,
  keySegments,
  storeKey,
} from "../store/index.ts";
import type { Logger } from "../telemetry/index.ts";
import { changeYaml } from "../settings/index.ts";
import { type GoalFileGiven, checkGoals, fileDataOf, readGoalFile } from "./goal-file.ts";
import { NO_GOALS, type PersonGoals } from "./goals.ts";
import { joinGoals } from "./join-goals.ts";

const ROOM = "goals/";
const FILE_END = ".yaml";
/** First line of a new file. */
const HEAD = "# Goals: to be read and edited by hand. Comments stay.\n";
/** Largest file that is written, in characters. */
const MAX_FILE_CHARS = 65_536;
/** Tries of a change when other writers interfere. */
const MAX_TRIES = 8;
/** Most milliseconds that goals in prompts may be out of date: an edit by hand shows at the next turn after that. */
const FRESH_MS = 1500;
const MAX_KEPT = 400;

export interface GoalFilesDeps {
  readonly store: Store;
  readonly yaml: GoalFileGiven["yaml"];
  /** Returns the problem of a review cadence; `undefined`: it is valid. */
  readonly cadenceProblem: GoalFileGiven["cadenceProblem"];
  readonly clock: Pick<Clock, "now">;
  readonly logger: Pick<Logger, "error">;
}

/** A person's goals as in their file. */
export interface KeptGoals {
  /** What the file says. */
  readonly goals: PersonGoals;
  /** Version of the file, for compare-and-set. */
  readonly version: Version;
}

/** Goals of people, one YAML file each. */
export type GoalFiles = ReturnType<typeof createGoalFiles>;

/**
 * Goals of people, in `goals/<user>.yaml`, which they may edit. Users are the names of memories. An unreadable file is
 * reported and never overwritten: it stays as it is until a person has fixed it.
 *
 * Source: docs/goals.md, "The file".
 */
export function createGoalFiles({ store, yaml, cadenceProblem, clock, logger }: GoalFilesDeps) {
  const given = { yaml, cadenceProblem };
  const kept = new QuickLRU<string, { readonly found: KeptGoals | null; readonly atMs: number }>({ maxSize: MAX_KEPT });
  /** By user: the unreadable version that was reported. */
  const reported = new Map<string, Version | null>();

  async function load(userId: string) {
    const found = await store.get(keyOf(userId));
    return { text: found === null ? "" : found.value, version: found?.version ?? null };
  }

  /** @returns Null when there is no file. @throws {ConfigError} When the file is unreadable, which is logged once. */
  async function read(userId: string): Promise<KeptGoals | null> {
    const { text, version } = await load(userId);
    const found = version === null ? null : { goals: parse(userId, text, version), version };
    keep(userId, found);
    return found;
  }

  function parse(userId: string, text: Value, version: Version | null): PersonGoals {
    try {
      return readGoalFile(text, keyOf(userId), given);
    } catch (error) {
      if (isUnreadable(error) && reported.get(userId) !== version) {
        reported.set(userId, version);
        logger.error("A person's goals cannot be read; the file stays as it is: mend the line", {
          file: keyOf(userId),
          problem: messageOf(error),
        });
      }
      throw error;
    }
  }

  function keep(userId: string, found: KeptGoals | null): void {
    kept.set(userId, { found, atMs: clock.now() });
  }

  return {
    read,
    /** As `read`, at most 1.5 s old; also null for an unreadable file. For prompts. */
    async shown(userId: string): Promise<KeptGoals | null> {
      const known = kept.get(userId);
      const age = known === undefined ? Infinity : clock.now() - known.atMs;
      if (known !== undefined && age >= 0 && age < FRESH_MS) return known.found;
      try {
        return await read(userId);
      } catch (error) {
        if (!isUnreadable(error)) throw error;
        keep(userId, null);
        return null;
      }
    },
    /**
     * Changes the newest goals, including edits by hand. Comments and unchanged parts stay as they were written.
     * Contract: `how` may be called again. Resolved = durable.
     * @param expect The version that was read: another one is a conflict. Default: any.
     * @throws {AssistantError} `CONFLICT`; `OPTION_INVALID` for invalid goals, with the key; `CONFIG_INVALID` for an
     * unreadable file.
     */
    async change(
      userId: string,
      how: (goals: PersonGoals) => PersonGoals,
      expect?: Version | null,
    ): Promise<KeptGoals & { readonly changed: boolean }> {
      for (let tries = 1; ; tries += 1) {
        const { text, version } = await load(userId);
        if (expect !== undefined && expect !== version)
          throw new ConflictError(
            `The goals of ${userId} were changed in the meantime: read them again, then change them`,
            version,
          );
        const before = version === null ? NO_GOALS : parse(userId, text, version);
        const after = checkGoals(how(before), given);
        if (version !== null && isSame(before, after)) return { goals: before, version, changed: false };
        // The file was parsed, so it is a text.
        const written = rewrite((text as string).trim() === "" ? HEAD : (text as string), before, after);
        try {
          const found = { goals: after, version: await store.put(keyOf(userId), written, { expect: version }) };
          keep(userId, found);
          return { ...found, changed: true };
        } catch (error) {
          if (!ConflictError.is(error) || expect !== undefined || tries === MAX_TRIES) throw error;
        }
      }
    },
    /** All people with a file, and its version. */
    async *list(): AsyncGenerator<{ readonly userId: string; readonly version: Version }> {
      for await (const { key, version } of store.list(ROOM)) {
        const userId = goalUserOf(key);
        if (userId !== undefined) yield { userId, version };
      }
    },
    exportPerson: ({ isUser }: Pick<ExportedPerson, "isUser">) =>
      exportUnder(store, ROOM, (key) => isUser(goalUserOf(key) ?? "")),
    /** As `Movable`. An unreadable file is moved as it is if the other name has none. */
    async moveUser(from: string, to: string): Promise<number> {
      try {
        const isMoved = await moveDocument(store, keyOf(from), keyOf(to), (there, moved) =>
          there === undefined ? moved : joinTexts(from, to, there, moved),
        );
        return isMoved ? 1 : 0;
      } finally {
        for (const userId of [from, to]) kept.delete(userId);
      }
    },
    async forget(person: ForgottenPerson): Promise<void> {
      try {
        await eraseUnder(store, ROOM, person, {
          isTheirs: (key) => {
            const userId = goalUserOf(key);
            return userId !== undefined && (userId === person.userId || person.isNamedBy(userId, []));
          },
        });
      } finally {
        kept.clear();
      }
    },
  };

  function joinTexts(from: string, to: string, there: Value, moved: Value): string {
    try {
      const before = readGoalFile(there, keyOf(to), given);
      return rewrite(
        there as string,
        before,
        checkGoals(joinGoals(before, readGoalFile(moved, keyOf(from), given)), given),
      );
    } catch (error) {
      throw cannotJoin(keyOf(from), keyOf(to), messageOf(error));
    }
  }

  /**
   * Writes the change into the file and parses the result. A file whose aliases or anchors prevent the change is not
   * written.
   */
  function rewrite(text: string, before: PersonGoals, after: PersonGoals): string {
    if (isSame(before, after)) return text;
    const written = changeYaml(text, { ...fileDataOf(before) }, { ...fileDataOf(after) }, given.yaml);
    if (written.length > MAX_FILE_CHARS) throw invalid(`more than ${MAX_FILE_CHARS} characters`);
    if (!isSame(sorted(readGoalFile(written, "goals", given)), sorted(after)))
      throw invalid("the file has YAML aliases, which prevent this change: edit it by hand");
    return written;
  }
}

/** Keys of goals contain the names of people. */
export function createGoalRenaming({ store }: { readonly store: Store }): Renamable {
  return {
    async userMoves(from, to): Promise<KeyMove[]> {
      return (await store.get(keyOf(from))) === null ? [] : [{ from: keyOf(from), to: keyOf(to) }];
    },
  };
}

/** Whether an error means that a person has to fix a file of goals. */
export function isUnreadable(error: unknown): boolean {
  return AssistantError.is(error, "CONFIG_INVALID");
}

/** The user of a key in the store; `undefined` for another key. */
export function goalUserOf(key: string): string | undefined {
  const [room, file = "", ...rest] = keySegments(key);
  const isFile = `${room}/` === ROOM && file.endsWith(FILE_END) && rest.length === 0;
  return isFile ? file.slice(0, -FILE_END.length) : undefined;
}

function keyOf(userId: string): string {
  return storeKey("goals", `${userId}${FILE_END}`);
}

function isSame(one: PersonGoals, other: PersonGoals): boolean {
  return canonicalJson(fileDataOf(one)) === canonicalJson(fileDataOf(other));
}

/** Sorts lists for a comparison: in a file, new entries come last. */
function sorted(goals: PersonGoals): PersonGoals {
  const by = <T>(list: readonly T[], name: (one: T) => string) =>
    list.toSorted((one, other) => (name(one) < name(other) ? -1 : 1));
  return {
    ...goals,
    coreDrives: by(goals.coreDrives, ({ name }) => name),
    goals: by(goals.goals, ({ objective }) => objective).map((goal) => ({
      ...goal,
      keyResults: by(goal.keyResults, ({ metric }) => metric),
    })),
  };
}

function invalid(reason: string): AssistantError {
  return new AssistantError("OPTION_INVALID", `Invalid goals: ${reason}`);
}
