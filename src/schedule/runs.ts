import type { Clock } from "../clock.ts";
import { type LogRecord, type Store, storeKey } from "../store/index.ts";
import type { JobRun } from "./job.ts";

/** Prefix of the logs of runs, one log per job. */
export const RUNS = "jobs/runs/";
export const STAYING = ".staying";
const FORMAT = 1;
/** Newest lines that are read first. More are read when the wanted runs are older. */
const LOOKED_AT = 300;
/** Longest stored output of a run, in characters. The conversation has all of it. */
const MAX_OUTPUT_CHARS = 4000;

export interface RunEnd {
  readonly status: "success" | "failed" | "skipped";
  readonly started: number;
  readonly error?: string;
  readonly reason?: string;
  readonly tokens?: number;
  readonly output?: string;
}

/** A run as folded from its lines. */
export interface KnownRun extends JobRun {
  /** Number of tries; 0: none yet. */
  readonly attempt: number;
  /** Earliest time of the next retry. */
  readonly notBefore?: Date;
  /** The task that the owner approved. */
  readonly agreedTask?: string;
  /** Whether the run was requested, so that the schedule is not checked. */
  readonly byHand: boolean;
}

/** Outcomes of a job's planned times, one log per job. */
export type Runs = ReturnType<typeof createRuns>;

/**
 * Runs of jobs. The first line of an id claims its run: a second claim of the same planned time, by this process or
 * another, changes nothing. The end is one more line.
 *
 * Source: docs/jobs.md, "Runs".
 */
export function createRuns({ store, clock }: { readonly store: Store; readonly clock: Pick<Clock, "now"> }) {
  const write = (job: string, line: LogRecord) => store.append(logOfRuns(job), line, { id: idOfLine(line) });

  /** @returns False when this time of the job was already claimed. */
  async function claim(job: string, planned: number, byHand = false): Promise<boolean> {
    const runId = runIdOf(job, planned);
    const record = { v: FORMAT, type: "claimed", run_id: runId, planned: iso(planned), at: iso(clock.now()) };
    const { duplicate } = await write(job, byHand ? { ...record, by_hand: true } : record);
    return !duplicate;
  }

  /** Claims a time and ends it in one line. @returns False when the time was already claimed; then nothing changes. */
  async function skip(job: string, planned: number, reason: string): Promise<boolean> {
    const now = iso(clock.now());
    const { duplicate } = await write(job, {
      v: FORMAT,
      type: "ended",
      claims: true,
      run_id: runIdOf(job, planned),
      planned: iso(planned),
      started: now,
      ended: now,
      status: "skipped",
      reason,
    });
    return !duplicate;
  }

  /** Records a failed try and the time of the next one. */
  async function retry(job: string, planned: number, attempt: number, error: string, notBefore: number): Promise<void> {
    const run_id = runIdOf(job, planned);
    const record = {
      v: FORMAT,
      type: "retry",
      run_id,
      attempt,
      error,
      not_before: iso(notBefore),
      at: iso(clock.now()),
    };
    await write(job, record);
  }

  /** Records that the owner approved the run. */
  async function agree(job: string, planned: number, task: string): Promise<void> {
    const run_id = runIdOf(job, planned);
    await write(job, { v: FORMAT, type: "agreed", run_id, task, at: iso(clock.now()) });
  }

  /** Records the end of a run. Only the first end counts. */
  async function end(job: string, planned: number, { started, output, ...rest }: RunEnd): Promise<void> {
    const run_id = runIdOf(job, planned);
    const record: LogRecord = {
      v: FORMAT,
      type: "ended",
      run_id,
      planned: iso(planned),
      started: iso(started),
      ended: iso(clock.now()),
      ...rest,
      ...(output !== undefined && { output: output.slice(0, MAX_OUTPUT_CHARS) }),
    };
    await write(job, record);
  }

  /**
   * Folds the newest lines into runs, oldest first. Reads more until there are enough. A run whose first line was not
   * read is left out.
   */
  async function readBack(job: string, isEnough: (runs: ReadonlyMap<string, KnownRun>) => boolean) {
    for (let last = LOOKED_AT; ; last *= 4) {
      const runs = new Map<string, KnownRun>();
      const cut = new Set<string>();
      let lines = 0;
      for await (const { record } of store.read(logOfRuns(job), { last })) {
        lines += 1;
        const id = textIn(record["run_id"]);
        if (!runs.has(id) && idOfLine(record) !== id) cut.add(id);
        runs.set(id, changed(runs.get(id) ?? emptyRun(id), record));
      }
      if (lines < last) return runs;
      for (const id of cut) runs.delete(id);
      if (isEnough(runs)) return runs;
    }
  }

  /** The newest runs of a job, newest first. */
  async function list(job: string, limit = 20): Promise<readonly KnownRun[]> {
    const runs = await readBack(job, ({ size }) => size >= limit);
    return [...runs.values()].toReversed().slice(0, limit);
  }

  /** Finds a run. */
  async function find(job: string, planned: number): Promise<KnownRun | undefined> {
    const id = runIdOf(job, planned);
    return (await readBack(job, (runs) => runs.has(id))).get(id);
  }

  async function remove(job: string): Promise<void> {
    await store.remove(stayingLines(job));
    await store.remove(logOfRuns(job));
  }

  /** Copies the newest lines of a job to another one. Contract: a line that exists there is not added again. */
  async function copy(job: string, to: string): Promise<void> {
    for await (const { record } of store.read(logOfRuns(job), { last: LOOKED_AT })) {
      const run = textIn(record["run_id"]);
      await write(to, { ...record, run_id: run.replace(`${job}:`, () => `${to}:`) });
    }
  }

  return { claim, skip, retry, agree, end, list, find, copy, remove };
}

