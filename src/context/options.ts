// Written by .ci/docs.ts from src/config/schema: change the schema, and run it.

/** A person. */
export interface Person {
  /** The person's name. */
  readonly name?: string;
  /** The person's time zone. */
  readonly timezone?: string;
  /** The language to answer in, as a BCP 47 tag. */
  readonly language?: string;
  /** The person's account that gets unsolicited messages; default: the chat that a message belongs to. */
  readonly noticesTo?: string;
}
