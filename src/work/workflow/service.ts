import type { Clock } from "../../clock.ts";
import { type Engine, createArrivals } from "../../engine/index.ts";
import { AssistantError } from "../../errors.ts";
import { type JsonValue, createTurns } from "../../store/index.ts";
import type { Metrics } from "../../telemetry/index.ts";
import {
  type Budget,
  DEFAULT_BUDGET,
  type Definitions,
  type RunPlace,
  type Runs,
  type WorkflowDefinition,
  type WorkflowRun,
  budgetUsedUp,
  isEnded,
  jsonOf,
  placesOf,
  readInputs,
  stateOf,
} from "../../workflow/index.ts";
import { resumed, retried, told } from "./changes.ts";
import { runOfCalls, runOfSession, stepSessionOf, workflowKeyOf } from "./keys.ts";
import type { LiveRuns } from "./live-runs.ts";
import type { Progress } from "./progress.ts";
import { waitingSteps } from "./waits.ts";

export interface WorkflowServiceDeps {
  readonly definitions: Pick<Definitions, "find" | "read">;
  /** Finds a chain of skills by name, if this person may use it. */
  chainOf(name: string, place: RunPlace): Promise<WorkflowDefinition | undefined>;
  readonly runs: Runs;
  readonly progress: Pick<Progress, "started" | "changed">;
  readonly live: LiveRuns;
  readonly engine: Pick<Engine, "wake">;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, "increment">;
}

/** Options of a new run. */
export interface NewRun {
  readonly inputs?: Readonly<Record<string, JsonValue>> | undefined;
  readonly budget?: Partial<Budget> | undefined;
  /** What is left of the starter's budget: an upper limit for the run's own budget. */
  readonly most?: Budget | undefined;
  /** Idempotency key: the same start returns the same run. */
  readonly start?: string | undefined;
  readonly parent?: WorkflowRun["parent"];
  readonly depth?: number;
}

/** How deep runs may start one another, counting conversations that they start in between. */
const MAX_DEPTH = 5;
/** Most unfinished runs of one person. */
const MAX_LIVE_RUNS = 20;
/** Most characters of all events of a run, as JSON: the whole document is read and written each time. */
const MAX_EVENTS_CHARS = 262_144;

/** Operations on runs for people and programs. */
export type WorkflowService = ReturnType<typeof createWorkflowService>;

