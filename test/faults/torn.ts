import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type StoreReport, fsStore } from "../../adapters/storage/fs/index.ts";
import { type Chance, seeded } from "../support/seeded.ts";
import { startChats } from "./load.ts";
import { type HostRuntime, readSessions } from "./host-target.ts";
import type { Checks } from "./report.ts";
import { PATIENCE_MS, few, inScene, until } from "./scene.ts";

type Damage = (bytes: Buffer, chance: Chance) => Buffer;

/** Somewhere inside the last line. */
const cutLastLine: Damage = (bytes, chance) => {
  const start = bytes.lastIndexOf(10, bytes.length - 2) + 1;
  return bytes.subarray(0, start + 1 + Math.floor(chance() * (bytes.length - start - 2)));
};
const cutHalf: Damage = (bytes, chance) => bytes.subarray(0, Math.floor(bytes.length * (0.3 + 0.4 * chance())));
/** What a file system may leave where it had not written yet. */
const nulTail: Damage = (bytes) => Buffer.concat([bytes, Buffer.alloc(512)]);
const flipMiddle: Damage = (bytes, chance) => {
  const flipped = Buffer.from(bytes);
  const at = Math.floor(bytes.length * (0.2 + 0.5 * chance()));
  for (let offset = 0; offset < 8; offset += 1) flipped[at + offset] = (flipped[at + offset] ?? 0) ^ 0xa5;
  return flipped;
};

/** `killed`: the state that kill -9 left, with its write-ahead log; `stopped`: one that was stopped, all of it in the files of the logs. */
const CASES: readonly { what: string; state: "killed" | "stopped"; folder: string; damage: Damage }[] = [
  { what: "the write-ahead log's last line cut", state: "killed", folder: "wal", damage: cutLastLine },
  { what: "the write-ahead log cut to about half", state: "killed", folder: "wal", damage: cutHalf },
  { what: "bytes flipped in the write-ahead log", state: "killed", folder: "wal", damage: flipMiddle },
  { what: "NULs at the end of the write-ahead log", state: "killed", folder: "wal", damage: nulTail },
  { what: "a session's last line cut", state: "stopped", folder: "sessions", damage: cutLastLine },
  { what: "a session cut to about half", state: "stopped", folder: "sessions", damage: cutHalf },
  { what: "bytes flipped in a session", state: "stopped", folder: "sessions", damage: flipMiddle },
  { what: "NULs at the end of a session", state: "stopped", folder: "sessions", damage: nulTail },
  { what: "bytes flipped in an outbox", state: "stopped", folder: "outbox", damage: flipMiddle },
  { what: "bytes flipped in the engine's wakes", state: "killed", folder: "engine", damage: flipMiddle },
];
const CHATS = 4;
/** Numbers of messages that are sent besides. */
const MORE = 90_000;
/** Before the state is damaged. */
const ANSWERS = 80;

