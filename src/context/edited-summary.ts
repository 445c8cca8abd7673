import type { CompactRecord } from "../session/index.ts";
import { type Fact, readEditedSummary } from "./compaction/index.ts";

/** What the next summary folds in after a person has edited the text. A fact that they deleted does not come back. */
export function editedSummary({ summary, facts }: CompactRecord, text: string): Pick<CompactRecord, "prose" | "facts"> {
  const read = readEditedSummary({ text: summary, facts: facts as unknown as readonly Fact[] }, text);
  return { prose: read.prose, facts: read.facts as unknown as CompactRecord["facts"] };
}