export function createWorkflowService(deps: WorkflowServiceDeps) {
  const { definitions, chainOf, runs, progress, live, engine, clock, metrics } = deps;
  const arrivals = createArrivals();
  const inTurn = createTurns();

  /**
   * Finds a definition by name: of the host, a file, one that comes with Wakeful, or a chain of skills.
   * @throws {AssistantError} `NOT_FOUND`.
   */
  async function definitionFor(name: string, place: RunPlace): Promise<WorkflowDefinition> {
    const known = (await definitions.find(name))?.definition ?? (await chainOf(name, place));
    if (known) return known;
    throw noSuchWorkflow(name);
  }

  /**
   * Begins a run. Durable when it resolves.
   * @throws {AssistantError} `NOT_FOUND`; `OPTION_INVALID` for an invalid definition or inputs; `FORBIDDEN` when the
   * person has too many runs or the nesting is too deep.
   */
  async function start(wanted: string | WorkflowDefinition, place: RunPlace, given: NewRun = {}): Promise<WorkflowRun> {
    const { budget, most, parent, depth = 0 } = given;
    if (depth + linksIn(place.startedBy) > MAX_DEPTH)
      throw new AssistantError(
        "FORBIDDEN",
        `Workflows and sub-agents can start one another to a depth of at most ${MAX_DEPTH}`,
      );
    const startId = given.start === undefined ? undefined : `${place.user} ${given.start}`;
    const id = await runs.idFor(startId);
    const known = startId === undefined ? undefined : await runs.find(id);
    const run = known ?? (await made(id, startId));
    const create = () => wakeFor(id, () => runs.create(run));
    const created = await (known || parent ? create() : asOneOfFew(place.user, create));
    if (!known) {
      metrics.increment("workflow.started_total");
      await progress.started(created);
    }
    return created;

    async function made(runId: string, startedAs: string | undefined): Promise<WorkflowRun> {
      const definition =
        typeof wanted === "string" && !wanted.includes("\n")
          ? await definitionFor(wanted, place)
          : definitions.read(wanted);
      return {
        v: 1,
        id: runId,
        definition,
        inputs: readInputs(definition, given.inputs),
        budget: atMost({ ...(most ?? DEFAULT_BUDGET), ...definition.budget, ...budget }, most),
        place,
        status: "running",
        startedAt: clock.now(),
        steps: {},
        spent: { tokens: 0, toolCalls: 0, activeMs: 0 },
        depth,
        ...(parent && { parent }),
        ...(startedAs !== undefined && { start: startedAs }),
      };
    }
  }

  /**
   * Begins a run if the person has few enough. Calls for one person run one after another, so that each counts those
   * before it.
   */
  function asOneOfFew(user: string, begin: () => Promise<WorkflowRun>): Promise<WorkflowRun> {
    return inTurn(user, async () => {
      await checkNumber(user);
      return begin();
    });
  }

  /** Continues a run that has ended. */
  async function reopen(run: WorkflowRun, how: (run: WorkflowRun) => WorkflowRun): Promise<WorkflowRun> {
    const change = () => wakeAfter(run.id, how);
    return isEnded(run) && !run.parent ? asOneOfFew(run.place.user, change) : change();
  }

  async function checkNumber(user: string): Promise<void> {
    let count = 0;
    for await (const { place, parent } of runs.live()) {
      if (place.user !== user || parent) continue;
      count += 1;
      if (count >= MAX_LIVE_RUNS)
        throw new AssistantError(
          "FORBIDDEN",
          `${MAX_LIVE_RUNS} workflow runs of this person are in progress: cancel one first`,
        );
    }
  }

  /**
   * Begins a run for a step of another one, with what is left of that one's budget. Contract: the same `startId`
   * returns the same run.
   * @returns The run's id; undefined: it cannot continue yet.
   */
  async function startWithin(
    name: string,
    {
      inputs,
      of,
      step,
      child,
    }: {
      readonly inputs: NonNullable<NewRun["inputs"]>;
      readonly of: WorkflowRun;
      readonly step: string;
      readonly child: string | undefined;
    },
    startId: string,
  ): Promise<string | undefined> {
    const known = child === undefined ? undefined : await runs.find(child);
    // The child was cancelled with its parent and has not ended yet.
    if (known?.cancel && !isEnded(known)) return undefined;
    if (known) {
      await goOn(known.id, of);
      return known.id;
    }
    const parent = { run: of.id, step };
    const given = { inputs, start: startId, parent, depth: of.depth + 1, most: budgetLeft(of) };
    return (await start(name, of.place, given)).id;
  }

  /** Continues a run that a step of another one started before: its finished steps stay done. */
  async function goOn(id: string, of: WorkflowRun): Promise<void> {
    const left = budgetLeft(of);
    await wakeAfter(id, (newest) => {
      if (newest.status !== "failed" && newest.status !== "cancelled") return null;
      const { spent, definition } = newest;
      const most = {
        maxTokens: spent.tokens + left.maxTokens,
        maxSeconds: Math.ceil(spent.activeMs / 1000) + left.maxSeconds,
        maxToolCalls: spent.toolCalls + left.maxToolCalls,
      };
      const own = { ...most, ...definition.budget };
      // A person resumed the parent. If the child's own budget is used up, it would fail again at once, so the parent's
      // is used.
      return withBudget(resumed(newest), budgetUsedUp(own, spent) === undefined ? atMost(own, most) : most);
    });
  }

  /** Asks a run to end. Durable when it resolves. The process that works on the run ends it and what it started. */
  async function cancel(runId: string, by: string): Promise<WorkflowRun> {
    const at = clock.now();
    return wakeAfter(runId, (newest) => (isEnded(newest) || newest.cancel ? null : { ...newest, cancel: { at, by } }));
  }

  /**
   * Whether the prompt of this session is under way or waits. An answer that comes too late for it goes to a person
   * instead.
   */
  async function mayWaitIn(sessionKey: string, runId: string): Promise<boolean> {
    const run = await runs.find(runId);
    if (run === undefined || isEnded(run)) return false;
    return placesOf(run).some(
      (place) =>
        stepSessionOf(run.place.agentId, runId, place) === sessionKey &&
        ["running", "waiting"].includes(stateOf(run, place.id, place.item).status),
    );
  }

  async function wakeAfter(runId: string, how: (run: WorkflowRun) => WorkflowRun | null): Promise<WorkflowRun> {
    const run = await wakeFor(runId, () => runs.change(runId, how));
    live.changed(runId);
    return run;
  }

  /**
   * Wakes a run and then writes. The wake is durable first, so that a crash in between leaves nothing undone. The
   * handler waits for the write.
   */
  async function wakeFor<Result>(runId: string, write: () => Promise<Result>): Promise<Result> {
    const key = workflowKeyOf(runId);
    const writing = engine.wake(key).then(write);
    arrivals.add(key, writing);
    return writing;
  }

  return {
    start,
    startWithin,
    cancel,
    /**
     * Continues the run whose call was answered. Durable when it resolves.
     * @returns False for a call that no run waits for.
     */
    async takeAnswer({ sessionKey }: { readonly sessionKey: string }): Promise<boolean> {
      const runId = runOfSession(sessionKey);
      if (runId === undefined || (runOfCalls(sessionKey) === undefined && !(await mayWaitIn(sessionKey, runId))))
        return false;
      await engine.wake(workflowKeyOf(runId));
      live.changed(runId);
      return true;
    },
    /** @throws {AssistantError} `NOT_FOUND`; `CONFLICT` for a run that is under way or done. */
    async resume(runId: string, budget?: Partial<Budget>): Promise<WorkflowRun> {
      return reopen(await runs.get(runId), (newest) => {
        if (newest.status !== "failed" && newest.status !== "cancelled")
          throw new AssistantError(
            "CONFLICT",
            `The run ${runId} is ${newest.status}: only a run that failed or was cancelled can be resumed`,
          );
        return withBudget(resumed(newest), budget);
      });
    },
    /** @throws {AssistantError} `NOT_FOUND` for the run or the step; `CONFLICT` for a run that has not ended. */
    async retry(runId: string, step: string, budget?: Partial<Budget>): Promise<WorkflowRun> {
      const run = await runs.get(runId);
      const ids = run.definition.steps.map(({ id }) => id);
      if (!ids.includes(step))
        throw new AssistantError(
          "NOT_FOUND",
          `The workflow ${run.definition.name} has no step ${JSON.stringify(step.slice(0, 64))}: it has ${ids.join(", ")}`,
        );
      return reopen(run, (newest) => {
        if (!isEnded(newest))
          throw new AssistantError("CONFLICT", `The run ${runId} is ${newest.status}: cancel it first`);
        return withBudget(retried(newest, step), budget);
      });
    },
    /**
     * @throws {AssistantError} `NOT_FOUND`; `CONFLICT` for a run that has ended; `OPTION_INVALID` for more data than
     * its document may hold.
     */
    async signal(runId: string, event: string, given: JsonValue = null): Promise<void> {
      const data = jsonOf("data of the event", given);
      await wakeAfter(runId, (newest) => {
        if (isEnded(newest))
          throw new AssistantError("CONFLICT", `The run ${runId} has ended: it no longer waits for ${event}`);
        const heard = told(newest, event, data);
        // Data that a step has taken is also in the events, so one copy is not counted.
        const taken = waitingSteps(heard)
          .flatMap(({ wait }) => wait.data ?? [])
          .slice(1);
        if (JSON.stringify([heard.events, taken]).length > MAX_EVENTS_CHARS)
          throw new AssistantError(
            "OPTION_INVALID",
            `The events of a run may have at most ${MAX_EVENTS_CHARS} characters in total: for longer data, send where to read it`,
          );
        return heard;
      });
    },
    /** Resolves when the writes issued with a wake of the key can be read. */
    landed: arrivals.landed,
    /** Cancels the runs that were started in a session, directly or by other work of the session. */
    async cancelBegunIn(sessionKey: string, by: string): Promise<void> {
      for await (const { id, place } of runs.live()) if (isBegunIn(sessionKey, place.startedBy)) await cancel(id, by);
    },
    get: runs.get,
    all: runs.all,
    problems: runs.problems,
    finished: (runId: string, signal?: AbortSignal): Promise<WorkflowRun> =>
      live.whenEnded(
        runId,
        async () => {
          const run = await runs.get(runId);
          return isEnded(run) ? run : undefined;
        },
        signal,
      ),
  };
}

