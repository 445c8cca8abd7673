import type { Clock } from "../clock.ts";
import { ConflictError } from "../errors.ts";
import { type LogRecord, type Store, keySegments } from "../store/index.ts";
import type { Jobs } from "./jobs.ts";
import { RUNS, STAYING, idOfLine, logOfRuns, stayingLines, textIn } from "./runs.ts";

const DAY_MS = 86_400_000;
const LOGS_A_SWEEP = 50;
/**
 * A job that is due within this time keeps its lines until a later sweep, so that no claim is lost. Less than the
 * minute between two due times of a job.
 */
const QUIET_MS = 35_000;

export interface OldRunsDeps {
  readonly store: Store;
  readonly jobs: Pick<Jobs, "get">;
  readonly clock: Pick<Clock, "now">;
}

/**
 * @returns A function that removes the lines of runs that ended more than `days` ago. 0 days: none.
 * The newest run of a job stays, since its claim prevents a second run at the same time. A job with a run under way
 * keeps all lines until the next sweep.
 * A crash loses nothing: the remaining lines are stored in a document until they are back in their log.
 */
export function createOldRuns({ store, jobs, clock }: OldRunsDeps, { days }: { readonly days: number }) {
  return async function sweep({ after, signal }: { readonly after?: string; readonly signal: AbortSignal }) {
    if (days === 0) return {};
    let left = LOGS_A_SWEEP;
    let isBusy = false;
    for await (const { key } of store.list(RUNS, after === undefined ? {} : { after })) {
      if (signal.aborted) return {};
      const name = keySegments(key).at(-1) ?? "";
      if (name.endsWith(STAYING)) await putBackLeft(name.slice(0, -STAYING.length));
      else if (name.endsWith(".jsonl") && (await trim(name.slice(0, -".jsonl".length)))) isBusy = true;
      left -= 1;
      if (left === 0) return { next: key, isBusy };
    }
    return { isBusy };
  };

  /** @returns Whether lines that are too old stay because a run is under way or due soon. */
  async function trim(job: string): Promise<boolean> {
    const log = logOfRuns(job);
    const since = new Date(clock.now() - days * DAY_MS).toISOString();
    const endOf = new Map<string, string | undefined>();
    const lines: LogRecord[] = [];
    let lastSeq = 0;
    for await (const { seq, record } of store.read(log)) {
      lastSeq = seq;
      lines.push(record);
      const run = textIn(record["run_id"]);
      endOf.set(run, record["type"] === "ended" ? textIn(record["ended"]) : endOf.get(run));
    }
    const newest = [...endOf.keys()].at(-1);
    const isOld = (run: string) => run !== newest && (endOf.get(run) ?? "9") < since;
    const staying = lines.filter((line) => !isOld(textIn(line["run_id"])));
    const isUnderWay = [...endOf.values()].includes(undefined);
    if (staying.length === lines.length) return false;
    if (isUnderWay) return true;
    const due = (await jobs.get(job))?.nextRunAt;
    if (due && due.getTime() - clock.now() < QUIET_MS) return true;
    await store.put(stayingLines(job), { lines: staying });
    try {
      await store.remove(log, { expect: lastSeq });
    } catch (error) {
      if (!ConflictError.is(error)) throw error;
      await store.remove(stayingLines(job)); // a run was claimed in the meantime, or another process sweeps
      return true;
    }
    // From memory, since another process that sweeps may have removed the document.
    await putBack(job, staying);
    return false;
  }

  /** Restores the lines that a crashed process left in the document. */
  async function putBackLeft(job: string): Promise<void> {
    const found = await store.get(stayingLines(job));
    const { lines = [] } = (found?.value ?? {}) as { readonly lines?: readonly LogRecord[] };
    await putBack(job, lines);
  }

  /** Appends each line under its old id, so that doing it twice changes nothing. */
  async function putBack(job: string, lines: readonly LogRecord[]): Promise<void> {
    for (const line of lines) await store.append(logOfRuns(job), line, { id: idOfLine(line) });
    await store.remove(stayingLines(job));
  }
}
