import { type Mutant, planted } from "./mutant.ts";

const RIGHTS = { threat: 2, promise: "a sub-agent may do no more than whoever started it" };
const BOUNDS = { threat: 6, promise: "sub-agents are bounded in number, depth and budget" };
const ONCE = { threat: 4, promise: "a task is done once, and its result told once, to its own conversation" };
const WORK = "src/work";
const TOOLS = "src/tools";
const TURN = "src/turn";
const LIVED = "test/work/subagents/subagents.test.ts";
const BOUNDED = "test/work/subagents/rights.test.ts";

/** Tasks that a turn hands on. */
export const SUBAGENT_MUTANTS: readonly Mutant[] = [
  ...planted({ ...RIGHTS, test: BOUNDED }, [
    [WORK, "createSubagentService.describe", "sharedTools(onlyTools, wanted)", "wanted"],
    [WORK, "createSubagentService.describe", "...(withoutTools && { withoutTools }),", ""],
    [WORK, "createSubagentService.describe", "...(speakers && { speakers })", ""],
    [WORK, "createSubagentService.describe", "...(startedBy && { startedBy })", ""],
    [WORK, "depthIn", "own + depthIn(startedBy)", "own"],
    [WORK, "createStepWork.callerOf", "...(onlyTools && { onlyTools }),", ""],
    [WORK, "boundsOf", "...limits, startedBy,", "...limits,"],
    [TURN, "callerBounds", "...(startedBy && { startedBy }),", ""],
    [TURN, "callerBounds", "...(onlyTools && { onlyTools }),", ""],
    [TURN, "boundedOptions", "withoutTools.length === 0", "true"],
    [TOOLS, "createDispatch.admit", "if (!isGiven(tool, caller)) {", "if (false) {"],
    [TOOLS, "savedCaller", "...(onlyTools && { onlyTools }),", ""],
    [TOOLS, "savedCaller", "...(withoutTools && { withoutTools }),", ""],
    [TOOLS, "isGiven", "if (depth === 0 && isAmong(withoutTools, name)) return false;", ""],
    [TOOLS, "placeOf", "...(onlyTools && { tools: onlyTools }),", ""],
    [TOOLS, "viewerOf", "...(onlyTools && { tools: onlyTools }),", ""],
    [WORK, "createStepWork.ask", "...(withoutTools && { withoutTools }),", ""],
    [WORK, "createStepWork.callerOf", "...(withoutTools && { withoutTools }),", ""],
    [WORK, "createWorkflowCalls.start", "...(withoutTools && { withoutTools }),", ""],
    [WORK, "createJobTurns.run", "...(tools && { tools }),", ""],
    ["src/schedule", "toolsOfBoth", "sharedTools(one.tools, other.tools)", "one.tools"],
  ]),
  ...planted({ ...RIGHTS, test: "test/tool-lists.test.ts" }, [
    [
      "src",
      "sharedTools",
      "if (own.some((other) => coversTool(other, pattern))) return [pattern];",
      "return [pattern];",
    ],
  ]),
  ...planted({ ...BOUNDS, test: LIVED }, [
    [WORK, "createSubagentService.describe", "if (depth > maxDepth)", "if (false)"],
    [WORK, "createSubagentService.describe", "Math.min(budget ?? maxTokens, maxTokens, left)", "maxTokens"],
    [WORK, "createSubagentService.describe", "...(unattended && { unattended }),", ""],
    [WORK, "createStepWork.ask", "...(unattended && { unattended }),", ""],
    [WORK, "createStepWork.callerOf", "...(unattended && { unattended }),", ""],
    [WORK, "createWorkflowCalls.start", "...(unattended && { unattended }),", ""],
    ["src/turn", "callerBounds", "...(unattended && { unattended }),", ""],
    ["src/tools", "createDispatch.contextOf", "unattended = isUnattended(origin)", "unattended"],
    ["src/subagents", "createSubagents.claim", "if (running >= maxRunning) return false;", ""],
  ]),
  ...planted({ ...BOUNDS, test: "test/subagents/subagents.test.ts" }, [
    ["src/subagents", "createSubagents.claim", "{ expect: version }", "{}"],
  ]),
  ...planted({ ...BOUNDS, test: "test/session/slots.test.ts" }, [
    ["src/session", "createSlots.takeAgain", "if (holder.hasEnded || holder.lentFor > 0) return;", ""],
    [
      "src/session",
      "createSlots.takeAgain",
      "if (holder.hasEnded || holder.lentFor > 0) giveBack(); else holder.giveBack = giveBack;",
      "void giveBack;",
    ],
  ]),
  ...planted({ ...BOUNDS, test: "test/turn/bounds.test.ts" }, [
    [TURN, "checkBounds", "tokens >= maxTokens", "false"],
    [TURN, "isOverCalls", "callsOf(steps) > maxToolCalls", "false"],
  ]),
  ...planted({ threat: 13, promise: "what is handed on is seen in its own conversation alone", test: LIVED }, [
    [
      WORK,
      "createSubagentService.seenBy",
      "one && (one.root === root || one.home.sessionKey === context.sessionKey)",
      "one",
    ],
    ["src/subagents", "createSubagentErasure.forget", "person.isUser(one.person.user)", "false"],
    ["src/subagents", "createSubagentErasure.exportPerson", "if (isUser(one.person.user))", ""],
  ]),
  ...planted({ threat: 15, promise: "what a sub-agent read is data for its parent", test: LIVED }, [
    [TOOLS, "META", "untrusted: true", "untrusted: false"],
  ]),
  ...planted({ ...ONCE, test: LIVED }, [
    [WORK, "createSubagentRuns.tell", 'now.delivery === "open" && !now.awaited', 'now.delivery === "open"'],
    [
      WORK,
      "createSubagentService.stopAll",
      'state === "running" && (await cancel(id, "A person stopped it"))',
      "false",
    ],
    [WORK, "createStopWork", "await cancelRunsBegunIn(sessionKey, by);", ""],
    [WORK, "createSubagentRuns", "service.endWork(one)", "turns.stop(one.sessionKey)"],
    [WORK, "createWorkflowService.cancelBegunIn", "isBegunIn(sessionKey, place.startedBy)", "true"],
    [WORK, "createWorkflowCalls.start", "isSubSession(sessionKey)", "false"],
  ]),
  ...planted({ ...ONCE, test: "test/work/subagents/crash.test.ts" }, [
    [
      WORK,
      "createSubagentRuns.tell",
      "id: `sub:${id}`, text: `${id}: ${text}`, source",
      "id: `sub:${id}:${clock.now()}`, text: `${id}: ${text}`, source",
    ],
  ]),
];
