/** A defect to plant: where, what is taken away, and the test that must fail then. */
export interface Mutant {
  /** The number of its class in docs/security-promises.md. */
  readonly threat: number;
  readonly promise: string;
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly search: string;
  readonly replacement: string;
  readonly test: string;
}

/** A file, a text that stands in it once, and what takes its place. */
export type Change = readonly [file: string, search: string, replacement: string];

/** Defects that one test must notice. */
export function planted(about: Pick<Mutant, "threat" | "promise" | "test">, changes: readonly Change[]): Mutant[] {
  return changes.map(([file, search, replacement]) => ({ ...about, file, search, replacement }));
}
