import { type Statement, type StatementKind, readStatements } from "../../statements/index.ts";
import { ENTRY_TYPES, type MemoryDraft } from "../entry.ts";

/** Most entries of one message. */
const MAX_STATEMENTS = 5;

/**
 * Makes entries of what a person states about themselves and about how things should be.
 *
 * Source: docs/capture.md, "Capture".
 */
export function statements(text: string): readonly MemoryDraft[] {
  const stated = readStatements(text).flatMap(({ kind, ...rest }) => (kind === undefined ? [] : [{ kind, ...rest }]));
  return stated.slice(0, MAX_STATEMENTS).map(statementDraft);
}

export function statementDraft({
  kind,
  text,
  lasting,
}: Pick<Statement, "text" | "lasting"> & { readonly kind: StatementKind }): MemoryDraft {
  return {
    content: text,
    keywords: [kind],
    slots: { type: ENTRY_TYPES.statement, source: "conversation", kind, ...(lasting && { lasting }) },
  };
}
