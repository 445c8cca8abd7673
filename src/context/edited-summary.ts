import type { CompactRecord } from "../session/index.ts";
import { type Fact, readEditedSummary } from "./compaction/index.ts";

/** What the next summary folds in once a person has changed this one's text. A fact that they struck out does not come back with it. */
export function editedSummary({ summary, facts }: CompactRecord, text: string): Pick<CompactRecord, "prose" | "facts"> {
  const read = readEditedSummary({ text: summary, facts: facts as unknown as readonly Fact[] }, text);
  return { prose: read.prose, facts: read.facts as unknown as CompactRecord["facts"] };
}
