import type { Clock } from "../clock.ts";
import { AssistantError, ConflictError, messageOf } from "../errors.ts";
import { newId } from "../ids.ts";
import type { ConfigIssue } from "../settings/index.ts";
import { type JsonValue, type Store, type Version, isObject, readDocument, storeKey } from "../store/index.ts";
import { type Logger, leftOut } from "../telemetry/index.ts";
import { RUN_FORMAT, type WorkflowRun, isEnded } from "./run.ts";

const RUNS = "workflows/";
/** Idempotency keys of starts, with the ids of their runs. */
const STARTS = "workflows/starts/";
const RUN_NAME = /^(run-[0-9a-z]+)\.json$/;
const STATUSES: readonly string[] = ["running", "waiting", "done", "failed", "cancelled"];

export interface RunsDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  /** Default: nothing is logged. */
  readonly logger?: Pick<Logger, "error">;
}

interface Kept {
  readonly run: WorkflowRun;
  readonly version: Version;
}

/** The documents of runs. */
export type Runs = ReturnType<typeof createRuns>;

/**
 * Runs of workflows, one document each, changed by compare-and-set. Source: docs/workflows.md, "A run is a document".
 */
export function createRuns({ store, clock, logger }: RunsDeps) {
  /** By id: the version in which a run was seen ended. Most stored runs have ended. */
  const ended = new Map<string, Version>();

  async function load(id: string): Promise<Kept | null> {
    const key = keyOf(id);
    const found = await store.get(key);
    return found && { run: readRun(found.value, key), version: found.version };
  }

  /** @param unread Receives the problems of unreadable runs, which are skipped. Default: they are logged. */
  async function* all(
    unread?: (problem: ConfigIssue) => void,
    { onlyLive = false }: { readonly onlyLive?: boolean } = {},
  ): AsyncGenerator<WorkflowRun> {
    const leaveOut = leftOut(unread ? undefined : logger);
    const ids: string[] = [];
    for await (const { key, version } of store.list(RUNS)) {
      const id = RUN_NAME.exec(key.slice(RUNS.length))?.[1];
      if (id !== undefined && !(onlyLive && ended.get(id) === version)) ids.push(id);
    }
    // Newest first: ids begin with the time.
    for (const id of ids.toReversed()) {
      const kept = await load(id).catch((error: unknown) => {
        leaveOut(error);
        unread?.({ file: keyOf(id), line: 1, column: 1, path: "", message: messageOf(error) });
      });
      if (!kept) continue;
      const isOver = isEnded(kept.run);
      if (isOver) ended.set(id, kept.version);
      if (!onlyLive || !isOver) yield kept.run;
    }
  }

  return {
    /** The id of a new run. The same start gets the same id. */
    async idFor(start: string | undefined): Promise<string> {
      // In lower case, as it is the name of the run's file.
      const id = `run-${newId(clock).toLowerCase()}`;
      if (start === undefined) return id;
      const key = STARTS + storeKey(start);
      try {
        await store.put(key, { v: RUN_FORMAT, run: id }, { expect: null });
        return id;
      } catch (error) {
        if (!ConflictError.is(error)) throw error;
        const known = (await store.get(key))?.value as { readonly run?: unknown } | undefined;
        return typeof known?.run === "string" ? known.run : id;
      }
    },
    /** @returns The new run, or the existing one with this id. */
    async create(run: WorkflowRun): Promise<WorkflowRun> {
      try {
        await store.put(keyOf(run.id), toDocument(run), { expect: null });
        return run;
      } catch (error) {
        if (!ConflictError.is(error)) throw error;
        return (await load(run.id))?.run ?? run;
      }
    },
    find: async (id: string): Promise<WorkflowRun | undefined> => (await load(id))?.run,
    /** @throws {AssistantError} `NOT_FOUND`. */
    async get(id: string): Promise<WorkflowRun> {
      const kept = await load(id);
      if (!kept)
        throw new AssistantError("NOT_FOUND", `There is no run ${JSON.stringify(id.slice(0, 64))} of a workflow`);
      return kept.run;
    },
    /**
     * Changes a run by compare-and-set, and retries after a conflict.
     * @param how Gets the newest run; `null`: no change.
     * @throws {AssistantError} `NOT_FOUND`.
     */
    async change(id: string, how: (run: WorkflowRun) => WorkflowRun | null): Promise<WorkflowRun> {
      for (;;) {
        const kept = await load(id);
        if (!kept)
          throw new AssistantError("NOT_FOUND", `There is no run ${JSON.stringify(id.slice(0, 64))} of a workflow`);
        const changed = how(kept.run);
        if (changed === null) return kept.run;
        try {
          await store.put(keyOf(id), toDocument(changed), { expect: kept.version });
          return changed;
        } catch (error) {
          if (!ConflictError.is(error)) throw error;
        }
      }
    },
    /** All readable runs, newest first. */
    all: () => all(),
    /** All readable runs that have not ended. A run that was seen ended is read again only when it has changed. */
    live: () => all(undefined, { onlyLive: true }),
    /** Problems of unreadable runs. */
    async problems(): Promise<readonly ConfigIssue[]> {
      const problems: ConfigIssue[] = [];
      const readable = all((problem) => problems.push(problem));
      while (!(await readable.next()).done);
      return problems;
    },
    async remove({ id, start }: WorkflowRun): Promise<void> {
      if (start !== undefined) await store.remove(STARTS + storeKey(start));
      await store.remove(keyOf(id));
      ended.delete(id);
    },
  };
}

function keyOf(id: string): string {
  return RUNS + storeKey(`${id}.json`);
}

function toDocument(run: WorkflowRun): JsonValue {
  return run as unknown as JsonValue; // plain data all the way down
}

/** @throws {AssistantError} `FORMAT_TOO_NEW`; `STORE_UNSUITABLE` for a document that is no run. */
function readRun(value: unknown, key: string): WorkflowRun {
  return readDocument(
    value,
    key,
    RUN_FORMAT,
    ({ id, status, definition, place }) =>
      typeof id === "string" &&
      STATUSES.includes(status as string) &&
      isObject(definition) &&
      Array.isArray(definition["steps"]) &&
      isObject(place) &&
      typeof place["user"] === "string" &&
      isObject(place["home"]),
  ) as unknown as WorkflowRun; // only this room writes them
}
