import { readFileSync, readdirSync } from "node:fs";

/** One look may stand for so long, in milliseconds, when who looks is kept waiting itself. */
const MAX_MS = 200;
/** The kernel counts processor time in hundredths of a second. */
const TICK_MS = 10;

/** How much of the time that passes is processes' own doing, not that of a machine which is busy with other work. */
export interface OwnTime {
  /** The time in which no thread of them wanted a processor or the disk, as while they wait for a timer, in milliseconds. */
  idleMs(): number;
  /** That, and the time for which the first of them used a processor; never more than passed, and that where the system does not tell. */
  ownMs(): number;
  /** Looks no longer. */
  end(): void;
}

/**
 * @param family The processes, the first of them the one that is measured.
 * @param everyMs How often they are looked at. Default 20.
 */
export function ownTime(family: () => readonly number[], everyMs = 20): OwnTime {
  const begunMs = performance.now();
  const usedBefore = usedMs(family()[0] ?? 0);
  let used = usedBefore;
  let seenMs = begunMs;
  let idleMs = 0;
  let endedMs: number | undefined;

  function look(): void {
    const nowMs = performance.now();
    const pids = family();
    if (pids.length > 0 && pids.every(wantsNothing)) idleMs += Math.min(MAX_MS, nowMs - seenMs);
    used = usedMs(pids[0] ?? 0) ?? used;
    seenMs = nowMs;
  }
  const timer = setInterval(look, everyMs);
  timer.unref();
  return {
    idleMs: () => idleMs,
    ownMs() {
      const passedMs = (endedMs ?? performance.now()) - begunMs;
      if (usedBefore === undefined || used === undefined) return passedMs;
      return Math.min(passedMs, used - usedBefore + idleMs);
    },
    end() {
      clearInterval(timer);
      if (endedMs === undefined) look();
      endedMs ??= performance.now();
    },
  };
}

/** How long a process used a processor, all its threads, also those that ended. `undefined`: it is gone, or the system does not tell. */
export function usedMs(pid: number): number | undefined {
  const [, , , , , , , , , , , user, system] = statOf(`/proc/${pid}/stat`);
  return user === undefined ? undefined : (Number(user) + Number(system)) * TICK_MS;
}

/** No thread runs, waits for a processor or waits for the disk. */
function wantsNothing(pid: number): boolean {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.every((thread) => !/^[RD]$/.test(statOf(`/proc/${pid}/task/${thread}/stat`)[0] ?? ""));
  } catch {
    return false; // gone meanwhile, or the system does not tell
  }
}

/** From the state on, which follows the name in brackets. */
function statOf(path: string): readonly string[] {
  try {
    const stat = readFileSync(path, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}
