import { type Mutant, planted } from "./mutant.ts";

const CAPTURE = "src/proactive/memory/capture.ts";
const WAITING = "src/proactive/memory/waiting-turns.ts";
const FLUSH = "src/proactive/memory/flush.ts";
const RECALL = "src/proactive/memory/recall.ts";
const EXTRACT = "src/memory/capture/flush.ts";
const DIFFERS = "src/memory/capture/differs.ts";
const SILENT_TURN = "src/turn/flush-turn.ts";
const SILENT = "test/turn/flush-turn.test.ts";
const SAYS_ALL = "src/memory/lifecycle/says-all.ts";
const JOINED = "test/memory/lifecycle/lifecycle.test.ts";

const IN_FLOW = "test/proactive/memory";

/** What flows into and out of memory: cross-talk (13), secrets (5). */
export const MEMORY_FLOWS: readonly Mutant[] = [
  ...planted({ threat: 13, promise: "what somebody says is kept as theirs", test: `${IN_FLOW}/capture.test.ts` }, [
    [CAPTURE, "const whose = parts.memoryUserOf(message);", "const whose = userId;"],
    [CAPTURE, "parts.memoryUserOf(message) === userId", "message !== undefined"],
  ]),
  ...planted({ threat: 13, promise: "a shared chat is nobody's memory", test: `${IN_FLOW}/flush.test.ts` }, [
    [FLUSH, "people.size < 2", "people.size < 3"],
  ]),
  ...planted({ threat: 13, promise: "recall asks the chat's own memory", test: `${IN_FLOW}/recall.test.ts` }, [
    [RECALL, "parts.memoryUserOf(task)", "task.user"],
  ]),
  ...planted({ threat: 10, promise: "a denied call is no success", test: `${IN_FLOW}/capture.test.ts` }, [
    [CAPTURE, "if (!others && !followed.isPart) {", "if (!others) {"],
    [CAPTURE, "followed.ended.flatMap((turn) => draftsOf(key, turn))", "[]"],
    ["src/memory/capture/duplicate.ts", ' || differsIn("outcome", draft, entry)', ""],
    [CAPTURE, "(input.approval !== undefined ||", "(false ||"],
    [CAPTURE, "const from = Math.min(record.seq + 1, asking.from(), ", "const from = Math.min(record.seq + 1, "],
    [WAITING, 'if (out.toolCalls.some(({ name }) => name === "memory_forget")) open = [];', ""],
    [WAITING, "open = open.filter((turn) => out.at - turn.out.at < MAX_WAIT_MS);", ""],
    ["src/memory/capture/turn.ts", 'if (verdicts.has("denied")) return { outcome: "denied", problems };', ""],
    ["src/memory/capture/turn.ts", 'if (verdicts.has("expired")) return { outcome: "expired", problems };', ""],
    ["src/memory/capture/turn.ts", "if (error) failed.set(name, error.code);\n    else failed.delete(name);", ""],
  ]),
  ...planted({ threat: 5, promise: "secrets are not remembered", test: `${IN_FLOW}/capture.test.ts` }, [
    [CAPTURE, "...redact(draft), id", "...draft, id"],
    [CAPTURE, "workflowTrace(turn, redactNamed)", "workflowTrace(turn, (value) => value)"],
  ]),
  ...planted({ threat: 5, promise: "secrets are not flushed", test: `${IN_FLOW}/flush.test.ts` }, [
    [FLUSH, "drafts.map(redact)", "drafts"],
  ]),
  ...planted({ threat: 13, promise: "the silent turn writes one person's memory", test: SILENT }, [
    [SILENT_TURN, "whose.size !== 1", "whose.size === 0"],
  ]),
  ...planted({ threat: 15, promise: "orders in old turns only add to their own memory", test: SILENT }, [
    [SILENT_TURN, "whyNotAppended(input, speaker.peer)", "undefined"],
    [SILENT_TURN, " && !dangerous", ""],
    ["src/context/compaction/flush-prompt.ts", 'role !== "tool" && ', ""],
  ]),
  ...planted({ threat: 5, promise: "the silent turn keeps no secrets", test: SILENT }, [
    [SILENT_TURN, "redact(input)", "input"],
  ]),
  ...planted({ threat: 15, promise: "a model joins memories without a word of its own", test: JOINED }, [
    [SAYS_ALL, "texts.every((text) => !differsInSubstance(text, summary))", "true"],
    [SAYS_ALL, "made > words.size * MAX_NEW", "false"],
  ]),
  ...planted({ threat: 13, promise: "what was recalled is not kept anew", test: "test/memory/capture/flush.test.ts" }, [
    [EXTRACT, 'text.replace(NOTES, "")', "text"],
    [EXTRACT, "text.length > MIN_RESULT_CHARS && !isMemoryTool(name)", "text.length > MIN_RESULT_CHARS"],
  ]),
  ...planted({ threat: 13, promise: "no memory is lost in another", test: "test/memory/capture/duplicate.test.ts" }, [
    [DIFFERS, "namesApart(one, b) || namesApart(other, a) || signsApart(a, b)", "signsApart(a, b)"],
    [
      DIFFERS,
      "namesApart(one, b) || namesApart(other, a) || signsApart(a, b)",
      "namesApart(one, b) || namesApart(other, a)",
    ],
    [DIFFERS, "const SETS = [NUMBER, NUMBER_WORDS, DATE, CONTRARY, PERSON];", "const SETS = [CONTRARY, PERSON];"],
    [DIFFERS, "(a.match(NEGATION) ?? []).length !== (b.match(NEGATION) ?? []).length", "a === null"],
  ]),
];
