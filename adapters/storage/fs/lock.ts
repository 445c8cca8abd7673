import { randomUUID } from "node:crypto";
import * as nodeFs from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { clearInterval, setInterval } from "node:timers";
import { AssistantError } from "../../../mod.ts";
import { diskError } from "./disk-error.ts";
import { errnoOf } from "./file-system.ts";
import { parseObject } from "./log-line.ts";
import type { Reporter } from "./report.ts";

/** The owner of a store, as its lock file names it. `started` distinguishes two processes that had the same pid. */
interface Owner {
  readonly pid: number;
  readonly host: string;
  readonly started: string;
  readonly token: string;
  /** The address where it serves, if it does. */
  readonly url?: string;
}

/** The process that has a store open, according to the lock. Holds no secret. */
export interface StoreHolder {
  /** Its process id, on its host. */
  readonly pid: number;
  /** The name of the machine or container. */
  readonly host: string;
  /** The address where it serves, if it announced one. */
  readonly url?: string;
}

export interface Lock {
  /** Throws `STORE_LOCKED` once another process has taken the lock away. */
  check(): void;
  /** Writes the address where this process serves into the lock. */
  announce(url: string): void;
  release(): void;
}

const BEAT_MS = 5_000;
/** Milliseconds without a heartbeat after which a lock of another machine or container counts as abandoned. */
const SILENT_MS = 30_000;

/**
 * Makes this process the only owner of the store at `root`.
 *
 * The lock is a file, since no runtime offers flock. A lock whose process is gone is taken over. Processes of another
 * host are not visible here, so the owner touches the file every 5 seconds, and 30 seconds of silence mean that it is
 * gone.
 * @throws {AssistantError} `STORE_LOCKED` when another process owns the store.
 */
export function takeLock(root: string, report: Reporter, now: () => number): Lock {
  const path = join(root, "lock");
  let owner: Owner = { pid: process.pid, host: hostname(), started: startOf(process.pid), token: randomUUID() };
  let stolen: AssistantError | undefined;

  for (let attempt = 0; !create(path, owner); attempt++) {
    const found = read(path);
    const refusal = found && refusalOf(found.owner, found.touchedMs, root);
    if (refusal !== undefined || attempt > 20)
      throw refusal ?? locked(root, "other processes keep opening it", "stop all but one");
    if (found === undefined) continue; // released between the two calls
    if (moveAway(path, found.text)) {
      report({
        kind: "lock-taken-over",
        level: "info",
        file: path,
        message: `The process that held ${JSON.stringify(path)} is gone (pid ${found.owner?.pid ?? "unknown"}): taken over`,
      });
    }
  }

  let lookedAt = now();
  const sinceLook = () => Math.abs(now() - lookedAt);

  function look(): void {
    if (stolen !== undefined) return;
    try {
      const found = read(path);
      // A person removed the lock, and this process still owns the store. After a longer pause, another process may
      // have come and gone.
      if (found === undefined && sinceLook() <= SILENT_MS) create(path, owner);
      else if (found === undefined)
        stolen = locked(
          root,
          "this process was suspended, and another process may have used it in the meantime",
          "start it again",
        );
      else if (found.owner?.token !== owner.token) {
        const { pid = "unknown", host = "unknown" } = found.owner ?? {};
        stolen = locked(root, `process ${pid} on ${host} has taken it over from this one`, "stop one of them");
      } else nodeFs.utimesSync(path, new Date(), new Date());
      lookedAt = now();
    } catch {
      // A failing disk shows in the next write, which can report it to its caller.
    }
  }
  const beat = setInterval(look, BEAT_MS);
  beat.unref();

  return {
    check() {
      // A process that was suspended gets here before its next heartbeat.
      if (sinceLook() > 2 * BEAT_MS) look();
      if (stolen !== undefined) throw stolen;
    },
    announce(url) {
      if (read(path)?.owner?.token !== owner.token) return;
      owner = { ...owner, url };
      const whole = asideOf(path, owner.token);
      try {
        nodeFs.writeFileSync(whole, textOf(owner));
        nodeFs.renameSync(whole, path);
      } catch (error) {
        nodeFs.rmSync(whole, { force: true });
        throw diskError("write the lock", path, error);
      }
    },
    release() {
      clearInterval(beat);
      if (read(path)?.owner?.token === owner.token) nodeFs.unlinkSync(path);
    },
  };
}

function create(path: string, owner: Owner): boolean {
  // Written to a temp file and linked, so that no process reads half a lock. If the process is killed, the temp file
  // is swept with the others.
  const whole = asideOf(path, owner.token);
  try {
    nodeFs.writeFileSync(whole, textOf(owner), { flag: "wx" });
    nodeFs.linkSync(whole, path);
    return true;
  } catch (error) {
    // ENOENT: another process took the lock and swept the temp files.
    if (errnoOf(error) === "EEXIST" || errnoOf(error) === "ENOENT") return false;
    throw diskError("lock", path, error);
  } finally {
    nodeFs.rmSync(whole, { force: true });
  }
}

