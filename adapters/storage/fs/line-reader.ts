import type { FileSystem } from "./file-system.ts";

const CHUNK_BYTES = 64 * 1024;
const MIN_CHUNK_BYTES = 1024;
const NEWLINE = 10;

/** One line of a file without its newline, and its offset. `text` is `undefined` when the bytes are not UTF-8. */
export interface FileLine {
  readonly text: string | undefined;
  readonly start: number;
  readonly bytes: Uint8Array;
  /** False for the text after the last newline. */
  readonly whole: boolean;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function lineOf(bytes: Uint8Array, start: number, whole: boolean): FileLine {
  let text: string | undefined;
  try {
    text = decoder.decode(bytes);
  } catch {
    text = undefined;
  }
  return { text, start, bytes, whole };
}

function readFullySync(fs: FileSystem, descriptor: number, position: number, length: number): Uint8Array {
  const into = new Uint8Array(length);
  let offset = 0;
  while (offset < length) {
    const count = fs.readSync(descriptor, into.subarray(offset), position + offset);
    if (count === 0) return into.subarray(0, offset);
    offset += count;
  }
  return into;
}

/**
 * Yields the lines of a file from last to first, without empty ones. Synchronous, since the first append to a log
 * must not wait.
 */
export function* linesBackward(fs: FileSystem, descriptor: number, size: number): Generator<FileLine> {
  let end = size; // end of the part that is not yet yielded
  let from = size; // offset of `held`
  let held: Uint8Array = new Uint8Array(0);
  let whole = false;
  let chunkBytes = CHUNK_BYTES;
  while (from > 0) {
    const length = Math.min(chunkBytes, from);
    from -= length;
    held = joined(readFullySync(fs, descriptor, from, length), held);
    let newline = held.lastIndexOf(NEWLINE);
    if (newline < 0) chunkBytes *= 2; // one long line: the cost stays linear in its length, not quadratic
    while (newline >= 0) {
      const start = from + newline + 1;
      if (end > start) yield lineOf(held.subarray(newline + 1, end - from), start, whole);
      whole = true;
      end = from + newline;
      held = held.subarray(0, newline);
      newline = held.lastIndexOf(NEWLINE);
    }
  }
  if (end > 0) yield lineOf(held.subarray(0, end), 0, whole);
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (second.length === 0) return first;
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** Yields the lines of a file from `start`, the offset of a line, to the end, without empty ones. Reads in chunks. */
export async function* linesForward(fs: FileSystem, descriptor: number, start: number): AsyncGenerator<FileLine> {
  let position = start;
  let held: Uint8Array = new Uint8Array(0);
  // Most files are short, and thousands may be read in a row.
  const size = Math.max(fs.sizeSync(descriptor) - start, MIN_CHUNK_BYTES);
  let chunk = new Uint8Array(Math.min(size, CHUNK_BYTES));
  for (;;) {
    const count = await fs.read(descriptor, chunk, position + held.length);
    if (count === 0) break;
    held = joined(held, chunk.subarray(0, count));
    let lineStart = 0;
    for (let newline = held.indexOf(NEWLINE); newline >= 0; newline = held.indexOf(NEWLINE, lineStart)) {
      if (newline > lineStart) yield lineOf(held.subarray(lineStart, newline), position + lineStart, true);
      lineStart = newline + 1;
    }
    if (lineStart === 0) chunk = new Uint8Array(chunk.length * 2);
    held = held.subarray(lineStart);
    position += lineStart;
  }
  if (held.length > 0) yield lineOf(held, position, false);
}

/**
 * Finds the offset of a line at or before the first line that `isWanted`: a binary search over byte offsets, for
 * lines whose answers change from no to yes once. Skips damaged lines, for which the answer is `undefined`.
 */
export function seekLine(
  fs: FileSystem,
  descriptor: number,
  size: number,
  isWanted: (text: string) => boolean | undefined,
): number {
  let low = 0;
  let high = size;
  while (high - low > CHUNK_BYTES) {
    const middle = low + Math.floor((high - low) / 2);
    const found = firstAnswer(fs, descriptor, middle, high, isWanted);
    if (found === undefined || found.wanted) high = middle;
    else low = found.start;
  }
  return low;
}

function firstAnswer(
  fs: FileSystem,
  descriptor: number,
  from: number,
  end: number,
  isWanted: (text: string) => boolean | undefined,
): { start: number; wanted: boolean } | undefined {
  for (let length = CHUNK_BYTES; ; length *= 4) {
    const bytes = readFullySync(fs, descriptor, from, Math.min(length, end - from));
    let lineStart = bytes.indexOf(NEWLINE) + 1;
    if (lineStart > 0) {
      for (let newline = bytes.indexOf(NEWLINE, lineStart); newline >= 0; newline = bytes.indexOf(NEWLINE, lineStart)) {
        const { text } = lineOf(bytes.subarray(lineStart, newline), from + lineStart, true);
        const wanted = text === undefined ? undefined : isWanted(text);
        if (wanted !== undefined) return { start: from + lineStart, wanted };
        lineStart = newline + 1;
      }
    }
    if (length >= end - from) return undefined;
  }
}

/** The number, from 1, of the line at offset `start`. Reads everything before it: only for reports of damage. */
export function lineNumberAt(fs: FileSystem, descriptor: number, start: number): number {
  let line = 1;
  for (let position = 0; position < start; position += CHUNK_BYTES) {
    const bytes = readFullySync(fs, descriptor, position, Math.min(CHUNK_BYTES, start - position));
    for (const byte of bytes) if (byte === NEWLINE) line++;
  }
  return line;
}
