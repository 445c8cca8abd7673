import * as v from "valibot";
import type { Clock } from "../clock.ts";
import type { Audit } from "../telemetry/index.ts";
import {
  type Budget,
  DEFAULT_BUDGET,
  type WorkflowDefinition,
  type WorkflowRunView,
  WrongInputsError,
  fileOf,
  workflowJsonSchema,
} from "../workflow/index.ts";
import type { HostWorkflows } from "../work/index.ts";
import type { Caller } from "./auth.ts";
import { readBody } from "./body.ts";
import { ProblemError } from "./problem.ts";
import { type GuardedRoute, checked, checkedQuery, json } from "./route.ts";
import { type Speaker, speakerOf } from "./speaker.ts";
import {
  DefinitionJson,
  EventBody,
  GoOnBody,
  ListJson,
  NamePath,
  RetryBody,
  RunJson,
  RunsQuery,
  SaveBody,
  SavedJson,
  StartBody,
  StartedJson,
  asJson,
  briefRunJson,
  budgetOf,
  runJson,
  summaryJson,
} from "./wire-workflows.ts";
import { checkedBody, checkedBodyIfAny } from "./checked-body.ts";
import { refuseText } from "./config-problem.ts";

const ROOT = "/api/v1/workflows";
const ONE = `${ROOT}/:id`;
const DEFINITION = `${ROOT}/definitions/:name`;
const OWNER = ["owner"] as const;
const OWNER_AND_USER = ["owner", "user"] as const;
const MAX_KEY_CHARACTERS = 200;

export interface WorkflowRoutesDeps {
  readonly workflows: Omit<HostWorkflows, "finished">;
  readonly clock: Clock;
  readonly audit: Pick<Audit, "write">;
}

/**
 * Routes for workflows: an owner's token reads and changes all. A user's token starts existing workflows and reads and
 * changes its user's runs.
 */
