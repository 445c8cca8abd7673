import { outcomeText } from "../../approvals/index.ts";
import { dataBoundary, noteBoundary, skillBoundary } from "../../context/index.ts";
import { AssistantError, isOfStore, messageOf } from "../../errors.ts";
import { RUNTIME_CHANNEL } from "../../host-channels.ts";
import { OWNER_ROLE, type Owners } from "../../policy/index.ts";
import type { Reply } from "../../reply.ts";
import type { JsonValue } from "../../store/index.ts";
import { sharedTools } from "../../tool-lists.ts";
import { type ToolCaller, type ToolDispatch, WORKFLOW_APPROVE } from "../../tools/index.ts";
import {
  DEFAULT_APPROVAL_SECONDS,
  type Lookup,
  type RunPlace,
  type StepDefinition,
  type StepError,
  type StepPlace,
  type StepWait,
  type WorkflowRun,
  asText,
  fillIn,
  fillText,
  stateOf,
} from "../../workflow/index.ts";
import { languageOfRun } from "./failure-summary.ts";
import { type OwnTurns, rolesNow } from "../own-turns.ts";
import type { StepModels, StepUse } from "./step-models.ts";
import type { StepTimes } from "./step-times.ts";
import { effectKeyOf, runSessionOf, stepSessionOf } from "./keys.ts";
import type { WorkApprovals } from "../work-approvals.ts";
import { type Values, shownInPrompt } from "./values.ts";

/** Outcome of one try. */
export type StepOutcome = {
  readonly tokens?: number;
  readonly toolCalls?: number;
  readonly cost?: number;
  /** Active milliseconds of another run. */
  readonly activeMs?: number;
} & (
  | { readonly status: "done"; readonly output: JsonValue }
  | { readonly status: "failed"; readonly error: StepError }
  | { readonly status: "waiting"; readonly wait: StepWait }
  /**
   * The step cannot begin yet and is tried again later; this try does not count. `asksLater`: the owner already has too
   * many questions.
   */
  | { readonly status: "pending"; readonly asksLater?: true }
  /** The requests that the prompt waited for have ended, and the prompt goes on. */
  | { readonly status: "running"; readonly answered: readonly string[] }
);

export interface StepWorkDeps {
  readonly dispatch: Pick<ToolDispatch, "run" | "find">;
  readonly turns: Pick<OwnTurns, "run">;
  readonly values: Pick<Values, "lookupIn">;
  /** Reads a skill that this person may use; undefined: there is none. */
  skillOf(name: string, place: RunPlace): Promise<{ readonly body: string; readonly hash: string } | undefined>;
  /**
   * Starts another workflow for a step. Contract: the same step and attempt return the same run.
   * @returns Its id; undefined: it cannot begin yet.
   */
  startRun(
    name: string,
    given: {
      readonly inputs: Readonly<Record<string, JsonValue>>;
      readonly of: WorkflowRun;
      readonly step: string;
      /** The run that the step started before, which continues. */
      readonly child: string | undefined;
    },
    start: string,
  ): Promise<string | undefined>;
  /** Reads the request of a call, and takes back the requests of a failed try. */
  readonly approvals: Pick<WorkApprovals, "of" | "takeBack">;
  readonly models: StepModels;
  readonly owners: Pick<Owners, "rolesOf">;
  readonly times: StepTimes;
}

/** One try of one step. */
export interface Try {
  readonly run: WorkflowRun;
  readonly step: StepDefinition;
  readonly place: StepPlace;
  readonly attempt: number;
  /** Whether the try had begun before the process ended. */
  readonly isAgain: boolean;
  readonly signal: AbortSignal;
}

export type StepWork = (of: Try) => Promise<StepOutcome>;

/**
 * @returns A function that does one try of a step. An exception is the failure of the try. When the signal aborts, it
 * throws the signal's reason.
 */
