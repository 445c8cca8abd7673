import { measure } from "./text-length.ts";
import type { LengthUnit } from "./text-length.ts";

/** An open code fence. Source: CommonMark 0.31, "Fenced code blocks". */
export interface Fence {
  /** The backticks or tildes that opened it. */
  readonly marker: string;
  /** The line that closes it. */
  readonly close: string;
  /** The line that reopens it at the beginning of a part. */
  readonly reopen: string;
}

/** Largest share of a part for closing and reopening. A fence that needs more counts as ordinary text. */
const MAX_SHARE = 0.5;
const OPENING = /^([ \t]*)(`{3,}|~{3,})(.*)$/;

/** The open fence after a line, given the open fence before it. */
export function fenceAfter(line: string, open: Fence | null, maxLength: number, unit: LengthUnit): Fence | null {
  if (open !== null) return isClosing(line, open) ? null : open;
  const [, indent = "", marker = "", rest = ""] = OPENING.exec(line) ?? [];
  if (marker === "" || (marker.startsWith("`") && rest.includes("`"))) return null;
  const room = maxLength * MAX_SHARE;
  if (measure(line, 0, line.length, unit) > room) return null;

  // In a list item the closing line has the indentation of the opening; in the next part there is no list item.
  const shallow = " ".repeat(Math.min(3, indent.length));
  const fits = (reopen: string) => measure(reopen, 0, reopen.length, unit) + indent.length + marker.length + 2 <= room;
  const close = indent + marker;
  const full = `${shallow}${marker}${rest.trimEnd()}`;
  if (fits(full)) return { marker, close, reopen: full };
  return fits(marker) ? { marker, close, reopen: marker } : null;
}

/** Whether a line closes the fence. */
export function isClosing(line: string, fence: Fence): boolean {
  const text = line.trim();
  return text.length >= fence.marker.length && text === (fence.marker[0] ?? "").repeat(text.length);
}

/** The fence as it is in a part that reopens it. */
export function continued(fence: Fence): Fence {
  return { ...fence, close: (/^ */.exec(fence.reopen)?.[0] ?? "") + fence.marker };
}

/** Size of the closing: a newline and the closing line, which are single bytes in UTF-8. */
export function closingSize(fence: Fence): number {
  return fence.close.length + 1;
}

const FENCE_AHEAD = /[ \t]{0,64}(?:`{3}|~{3})/y;

/** Whether a line that began at `index` would open or close a fence. */
export function looksLikeFence(text: string, index: number): boolean {
  FENCE_AHEAD.lastIndex = index;
  return FENCE_AHEAD.test(text);
}
