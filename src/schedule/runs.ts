import type { Clock } from "../clock.ts";
import { type LogRecord, type Store, storeKey } from "../store/index.ts";
import type { JobRun } from "./job.ts";

/** Where the lines of runs are, a log for each job. */
export const RUNS = "jobs/runs/";
export const STAYING = ".staying";
const FORMAT = 1;
/** So many of the newest lines are read first; more of them where the runs that are meant lie before. */
const LOOKED_AT = 300;
/** Longest output that is kept of a run, in characters; the conversation has all of it. */
const MAX_OUTPUT_CHARS = 4000;

export interface RunEnd {
  readonly status: "success" | "failed" | "skipped";
  readonly started: number;
  readonly error?: string;
  readonly reason?: string;
  readonly tokens?: number;
  readonly output?: string;
}

/** A run as its lines say. */
export interface KnownRun extends JobRun {
  /** How often it was tried, from 1 on; 0: not yet. */
  readonly attempt: number;
  /** Not before this time, when it failed and is tried again. */
  readonly notBefore?: Date;
  /** The task that the owner agreed to, if they did. */
  readonly agreedTask?: string;
  /** Somebody asked for it: whether it is its time is not looked at. */
  readonly byHand: boolean;
}

/** What became of a job's planned times: a log for each job. */
export type Runs = ReturnType<typeof createRuns>;

/**
 * Runs of jobs. A run is claimed by the first line of its id: a second claim of the same planned time, by this process or another, changes nothing. Its end is
 * one more line.
 *
 * Source: docs/jobs.md, "Runs".
 */
export function createRuns({ store, clock }: { readonly store: Store; readonly clock: Pick<Clock, "now"> }) {
  const write = (job: string, line: LogRecord) => store.append(logOfRuns(job), line, { id: idOfLine(line) });

  /** @returns False when this time of the job was claimed before. */
  async function claim(job: string, planned: number, byHand = false): Promise<boolean> {
    const runId = runIdOf(job, planned);
    const record = { v: FORMAT, type: "claimed", run_id: runId, planned: iso(planned), at: iso(clock.now()) };
    const { duplicate } = await write(job, byHand ? { ...record, by_hand: true } : record);
    return !duplicate;
  }

  /** Claims a time and ends it at once, in one line. @returns False when this time of the job was claimed before: then nothing changes. */
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

  /** It failed, and is tried again. */
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

  /** The owner agrees to it. */
  async function agree(job: string, planned: number, task: string): Promise<void> {
    const run_id = runIdOf(job, planned);
    await write(job, { v: FORMAT, type: "agreed", run_id, task, at: iso(clock.now()) });
  }

  /** Its end is written once, whoever writes it. */
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

  /** What the newest lines say, the oldest run first: as many lines as it takes. A run whose first line lies before them is left out. */
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

  /** The newest runs of a job, the newest first. */
  async function list(job: string, limit = 20): Promise<readonly KnownRun[]> {
    const runs = await readBack(job, ({ size }) => size >= limit);
    return [...runs.values()].toReversed().slice(0, limit);
  }

  /** One run, as far as it is known. */
  async function find(job: string, planned: number): Promise<KnownRun | undefined> {
    const id = runIdOf(job, planned);
    return (await readBack(job, (runs) => runs.has(id))).get(id);
  }

  async function remove(job: string): Promise<void> {
    await store.remove(stayingLines(job));
    await store.remove(logOfRuns(job));
  }

  /** Gives another job the lines of one. Contract: a line that it has is there once. */
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

/** The lines that stay, while their log is written anew without the old ones. */
export function stayingLines(job: string): string {
  return storeKey("jobs", "runs", `${job}${STAYING}`);
}

/** Under which id a line was appended: a second one with it changes nothing. */
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

/** A run as people read it: in exports, and over HTTP. */
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
