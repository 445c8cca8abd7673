import type { Sequenced } from "./records.ts";

const MAX_CHARS = 60;
/** Of a long text nothing more is looked at. */
const LOOKED_AT = 500;

/**
 * What a conversation is called that begins with this record: the first words of what somebody wrote, else the name of what they attached; at most 60
 * characters. Empty for other records, and for commands.
 */
export function titleOf(record: Sequenced): string {
  if (record.type !== "in" || record.source !== undefined || record.command !== undefined) return "";
  return shortened(oneLine(record.text)) || shortened(oneLine(record.attachments?.[0]?.name ?? ""));
}

function oneLine(text: string): string {
  return text
    .slice(0, LOOKED_AT)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

function shortened(text: string): string {
  if (text.length <= MAX_CHARS) return text;
  const blank = text.lastIndexOf(" ", MAX_CHARS - 1);
  const cut = text.slice(0, blank > MAX_CHARS / 2 ? blank : MAX_CHARS - 1);
  // A long word is cut, but never inside a character of two units.
  return `${cut.replace(/[\uD800-\uDBFF]$/, "")}…`;
}
