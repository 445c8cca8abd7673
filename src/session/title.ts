import type { Sequenced } from "./records.ts";
import { shortened } from "../short-text.ts";

const MAX_CHARS = 60;
/** Of a long text nothing more is looked at. */
const LOOKED_AT = 500;

/**
 * What a conversation is called that begins with this record: the first words of what somebody wrote, else the name of what they attached; at most 60
 * characters. Empty for other records, and for commands.
 */
export function titleOf(record: Sequenced): string {
  if (record.type !== "in" || record.source !== undefined || record.command !== undefined) return "";
  return titled(oneLine(record.text)) || titled(oneLine(record.attachments?.[0]?.name ?? ""));
}

function oneLine(text: string): string {
  return text
    .slice(0, LOOKED_AT)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

function titled(text: string): string {
  const blank = text.lastIndexOf(" ", MAX_CHARS - 1);
  return shortened(text, MAX_CHARS, blank > MAX_CHARS / 2 ? blank : MAX_CHARS - 1);
}
