import { type Mutant, planted } from "./mutant.ts";

const PROACTIVE = "src/proactive";
const MEMORY = "src/memory";
const TURN = "src/turn";
const SILENT = "test/turn/flush-turn.test.ts";
const JOINED = "test/memory/lifecycle/lifecycle.test.ts";

const LOOKED = "test/proactive/memory/second-look.test.ts";
const IN_FLOW = "test/proactive/memory";

/** What flows into and out of memory: cross-talk (13), secrets (5). */
export const MEMORY_FLOWS: readonly Mutant[] = [
  ...planted({ threat: 13, promise: "what somebody says is kept as theirs", test: `${IN_FLOW}/capture.test.ts` }, [
    [PROACTIVE, "captureTurn", "const whose = memoryUserOf(message);", "const whose = userId;"],
    [PROACTIVE, "draftsOf", "memoryUserOf(message) === userId", "message !== undefined"],
  ]),
  ...planted({ threat: 13, promise: "a shared chat is nobody's memory", test: `${IN_FLOW}/flush.test.ts` }, [
    [PROACTIVE, "isOnePersons", "people.size < 2", "people.size < 3"],
  ]),
  ...planted({ threat: 13, promise: "recall asks the chat's own memory", test: `${IN_FLOW}/recall.test.ts` }, [
    [PROACTIVE, "onTaskStart", "memoryUserOf(task)", "task.user"],
  ]),
  ...planted({ threat: 10, promise: "a denied call is no success", test: `${IN_FLOW}/capture.test.ts` }, [
    [PROACTIVE, "captureTurn", "if (!others && !followed.isPart) {", "if (!others) {"],
    [PROACTIVE, "captureTurn", "followed.ended.flatMap((turn) => draftsOf(key, turn))", "[]"],
    [MEMORY, "duplicateOf", '|| differsIn("outcome", draft, entry)', ""],
    [PROACTIVE, "hasSomething", "(input.approval !== undefined ||", "(false ||"],
    [
      PROACTIVE,
      "createMemoryCapture.read",
      "const needed = [asking.from(), looks.from(record.seq),",
      "const needed = [looks.from(record.seq),",
    ],
    [PROACTIVE, "follow", 'if (out.toolCalls.some(({ name }) => name === "memory_forget")) open = [];', ""],
    [PROACTIVE, "follow", "open = open.filter((turn) => out.at - turn.out.at < MAX_WAIT_MS);", ""],
    [MEMORY, "outcomeOf", 'if (verdicts.has("denied")) return { outcome: "denied", problems };', ""],
    [MEMORY, "outcomeOf", 'if (verdicts.has("expired")) return { outcome: "expired", problems };', ""],
    [MEMORY, "failedTools", "if (error) failed.set(name, error.code); else failed.delete(name);", ""],
  ]),
  ...planted({ threat: 5, promise: "secrets are not remembered", test: `${IN_FLOW}/capture.test.ts` }, [
    [PROACTIVE, "captureTurn", "...redact(draft), id", "...draft, id"],
    [PROACTIVE, "draftsOf", "workflowTrace(turn, redactNamed)", "workflowTrace(turn, (value) => value)"],
  ]),
  ...planted({ threat: 5, promise: "secrets are not flushed", test: `${IN_FLOW}/flush.test.ts` }, [
    [PROACTIVE, "flush", "drafts.map(redact)", "drafts"],
  ]),
  ...planted({ threat: 13, promise: "a model that helps capture sees nothing that was edited away", test: LOOKED }, [
    [PROACTIVE, "createMemoryCapture.read", 'if (record.type === "change") looks.changed(messageRef(record));', ""],
  ]),
  ...planted({ threat: 5, promise: "a model that helps capture sees no secrets", test: LOOKED }, [
    [PROACTIVE, "createSecondLook.find", ".filter(({ text }) => redact(text) === text)", ""],
    ["src/statements", "ownSentences", "isSecret(sentence) ? [] : [sentence]", "[sentence]"],
  ]),
  ...planted(
    { threat: 13, promise: "a model that helps capture sees nothing that was to be forgotten", test: LOOKED },
    [[PROACTIVE, "saidIn", 'if (toolCalls.some(({ name }) => name === "memory_forget")) return [];', ""]],
  ),
  ...planted(
    {
      threat: 13,
      promise: "what is forgotten was heard a moment before",
      test: "test/proactive/memory/whole.test.ts",
    },
    [
      ["src/tools", "memoryTools", "await captured?.(context.sessionKey, context.signal);", ""],
      [PROACTIVE, "createMemoryCapture.onTaskCompleted", "underWay?.begin(sessionKey);", ""],
    ],
  ),
  ...planted({ threat: 10, promise: "a model that helps capture is asked once in ten messages", test: LOOKED }, [
    [PROACTIVE, "createMemoryCapture.lookAgain", "await writeCursor(key, { ...at, looks: looks.saved() });", ""],
    [PROACTIVE, "createMemoryCapture.capture", "|| !secondLook?.isOpen()", "|| !secondLook"],
  ]),
  ...planted({ threat: 13, promise: "the silent turn writes one person's memory", test: SILENT }, [
    [TURN, "callerOf", "whose.size !== 1", "whose.size === 0"],
  ]),
  ...planted({ threat: 15, promise: "orders in old turns only add to their own memory", test: SILENT }, [
    [TURN, "createFlushTurn.run", "whyNotAppended(input, speaker.peer)", "undefined"],
    [TURN, "flushTurn", "&& !dangerous", ""],
    ["src/context", "flushPrompt", 'role !== "tool" &&', ""],
  ]),
  ...planted({ threat: 5, promise: "the silent turn keeps no secrets", test: SILENT }, [
    [TURN, "createFlushTurn.run", "redact(input)", "input"],
  ]),
  ...planted({ threat: 15, promise: "a model joins memories without a word of its own", test: JOINED }, [
    [MEMORY, "saysAll", "texts.every((text) => !differsInSubstance(text, summary))", "true"],
    [MEMORY, "saysAll", "made > words.size * MAX_NEW", "false"],
  ]),
  ...planted({ threat: 13, promise: "what was recalled is not kept anew", test: "test/memory/capture/flush.test.ts" }, [
    [MEMORY, "withoutRuntime", 'text.replace(NOTES, "")', "text"],
    [MEMORY, "flushDrafts", "text.length > MIN_RESULT_CHARS && !isMemoryTool(name)", "text.length > MIN_RESULT_CHARS"],
  ]),
  ...planted({ threat: 13, promise: "what a person states of themselves does not grow old", test: JOINED }, [
    [MEMORY, "isOver", "isOld && lastingStatements(entry).length === 0", "isOld"],
    [MEMORY, "lastingStatements", "isSaidByPerson(keywords) ? lastingIn(content) : []", "lastingIn(content)"],
  ]),
  ...planted({ threat: 13, promise: "repeats push no wish out", test: "test/memory/capture/flush.test.ts" }, [
    [MEMORY, "takeFresh", "repeats += 1; continue;", "break;"],
  ]),
  ...planted({ threat: 13, promise: "no memory is lost in another", test: "test/memory/capture/duplicate.test.ts" }, [
    [
      MEMORY,
      "differsInSubstance",
      "namesApart(one, b) || namesApart(other, a) || signsApart(a, b)",
      "signsApart(a, b)",
    ],
    [
      MEMORY,
      "differsInSubstance",
      "namesApart(one, b) || namesApart(other, a) || signsApart(a, b)",
      "namesApart(one, b) || namesApart(other, a)",
    ],
    [
      MEMORY,
      "SETS",
      "const SETS = [NUMBER, NUMBER_WORDS, DATE, CONTRARY, PERSON];",
      "const SETS = [CONTRARY, PERSON];",
    ],
    [
      MEMORY,
      "differsInSubstance",
      "(a.match(NEGATION) ?? []).length !== (b.match(NEGATION) ?? []).length",
      "a === null",
    ],
  ]),
];
