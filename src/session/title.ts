import type { Sequenced } from "./records.ts";
import { shortened } from "../short-text.ts";

const MAX_CHARS = 60;
/** Characters of a long text that are read for its title. */
const LOOKED_AT = 500;

/**
 * The title of a conversation that begins with this record: the first words of the person's text, or else the name of
 * their attachment; at most 60 characters. Empty for other records and for commands.
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
