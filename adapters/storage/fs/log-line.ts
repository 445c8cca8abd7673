import { AssistantError } from "../../../mod.ts";
import type { LogRecord } from "../../../kit.ts";

/**
 * The line of a log's file: `{"v":1,"seq":12,"t":1760000000000,"id":"telegram:7","record":{…}}`. `v` is the format's
 * version, `t` the time of the append in milliseconds since the epoch, `id` the id given to `append`.
 */
export const FORMAT_VERSION = 1;

export interface LogLine {
  readonly seq: number;
  readonly t: number;
  readonly id: string | undefined;
  readonly record: LogRecord;
}

/** The head of a line, read without parsing the record. */
export type LineHead = Pick<LogLine, "seq" | "t" | "id">;

/** @param recordJson The record as JSON, stringified once by the caller. */
export function formatLine(head: LineHead, recordJson: string): string {
  const id = head.id === undefined ? "" : `,"id":${JSON.stringify(head.id)}`;
  return `{"v":${FORMAT_VERSION},"seq":${head.seq},"t":${head.t}${id},"record":${recordJson}}`;
}

/**
 * @returns `undefined` for a damaged line. Throws `FORMAT_TOO_NEW` for a line of a later version, which is not
 *   damage.
 */
export function parseLine(text: string, file: string): LogLine | undefined {
  const parsed = parseObject(text);
  if (parsed === undefined) return undefined;
  refuseNewer(parsed["v"], file);
  const { seq, t, id, record } = parsed;
  if (!isSeq(seq) || typeof record !== "object" || record === null || Array.isArray(record)) return undefined;
  return {
    seq,
    t: typeof t === "number" ? t : 0,
    id: typeof id === "string" ? id : undefined,
    record: record as LogRecord, // an object from JSON.parse holds JSON only
  };
}

const HEAD = /^\{"v":1,"seq":(\d{1,16}),"t":(\d{1,16})(?:,"id":("(?:[^"\\]|\\.)*"))?,"record":\{/;

/** Reads the head alone of a line in the store's own spelling. A line that a person wrote is parsed whole. */
export function parseLineHead(text: string, file: string): LineHead | undefined {
  const head = HEAD.exec(text);
  if (head === null || !text.endsWith("}}")) return parseLine(text, file);
  const id: unknown = head[3] === undefined ? undefined : JSON.parse(head[3]);
  return { seq: Number(head[1]), t: Number(head[2]), id: typeof id === "string" ? id : undefined };
}

/** The seq that a damaged line still shows, so that it is not assigned again. 0 when it shows none. */
export function seqHint(text: string): number {
  const seq = Number(/^\{"v":\d+,"seq":(\d{1,16})[,}]/.exec(text)?.[1] ?? 0);
  return isSeq(seq) ? seq : 0;
}

/** Throws `FORMAT_TOO_NEW` when `v` is later than this version. */
export function refuseNewer(v: unknown, file: string, known: number = FORMAT_VERSION): void {
  if (typeof v !== "number" || v <= known) return;
  throw new AssistantError(
    "FORMAT_TOO_NEW",
    `Cannot read ${JSON.stringify(file)}: it has format version ${v} and this release knows ${known}; use the release that wrote it, or a later one`,
  );
}

export function parseObject(text: string): { [name: string]: unknown } | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)
      ? (parsed as { [name: string]: unknown }) // checked on this line
      : undefined;
  } catch {
    return undefined;
  }
}

const isSeq = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 1;