export function runIdOf(job: string, planned: number): string {
  return `${job}:${planned}`;
}

export function logOfRuns(job: string): string {
  return storeKey("jobs", "runs", `${job}.jsonl`);
}

/** Holds the lines that stay while the log is rewritten without old ones. */
export function stayingLines(job: string): string {
  return storeKey("jobs", "runs", `${job}${STAYING}`);
}

/** The idempotency key of a line: appending it again changes nothing. */
export function idOfLine(line: LogRecord): string {
  const run = textIn(line["run_id"]);
  switch (line["type"]) {
    case "retry":
      return `${run}#${Number(line["attempt"])}`;
    case "agreed":
      return `${run}#agreed`;
    case "ended":
      return line["claims"] === true ? run : `${run}#end`;
    default:
      return run;
  }
}

function emptyRun(runId: string): KnownRun {
  const planned = new Date(Number(runId.slice(runId.lastIndexOf(":") + 1)));
  return { runId, planned, status: "waiting", attempt: 0, byHand: false };
}

function changed(known: KnownRun, record: LogRecord): KnownRun {
  switch (record["type"]) {
    case "claimed":
      return { ...known, byHand: record["by_hand"] === true };
    case "agreed":
      return { ...known, agreedTask: textIn(record["task"]) };
    case "retry":
      return {
        ...known,
        attempt: Number(record["attempt"]),
        error: textIn(record["error"]),
        notBefore: new Date(textIn(record["not_before"])),
      };
    case "ended": {
      const { started, ended, status, error, reason, tokens, output } = record;
      const { notBefore: _tried, error: _before, ...rest } = known;
      return {
        ...rest,
        status: status as KnownRun["status"],
        started: new Date(textIn(started)),
        ended: new Date(textIn(ended)),
        ...(typeof error === "string" && { error }),
        ...(typeof reason === "string" && { reason }),
        ...(typeof tokens === "number" && { tokens }),
        ...(typeof output === "string" && { output }),
      };
    }
    default:
      return known;
  }
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

export function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A run for exports and HTTP. */
export function plainRun({ runId, planned, started, ended, status, error, reason, tokens, output }: JobRun) {
  return {
    run_id: runId,
    planned: planned.toISOString(),
    status,
    ...(started && { started: started.toISOString() }),
    ...(ended && { ended: ended.toISOString() }),
    ...(error !== undefined && { error }),
    ...(reason !== undefined && { reason }),
    ...(tokens !== undefined && { tokens }),
    ...(output !== undefined && { output }),
  };
}
