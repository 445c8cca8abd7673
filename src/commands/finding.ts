import { shortened } from "../short-text.ts";

/** What a refused command would have done, in one or two words. */
export type CommandDanger =
  | "credentials"
  | "disk"
  | "environment"
  | "exfiltration"
  | "fork bomb"
  | "hidden command"
  | "limit"
  | "logs"
  | "network"
  | "outside the workspace"
  | "persistence"
  | "pipe into a shell"
  | "privilege"
  | "processes"
  | "shutdown"
  | "syntax"
  | "unjudged code"
  | "unjudged expansion";

/** Why one part of a command is refused. */
export interface Finding {
  readonly danger: CommandDanger;
  /** The part of the text that is meant. */
  readonly offending: string;
  /** Completes "Cannot run …: ". */
  readonly why: string;
  /** What would be allowed. */
  readonly instead: string;
}

const MAX_SHOWN = 200;

/** A text as a message shows it: on one line, not longer than a line or two. */
export function shorten(text: string): string {
  return shortened(text.replaceAll(/\s+/gu, " ").trim(), MAX_SHOWN);
}
