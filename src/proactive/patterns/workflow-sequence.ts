import { learnSkills, tracesFromEntries } from "../../skills/index.ts";
import { languageOfAll, timeOf } from "./entries.ts";
import { type PatternDetector, priorityOf } from "./pattern.ts";

interface Data {
  readonly suggestion: string;
  readonly tools: string;
  readonly [name: string]: string;
}

/**
 * Tools that a person uses repeatedly in the same order, as `learnSkills` finds them.
 * Source: docs/patterns.md, "What is found".
 */
export const workflowSequence: PatternDetector<Data> = {
  name: "workflow_sequence",
  detect(entries) {
    const kept = entries.map((entry) => ({
      ...entry,
      userId: entry.userId ?? "",
      slots: entry.slots ?? {},
      createdAt: new Date(timeOf(entry)),
    }));
    return learnSkills(tracesFromEntries(kept)).map(({ id, toolSequence, occurrences, confidence, examples }) => {
      const evidence = kept.filter((entry) => hasSequence(tracesFromEntries([entry])[0]?.tools ?? [], toolSequence));
      return {
        subject: toolSequence.join("→"),
        confidence,
        evidenceIds: evidence.map((entry) => entry.id),
        frequency: occurrences,
        language: languageOfAll(examples),
        data: { suggestion: id, tools: toolSequence.join(" → ") },
      };
    });
  },
  suggest({ confidence, frequency, language, data: { suggestion, tools } }) {
    const text =
      language === "zh"
        ? `同样的步骤您已经做过 ${frequency} 次：${tools}。要我把它变成一个技能吗？`
        : `You have had the same steps done ${frequency} times: ${tools}. Shall I make a skill of them?`;
    return { text, priority: priorityOf(confidence), action: { kind: "skill", suggestion } };
  },
};

/**
 * Whether a trace contains the sequence in order. Other steps may lie between, as the assistant's own tools are removed
 * before.
 */
function hasSequence(tools: readonly { readonly name: string }[], sequence: readonly string[]): boolean {
  let at = 0;
  for (const { name } of tools) if (name === sequence[at]) at += 1;
  return sequence.length > 0 && at === sequence.length;
}
