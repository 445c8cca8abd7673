import type { TranscriptEntry } from "../../kit.ts";
import { styled, type Terminal } from "./terminal.ts";

/** Characters that control a terminal or reverse the text direction. Line breaks and tabs stay. */
const UNSEEN = /[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069]/gu;

/** One entry of a conversation, as a terminal shows it. */
export function entryLine(entry: TranscriptEntry, terminal: Pick<Terminal, "colours">): string {
  return `${timeOf(entry.atMs, terminal)} ${contentOf(entry, terminal)}`;
}

export function timeOf(atMs: number, terminal: Pick<Terminal, "colours">): string {
  return styled(terminal, "dim", new Date(atMs).toISOString().slice(0, 19).replace("T", " "));
}

function contentOf(entry: TranscriptEntry, terminal: Pick<Terminal, "colours">): string {
  switch (entry.type) {
    case "user": {
      const heard = entry.heard ? styled(terminal, "dim", " (heard)") : "";
      return `${styled(terminal, "cyan", printable(entry.user))}${heard}: ${printable(entry.text)}`;
    }
    case "note":
      return styled(terminal, "dim", printable(`(${entry.source}) ${entry.text}`));
    case "tool":
      return styled(
        terminal,
        "dim",
        printable(`· ${entry.name} ${entry.error?.message ?? JSON.stringify(entry.output ?? null)}`),
      );
    case "assistant": {
      const failure = entry.error ? ` ${styled(terminal, "red", printable(`(${entry.error.message})`))}` : "";
      return `${styled(terminal, "green", "assistant")}: ${printable(entry.text)}${failure}`;
    }
    case "summary": {
      const by = entry.edited ? `, written by ${entry.by ?? "a person"}` : "";
      return summaryLine(entry, terminal, by);
    }
    case "reset":
      return styled(terminal, "dim", printable(`— a new conversation (${entry.by}) —`));
  }
}

/** A summary is purple, with a C to mark it where there are no colours. */
export function summaryLine(
  { text, turns, problem }: { readonly text: string; readonly turns: number; readonly problem?: string },
  terminal: Pick<Terminal, "colours">,
  about = "",
): string {
  const said = text === "" ? `(${problem ?? "nothing"})` : text;
  return styled(terminal, "purple", printable(`C summary of ${turns} turns${about}: ${said}`));
}

/** Foreign text without characters that would move the cursor or change colours. */
export function printable(text: string): string {
  return text.replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** A whole foreign text: a screen gets it without control characters, a pipe gets it unchanged. */
export function shown(given: string, terminal: Pick<Terminal, "screen">): string {
  const whole = given.endsWith("\n") ? given : `${given}\n`;
  return terminal.screen ? whole.split("\n").map(printable).join("\n") : whole;
}
