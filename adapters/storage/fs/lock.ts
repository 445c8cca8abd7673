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

/** The owner of a store, as its lock file says. `started` tells two processes with one pid apart. */
interface Owner {
  readonly pid: number;
  readonly host: string;
  readonly started: string;
  readonly token: string;
  /** Where it serves, if it does. */
  readonly url?: string;
}

/** The process that has a store open, as its lock says. Nothing of it is secret. */
export interface StoreHolder {
  /** Its process id, on its host. */
  readonly pid: number;
  /** The name of the machine or container. */
  readonly host: string;
  /** Where it serves, if it announced that. */
  readonly url?: string;
}

export interface Lock {
  /** Throws `STORE_LOCKED` once another process has taken the lock away. */
  check(): void;
  /** Writes into the lock where this process serves. */
  announce(url: string): void;
  release(): void;
}

const BEAT_MS = 5_000;
/** A lock of another machine (or container) that was not touched for so long belongs to nobody. */
const SILENT_MS = 30_000;

/**
 * Makes this process the only owner of the store at `root`.
 *
 * The lock is a file, since no runtime offers flock. A lock whose process is gone is taken over. For one of another host, whose processes cannot be
 * seen from here, the owner touches the file every 5 seconds and 30 seconds of silence mean that it is gone.
 * @throws {AssistantError} `STORE_LOCKED` when somebody else owns it.
 */
export function takeLock(root: string, report: Reporter, now: () => number): Lock {
  const path = join(root, "lock");
  let owner: Owner = { pid: process.pid, host: hostname(), started: startOf(process.pid), token: randomUUID() };
  let stolen: AssistantError | undefined;

  for (let attempt = 0; !create(path, owner); attempt++) {
    const found = read(path);
    const refusal = found && refusalOf(found.owner, found.touchedMs, root);
    if (refusal !== undefined || attempt > 20)
      throw refusal ?? locked(root, "other processes keep starting on it", "stop all but one");
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
      // Removed by hand: the store is still ours. Not after a pause so long that another may have come and gone.
      if (found === undefined && sinceLook() <= SILENT_MS) create(path, owner);
      else if (found === undefined)
        stolen = locked(root, "this process stood still, and another may have had it meanwhile", "start it again");
      else if (found.owner?.token !== owner.token) {
        const { pid = "unknown", host = "unknown" } = found.owner ?? {};
        stolen = locked(root, `process ${pid} on ${host} has taken it over from this one`, "stop one of them");
      } else nodeFs.utimesSync(path, new Date(), new Date());
      lookedAt = now();
    } catch {
      // A disk that fails shows in the next write, which has somebody to tell.
    }
  }
  const beat = setInterval(look, BEAT_MS);
  beat.unref();

  return {
    check() {
      // A process that stood still comes here before its next beat.
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
  // Written aside and linked, so that nobody reads half a lock. What a kill leaves of it is swept with the other temp files.
  const whole = asideOf(path, owner.token);
  try {
    nodeFs.writeFileSync(whole, textOf(owner), { flag: "wx" });
    nodeFs.linkSync(whole, path);
    return true;
  } catch (error) {
    // ENOENT: somebody else took the lock meanwhile, and swept.
    if (errnoOf(error) === "EEXIST" || errnoOf(error) === "ENOENT") return false;
    throw diskError("lock", path, error);
  } finally {
    nodeFs.rmSync(whole, { force: true });
  }
}

/**
 * Which process has the store at `root` open, and where it serves.
 *
 * Source: docs/storage-fs.md, "One process".
 *
 * @returns `undefined` when there is no lock. The lock of a process that was killed stays until the next one opens the store.
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

/** Takes a dead lock away. Of several processes that try, the rename lets one through; what was renamed is looked at again. */
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
      nodeFs.linkSync(aside, path); // it was another's fresh lock: put it back
    } catch {
      // that other notices at its next beat
    }
  }
  nodeFs.rmSync(aside, { force: true });
  return ours;
}

/** `undefined`: the lock's owner is gone. */
function refusalOf(owner: Owner | undefined, touchedMs: number, root: string): AssistantError | undefined {
  if (owner === undefined) return undefined; // nobody's: our own locks are never half written
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
  if (started !== "" && owner.started !== "" && !sameStart(started, owner.started)) return undefined; // the pid was given to another
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
    return errnoOf(error) !== "ESRCH"; // EPERM: it lives, under another user
  }
}

/** A killed process keeps its pid until its parent has asked for its end. */
function isZombie(pid: number): boolean {
  return statOf(pid)?.[0] === "Z";
}

/** What Linux tells of a process, from its state on; `undefined` elsewhere, and when it is gone. */
function statOf(pid: number): string[] | undefined {
  try {
    const stat = nodeFs.readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" "); // the program's name, in brackets, may hold anything
  } catch {
    return undefined;
  }
}

/** When a process started: exact on Linux (boot id and clock ticks), about right for our own elsewhere, `""` where it cannot be known. */
function startOf(pid: number): string {
  try {
    const ticks = statOf(pid)?.[19];
    if (ticks !== undefined) return `${nodeFs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}:${ticks}`;
  } catch {
    // as where there is no /proc
  }
  return pid === process.pid ? String(Math.round(Date.now() - process.uptime() * 1000)) : "";
}

const START_TOLERANCE_MS = 2_000;

function sameStart(one: string, other: string): boolean {
  return one === other || Math.abs(Number(one) - Number(other)) < START_TOLERANCE_MS;
}
