import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { LogRecord } from "../../kit.ts";
import { BOT_SECRET, BOT_TOKEN } from "./bot-api.ts";
import { type Target, bin, peakBytesOf, projectRoot, statusOf } from "./host-target.ts";
import type { MemoryEvidence } from "./memory.ts";
import { ownTime, usedMs } from "./own-time.ts";
import type { Mode } from "./script.ts";

const CONFIG = join(import.meta.dirname, "worker", "wrangler.jsonc");
const WRANGLER = join(projectRoot, "node_modules", "wrangler", "wrangler-dist", "cli.js");
const START_LIMIT_MS = 180_000;

/** The kernel counts times in hundredths of a second. */
const TICK_MS = 10;

/** The Worker under `wrangler dev`, with its objects' databases in `folder`. A kill is one of the workerd process itself; wrangler, which does not start another, goes after it.
 * A start is counted from the beginning of the new workerd process: what wrangler does before that (loading itself, bundling) is no part of the assistant. */
export async function workerdTarget(options: {
  folder: string;
  apiBase(life: number): string;
  /** Of another Worker than the one of the busy chats. */
  config?: string;
}): Promise<Target> {
  let listenPort = 0;
  const said: string[] = [];
  const found: string[] = [];
  let child: ChildProcess | undefined;
  let gone: Promise<void> = Promise.resolve();
  let port = 0;
  let life = 0;
  let stopping = false;
  let lastRead: { readonly sessions: Map<string, LogRecord[]>; readonly memory: MemoryEvidence } | undefined;
  let ownStartMs = 0;
  let peakBytes = 0;

  async function start(nextLife: number, busyMode: Mode = "collect"): Promise<number> {
    const begun = performance.now();
    life = nextLife;
    stopping = false;
    lastRead = undefined;
    listenPort = 0;
    const vars = { API_BASE: options.apiBase(life), BOT_TOKEN, BOT_SECRET, MODE: busyMode };
    const started = spawn(
      bin("node"),
      [
        WRANGLER,
        "dev",
        ...["--config", options.config ?? CONFIG, "--port", "0", "--ip", "127.0.0.1", "--inspector-port", "0"],
        ...["--persist-to", join(options.folder, "state"), "--show-interactive-dev-session=false"],
        ...Object.entries(vars).flatMap(([name, value]) => ["--var", `${name}:${value}`]),
      ],
      {
        stdio: ["ignore", "pipe", "pipe"],
        cwd: options.folder,
        env: {
          ...process.env,
          CI: "1",
          NO_COLOR: "1",
          CLOUDFLARE_CF_FETCH_ENABLED: "false",
          WRANGLER_SEND_METRICS: "false",
        },
      },
    );
    child = started;
    gone = new Promise((resolve) => started.once("exit", () => resolve()));
    for (const stream of [started.stdout, started.stderr]) createInterface({ input: stream }).on("line", noteLine);
    const meter = ownTime(() => descendants(started.pid ?? 0), 100);
    try {
      while (performance.now() - begun < START_LIMIT_MS) {
        if (started.exitCode !== null || started.signalCode !== null || stopping) return -1;
        if (listenPort !== 0 && (await statusOf(listenPort, "/readyz")) === 200) {
          if (stopping) return -1;
          port = listenPort;
          const youngest = youngestWorkerd(started.pid ?? 0);
          const tookMs = youngest?.ageMs ?? performance.now() - begun;
          ownStartMs = Math.min(tookMs, (usedMs(youngest?.pid ?? 0) ?? tookMs) + meter.idleMs());
          return tookMs;
        }
        await sleep(20);
      }
    } finally {
      meter.end();
    }
    found.push(`it was not ready within ${START_LIMIT_MS} ms: ${said.slice(-5).join(" | ")}`);
    await kill();
    return -1;
  }

  function noteLine(line: string): void {
    said.push(line);
    if (said.length > 500) said.shift();
    if (line.includes("A handler failed")) found.push(`it said: ${line}`);
    // It takes a free port itself: one that was looked up for it could be another's by the time that it listens.
    const ready = /Ready on http:\/\/127\.0\.0\.1:(\d+)/.exec(line);
    if (ready) listenPort = Number(ready[1]);
  }

  /** workerd first, by its own id. */
  async function kill(): Promise<void> {
    port = 0;
    stopping = true;
    if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      const family = descendants(child.pid);
      peakBytes = Math.max(peakBytes, peakBytesOf(youngestWorkerd(child.pid)?.pid ?? 0));
      const isWorkerd = (pid: number) => nameOf(pid) === "workerd";
      for (const pid of [...family.filter(isWorkerd), ...family.filter((one) => !isWorkerd(one)), child.pid]) end(pid);
      await gone;
      while (family.some((pid) => existsSync(`/proc/${pid}/exe`))) await sleep(2);
    }
  }

  /** What the log says can only be read while it runs, and a start takes long: it is read before a stop. */
  async function readAll(): Promise<NonNullable<typeof lastRead>> {
    const response = await fetch(`http://127.0.0.1:${listenPort}/faults/state`);
    const { sessions, memory } = (await response.json()) as {
      readonly sessions: [string, LogRecord[]][];
      readonly memory: MemoryEvidence;
    };
    return { sessions: new Map(sessions), memory };
  }

  async function read(): Promise<NonNullable<typeof lastRead>> {
    if (lastRead) return lastRead;
    if ((await start(life + 1)) < 0) throw new Error("It does not start to be read");
    lastRead = await readAll();
    await kill();
    return lastRead;
  }

  return {
    get port() {
      return port;
    },
    start,
    kill,
    get ownStartMs() {
      return ownStartMs;
    },
    get peakBytes() {
      return peakBytes;
    },
    async stop() {
      if (port !== 0) {
        try {
          lastRead = await readAll();
        } catch (cause) {
          found.push(
            `it could not be read before the stop: ${errorText(cause)}; it said: ${said.slice(-5).join(" | ")}`,
          );
        }
      }
      const begun = performance.now();
      await kill();
      return performance.now() - begun;
    },
    sessions: async () => (await read()).sessions,
    memory: async () => (await read()).memory,
    effects: () => [],
    faults: () => Promise.resolve(found),
    said,
  };
}

function errorText(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return [error, cause]
    .filter((one) => one !== undefined)
    .map(String)
    .join(": ");
}

/** The newest workerd below a process, and how long ago it began. The oldest is wrangler's own, in front of the Worker's. */
function youngestWorkerd(pid: number): { pid: number; ageMs: number } | undefined {
  return descendants(pid)
    .filter((one) => nameOf(one) === "workerd")
    .map((one) => {
      const stat = readFileSync(`/proc/${one}/stat`, "utf8");
      const startedTicks = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]);
      const upMs = Number(readFileSync("/proc/uptime", "utf8").split(" ")[0]) * 1000;
      return { pid: one, ageMs: upMs - startedTicks * TICK_MS };
    })
    .toSorted((a, b) => a.ageMs - b.ageMs)[0];
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // it went with its parent
  }
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").trim();
  } catch {
    return "";
  }
}

/** Everything that a process started, and what that started. */
function descendants(pid: number): number[] {
  const parents = new Map<number, number[]>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
      parents.set(parent, [...(parents.get(parent) ?? []), Number(name)]);
    } catch {
      // gone meanwhile
    }
  }
  const below = (one: number): number[] => (parents.get(one) ?? []).flatMap((each) => [each, ...below(each)]);
  return below(pid);
}
