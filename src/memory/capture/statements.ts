import { readStatements } from "../../statements/index.ts";
import { ENTRY_TYPES, type MemoryDraft } from "../entry.ts";

export interface StatementOptions {
  /** Who says it, where several people speak: stands before it. */
  readonly speaker?: string | undefined;
  /** Most drafts. Default 5. */
  readonly limit?: number;
}

/**
 * What a person states about themselves and how things should be, as entries.
 *
 * Source: docs/capture.md, "Capture".
 */
export function statements(text: string, { speaker, limit = 5 }: StatementOptions = {}): readonly MemoryDraft[] {
  const stated = readStatements(text).flatMap(({ kind, ...rest }) => (kind === undefined ? [] : [{ kind, ...rest }]));
  return stated.slice(0, limit).map(({ kind, text: said, lasting }) => ({
    content: speaker === undefined ? said : `${speaker}: ${said}`,
    keywords: [kind],
    slots: { type: ENTRY_TYPES.statement, source: "conversation", kind, ...(lasting && { lasting }) },
  }));
}