export function createStepWork(deps: StepWorkDeps): StepWork {
  const { dispatch, turns, values, skillOf, startRun, approvals, models, owners, times } = deps;

  return async function work(of) {
    const { run, step, place } = of;
    const lookup = values.lookupIn(run, place);
    if (step.run === "wait")
      return { status: "waiting", wait: times.waitOf(step, await filled(step.with, lookup), run.place.user) };
    if (step.run === "tool") return callTool(of, step.tool, await filled(step.with, lookup));
    if (step.run === "approve") {
      const shown = await filled(step.with, lookup);
      // Last, so that a definition cannot override what asks.
      const input = { ...shown, run: run.id, workflow: run.definition.name, step: step.id };
      return callTool(of, WORKFLOW_APPROVE, input);
    }
    if (step.run === "workflow") {
      const inputs = await filled(step.with, lookup);
      const known = stateOf(run, place.id, place.item).child?.run;
      const given = { inputs, of: run, step: step.id, child: known };
      const child = await startRun(step.workflow, given, effectKeyOf(run.id, place, of.attempt));
      if (child === undefined) return { status: "pending" };
      return { status: "waiting", wait: { run: child, ...times.limitOf(step) } };
    }
    const { answered } = stateOf(run, place.id, place.item);
    if (answered) return ask(of, await answersPrompt(answered), answered);
    if (step.run === "skill") return ask(of, await skillPrompt(step, run.place, await filled(step.with, lookup)));
    return ask(of, await fillText(step.prompt, lookup, shownInPrompt(run)));
  };

  async function callTool(of: Try, name: string, input: JsonValue): Promise<StepOutcome> {
    const { run, step, place, attempt, isAgain } = of;
    const tool = dispatch.find(name);
    if (isAgain && tool?.dangerous === true && !tool.idempotent && step.run === "tool") {
      // The outcome is unknown, and the owner approved one call only.
      const message = `The program stopped while ${name} ran, so it may or may not have had its effect: check, then retry the step`;
      return failed("INTERRUPTED", message);
    }
    const deadline = times.deadlineOf(step, of.signal);
    try {
      const caller = callerOf(run, deadline.signal, step);
      const callId = effectKeyOf(run.id, place, attempt);
      const result = await dispatch.run(name, input, caller, callId).catch((error: unknown) => {
        if (isOfStore(error)) return undefined;
        throw error;
      });
      of.signal.throwIfAborted();
      // The store failed before the tool ran: the owner could not be asked.
      if (result === undefined) return { status: "pending" };
      const others = await models.handedOn(runSessionOf(run.place.agentId, run.id), callId);
      const used = { toolCalls: 1 + others.toolCalls, tokens: others.tokens };
      if (result.ok) return { status: "done", output: result.output, ...used };
      if ("approval" in result) return { status: "waiting", wait: { approval: result.approval } };
      if (result.error.code === "TOO_MANY_APPROVALS") return { status: "pending", asksLater: true };
      if (deadline.signal.aborted) return { ...failed("TIMEOUT", messageOf(deadline.signal.reason)), ...used };
      return { status: "failed", error: result.error, ...used };
    } finally {
      deadline.end();
    }
  }

  /** @param answered Ids of the requests that the prompt waited for, when it goes on. */
  async function ask(of: Try, text: string, [answered]: readonly string[] = []): Promise<StepOutcome> {
    const { run, step, place, attempt, signal } = of;
    const { budget, spent, definition } = run;
    const { user, roles, channel, account, peer, agentId, home, withoutTools, unattended } = run.place;
    const left = Math.max(1, Math.floor(budget.maxSeconds - spent.activeMs / 1000));
    const { tools: wanted, model } = step.run === "prompt" ? step : {};
    models.check(agentId, model);
    const tools = sharedTools(run.place.onlyTools, wanted);
    const key = effectKeyOf(run.id, place, attempt);
    const sessionKey = stepSessionOf(agentId, run.id, place);
    const reply = await turns.run(
      {
        id: `workflow:${answered === undefined ? key : `${key}:${answered}`}`,
        sessionKey,
        text,
        source: `workflow ${definition.name}`,
        origin: "workflow",
        person: { user, roles, channel, account, peer, home },
        bounds: {
          maxTokens: budget.maxTokens - spent.tokens,
          maxToolCalls: budget.maxToolCalls - spent.toolCalls,
          maxSeconds: Math.min(step.timeoutSeconds ?? left, left),
          startedBy: linkOf(run.place),
          askForMs: DEFAULT_APPROVAL_SECONDS * 1000,
          ...(tools && { tools }),
          ...(withoutTools && { withoutTools }),
          ...(unattended && { unattended }),
          ...(model !== undefined && { model }),
        },
      },
      signal,
    );
    // The next try asks again, and a yes to both requests would have the effect twice.
    if (reply.error) for (const { id } of reply.approvals) await approvals.takeBack(id, "its step failed");
    return outcomeOf(step, reply, await models.usedBy(reply, { sessionKey, agentId, model }));
  }

  function outcomeOf(step: StepDefinition, reply: Reply, used: StepUse): StepOutcome {
    if (reply.error) {
      const { code, message } = reply.error;
      return { status: "failed", error: { code: code === "TURN_TIMEOUT" ? "TIMEOUT" : code, message }, ...used };
    }
    const [approval] = reply.approvals;
    if (approval) {
      const asked = reply.approvals.map(({ id, code }) => ({ id, code }));
      return { status: "waiting", wait: { approval: { id: approval.id, code: approval.code }, asked }, ...used };
    }
    if (step.run !== "prompt" || step.format !== "json") return { status: "done", output: reply.text, ...used };
    const json = jsonIn(reply.text);
    if (json !== undefined) return { status: "done", output: json, ...used };
    return { ...failed("NO_JSON", `The answer is not JSON: ${reply.text.slice(0, 200)}`), ...used };
  }

  async function skillPrompt(
    { skill }: Extract<StepDefinition, { readonly run: "skill" }>,
    place: RunPlace,
    given: Readonly<Record<string, JsonValue>>,
  ): Promise<string> {
    const found = await skillOf(skill, place);
    if (!found) throw new AssistantError("NOT_FOUND", `There is no skill ${JSON.stringify(skill)} for this person`);
    const inputs = Object.entries(given).flatMap(([name, value]) =>
      value === null ? [] : dataBoundary(name, asText(value)),
    );
    const task = "Do what this skill says, from its first step to its last, and answer with its result alone.";
    return [task, skillBoundary(skill, 1, found.hash, found.body), ...inputs].join("\n\n");
  }

  /** The outcomes of requests in the form that a conversation gets: tool results are marked as data here too. */
  async function answersPrompt(ids: readonly string[]): Promise<string> {
    const requests = await Promise.all(ids.map(approvals.of));
    const known = requests.flatMap((request) => request ?? []);
    return known.map((request) => noteBoundary(`approval ${request.code}`, outcomeText(request))).join("\n");
  }

  function callerOf(run: WorkflowRun, signal: AbortSignal, step: StepDefinition): ToolCaller {
    const { user, channel, account, peer, agentId, home, onlyTools, withoutTools, unattended } = run.place;
    const sessionKey = runSessionOf(agentId, run.id);
    const common = {
      taskId: run.id,
      ...(home.target && { target: home.target }),
      home,
      origin: "workflow",
      inTurn: false,
      signal,
      wholeResult: true,
      asksEach: true,
      language: languageOfRun(run),
    } as const;
    if (step.run === "approve") {
      // The runtime asks with the owner's role, whatever the person's rights: only the answer counts.
      const speaker = { user, roles: [OWNER_ROLE], channel: RUNTIME_CHANNEL, account, peer, sessionKey, agentId };
      return { ...common, speaker, askForMs: (step.timeoutSeconds ?? DEFAULT_APPROVAL_SECONDS) * 1000 };
    }
    const speaker = {
      user,
      roles: rolesNow({ ...run.place, startedBy: user }, owners),
      channel,
      account,
      peer,
      sessionKey,
      agentId,
    };
    return {
      ...common,
      speaker,
      startedBy: linkOf(run.place),
      ...(onlyTools && { onlyTools }),
      ...(withoutTools && { withoutTools }),
      ...(unattended && { unattended }),
      askForMs: DEFAULT_APPROVAL_SECONDS * 1000,
    };
  }
}

/** The starter of the run, which the policy checks in addition to the run itself. */
function linkOf({ channel, roles, home, startedBy }: RunPlace): NonNullable<ToolCaller["startedBy"]> {
  return { channel, roles, sessionKey: home.sessionKey, ...(startedBy && { startedBy }) };
}

function failed(code: string, message: string): { readonly status: "failed"; readonly error: StepError } {
  return { status: "failed", error: { code, message } };
}

async function filled(
  values: Readonly<Record<string, JsonValue>> = {},
  lookup: Lookup,
): Promise<Readonly<Record<string, JsonValue>>> {
  return (await fillIn(values, lookup)) as Readonly<Record<string, JsonValue>>;
}

/** Parses an answer that is JSON, or that has it in its first code block. */
function jsonIn(text: string): JsonValue | undefined {
  const block = /```(?:json)?\s*\n([\s\S]*?)\n```/.exec(text)?.[1];
  for (const one of [text, block]) {
    try {
      if (one !== undefined) return JSON.parse(one) as JsonValue;
    } catch {
      continue;
    }
  }
  return undefined;
}