/**
 * Reads which process has the store at `root` open, and where it serves.
 *
 * Source: docs/storage-fs.md, "One process".
 *
 * @returns `undefined` when there is no lock. The lock of a killed process stays until the next process opens the
 *   store.
 * @throws {AssistantError} `STORE_UNAVAILABLE` when the lock cannot be read.
 */
export function storeHolder(root: string): StoreHolder | undefined {
  const owner = read(join(root, "lock"))?.owner;
  if (owner === undefined) return undefined;
  const { pid, host, url } = owner;
  return { pid, host, ...(url !== undefined && { url }) };
}

function textOf(owner: Owner): string {
  return `${JSON.stringify({ v: 1, ...owner }, null, 2)}\n`;
}

function asideOf(path: string, name: string): string {
  return join(path, "..", "tmp", `lock.${name}`);
}

function read(path: string): { owner: Owner | undefined; text: string; touchedMs: number } | undefined {
  try {
    const text = nodeFs.readFileSync(path, "utf8");
    const touchedMs = nodeFs.statSync(path).mtimeMs;
    const { pid, host, started, token, url } = parseObject(text) ?? {};
    const whole =
      typeof pid === "number" && typeof host === "string" && typeof started === "string" && typeof token === "string";
    const owner = whole ? { pid, host, started, token, ...(typeof url === "string" && { url }) } : undefined;
    return { owner, text, touchedMs };
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw diskError("read the lock", path, error);
  }
}

/** Moves a dead lock away. If several processes try, the rename lets one through, and that one checks what it renamed. */
function moveAway(path: string, expected: string): boolean {
  const aside = asideOf(path, randomUUID());
  let ours: boolean;
  try {
    nodeFs.renameSync(path, aside);
    ours = nodeFs.readFileSync(aside, "utf8") === expected;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return false;
    throw diskError("take over", path, error);
  }
  if (!ours) {
    try {
      nodeFs.linkSync(aside, path); // it was another process's fresh lock: put it back
    } catch {
      // its owner notices at its next heartbeat
    }
  }
  nodeFs.rmSync(aside, { force: true });
  return ours;
}

/** The reason why the lock cannot be taken; `undefined` when its owner is gone. */
function refusalOf(owner: Owner | undefined, touchedMs: number, root: string): AssistantError | undefined {
  if (owner === undefined) return undefined; // no owner: this store never half-writes a lock
  if (owner.host !== hostname()) {
    if (Date.now() - touchedMs > SILENT_MS) return undefined;
    return locked(
      root,
      `process ${owner.pid} on host ${JSON.stringify(owner.host)} has it open`,
      `stop it there; if that host is gone, start again in ${SILENT_MS / 1000} seconds`,
    );
  }
  if (!isAlive(owner.pid)) return undefined;
  const started = startOf(owner.pid);
  if (started !== "" && owner.started !== "" && !sameStart(started, owner.started)) return undefined; // another process now has the pid
  return owner.pid === process.pid
    ? locked(root, `this process (pid ${owner.pid}) already has it open`, "use that store, or close it first")
    : locked(root, `process ${owner.pid} has it open`, "stop that process, or choose another root");
}

function locked(root: string, who: string, remedy: string): AssistantError {
  return new AssistantError("STORE_LOCKED", `Cannot open the store at ${JSON.stringify(root)}: ${who}; ${remedy}`);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return errnoOf(error) !== "ESRCH"; // EPERM: the process lives, under another user
  }
}

/** A killed process keeps its pid until its parent reaps it. */
function isZombie(pid: number): boolean {
  return statOf(pid)?.[0] === "Z";
}

/**
 * The fields of Linux's `/proc/<pid>/stat` from the state on; `undefined` on other systems, and when the process is
 * gone.
 */
function statOf(pid: number): string[] | undefined {
  try {
    const stat = nodeFs.readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" "); // the program's name, in brackets, may hold any character
  } catch {
    return undefined;
  }
}

/**
 * When a process started: exact on Linux (boot id and clock ticks), approximate for this process elsewhere, `""`
 * where it is unknown.
 */
function startOf(pid: number): string {
  try {
    const ticks = statOf(pid)?.[19];
    if (ticks !== undefined) return `${nodeFs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}:${ticks}`;
  } catch {
    // no /proc
  }
  return pid === process.pid ? String(Math.round(Date.now() - process.uptime() * 1000)) : "";
}

const START_TOLERANCE_MS = 2_000;

function sameStart(one: string, other: string): boolean {
  return one === other || Math.abs(Number(one) - Number(other)) < START_TOLERANCE_MS;
}