/** State files are torn, cut and flipped: it starts, answers every chat, keeps what is whole, and tells of the damage once, with file and line. */
export async function torn(checks: Checks, seed: number, runtime: HostRuntime): Promise<void> {
  const chance = seeded(seed);
  const folder = mkdtempSync(join(tmpdir(), "wakeful-faults-torn-"));
  const states = { killed: join(folder, "killed"), stopped: join(folder, "stopped") };
  await inScene({ runtime }, async (scene) => {
    await scene.start();
    const load = startChats({ sender: scene.sender, answered: () => scene.bot.answered, chats: CHATS, chance });
    // A checkpoint gives the engine a file; what comes after it stands in the write-ahead log.
    await until(() => logFilesOf(join(scene.root, "engine")).length > 0, PATIENCE_MS);
    await scene.answers(ANSWERS);
    await load.stop();
    await scene.settle();
    // A checkpoint that was due just now left nothing in it.
    for (let id = MORE; logFilesOf(join(scene.root, "wal")).length === 0; id += 1) {
      void scene.sender.deliver("1001", id, "b");
      await scene.settle([id]);
    }
    await scene.kill();
    cpSync(scene.root, states.killed, { recursive: true });
    await scene.start();
    await scene.target.stop();
    cpSync(scene.root, states.stopped, { recursive: true });
    return { keep: false };
  });
  let keep = false;
  for (const [index, one] of CASES.entries()) {
    const root = join(folder, `case-${index}`);
    cpSync(states[one.state], root, { recursive: true });
    const faults = await tryCase(one, root, chance, runtime);
    checks.check(`torn: ${one.what}`, faults.length === 0, few(faults));
    keep ||= faults.length > 0;
    if (faults.length === 0) rmSync(root, { recursive: true });
  }
  if (keep) console.log(`  look at ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
}

async function tryCase(
  one: (typeof CASES)[number],
  root: string,
  chance: Chance,
  runtime: HostRuntime,
): Promise<string[]> {
  const damaged = logFilesOf(join(root, one.folder))
    .map((path) => ({ path, bytes: readFileSync(path) }))
    .toSorted((a, b) => b.bytes.length - a.bytes.length)[0];
  if (damaged === undefined) return [`there is no log under ${one.folder}`];
  const faults: string[] = [];
  const after = one.damage(damaged.bytes, chance);
  writeFileSync(damaged.path, after);
  const whole = wholeRecords(root);

  await inScene({ runtime, root, errorsExpected: true }, async (scene) => {
    if (!(await scene.start())) {
      faults.push(`it does not start: ${few(scene.target.said.slice(-3))}`);
      return { keep: false };
    }
    // The numbers of the first run are known to the log already.
    const ids = Array.from({ length: CHATS }, (_, index) => 100_000 + index);
    for (const [index, id] of ids.entries()) void scene.sender.deliver(String(1001 + index), id, "b");
    faults.push(...(await scene.settle(ids)));
    await scene.target.stop();

    const reports = scene.target.said
      .filter((line) => line.startsWith("report "))
      .map((line) => JSON.parse(line.slice("report ".length)) as StoreReport)
      .filter(({ kind }) => kind === "bad-line" || kind === "torn-tail");
    const ours = reports.filter(({ file }) => file === damaged.path);
    const hasBadLine = damagedLines(after) > 0;
    // What no conversation needs any more is not read, and told of once somebody reads all.
    if (hasBadLine && ours.length === 0 && !(await isToldOnReading(root, damaged.path)))
      faults.push("the damage is not reported");
    if (ours.length > damagedLines(after))
      faults.push(`${ours.length} reports of ${damagedLines(after)} damaged lines`);
    if (ours.some(({ line }) => line === undefined)) faults.push("a report names no line");
    if (reports.length > ours.length)
      faults.push(`files that are whole are reported: ${few(reports.map(({ message }) => message))}`);
    // Logs that have done their work are removed, whatever they hold: an outbox whose messages are sent, wakes that were taken over into a new log.
    if (hasBadLine && existsSync(damaged.path) && !isKept(root, damaged.path, after))
      faults.push("the damaged bytes are not kept");

    const found = new Set([...(await scene.target.sessions()).values()].flat().map(identityOf));
    const missing = [...whole].filter((record) => !found.has(record));
    if (missing.length > 0) faults.push(`${missing.length} whole records are gone: ${few(missing, 1)}`);
    return { keep: false };
  });
  return faults;
}

async function isToldOnReading(root: string, path: string): Promise<boolean> {
  let isTold = false;
  const onReport = ({ file }: StoreReport) => void (isTold ||= file === path);
  await readSessions(await fsStore({ root, onReport }));
  return isTold;
}

function logFilesOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => join(folder, name));
}

/** `undefined`: no JSON, or no UTF-8. */
function parsed(line: Buffer): Record<string, unknown> | undefined {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(line)) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(10, start);
    const end = newline < 0 ? bytes.length : newline;
    if (end > start) lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return lines;
}

const damagedLines = (bytes: Buffer) => linesOf(bytes).filter((line) => parsed(line) === undefined).length;
const identityOf = (record: object) => JSON.stringify({ ...record, seq: undefined });

/** Every session record that a whole line still holds, in the logs' files or in the write-ahead log. */
function wholeRecords(root: string): Set<string> {
  const whole = new Set<string>();
  for (const path of logFilesOf(join(root, "sessions"))) {
    for (const line of linesOf(readFileSync(path))) {
      const record = parsed(line)?.["record"];
      if (typeof record === "object" && record !== null) whole.add(identityOf(record));
    }
  }
  for (const path of logFilesOf(join(root, "wal"))) {
    for (const line of linesOf(readFileSync(path))) {
      const { log, lines } = (parsed(line) ?? {}) as { log?: string; lines?: { record: object }[] };
      if (log?.startsWith("sessions/") === true) for (const { record } of lines ?? []) whole.add(identityOf(record));
    }
  }
  return whole;
}

/** The first damaged line is still where it was, or in `torn`. */
function isKept(root: string, path: string, damaged: Buffer): boolean {
  const line = linesOf(damaged).find((one) => parsed(one) === undefined) ?? Buffer.alloc(0);
  const places = [path, ...readdirSync(join(root, "torn")).map((name) => join(root, "torn", name))];
  return places.some((place) => existsSync(place) && readFileSync(place).includes(line));
}
