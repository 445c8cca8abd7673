import { tokensOf } from "../../memory/index.ts";
import { tracesFromEntries } from "../../skills/index.ts";
import { DAY_MS, brief, countOf, languageOfAll, textSlot, timeOf } from "./entries.ts";
import { type FoundPattern, type PatternDetector, type PatternEntry, priorityOf } from "./pattern.ts";
import { failedSteps } from "./trace-steps.ts";

/** Minimum number of similar failures. */
const MIN_FAILURES = 3;
const SPAN_DAYS = 30;
/** Minimum share of failures among all known calls of the tool between its first and last failure. */
const MIN_SHARE = 0.3;
/** Codes of decisions by a person or the runtime, which are not failures of the tool. */
const DECIDED = /^(?:DENIED|EXPIRED|ABORTED|INTERRUPTED|FORBIDDEN|BAD_INPUT|INVALID_INPUT|TOOL_DENIED)$/;
const CODE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/;
/** Share of common words from which two error messages are similar. */
const ALIKE = 0.5;

interface Failure {
  readonly id: string;
  /** The turn. Several failures of a tool in one turn count once. */
  readonly turn: string;
  readonly tool: string;
  readonly error: string;
  readonly at: number;
  readonly count: number;
  readonly text: string;
}

interface Data {
  readonly tool: string;
  readonly error: string;
  readonly [name: string]: string;
}

/** A tool that failed at least three times with similar errors. Source: docs/patterns.md, "What is found". */
export const toolFailurePattern: PatternDetector<Data> = {
  name: "tool_failure_pattern",
  detect(entries, { now }) {
    const failures = failuresIn(entries).filter(({ at }) => now - at <= SPAN_DAYS * DAY_MS);
    const successes = successesIn(entries);
    return likeFailures(failures).flatMap((group) => foundIn(group, successes));
  },
  suggest({ confidence, frequency, language, data: { tool, error } }) {
    const text =
      language === "zh"
        ? `工具 ${tool} 最近失败了 ${frequency} 次，错误都类似：${brief(error)}。可能需要检查它的设置。`
        : `The tool ${tool} has failed ${frequency} times lately with the same kind of error: ${brief(error)}. Its settings may need a look.`;
    return { text, priority: priorityOf(confidence), action: { kind: "hint" } };
  },
};

function failuresIn(entries: readonly PatternEntry[]): readonly Failure[] {
  const failures = new Map<string, Failure>();
  const add = (failure: Failure) => {
    const { turn, tool, error } = failure;
    if (DECIDED.test(error)) return;
    const key = JSON.stringify([turn, tool]);
    if (!failures.has(key)) failures.set(key, failure);
  };
  for (const entry of entries) {
    const common = { id: entry.id, at: timeOf(entry), count: countOf(entry), text: entry.content };
    const [tool, error] = [textSlot(entry, "tool"), textSlot(entry, "error")];
    const turn = textSlot(entry, "turn") ?? textSlot(entry, "task_id") ?? entry.id;
    if (tool !== undefined && error !== undefined && textSlot(entry, "outcome") === "failure")
      add({ ...common, turn, tool, error });
    for (const step of failedSteps(entry)) add({ ...common, turn, ...step });
  }
  return [...failures.values()];
}

/** Returns when tools succeeded, as far as traces show it. */
function successesIn(entries: readonly PatternEntry[]): ReadonlyMap<string, readonly number[]> {
  const times = new Map<string, number[]>();
  const add = (tool: string, at: number) => times.set(tool, [...(times.get(tool) ?? []), at]);
  for (const entry of entries) {
    const tools = entry.slots?.["tools"];
    if (textSlot(entry, "type") === "request" && Array.isArray(tools))
      for (const tool of tools) if (typeof tool === "string") add(tool, timeOf(entry));
  }
  const asTraces = entries.map((entry) => ({
    ...entry,
    userId: "",
    slots: entry.slots ?? {},
    createdAt: new Date(timeOf(entry)),
  }));
  for (const { tools, createdAt } of tracesFromEntries(asTraces))
    for (const name of new Set(tools.filter(({ success }) => success).map((tool) => tool.name)))
      add(name, Number(createdAt));
  return times;
}

/** Groups failures of one tool by equal error codes or similar messages. */
function likeFailures(failures: readonly Failure[]): Failure[][] {
  const groups: { readonly first: Failure; readonly words: ReadonlySet<string>; readonly failures: Failure[] }[] = [];
  for (const failure of failures) {
    const words = wordsOf(failure.error);
    const group = groups.find((one) => one.first.tool === failure.tool && isAlike(one.words, words));
    if (group) group.failures.push(failure);
    else groups.push({ first: failure, words, failures: [failure] });
  }
  return groups.map((group) => group.failures);
}

function wordsOf(error: string): ReadonlySet<string> {
  if (CODE.test(error)) return new Set([error]);
  const words = tokensOf(error).filter((word) => !/\d/.test(word));
  return new Set(words.length > 0 ? words : [error]);
}

function isAlike(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const shared = [...one].filter((word) => other.has(word)).length;
  return shared > 0 && shared / (one.size + other.size - shared) >= ALIKE;
}

function foundIn(
  group: readonly Failure[],
  successes: ReadonlyMap<string, readonly number[]>,
): readonly FoundPattern<Data>[] {
  const frequency = group.reduce((sum, { count }) => sum + count, 0);
  const [first, last] = [group[0], group.at(-1)];
  if (!first || !last || frequency < MIN_FAILURES) return [];
  const well = (successes.get(first.tool) ?? []).filter((at) => at >= first.at).length;
  const share = frequency / (frequency + well);
  if (share < MIN_SHARE) return [];
  return [
    {
      subject: `${first.tool} ${[...wordsOf(first.error)].sort().slice(0, 4).join(" ")}`,
      confidence: Math.min(0.95, (0.5 + 0.1 * (frequency - MIN_FAILURES + 1)) * (0.5 + 0.5 * share)),
      evidenceIds: [...new Set(group.map(({ id }) => id))],
      frequency,
      language: languageOfAll(group.map(({ text }) => text)),
      data: { tool: first.tool, error: brief(last.error, 160) },
    },
  ];
}