export function workflowRoutes({ workflows, clock, audit }: WorkflowRoutesDeps): readonly GuardedRoute[] {
  /** Resolves the user of a call. @throws {ProblemError} As `speakerOf`. */
  function personOf(caller: Caller): Speaker {
    return speakerOf(caller, {});
  }

  /** @throws {AssistantError} `NOT_FOUND` for another person's run, as for an unknown one. */
  async function runOf(caller: Caller, { id: run = "" }: Readonly<Record<string, string>>): Promise<WorkflowRunView> {
    const { user } = personOf(caller);
    const found = await workflows.get(run);
    if (caller.role === "owner" || found.user === user) return found;
    throw new ProblemError("NOT_FOUND", `There is no run ${JSON.stringify(run.slice(0, 64))} of a workflow`);
  }

  /**
   * Returns the budget of a run as the call requests it. Other callers than the owner may only lower it, since the
   * owner pays.
   * @param whole The budget without a request.
   * @throws {ProblemError} `FORBIDDEN` if a user's token requests more.
   */
  async function budgetFor(
    caller: Caller,
    given: Parameters<typeof budgetOf>[0] | undefined,
    whole: () => Budget | Promise<Budget>,
  ): Promise<Partial<Budget> | undefined> {
    if (given === undefined) return undefined;
    const budget = budgetOf(given);
    if (caller.role === "owner") return budget;
    const most = await whole();
    const wire = { maxTokens: "max_tokens", maxSeconds: "max_seconds", maxToolCalls: "max_tool_calls" } as const;
    for (const [key, name] of Object.entries(wire) as [keyof Budget, string][])
      if ((budget[key] ?? 0) > most[key])
        throw new ProblemError(
          "FORBIDDEN",
          `budget.${name}: Expected at most ${most[key]} with a user's token: an owner's token allows more`,
        );
    return budget;
  }

  function nameOf(caller: Caller): string {
    return caller.user ?? "owner";
  }

  function changed(caller: Caller, what: string, target: string): void {
    audit.write({ who: nameOf(caller), what: `workflow.${what}`, target, verdict: "ok" });
  }

  const params = { id: "The run's id" };
  const named = { name: "The workflow's name" };
  const one = { 200: { description: "The run", schema: RunJson } };

  /** Must come before the routes of a run, which would match these words. */
  const definitions: readonly GuardedRoute[] = [
    {
      method: "GET",
      path: ROOT,
      summary:
        "Lists workflows and their newest runs: with an owner's token all runs, with a user's token the user's own",
      access: OWNER_AND_USER,
      query: RunsQuery,
      answers: { 200: { description: "The workflows and runs", schema: ListJson } },
      async handle({ query, caller }) {
        const { user: wanted, name, limit } = checkedQuery(RunsQuery, query);
        const user = caller.role === "owner" ? wanted : speakerOf(caller, { user: wanted }).user;
        const runs = await workflows.list({
          ...(user !== undefined && { user }),
          ...(name !== undefined && { name }),
          ...(limit !== undefined && { limit }),
        });
        const problems = caller.role === "owner" ? await workflows.problems() : undefined;
        return json({
          definitions: (await workflows.definitions(personOf(caller))).map(summaryJson),
          ...(problems && { problems: problems.map(({ file, line, message }) => ({ file, line, message })) }),
          runs: runs.map(briefRunJson),
        } satisfies v.InferOutput<typeof ListJson>);
      },
    },
    {
      method: "POST",
      path: ROOT,
      summary:
        "Starts a run of a workflow or, with an owner's token, of a definition in the request. The header Idempotency-Key makes the call safe to repeat",
      access: OWNER_AND_USER,
      body: StartBody,
      answers: { 202: { description: "The run is stored and continues in the background", schema: StartedJson } },
      async handle({ request, caller }) {
        const body = await checkedBody(StartBody, request, clock);
        if (body.definition !== undefined && caller.role !== "owner")
          throw new ProblemError(
            "FORBIDDEN",
            "definition: Only an owner's token can send a definition: name a workflow",
          );
        const speaker = speakerOf(caller, body);
        const id = body.id ?? idempotencyKeyOf(request);
        const budget = await budgetFor(caller, body.budget, async () => {
          const { definition } = await workflows.definition(body.name ?? "", personOf(caller));
          return { ...DEFAULT_BUDGET, ...definition.budget };
        });
        const { runId } = await workflows
          // A definition in the call is checked like any other.
          .run(body.name ?? (body.definition as string | WorkflowDefinition), {
            ...(body.inputs !== undefined && { inputs: body.inputs as Readonly<Record<string, never>> }),
            ...speaker,
            ...(budget && { budget }),
            ...(id !== undefined && { id }),
          })
          .catch(refuseDefinition);
        changed(caller, "start", `${body.name ?? "(sent along)"} ${runId}`);
        return json({ run_id: runId } satisfies v.InferOutput<typeof StartedJson>, 202);
      },
    },
    {
      method: "GET",
      path: `${ROOT}/schema`,
      summary: "Shows the JSON Schema of definitions, for editors",
      access: OWNER_AND_USER,
      answers: {
        200: { description: "The schema", schema: v.looseObject({}), mediaType: "application/schema+json" },
      },
      handle: async () =>
        new Response(JSON.stringify(await workflowJsonSchema()), {
          headers: { "content-type": "application/schema+json" },
        }),
    },
    {
      method: "GET",
      path: DEFINITION,
      summary: "Shows the definition of a workflow, as data and as YAML",
      access: OWNER_AND_USER,
      params: named,
      answers: { 200: { description: "The definition", schema: DefinitionJson } },
      async handle({ params: { name = "" }, caller }) {
        const { definition, yaml, source } = await workflows.definition(name, personOf(caller));
        return json({ definition: fileOf(definition), yaml, source });
      },
    },
    {
      method: "PUT",
      path: DEFINITION,
      summary:
        "Saves a definition, replacing an existing one. Takes `{yaml}`, or the YAML itself with the content type application/yaml",
      access: OWNER,
      params: named,
      body: SaveBody,
      answers: { 200: { description: "The definition was saved", schema: SavedJson } },
      async handle({ request, params: given, caller }) {
        const { name } = checked(NamePath, given);
        const { yaml } = await sentYaml(request);
        const saved = await workflows.save(yaml, { name }).catch(refuseDefinition);
        changed(caller, "save", saved.name);
        return json(summaryJson(saved));
      },
    },
    {
      method: "DELETE",
      path: DEFINITION,
      summary: "Deletes a definition that is a file. Its runs continue",
      access: OWNER,
      params: named,
      answers: { 204: { description: "The definition was deleted" } },
      async handle({ params: { name = "" }, caller }) {
        await workflows.remove(name);
        changed(caller, "remove", name);
        return new Response(null, { status: 204 });
      },
    },
  ];

  /** Only the content type marks a body as YAML, since JSON is valid YAML too. */
  async function sentYaml(request: Request): Promise<v.InferOutput<typeof SaveBody>> {
    const type = request.headers.get("content-type") ?? "";
    if (!/^(text\/plain|(application|text)\/(x-)?yaml)\b/i.test(type)) return checkedBody(SaveBody, request, clock);
    return checked(SaveBody, { yaml: new TextDecoder().decode(await readBody(request, clock)) });
  }

  return [
    ...definitions,
    {
      method: "GET",
      path: ONE,
      summary: "Shows a run with its steps",
      access: OWNER_AND_USER,
      params,
      answers: one,
      handle: async ({ params: given, caller }) => json(runJson(await runOf(caller, given))),
    },
    {
      method: "POST",
      path: `${ONE}/cancel`,
      summary: "Cancels a run and everything it started. A run that has ended stays unchanged",
      access: OWNER_AND_USER,
      params,
      answers: one,
      async handle({ params: given, caller }) {
        const { id } = await runOf(caller, given);
        const run = await workflows.cancel(id, { user: nameOf(caller) });
        changed(caller, "cancel", id);
        return json(runJson(run));
      },
    },
    {
      method: "POST",
      path: `${ONE}/resume`,
      summary: "Resumes a run that failed or was cancelled. Steps that are done are not repeated",
      access: OWNER_AND_USER,
      params,
      body: GoOnBody,
      answers: one,
      async handle({ request, params: given, caller }) {
        const body = await checkedBodyIfAny(GoOnBody, request, clock);
        const { id, budget: whole } = await runOf(caller, given);
        const budget = await budgetFor(caller, body.budget, () => whole);
        const run = await workflows.resume(id, budget ? { budget } : {});
        changed(caller, "resume", id);
        return json(runJson(run));
      },
    },
    {
      method: "POST",
      path: `${ONE}/retry`,
      summary: "Repeats a step and the steps that need it",
      access: OWNER_AND_USER,
      params,
      body: RetryBody,
      answers: one,
      async handle({ request, params: given, caller }) {
        const { step, ...body } = await checkedBody(RetryBody, request, clock);
        const { id, budget: whole } = await runOf(caller, given);
        const budget = await budgetFor(caller, body.budget, () => whole);
        const run = await workflows.retry(id, step, budget ? { budget } : {});
        changed(caller, "retry", `${id} ${step}`);
        return json(runJson(run));
      },
    },
    {
      method: "POST",
      path: `${ONE}/events`,
      summary: "Sends a run an event that it waits for, now or later",
      access: OWNER_AND_USER,
      params,
      body: EventBody,
      answers: { 204: { description: "The event is stored" } },
      async handle({ request, params: given, caller }) {
        const { event, data } = await checkedBody(EventBody, request, clock);
        const { id } = await runOf(caller, given);
        await workflows.signal(id, event, asJson(data));
        changed(caller, "event", `${id} ${event}`);
        return new Response(null, { status: 204 });
      },
    },
  ];
}

/** @throws {ProblemError} `OPTION_INVALID` if the key is too long. */
function idempotencyKeyOf(request: Request): string | undefined {
  const key = request.headers.get("idempotency-key")?.trim() ?? "";
  if (key.length > MAX_KEY_CHARACTERS)
    throw new ProblemError("OPTION_INVALID", `Idempotency-Key: Expected at most ${MAX_KEY_CHARACTERS} characters`);
  return key === "" ? undefined : key;
}

/** Converts an error in inputs or a definition into `OPTION_INVALID` with its fields or lines. */
function refuseDefinition(error: unknown): never {
  if (error instanceof WrongInputsError)
    throw new ProblemError("OPTION_INVALID", error.message, {
      errors: error.wrong.map(({ input, message }) => ({ field: `inputs.${input}`, message })),
    });
  refuseText(error, "yaml");
}
