import type { ExecLimitName, ExecLimits } from "../../../kit.ts";
import { diskUsage } from "./disk-usage.ts";
import { familyOf, processesOf, signalTo } from "./processes.ts";
import type { ProcessRow, Processes } from "./processes.ts";

/** How often the processes of a command are looked at, in milliseconds. */
const LOOK_MS = 100;
/** How often new processes are looked for while a command is halted, and how long between, in milliseconds. */
const HALT_ROUNDS = 100;
const HALT_REST_MS = 2;
/** The disk is measured again after so many times the time that it took, so that a large workspace costs no more than a small one. */
const REST_FACTOR = 4;

export interface LimitWatch {
  readonly limits: Pick<ExecLimits, "diskBytes" | "memoryBytes" | "processes">;
  /** The workspace. */
  readonly root: string;
  /** What it took on the disk before the command began. */
  readonly usedBefore: number;
}

/**
 * Watches what the system itself does not limit for a whole command: how many processes it has, their memory together, and what it adds to the workspace.
 * Between two looks it can go over.
 *
 * @param leader The first process of the command's group.
 * @param stop Is called once, with the limit and the processes that are there.
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
      // A look that fails tells nothing; the next one may.
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
      // What one of them started last may be missing in the list in which it was halted itself, but not in the next.
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
