import { type Asked, askedIn } from "./asked.ts";
import { DAY_MS, brief, languageOfAll, textSlot } from "./entries.ts";
import { type FoundPattern, type PatternDetector, priorityOf } from "./pattern.ts";
import { groupsOf, subjectOf } from "./topics.ts";

/** Minimum number of times that a question must be asked. */
const MIN_TIMES = 3;
/** The question must have been asked in the last 30 days; occurrences older than 60 days do not count. */
const RECENT_DAYS = 30;
const SPAN_DAYS = 60;

/** Replies such as `I did not understand that.` are not worth storing. */
const NO_ANSWER =
  /^(?:sorry,? )?i (?:(?:did|do)(?: not|n['’]t)|can(?:not|['’]t)) (?:understand|know|find|have|tell)\b|^我?(?:没听懂|不知道|不清楚|无法|[查找]不到)/i;

interface Data {
  readonly question: string;
  readonly answer?: string;
  readonly [name: string]: string;
}

/**
 * A topic that was asked about at least three times and whose answer does not change.
 * Source: docs/patterns.md, "What is found".
 */
export const repeatedQuestion: PatternDetector<Data> = {
  name: "repeated_question",
  detect(entries, { now }) {
    // An answer that changes daily is not worth storing.
    const questions = askedIn(entries).filter(
      ({ isQuestion, isOfTheMoment, at }) => isQuestion && !isOfTheMoment && now - at <= SPAN_DAYS * DAY_MS,
    );
    return groupsOf(questions).flatMap((group) => foundIn(group, now));
  },
  suggest({ confidence, frequency, language, data: { question, answer } }) {
    const action = { kind: "remember", question, ...(answer !== undefined && { answer }) } as const;
    const text =
      language === "zh"
        ? `“${brief(question)}”这个问题您问过 ${frequency} 次。要我把答案记住，以后直接告诉您吗？`
        : `You have asked “${brief(question)}” ${frequency} times. Shall I keep the answer in memory, so that I have it at hand?`;
    return { text, priority: priorityOf(confidence), action };
  },
};

function foundIn(group: readonly Asked[], now: number): readonly FoundPattern<Data>[] {
  const frequency = group.reduce((sum, { count }) => sum + count, 0);
  const newest = group.at(-1);
  if (!newest || frequency < MIN_TIMES || now - newest.at > RECENT_DAYS * DAY_MS) return [];
  const answers = group.flatMap(({ entry }) => textSlot(entry, "answer") ?? []);
  const answer = answers.findLast((one) => !NO_ANSWER.test(one));
  if (answer === undefined && answers.length > 0) return [];
  return [
    {
      subject: subjectOf(group.map(({ topic }) => topic)),
      confidence: Math.min(0.95, 0.5 + 0.1 * (frequency - MIN_TIMES + 1)),
      evidenceIds: group.map(({ entry }) => entry.id),
      frequency,
      language: languageOfAll(group.map(({ text }) => text)),
      data: { question: brief(newest.text, 160), ...(answer !== undefined && { answer }) },
    },
  ];
}
