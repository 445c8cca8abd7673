import type { CommandDanger } from "./finding.ts";
import type { Argument, Call, Scan } from "./scan.ts";

/** Judges a call of a known program. @returns The words that must still be judged as paths. */
export type ProgramRule = (scan: Scan, call: Call) => readonly Argument[];

export function refuse(
  scan: Scan,
  danger: CommandDanger,
  offending: string,
  why: string,
  instead: string,
): readonly Argument[] {
  scan.refuse({ danger, offending, why, instead });
  return [];
}

/** Creates a rule that refuses a program if one of its words matches a pattern. */
export const texts =
  (pattern: RegExp, danger: CommandDanger, why: string, instead: string): ProgramRule =>
  (scan, call) => {
    const first = call.words.find(({ text }) => pattern.test(text));
    return first === undefined ? call.words : refuse(scan, danger, call.source, why, instead);
  };
