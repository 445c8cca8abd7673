// Written by .ci/docs.ts from src/config/schema: change the schema, and run it.

/** A person. */
export interface Person {
  /** How the person is called. */
  readonly name?: string;
  /** Where the person is. */
  readonly timezone?: string;
  /** The language to answer in, as a BCP 47 tag. */
  readonly language?: string;
  /** The account of theirs on which they are told what they did not ask for; when left out, where it belongs. */
  readonly noticesTo?: string;
}
