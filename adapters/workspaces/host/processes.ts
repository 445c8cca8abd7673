import { readFileSync, readdirSync, readlinkSync, statSync } from "node:fs";
import { outputOf } from "./output-of.ts";

/** One process of this machine. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Resident memory in bytes, if the list shows it. */
  readonly residentBytes?: number;
  /** Whether a signal stopped it, so that it starts no process. Absent if the list does not show it. */
  readonly isHalted?: boolean;
}

/** Facts about processes that are visible from outside. */
export interface Processes {
  /** All processes that this user can see. */
  list(): Promise<readonly ProcessRow[]>;
  /** Memory of a process in bytes. Shared memory counts fully for each process. */
  residentBytes(row: ProcessRow): number;
  /** The same with shared memory divided among the processes that share it: exact, and slower. */
  proportionalBytes(row: ProcessRow): number;
  /** Blocks of the unlinked files that a process holds open, by device and number. */
  namelessFiles(row: ProcessRow): ReadonlyMap<string, number>;
}

/** A process and its descendants that are still in its group or below it. */
export function familyOf(leader: number, rows: readonly ProcessRow[]): readonly ProcessRow[] {
  const children = new Map<number, ProcessRow[]>();
  for (const row of rows) {
    const siblings = children.get(row.parent);
    if (siblings === undefined) children.set(row.parent, [row]);
    else siblings.push(row);
  }
  const found = new Map<number, ProcessRow>();
  const waiting = rows.filter(({ pid, group }) => pid === leader || group === leader);
  for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
    if (found.has(row.pid)) continue;
    found.set(row.pid, row);
    waiting.push(...(children.get(row.pid) ?? []));
  }
  return [...found.values()];
}

export function signalTo(pid: number, signal: "SIGKILL" | "SIGSTOP"): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended in the meantime.
  }
}

export function processesOf(platform: string = process.platform): Processes {
  return platform === "linux" ? LINUX : OTHER;
}

const LINUX: Processes = {
  async list() {
    return readdirSync("/proc").flatMap((name) => {
      if (!/^\d+$/u.test(name)) return [];
      const text = readIfThere(`/proc/${name}/stat`);
      // The program's name in brackets may hold any character, brackets too.
      const [state, parent, group] = text.slice(text.lastIndexOf(")") + 2).split(" ");
      if (state === undefined || state === "" || state === "Z" || state === "X") return [];
      return [{ pid: Number(name), parent: Number(parent), group: Number(group), isHalted: state === "T" }];
    });
  },
  // Programs and libraries do not count: the system can read them again.
  residentBytes: ({ pid }) => sumOf(readIfThere(`/proc/${pid}/status`), /^Rss(?:Anon|Shmem):\s+(\d+) kB$/gmu),
  proportionalBytes(row) {
    const rollup = readIfThere(`/proc/${row.pid}/smaps_rollup`);
    if (!/^Pss_Anon:/mu.test(rollup)) return LINUX.residentBytes(row);
    return sumOf(rollup, /^Pss_(?:Anon|Shmem):\s+(\d+) kB$/gmu);
  },
  namelessFiles({ pid }) {
    const found = new Map<string, number>();
    for (const name of namesIn(`/proc/${pid}/fd`)) {
      const path = `/proc/${pid}/fd/${name}`;
      try {
        if (!readlinkSync(path).endsWith(" (deleted)")) continue;
        const { nlink, blocks, dev, ino } = statSync(path);
        if (nlink === 0) found.set(`${dev}:${ino}`, blocks * 512);
      } catch {
        // It was closed in the meantime.
      }
    }
    return found;
  },
};

const OTHER: Processes = {
  list: async () => parseProcessList(await outputOf("/bin/ps", ["-axo", "pid=,ppid=,pgid=,rss="], { timeoutMs: 5000 })),
  residentBytes: ({ residentBytes = 0 }) => residentBytes,
  proportionalBytes: ({ residentBytes = 0 }) => residentBytes,
  namelessFiles: () => new Map(),
};

/** Parses the lines of `ps -axo pid=,ppid=,pgid=,rss=`. */
export function parseProcessList(text: string): readonly ProcessRow[] {
  return [...text.matchAll(/^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*$/gmu)].map(([, pid, parent, group, kilobytes]) => ({
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    residentBytes: Number(kilobytes) * 1024,
  }));
}

function sumOf(text: string, kilobytes: RegExp): number {
  let sum = 0;
  for (const [, value] of text.matchAll(kilobytes)) sum += Number(value) * 1024;
  return sum;
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
