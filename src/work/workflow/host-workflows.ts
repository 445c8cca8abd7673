import { AssistantError } from "../../errors.ts";
import { isSubSession } from "../../session/index.ts";
import type { JsonValue } from "../../store/index.ts";
import type { ToolContext } from "../../tools/index.ts";
import {
  type Definitions,
  type KnownDefinition,
  type RunPlace,
  type RunOptions,
  type Runs,
  type WorkflowDefinition,
  type WorkflowRunView,
  type WorkflowSummary,
  type WorkflowsApi,
  checkBudget,
  isEnded,
  summaryOf,
} from "../../workflow/index.ts";
import { runOfSession } from "./keys.ts";
import { HOST, type RunPerson } from "./place-for.ts";
import { type WorkflowService, budgetLeft, noSuchWorkflow } from "./service.ts";
import type { Spending } from "./spending.ts";
import { viewOf } from "./views.ts";

const DEFAULT_LISTED = 20;
const MAX_LISTED = 100;

export interface HostWorkflowsDeps {
  readonly service: WorkflowService;
  readonly definitions: Definitions;
  /** Lists the chains of skills that a person is offered. */
  chains(place: RunPlace): Promise<readonly WorkflowDefinition[]>;
  /** The person that a run of the host works for, and the conversation that is told about it. */
  placeFor(person: RunPerson, session?: string): RunPlace;
  /** Starts the assistant; resolves when it runs. */
  start(): Promise<void>;
}

/** `assistant.workflows` with the options by which doors name the person of a run. */
export interface HostWorkflows extends WorkflowsApi {
  run(definition: string | WorkflowDefinition, options?: RunOptions & RunPerson): Promise<{ readonly runId: string }>;
  definitions(of?: RunPerson): Promise<readonly WorkflowSummary[]>;
  definition(name: string, of?: RunPerson): Promise<KnownDefinition>;
}

/**
 * `assistant.workflows` for the host program, which may see and change all of them. A run has the rights of the person
 * that it is for.
 */
export function createHostWorkflows({
  service,
  definitions,
  chains,
  placeFor,
  start,
}: HostWorkflowsDeps): HostWorkflows {
  async function find(name: string, person: RunPerson = {}): Promise<KnownDefinition> {
    const known = await definitions.find(name);
    if (known) return known;
    const chain = (await chains(placeFor(person))).find((one) => one.name === name);
    if (chain) return { definition: chain, source: "skill", yaml: definitions.toYaml(chain) };
    throw noSuchWorkflow(name);
  }

  return {
    async run(definition, options = {}) {
      checkNames(options);
      const { inputs, session, budget, id, ...person } = options;
      await start();
      const run = await service.start(definition, placeFor(person, session), {
        inputs,
        budget: checkBudget(budget),
        start: id,
      });
      return { runId: run.id };
    },
    get: async (runId) => viewOf(await service.get(runId)),
    async list({ user, name, limit = DEFAULT_LISTED } = {}) {
      const views: WorkflowRunView[] = [];
      const most = Math.min(MAX_LISTED, Math.max(1, limit));
      for await (const run of service.all()) {
        if ((user !== undefined && run.place.user !== user) || (name !== undefined && run.definition.name !== name))
          continue;
        views.push(viewOf(run));
        if (views.length === most) break;
      }
      return views;
    },
    async finished(runId, signal) {
      if (signal && !("throwIfAborted" in signal))
        throw new AssistantError("OPTION_INVALID", "Invalid signal for workflows.finished(): expected an AbortSignal");
      await start();
      return viewOf(await service.finished(runId, signal));
    },
    cancel: async (runId, { user = HOST } = {}) => (await start(), viewOf(await service.cancel(runId, user))),
    resume: async (runId, { budget } = {}) => (await start(), viewOf(await service.resume(runId, checkBudget(budget)))),
    retry: async (runId, step, { budget } = {}) => (
      await start(),
      viewOf(await service.retry(runId, step, checkBudget(budget)))
    ),
    signal: async (runId, event, data) => (await start(), service.signal(runId, event, data)),
    async definitions(person = {}) {
      const { known } = await definitions.list();
      const names = new Set(known.map(({ definition }) => definition.name));
      const chained = (await chains(placeFor(person))).filter(({ name }) => !names.has(name));
      return [
        ...known.map(summaryOf),
        ...chained.map((definition): WorkflowSummary => summaryOf({ definition, source: "skill" })),
      ];
    },
    problems: async () => [...(await definitions.list()).problems, ...(await service.problems())],
    definition: find,
    save: async (definition, { name } = {}) => summaryOf(await definitions.save(definition, name)),
    async remove(name) {
      if (await definitions.remove(name)) return;
      throw new AssistantError("NOT_FOUND", `No file holds a workflow ${JSON.stringify(name.slice(0, 64))}`);
    },
  };
}