/** The error for an unknown workflow, with a hint. */
export function noSuchWorkflow(name: string): AssistantError {
  const mend = name.startsWith("run-")
    ? "it is the id of a run, which `wakeful workflows status` shows"
    : "`wakeful workflows list` lists workflows";
  return new AssistantError("NOT_FOUND", `There is no workflow ${JSON.stringify(name.slice(0, 64))}: ${mend}`);
}

/** What a run may still use. What it starts may use no more. */
export function budgetLeft({ budget, spent }: Pick<WorkflowRun, "budget" | "spent">): Budget {
  return {
    maxTokens: Math.max(1, budget.maxTokens - spent.tokens),
    maxSeconds: Math.max(1, Math.floor(budget.maxSeconds - spent.activeMs / 1000)),
    maxToolCalls: Math.max(1, budget.maxToolCalls - spent.toolCalls),
  };
}

function atMost(budget: Budget, most: Budget = budget): Budget {
  return {
    maxTokens: Math.min(budget.maxTokens, most.maxTokens),
    maxSeconds: Math.min(budget.maxSeconds, most.maxSeconds),
    maxToolCalls: Math.min(budget.maxToolCalls, most.maxToolCalls),
  };
}

function withBudget(run: WorkflowRun, budget: Partial<Budget> = {}): WorkflowRun {
  return { ...run, budget: { ...run.budget, ...budget } };
}

function isBegunIn(sessionKey: string, link: RunPlace["startedBy"]): boolean {
  return link !== undefined && (link.sessionKey === sessionKey || isBegunIn(sessionKey, link.startedBy));
}

function linksIn(link: RunPlace["startedBy"]): number {
  return link === undefined ? 0 : 1 + linksIn(link.startedBy);
}
