import { relative } from "node:path";
import { errnoOf, writeAll } from "./file-system.ts";
import type { FileSystem } from "./file-system.ts";
import type { Folders, Target } from "./folders.ts";
import { linesBackward, linesForward, lineNumberAt, seekLine } from "./line-reader.ts";
import type { FileLine } from "./line-reader.ts";
import { parseLine, parseLineHead, seqHint } from "./log-line.ts";
import type { LogLine } from "./log-line.ts";
import type { Reporter } from "./report.ts";
import type { SetAside } from "./torn.ts";

/** A line to be written to a log's file. */
export interface PendingLine {
  readonly seq: number;
  readonly text: string;
}

/** State read from the end of a log's file. */
export interface Tail {
  readonly lastSeq: number;
  readonly size: number;
}

/** Ids with their seqs and append times. */
export type KnownIds = Map<string, { readonly seq: number; readonly t: number }>;

export type LogFiles = ReturnType<typeof createLogFiles>;

/** Reads and writes the files of logs. Damage is set aside or skipped, and reported once; it is never deleted. */
export function createLogFiles(parts: {
  fs: FileSystem;
  folders: Folders;
  setAside: SetAside;
  report: Reporter;
  counters: { syncs: number };
}) {
  const { fs, folders, setAside, report, counters } = parts;
  const reported = new Set<string>();

  function openSync(target: Target, flags: "r" | "r+"): number | undefined {
    try {
      return fs.openSync(target.path, flags);
    } catch (error) {
      if (errnoOf(error) === "ENOENT") return undefined;
      throw error;
    }
  }

  /** Reads the end of a file before this store appends to it, and cuts off an unfinished last line. */
  function openTail(target: Target): Tail {
    const descriptor = openSync(target, "r+");
    if (descriptor === undefined) return { lastSeq: 0, size: 0 };
    try {
      return mendTail(target, descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
  }

  function mendTail(target: Target, descriptor: number): Tail {
    let size = fs.sizeSync(descriptor);
    let hint = 0;
    for (const line of linesBackward(fs, descriptor, size)) {
      const parsed = line.text === undefined ? undefined : parseLineHead(line.text, target.path);
      // A person's editor may leave out the last newline: a complete line without one stays.
      if (parsed !== undefined && (line.whole || parseLine(line.text ?? "", target.path) !== undefined)) {
        return { lastSeq: Math.max(parsed.seq, hint), size };
      }
      if (line.whole) {
        reportBad(target, descriptor, line);
        hint = Math.max(hint, line.text === undefined ? 0 : seqHint(line.text));
      } else size = cutTail(target, descriptor, line);
    }
    return { lastSeq: hint, size };
  }

  function cutTail(target: Target, descriptor: number, line: FileLine): number {
    const number = lineNumberAt(fs, descriptor, line.start);
    const aside = setAside(target.path, line.bytes);
    fs.truncateSync(descriptor, line.start);
    report({
      kind: "torn-tail",
      level: "warning",
      file: target.path,
      line: number,
      message: `${target.path}:${number}: the last line is unfinished; it was cut off and kept as ${JSON.stringify(relative(folders.root, aside))}`,
    });
    return line.start;
  }

  function reportBad(target: Target, descriptor: number, line: FileLine): void {
    const mark = `${target.path}:${line.start}`;
    if (reported.has(mark) || reported.size > 10_000) return;
    reported.add(mark);
    const number = lineNumberAt(fs, descriptor, line.start);
    report({
      kind: "bad-line",
      level: "warning",
      file: target.path,
      line: number,
      message: `${target.path}:${number}: the line is damaged; it is skipped and left in place`,
    });
  }

  /** Reads the last seq of a file without changing it. */
  function peekTail(target: Target): number {
    const descriptor = openSync(target, "r");
    if (descriptor === undefined) return 0;
    try {
      let hint = 0;
      for (const line of linesBackward(fs, descriptor, fs.sizeSync(descriptor))) {
        const head = line.text === undefined ? undefined : parseLineHead(line.text, target.path);
        if (head !== undefined) return Math.max(head.seq, hint);
        if (line.whole && line.text !== undefined) hint = Math.max(hint, seqHint(line.text));
      }
      return hint;
    } finally {
      fs.closeSync(descriptor);
    }
  }

  /** The ids appended since `since`. Reads backwards from the end, until a stretch of lines is older than that. */
  function readIds(target: Target, since: number): KnownIds {
    const found: KnownIds = new Map();
    const descriptor = openSync(target, "r");
    if (descriptor === undefined) return found;
    try {
      let older = 0;
      for (const line of linesBackward(fs, descriptor, fs.sizeSync(descriptor))) {
        const head = line.text === undefined ? undefined : parseLineHead(line.text, target.path);
        if (head === undefined) continue;
        // Clocks step, so one old line does not mean that all lines before it are old.
        older = head.t < since ? older + 1 : 0;
        if (older > OLD_STRETCH) break;
        if (head.id !== undefined && head.t >= since) found.set(head.id, { seq: head.seq, t: head.t });
      }
    } finally {
      fs.closeSync(descriptor);
    }
    return new Map([...found].toReversed());
  }

  /**
   * Appends lines durably: all of them, or none after an error. The name of a new file is durable after
   * `folders.syncNames`.
   * @param expectedSize The file's size after the last write or look. Another size means that a person edited the
   *   file, or that an earlier attempt was cut short.
   */
  async function write(target: Target, lines: readonly PendingLine[], expectedSize: number): Promise<number> {
    const descriptor = await folders.inPlace(target, () => fs.open(target.path, "a+"));
    try {
      let size = fs.sizeSync(descriptor);
      if (size === 0) folders.mark(target.folder);
      let missing = lines;
      if (size !== expectedSize) {
        const tail = openTail(target);
        size = tail.size;
        missing = lines.filter((line) => line.seq > tail.lastSeq);
      }
      const start = size > 0 && !endsWithNewline(descriptor, size) ? "\n" : "";
      const bytes = new TextEncoder().encode(start + missing.map((line) => `${line.text}\n`).join(""));
      try {
        await writeAll(fs, descriptor, bytes);
        counters.syncs++;
        await fs.sync(descriptor);
      } catch (error) {
        fs.truncateSync(descriptor, size);
        throw error;
      }
      return size + bytes.length;
    } finally {
      await fs.close(descriptor);
    }
  }

  function endsWithNewline(descriptor: number, size: number): boolean {
    const last = new Uint8Array(1);
    fs.readSync(descriptor, last, size - 1);
    return last[0] === 10;
  }

  /** Yields the lines after a seq, ascending. Lines out of order are skipped and reported as damage. */
  async function* readForward(target: Target, after: number): AsyncGenerator<LogLine> {
    const descriptor = openSync(target, "r");
    if (descriptor === undefined) return;
    try {
      let previous = after;
      const isWanted = (text: string) => {
        const head = parseLineHead(text, target.path);
        return head === undefined ? undefined : head.seq > after;
      };
      const start = after === 0 ? 0 : seekLine(fs, descriptor, fs.sizeSync(descriptor), isWanted);
      for await (const line of linesForward(fs, descriptor, start)) {
        const parsed = line.text === undefined ? undefined : parseLine(line.text, target.path);
        if (parsed === undefined) {
          if (line.whole) reportBad(target, descriptor, line);
        } else if (parsed.seq > previous) {
          previous = parsed.seq;
          yield parsed;
        }
      }
    } finally {
      fs.closeSync(descriptor);
    }
  }

  /** The newest `count` lines below a seq, ascending. */
  function readLast(target: Target, count: number, below: number, after: number): LogLine[] {
    const found: LogLine[] = [];
    const descriptor = count > 0 ? openSync(target, "r") : undefined;
    if (descriptor === undefined) return found;
    try {
      let next = below;
      for (const line of linesBackward(fs, descriptor, fs.sizeSync(descriptor))) {
        const parsed = line.text === undefined ? undefined : parseLine(line.text, target.path);
        if (parsed === undefined) {
          if (line.whole) reportBad(target, descriptor, line);
          continue;
        }
        if (parsed.seq <= after) break;
        if (parsed.seq >= next) continue;
        next = parsed.seq;
        found.push(parsed);
        if (found.length === count) break;
      }
    } finally {
      fs.closeSync(descriptor);
    }
    return found.reverse();
  }

  return { openTail, peekTail, readIds, write, readForward, readLast };
}

/** Consecutive lines older than the window that end the search for ids. */
const OLD_STRETCH = 256;
