import type { ExecLimitName, ExecLimits } from "../../../kit.ts";
import { diskUsage } from "./disk-usage.ts";
import { familyOf, processesOf, signalTo } from "./processes.ts";
import type { ProcessRow, Processes } from "./processes.ts";

/** Interval between two looks at the processes of a command, in milliseconds. */
const LOOK_MS = 100;
/** Most searches for new processes while a command is halted, and the milliseconds between two. */
const HALT_ROUNDS = 100;
const HALT_REST_MS = 2;
/**
 * Pause before the next disk measurement, as a multiple of the last one's duration: a large workspace costs no more
 * than a small one.
 */
const REST_FACTOR = 4;

export interface LimitWatch {
  readonly limits: Pick<ExecLimits, "diskBytes" | "memoryBytes" | "processes">;
  /** The workspace. */
  readonly root: string;
  /** Bytes that it took on the disk before the command began. */
  readonly usedBefore: number;
}

/**
 * Watches limits that the system does not enforce for a whole command: its processes, their total memory, and what it
 * adds to the workspace. The command can exceed a limit between two looks.
 *
 * @param leader The first process of the command's group.
 * @param stop Is called once, with the limit and the existing processes.
 * @returns A function that ends the watch.
 */
export function watchLimits(
  leader: number,
  watch: LimitWatch,
  stop: (limit: ExecLimitName, family: readonly number[]) => void,
  processes: Processes = processesOf(),
): () => void {
  const { limits, root, usedBefore } = watch;
  const ending = new AbortController();
  const timers = new Set<ReturnType<typeof setTimeout>>();
  let family: readonly ProcessRow[] = [];

  function later(ms: number, work: () => Promise<void>): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      // A failed look tells nothing; the next one may succeed.
      void work().catch(() => {});
    }, ms);
    timers.add(timer);
  }

  async function over(limit: ExecLimitName): Promise<void> {
    if (ending.signal.aborted) return;
    end();
    const pids = await halted();
    stop(limit, pids);
  }

  /** Halts the processes until they start no others: one that left the group could not be found once its parent is gone. */
  async function halted(): Promise<readonly number[]> {
    const pids = new Set(family.map(({ pid }) => pid));
    for (let round = 0, wereHalted = false; round < HALT_ROUNDS; round++) {
      for (const pid of pids) signalTo(pid, "SIGSTOP");
      const known = pids.size;
      const rows = familyOf(leader, await processes.list());
      for (const { pid } of rows) pids.add(pid);
      // A list can miss a process that another one started just before it was halted. The next list shows it.
      if (pids.size === known && wereHalted) break;
      wereHalted = rows.every(({ isHalted = true }) => isHalted);
      await new Promise((resolve) => setTimeout(resolve, HALT_REST_MS));
    }
    return [...pids];
  }

  function end(): void {
    ending.abort();
    for (const timer of timers) clearTimeout(timer);
  }

  const sumOf = (bytesOf: (row: ProcessRow) => number) => family.reduce((sum, row) => sum + bytesOf(row), 0);

  async function lookAtProcesses(): Promise<void> {
    try {
      family = familyOf(leader, await processes.list());
      if (family.length > limits.processes) await over("processes");
      else if (
        sumOf(processes.residentBytes) > limits.memoryBytes &&
        sumOf(processes.proportionalBytes) > limits.memoryBytes
      )
        await over("memoryBytes");
    } finally {
      if (!ending.signal.aborted) later(LOOK_MS, lookAtProcesses);
    }
  }

  async function lookAtDisk(): Promise<void> {
    const startedAt = performance.now();
    try {
      const used = await diskUsage(root, ending.signal);
      const nameless = new Map(family.flatMap((row) => [...processes.namelessFiles(row)]));
      const added = used - usedBefore + [...nameless.values()].reduce((sum, bytes) => sum + bytes, 0);
      if (added > limits.diskBytes) await over("diskBytes");
    } finally {
      const restMs = Math.max(LOOK_MS, REST_FACTOR * (performance.now() - startedAt));
      if (!ending.signal.aborted) later(restMs, lookAtDisk);
    }
  }

  later(LOOK_MS, lookAtProcesses);
  later(LOOK_MS, lookAtDisk);
  return end;
}