/**
 * Checks the names in options of `run`. With an invalid user the run would never end, and all starts with a blank id
 * would be one run.
 * @throws {AssistantError} `OPTION_INVALID` with the name.
 */
function checkNames({ user = HOST, session, id }: RunOptions): void {
  if (/^$|^:|:$/.test(user.trim())) throw wrongName("user", '"channel:id", with both sides of the colon', user);
  for (const [name, text] of Object.entries({ session, id }))
    if (text?.trim() === "") throw wrongName(name, "a text that is not blank", text);
}

function wrongName(name: string, expected: string, got: string): AssistantError {
  const message = `Invalid ${name} for workflows.run(): expected ${expected}, got ${JSON.stringify(got)}`;
  return new AssistantError("OPTION_INVALID", message);
}

export interface WorkflowCallsDeps {
  readonly service: WorkflowService;
  readonly definitions: Definitions;
  readonly runs: Pick<Runs, "change">;
  readonly spending: Pick<Spending, "above">;
}

/** Workflow operations for the tools of conversations. */
export function createWorkflowCalls({ service, definitions, runs, spending }: WorkflowCallsDeps) {
  return {
    async start(name: string, inputs: Readonly<Record<string, JsonValue>>, context: ToolContext) {
      const { callId, speaker, target, home, startedBy, onlyTools, withoutTools, unattended } = context;
      const { user, roles, channel, account, peer, sessionKey, agentId } = speaker;
      const place: RunPlace = {
        user,
        roles,
        channel,
        account,
        peer,
        agentId,
        home: home ?? { sessionKey, ...(target && { target }) },
        startedBy: { channel, roles, sessionKey, ...(startedBy && { startedBy }) },
        ...(onlyTools && { onlyTools }),
        ...(withoutTools && { withoutTools }),
        ...(unattended && { unattended }),
      };
      const of = await spending.above({ place });
      const depth = of && runOfSession(sessionKey) === of.id ? of.depth + 1 : 0;
      const run = await service.start(name, place, { inputs, start: callId, depth, most: of && budgetLeft(of) });
      if (of) {
        const above = await runs.change(of.id, (newest) => ({
          ...newest,
          begun: [...new Set([...(newest.begun ?? []), run.id])],
        }));
        // The outer run may have ended while this one began.
        if (above.cancel || isEnded(above)) await service.cancel(run.id, `workflow:${of.id}`);
      } else if (isSubSession(sessionKey) && AssistantError.is(context.signal.reason, "ABORTED")) {
        // The sub-agent was stopped before this run existed, so the stop could not cancel it.
        await service.cancel(run.id, sessionKey.slice(sessionKey.lastIndexOf(":") + 1));
      }
      return viewOf(run);
    },
    get: async (runId: string) => viewOf(await service.get(runId)),
    async list(user: string, sessionKey?: string) {
      const views: WorkflowRunView[] = [];
      for await (const run of service.all()) {
        const { user: whose, home } = run.place;
        if (whose === user && (sessionKey ?? home.sessionKey) === home.sessionKey) views.push(viewOf(run));
        if (views.length === DEFAULT_LISTED) break;
      }
      return views;
    },
    names: async () => (await definitions.list()).known.map(summaryOf),
    save: async (yaml: string) => summaryOf(await definitions.save(yaml)),
  };
}
