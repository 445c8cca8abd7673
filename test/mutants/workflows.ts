import { type Mutant, planted } from "./mutant.ts";

const WORKFLOW = "src/workflow";
const WORK = "src/work";
const TURN = "src/turn";
const NESTED = "test/work/workflow/nested-subagents.test.ts";
const RUNS = "test/work/workflow/runs.test.ts";
const RIGHTS = "test/work/workflow/rights.test.ts";
const KILLS = "test/work/workflow/kills.test.ts";

/** A run may do no more than whoever started it, has each effect once, and ends with all that it started. */
export const WORKFLOW_MUTANTS: readonly Mutant[] = [
  ...planted({ threat: 15, promise: "a run has the rights of whoever started it", test: RIGHTS }, [
    [
      WORK,
      "createStepWork.callerOf",
      "roles: rolesNow({ ...run.place, startedBy: user }, owners)",
      "roles: run.place.roles",
    ],
    [
      "src/tools/built-in/workflow-tools.ts",
      "workflowTools",
      "context.speaker.user === user || context.speaker.roles.includes(OWNER_ROLE)",
      "true",
    ],
    [
      "src/tools/built-in/workflow-tools.ts",
      "workflowTools",
      "(groupOf(context) ?? sessionKey) === sessionKey",
      "true",
    ],
    [
      "src/tools/built-in/workflow-tools.ts",
      "workflowTools",
      "workflows.list(context.user, groupOf(context))",
      "workflows.list(context.user)",
    ],
    ["src/tools/built-in/workflow-approve.ts", "workflowApproveTool", "isRunSession(sessionKey)", "true"],
  ]),
  ...planted({ threat: 10, promise: "a definition is kept with the owner's yes", test: RIGHTS }, [
    [
      "src/tools/built-in/workflow-tools.ts",
      "workflowTools",
      'meta: { category: "orchestration", dangerous: true, idempotent: true }',
      'meta: { category: "orchestration", idempotent: true }',
    ],
  ]),
  ...planted({ threat: 15, promise: "what a step brings into a prompt is data", test: RIGHTS }, [
    [WORK, "shown", "return `\\n${dataBoundary(source, part)}\\n`;", "return part;"],
  ]),
  ...planted({ threat: 15, promise: "what a run or a model gave is data in a prompt", test: RIGHTS }, [
    [WORK, "shownInPrompt", "parent === undefined && place.startedBy === undefined", "true"],
    [WORK, "shownInPrompt", "place.startedBy === undefined", "true"],
  ]),
  ...planted({ threat: 6, promise: "runs have bounds", test: RIGHTS }, [
    [
      WORK,
      "createWorkflowService.asOneOfFew",
      "return inTurn(user, async () => {",
      "return ((_, begin) => begin())(user, async () => {",
    ],
    [WORK, "createWorkflowService.checkNumber", "count >= MAX_LIVE_RUNS", "count < 0"],
  ]),
  ...planted({ threat: 6, promise: "runs have bounds", test: RUNS }, [
    [WORK, "createWorkflowService.start", "depth + linksIn(place.startedBy) > MAX_DEPTH", "depth < 0"],
    [WORKFLOW, "budgetUsedUp", "spent.tokens >= budget.maxTokens", "spent.tokens < 0"],
    [WORKFLOW, "budgetUsedUp", "spent.toolCalls >= budget.maxToolCalls", "spent.toolCalls < 0"],
    [WORK, "createSpending.spentBy", 'status === "running"', "false"],
    [WORK, "createSpending.usedUp", "own === undefined ?", "false ?"],
    [WORK, "createSpending.spentBy", "run.begun ?? []", "[]"],
    [WORK, "createSpending.handedOn", "one.work === work", "false"],
    [WORK, "createSubagentService.leftOfRun", "left === undefined", "true"],
  ]),
  ...planted({ threat: 6, promise: "a run's budget is that of all its sub-agents", test: NESTED }, [
    [WORK, "createSpending.runWith", "link = link.startedBy", "link = undefined"],
    [WORK, "createSpending.usedByTry", "if (!isAsked(run, place.id))", "if (false)"],
    [WORK, "createSpending.usedBySubagent", 'if (state === "running")', "if (false)"],
    [WORK, "createSpending.usedBySubagent", "toolCalls = 0", "toolCalls = NaN"],
    [WORK, "createSpending.mayCall", "1 - calls", "1"],
    [WORK, "createStepModels.usedBy", "toolCalls.length + others.toolCalls", "toolCalls.length"],
    [WORK, "createStepWork.callTool", "1 + others.toolCalls", "1"],
    [WORK, "createSubagentRuns", "toolCalls: reply.toolCalls.length", "toolCalls: 0"],
    [WORK, "createSubagentService.leftOfRun", "(await spending.usedBySubagent(one)).tokens", "0"],
    [WORK, "createSubagentService.tokensLeft", "(await spending.leftOf(context)) ?? maxTokens", "maxTokens"],
    [TURN, "createSteps.take", "!(await work.mayCall(workerOf(turn), step.calls.length))", "false"],
  ]),
  ...planted({ threat: 4, promise: "no two steps share a key", test: "test/workflow/read-workflow.test.ts" }, [
    [WORKFLOW, "stepWithItem", "step.for_each !== undefined", "false"],
  ]),
  ...planted({ threat: 4, promise: "a step has its effect once", test: KILLS }, [
    [WORK, "begun", "? { ...state, startedAt }", "? { ...state, startedAt, attempt: attempt + 1 }"],
    [WORK, "createRunWork", "await landed(key);", ""],
  ]),
  ...planted({ threat: 4, promise: "a step has its effect once", test: RUNS }, [
    [WORK, "createStepWork.callerOf", "asksEach: true,", ""],
    [WORK, "createWorkflowService.startWithin", "if (known) {", "if (known === null) {"],
    [
      WORK,
      "createValues.outputOf",
      "if (content === undefined)",
      "if (content === undefined) return output; if (!content)",
    ],
    [
      WORK,
      "anew",
      'return { status: "pending", attempt: tried, before: tried, ...child };',
      'return { status: "pending", attempt: 0 };',
    ],
    [WORK, "createStepWork.callTool", "isAgain && tool?.dangerous === true", "tool?.dangerous === undefined"],
  ]),
  ...planted({ threat: 10, promise: "a prompt goes on when all that it asked the owner for is answered", test: RUNS }, [
    [WORK, "createWaits.ofPrompt", 'request.state === "ended"', 'request.state !== "open"'],
    [WORK, "createWaits.ofPrompt", "approval.id === wait.approval?.id ? undefined :", ""],
    [WORK, "createStepWork.ask", "answered === undefined ? key : `${key}:${answered}`", "key"],
    [
      WORK,
      "createStepWork.outcomeOf",
      "reply.approvals.map(({ id, code }) => ({ id, code }))",
      "[{ id: approval.id, code: approval.code }]",
    ],
    [
      WORK,
      "createStepWork.answersPrompt",
      "noteBoundary(`approval ${request.code}`, outcomeText(request))",
      "outcomeText(request)",
    ],
    ["src/inbox", "followUp", "|| record.turnless", ""],
    ["src/approvals", "markTold", "...(!beginsTurn && { turnless: true })", ""],
    ["src/turn", "callerBounds", "...(askForMs !== undefined && { askForMs }),", ""],
    [WORK, "createWorkflowService.takeAnswer", "!(await mayWaitIn(sessionKey, runId))", "true"],
    [WORK, "createStepWork.ask", "if (reply.error)", "if (!reply)"],
  ]),
  ...planted({ threat: 10, promise: "what a run started ends with it", test: RUNS }, [
    [WORK, "createRunChildren.stopBegun", "for (const place of asking)", "for (const place of [] as StepPlace[])"],
    [WORK, "createRunChildren.stopBegun", "isStartedBy(one.place.startedBy, run.id)", "false"],
    [WORK, "createRunChildren.takeBackOwn", "runOfSession(sessionKey) === run.id", "false"],
    [WORK, "createRunEnds.done", "await children.takeBackAsked(run);", ""],
    [WORK, "createRunChildren.stopChildren", "if (wait.run !== undefined) await stopRun(run, wait.run);", ""],
  ]),
  ...planted({ threat: 10, promise: "what a run asks is shown to nobody but the owner", test: RUNS }, [
    ["src/inbox", "createApprovalNotices.noticesOf", "answering.includes(user)", "true"],
  ]),
  ...planted({ threat: 10, promise: "what a sub-agent asked ends with it", test: NESTED }, [
    [WORK, "createRunChildren.stopSubagents", "sessions.has(asking)", "false"],
    [WORK, "createSubagentRuns.unasked", "asking === sessionKey", "false"],
  ]),
  ...planted(
    {
      threat: 10,
      promise: "a yes counts whatever a crash cuts off after it",
      test: "test/work/workflow/kills.test.ts",
    },
    [[WORK, "createWaits.ofApproval", 'step.run === "approve"', "false"]],
  ),
  ...planted(
    { threat: 13, promise: "nothing of a forgotten person stays in runs", test: "test/erasure/export-person.test.ts" },
    [[WORKFLOW, "createWorkflowErasure.forget", "isWorkOf(person, begunBy(run))", "false"]],
  ),
  ...planted(
    { threat: 17, promise: "a reference reaches what was put there alone", test: "test/workflow/references.test.ts" },
    [[WORKFLOW, "valueAt", "!Object.hasOwn(found, part)", "!(part in found)"]],
  ),
];
