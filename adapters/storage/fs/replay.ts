import { basename, join } from "node:path";
import { diskError } from "./disk-error.ts";
import type { FileSystem } from "./file-system.ts";
import type { PendingLine } from "./log-file.ts";
import { parseObject, refuseNewer } from "./log-line.ts";
import type { Logs } from "./logs.ts";
import type { Reporter } from "./report.ts";
import type { SetAside } from "./torn.ts";

/** One log's records in the segments, after its last removal. */
interface Replayed {
  removed: boolean;
  readonly lines: Map<number, PendingLine>;
}

/**
 * Restores records that an earlier run acknowledged but did not write to the logs' files.
 *
 * A record counts once, by its seq, in any segment: an interrupted checkpoint and a segment that was written again
 * both repeat records.
 * @returns The paths of the segments, oldest first, and the number of the next.
 */
export async function replaySegments(parts: {
  fs: FileSystem;
  dir: string;
  logs: Logs;
  setAside: SetAside;
  report: Reporter;
}): Promise<{ paths: string[]; nextNumber: number }> {
  const { fs, dir, logs, report } = parts;
  const numbers = (await fs.readDirectory(dir))
    .map(({ name }) => Number(/^(\d+)\.jsonl$/.exec(name)?.[1] ?? Number.NaN))
    .filter((number) => !Number.isNaN(number))
    .sort((a, b) => a - b);
  const paths = numbers.map((number) => join(dir, `${number}.jsonl`));

  const contents = new Map<string, Uint8Array>();
  for (const path of paths) {
    try {
      contents.set(path, await fs.readFile(path));
    } catch (cause) {
      throw diskError("read the write-ahead log", path, cause);
    }
  }
  cutSuperseded(contents);

  const replayed = new Map<string, Replayed>();
  for (const [path, bytes] of contents) readSegment(path, bytes, replayed, parts);

  let records = 0;
  for (const [key, { removed, lines }] of replayed) {
    const sorted = [...lines.values()].sort((a, b) => a.seq - b.seq);
    const before = removed ? 0 : logs.lastSeq(key);
    const state = logs.restore(key, sorted, removed);
    records += state.buffer.length;
    reportGaps(key, before, state.buffer, report);
  }
  if (records > 0) {
    report({
      kind: "replayed",
      level: "info",
      message: `Recovered ${records} records of the last run from the write-ahead log`,
    });
  }
  return { paths, nextNumber: (numbers.at(-1) ?? 0) + 1 };
}

/**
 * Drops the part of a segment after the point where another segment took over: its callers got errors, so it must not
 * count.
 */
function cutSuperseded(contents: Map<string, Uint8Array>): void {
  for (const [path, bytes] of contents) {
    const end = bytes.indexOf(10);
    const first = parseObject(new TextDecoder().decode(bytes.subarray(0, Math.max(0, end)).subarray(0, 4096)));
    const { supersedes, bytes: length } = first ?? {};
    if (typeof supersedes !== "string" || typeof length !== "number") continue;
    const broken = join(path, "..", basename(supersedes));
    const content = contents.get(broken);
    if (content !== undefined) contents.set(broken, content.subarray(0, length));
  }
}

function readSegment(
  path: string,
  bytes: Uint8Array,
  replayed: Map<string, Replayed>,
  parts: { setAside: SetAside; report: Reporter },
): void {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let number = 0;
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(10, start);
    const end = newline < 0 ? bytes.length : newline;
    const line = bytes.subarray(start, end);
    start = end + 1;
    number++;
    if (line.length === 0) continue;
    let entry: { [name: string]: unknown } | undefined;
    try {
      entry = parseObject(decoder.decode(line));
    } catch {
      entry = undefined;
    }
    if (entry !== undefined) refuseNewer(entry["v"], path);
    if (entry === undefined || !takeEntry(entry, replayed)) keepDamaged(path, number, line, newline < 0, parts);
  }
}

/** @returns False when a store does not write such an entry. */
function takeEntry(entry: { [name: string]: unknown }, replayed: Map<string, Replayed>): boolean {
  const { log, lines, removed, supersedes } = entry;
  if (typeof supersedes === "string") return true;
  if (typeof log !== "string") return false;
  if (removed === true) {
    replayed.set(log, { removed: true, lines: new Map() });
    return true;
  }
  if (!Array.isArray(lines)) return false;
  const known: Replayed = replayed.get(log) ?? { removed: false, lines: new Map() };
  replayed.set(log, known);
  for (const line of lines as unknown[]) {
    const seq: unknown = typeof line === "object" && line !== null && "seq" in line ? line.seq : undefined;
    if (typeof seq !== "number") return false;
    known.lines.set(seq, { seq, text: JSON.stringify(line) });
  }
  return true;
}

function keepDamaged(
  path: string,
  line: number,
  bytes: Uint8Array,
  last: boolean,
  parts: { setAside: SetAside; report: Reporter },
): void {
  const aside = parts.setAside(path, bytes);
  parts.report({
    kind: last ? "torn-tail" : "bad-line",
    // A killed process leaves an unfinished last line, which was never acknowledged.
    level: last ? "info" : "warning",
    file: path,
    line,
    message: `${path}:${line}: the line is ${last ? "unfinished" : "damaged"}; it was not recovered, and is kept as ${JSON.stringify(aside)}`,
  });
}

function reportGaps(key: string, before: number, lines: readonly PendingLine[], report: Reporter): void {
  let previous = before;
  for (const { seq } of lines) {
    if (seq !== previous + 1) {
      report({
        kind: "gap",
        level: "warning",
        message: `The log ${JSON.stringify(key)} lacks the records ${previous + 1} to ${seq - 1}: its file was damaged, changed or removed by hand`,
      });
    }
    previous = seq;
  }
}
