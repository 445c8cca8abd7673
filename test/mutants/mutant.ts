/** A defect to plant: where, what is taken away, and the test that must fail then. */
export interface Mutant {
  /** The number of its class in docs/security-promises.md. */
  readonly threat: number;
  readonly promise: string;
  /** A room, such as `src/turn`: the piece may stand in any of its files. Where there is no room, a file. */
  readonly room: string;
  /**
   * The function, method, class, type or constant of the module around the piece, such as `decide` or, if the room has several, `createAccess.decide`.
   * For an import, the name of its module.
   */
  readonly declaration: string;
  /**
   * Stands exactly once in the declaration. It is compared token by token: white space, comments, trailing commas and the kind of quotes do not count.
   * It begins and ends with a whole token: a string, a template and a regular expression are taken whole.
   */
  readonly piece: string;
  readonly replacement: string;
  readonly test: string;
}

/** A room, a declaration in it, a piece that stands there once, and what takes its place. */
export type Change = readonly [room: string, declaration: string, piece: string, replacement: string];

/** Defects that one test must notice. */
export function planted(about: Pick<Mutant, "threat" | "promise" | "test">, changes: readonly Change[]): Mutant[] {
  return changes.map(([room, declaration, piece, replacement]) => ({
    ...about,
    room,
    declaration,
    piece,
    replacement,
  }));
}
