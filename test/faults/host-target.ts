import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { hostPlatform } from "../../adapters/platform/host/index.ts";
import { fsStore } from "../../adapters/storage/fs/index.ts";
import type { StoreReport } from "../../adapters/storage/fs/index.ts";
import type { LogRecord, Store } from "../../kit.ts";
import { programFile } from "../support/programs.ts";
import type { ChildOptions } from "./assistant-child.ts";
import { type MemoryEvidence, readMemory } from "./memory.ts";
import { ownTime } from "./own-time.ts";
import type { Effect, Mode } from "./script.ts";

/** An assistant in a process of its own, whatever holds it. */
export interface Target {
  /** Where it listens; 0 while it does not. */
  readonly port: number;
  /** Starts its next life, in a queue mode if it is to be a busy one, and waits until it is ready. @returns How long that took, in milliseconds; -1 when it was killed meanwhile. */
  start(life: number, busyMode?: Mode): Promise<number>;
  /** How much of its last start was its own doing: it worked, or waited for something other than the machine. */
  readonly ownStartMs: number;
  /** Ends it without warning, and waits until it is gone. */
  kill(): Promise<void>;
  /** Ends it as an operator does. @returns How long that took. */
  stop(): Promise<number>;
  /** The most memory that one of its lives had, in bytes. 0 where the system does not tell. */
  readonly peakBytes: number;
  /** The records of every session's log and of its summaries. Only while it is not running. */
  sessions(): Promise<ReadonlyMap<string, readonly LogRecord[]>>;
  /** What is remembered of everybody. Only while it is not running. */
  memory(): Promise<MemoryEvidence>;
  effects(): readonly Effect[];
  /** Faults that it noticed itself: what the store reported, files that should be gone. */
  faults(): Promise<readonly string[]>;
  /** What it said on its standard output, newest last. */
  readonly said: readonly string[];
}

export type HostRuntime = "node" | "bun" | "deno";

export const projectRoot = join(import.meta.dirname, "..", "..");
export const bin = (name: string) => join(projectRoot, "node_modules", ".bin", name);

/** What runs a script of this folder on each. */
export const COMMANDS: Readonly<Record<HostRuntime, readonly [string, ...string[]]>> = {
  node: [bin("node")],
  bun: [bin("bun")],
  deno: [bin("deno"), "run", "-A", "--node-modules-dir=manual"],
};
/** Longer than this a start has failed. */
const START_LIMIT_MS = 120_000;
/** Of a stop, without the time in which it waited for the machine. */
const STOP_LIMIT_MS = 12_000;
const MAX_STOP_MS = 120_000;
const ANSWER_LIMIT_MS = 10_000;
/** What a kill may leave and a start reports. Anything else, damage above all, is a fault. */
const EXPECTED_REPORTS: readonly StoreReport["kind"][] = ["torn-tail", "swept", "lock-taken-over", "replayed"];

