import { shortened } from "../short-text.ts";

/** Kind of damage that a refused command could do. */
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

/** The reason why one part of a command is refused. */
export interface Finding {
  readonly danger: CommandDanger;
  /** The refused part of the text. */
  readonly offending: string;
  /** Completes "Cannot run …: ". */
  readonly why: string;
  /** What is allowed instead. */
  readonly instead: string;
}

const MAX_SHOWN = 200;

/** Shortens a text for a message, on one line, at most 200 characters. */
export function shorten(text: string): string {
  return shortened(text.replaceAll(/\s+/gu, " ").trim(), MAX_SHOWN);
}
