import { type Mutant, planted } from "./mutant.ts";

const TOLD = {
  threat: 13,
  promise: "what is found in what a person says is told to them alone, once, and done only after their yes",
};
const KEPT = { threat: 13, promise: "what was to be forgotten, and what nobody said, is no evidence" };
const RIGHTS = { threat: 11, promise: "a job made at a yes has at most its person's rights" };
const PROACTIVE = "src/proactive";
const LIVED = "test/proactive/patterns/lived.node.test.ts";

/** What is found in what people say and do. */
export const PATTERN_MUTANTS: readonly Mutant[] = [
  ...planted({ ...KEPT, test: LIVED }, [
    [PROACTIVE, "createEvidence.isTheirs", "source === undefined &&", ""],
    [PROACTIVE, "createEvidence.isTheirs", "&& users.memoryUserOf(message) === user", ""],
    [PROACTIVE, "createEvidence.withNews", "&& !isForgotten(one, forgotten)", ""],
    [PROACTIVE, "createEvidence.withNews", "if (one.ref !== messageRef(change)) continue;", "continue;"],
    [PROACTIVE, "createFindings", '.filter((one) => one.state !== "open" || one.evidenceIds.some(isEvidence))', ""],
    [PROACTIVE, "createEvidence.forget", "followed.clear();", ""],
  ]),
  ...planted({ ...TOLD, test: "test/proactive/patterns/recogniser.test.ts" }, [
    [PROACTIVE, "createRecogniser", 'task.peer.kind !== "direct"', "false"],
    [
      PROACTIVE,
      "createRecogniser",
      "await lock.shared(() => evidence.follow(userId, sessionKey));",
      "await evidence.follow(userId, sessionKey);",
    ],
    [
      PROACTIVE,
      "createRecogniser.handle",
      "await lock.shared(async () => {",
      "await (async (work: () => Promise<void>) => work())(async () => {",
    ],
    [PROACTIVE, "createTellFinding", "await findings.told(user, id);", ""],
    [PROACTIVE, "createFindings.decide", "const { suggestion: _suggestion, ...rest } = one;", "const rest = one;"],
    [PROACTIVE, "isRaisable", 'state === "open" &&', ""],
  ]),
  ...planted({ ...RIGHTS, test: "test/proactive/patterns/recogniser.test.ts" }, [
    [PROACTIVE, "createPatternPromises.placeAt", "then.filter((role) => now.includes(role))", "[...then, ...now]"],
  ]),
  ...planted({ ...TOLD, test: "test/proactive/initiative/initiative-hook.test.ts" }, [
    [PROACTIVE, "initiativeHook", 'task.peer.kind !== "direct"', "false"],
    [PROACTIVE, "initiativeHook.touched", "said && suggestion", "suggestion"],
  ]),
];