export function hostTarget(
  runtime: HostRuntime,
  given: Omit<ChildOptions, "apiBase"> & { apiBase(life: number): string; errorsExpected?: boolean },
): Target {
  const { apiBase, errorsExpected = false, ...options } = given;
  const [command, ...args] = COMMANDS[runtime];
  const said: string[] = [];
  const found: string[] = [];
  let child: ChildProcess | undefined;
  let gone: Promise<void> = Promise.resolve();
  let port = 0;
  let startedAtMs = 0;
  let ownStartMs = 0;
  let peakBytes = 0;
  /** Its end was ordered, so whatever its start comes to is no fault. */
  let doomed = false;

  function noteLine(line: string): void {
    said.push(line);
    if (said.length > 500) said.shift();
    // On a machine that is busy with other work, a turn goes on without memory; what it is to keep is looked for in the end.
    if (/The handler memory-\w+ of \S+ took longer/.test(line)) return;
    if (!errorsExpected && (line.startsWith("error ") || line.startsWith("stderr "))) found.push(`it said: ${line}`);
    if (!line.startsWith("report ")) return;
    const report = JSON.parse(line.slice("report ".length)) as StoreReport;
    const isExpected =
      EXPECTED_REPORTS.includes(report.kind) || (errorsExpected && report.kind === "checkpoint-failed");
    if (!isExpected) found.push(`the store reported ${report.kind}: ${report.message}`);
  }

  async function start(life: number, busyMode?: Mode): Promise<number> {
    const begun = performance.now();
    startedAtMs = Date.now();
    doomed = false;
    const childOptions = { ...options, apiBase: apiBase(life), ...(busyMode !== undefined && { busyMode }) };
    const program = programFile("test/faults/assistant-child.ts");
    const started = spawn(command, [...args, program, JSON.stringify(childOptions)], {
      stdio: ["pipe", "pipe", "pipe"],
    });
    child = started;
    const meter = ownTime(() => [started.pid ?? 0]);
    gone = new Promise((resolve) => started.once("exit", () => resolve()));
    const listening = new Promise<number>((resolve) => {
      createInterface({ input: started.stdout }).on("line", (line) => {
        noteLine(line);
        if (line.startsWith("ready ")) resolve(Number(line.slice("ready ".length)));
      });
      createInterface({ input: started.stderr }).on("line", (line) => noteLine(`stderr ${line}`));
      void gone.then(() => resolve(-1));
      setTimeout(() => resolve(-2), START_LIMIT_MS).unref();
    });
    const serves = listening.then(async (bound) => ({
      bound,
      ready: bound < 0 ? 0 : await statusOf(bound, "/readyz"),
    }));
    const { bound, ready } = await serves.finally(meter.end);
    if (doomed) return -1;
    if (bound === -2) {
      found.push(`it was not ready within ${START_LIMIT_MS} ms`);
      await kill();
    }
    if (bound < 0) {
      if (started.exitCode !== null)
        found.push(`it ended with code ${started.exitCode} instead of starting: ${said.slice(-5).join(" | ")}`);
      return -1;
    }
    if (ready !== 200) found.push(`/readyz answered ${ready} after the start`);
    port = bound;
    const tookMs = performance.now() - begun;
    ownStartMs = meter.ownMs();
    found.push(...leftFiles());
    return tookMs;
  }

  async function openStore(): Promise<Store> {
    if (options.store.kind === "redis") {
      const { redisStore } = await import("../../adapters/storage/redis/index.ts");
      return redisStore({ url: options.store.url });
    }
    return fsStore({
      root: options.store.root,
      onReport: ({ kind, message }) => {
        if (!EXPECTED_REPORTS.includes(kind)) found.push(`the store reported ${kind} at the end: ${message}`);
      },
    });
  }

  /** Files of writes that an earlier life began. Those of this life are its own business. */
  function leftFiles(): string[] {
    if (options.store.kind !== "fs") return [];
    const { root } = options.store;
    const folders = [join(root, "tmp"), root].filter((folder) => existsSync(folder));
    return folders.flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => folder !== root || /^lock\.|\.tmp$/.test(name))
        .map((name) => join(folder, name))
        .filter((path) => isOlder(path, startedAtMs - 20))
        .map((path) => `an unfinished file of an earlier life is left: ${path}`),
    );
  }

  async function kill(): Promise<void> {
    port = 0;
    doomed = true;
    peakBytes = Math.max(peakBytes, peakBytesOf(child?.pid ?? 0));
    child?.kill("SIGKILL");
    await gone;
  }

  async function stop(): Promise<number> {
    const begun = performance.now();
    port = 0;
    peakBytes = Math.max(peakBytes, peakBytesOf(child?.pid ?? 0));
    const meter = ownTime(() => [child?.pid ?? 0]);
    const timer = setInterval(() => {
      if (meter.ownMs() < STOP_LIMIT_MS && performance.now() - begun < MAX_STOP_MS) return;
      clearInterval(timer);
      found.push(`it did not end within ${STOP_LIMIT_MS} ms of SIGTERM`);
      child?.kill("SIGKILL");
    }, 100);
    child?.kill("SIGTERM");
    await gone;
    clearInterval(timer);
    meter.end();
    return performance.now() - begun;
  }

  return {
    get port() {
      return port;
    },
    start,
    get ownStartMs() {
      return ownStartMs;
    },
    get peakBytes() {
      return peakBytes;
    },
    kill,
    stop,
    sessions: async () => readSessions(await openStore()),
    async memory() {
      const store = await openStore();
      try {
        return await readMemory(store, hostPlatform);
      } finally {
        await store.close?.();
      }
    },
    effects: () => (existsSync(options.effects) ? readEffects(options.effects) : []),
    faults: () => Promise.resolve(found),
    said,
  };
}

/** The most memory that a process had at once, in bytes. */
export function peakBytesOf(pid: number): number {
  try {
    const [, kilobytes = "0"] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kilobytes) * 1024;
  } catch {
    return 0; // gone, or not Linux
  }
}

/** 0: no answer. */
export async function statusOf(port: number, path: string): Promise<number> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
    await response.text();
    return response.status;
  } catch {
    return 0;
  }
}

function isOlder(path: string, thanMs: number): boolean {
  try {
    return statSync(path).mtimeMs < thanMs;
  } catch {
    return false; // gone meanwhile
  }
}

function readEffects(path: string): Effect[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Effect);
}

export async function readSessions(store: Store): Promise<Map<string, LogRecord[]>> {
  const sessions = new Map<string, LogRecord[]>();
  for await (const { key } of store.list("sessions/")) {
    if (!/\/(log|summary)\.jsonl$/.test(key)) continue;
    const records: LogRecord[] = [];
    for await (const { seq, record } of store.read(key)) records.push({ seq, ...record });
    sessions.set(key, records);
  }
  await store.close?.();
  return sessions;
}
