import * as v from "valibot";
import { AssistantError } from "../../errors.ts";
import { OWNER_ROLE } from "../../policy/index.ts";
import type { JsonValue } from "../../store/index.ts";
import { type AnyTool, type ToolContext, ToolError, defineTool } from "../tool.ts";

/** A run as its tools see it. */
export interface WorkflowRunSeen {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly user: string;
  /** The conversation that asked for it. */
  readonly sessionKey: string;
  readonly progress: { readonly done: number; readonly total: number };
  readonly steps: readonly {
    readonly id: string;
    readonly status: string;
    readonly attempt: number;
    readonly error?: { readonly message: string };
    readonly waitsFor?: {
      readonly until?: Date;
      readonly event?: string;
      readonly approval?: { readonly code: string };
    };
  }[];
  readonly output?: JsonValue;
  readonly summary?: string;
}

/** Operations on workflows. Contract: throws `AssistantError` with a message for the model. */
export interface WorkflowToolsDeps {
  readonly workflows: {
    /** Contract: a second call with the same context returns the same run. */
    start(name: string, inputs: Readonly<Record<string, JsonValue>>, context: ToolContext): Promise<WorkflowRunSeen>;
    get(runId: string): Promise<WorkflowRunSeen>;
    /** @param sessionKey Only those that this conversation asked for. */
    list(user: string, sessionKey?: string): Promise<readonly WorkflowRunSeen[]>;
    names(): Promise<readonly { readonly name: string; readonly description: string }[]>;
    save(yaml: string): Promise<{ readonly name: string; readonly steps: number }>;
  };
}

const MAX_LISTED = 5;

const text = (what: string, most: number) =>
  v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(most), v.description(what));

/**
 * `workflow_run`, `workflow_status` and `workflow_save`: long work in steps, which continues after the turn and the
 * process have ended.
 *
 * Source: docs/workflows.md, "In a conversation".
 */
export function workflowTools({ workflows }: WorkflowToolsDeps): Readonly<Record<string, AnyTool>> {
  const isShown = (context: ToolContext, { user, sessionKey }: WorkflowRunSeen) =>
    (context.speaker.user === user || context.speaker.roles.includes(OWNER_ROLE)) &&
    (groupOf(context) ?? sessionKey) === sessionKey;

  return {
    workflow_run: defineTool({
      description:
        "Starts a workflow: long work in steps that goes on by itself, with the rights of this conversation. Gives its run at once; how it ends is told in the conversation. An unknown name gives the names there are.",
      inputSchema: v.object({
        name: text("The workflow's name", 64),
        inputs: v.optional(
          v.pipe(v.record(v.string(), v.unknown()), v.description("What it is given, by the names of its inputs")),
          {},
        ),
      }),
      execute: ({ name, inputs }, context) =>
        told(async () => {
          try {
            return shown(await workflows.start(name, inputs as Readonly<Record<string, JsonValue>>, context));
          } catch (error) {
            if (!AssistantError.is(error, "NOT_FOUND")) throw error;
            const known = (await workflows.names()).map((one) => `${one.name}: ${one.description}`);
            throw new AssistantError(
              "NOT_FOUND",
              `There is no workflow ${JSON.stringify(name)}. There are:\n${known.join("\n")}`,
            );
          }
        }),
      meta: { category: "orchestration", idempotent: true },
    }),
    workflow_status: defineTool({
      description:
        "How far a run of a workflow is, what it waits for and what came of it; without an id, the newest runs of this person.",
      inputSchema: v.object({ run_id: v.optional(text("The run's id, as workflow_run gave it", 64)) }),
      execute: ({ run_id: id }, context) =>
        told(async () => {
          if (id === undefined)
            return { runs: (await workflows.list(context.user, groupOf(context))).slice(0, MAX_LISTED).map(shown) };
          const run = await workflows.get(id);
          if (isShown(context, run)) return shown(run);
          throw new AssistantError("NOT_FOUND", `There is no run ${JSON.stringify(id)} of this person`);
        }),
      meta: { category: "orchestration", idempotent: true },
    }),
    workflow_save: defineTool({
      description:
        "Keeps a workflow that the person wants, as YAML: name, description, inputs, steps (id, run: tool | prompt | skill | workflow | approve | wait, with, needs, if, for_each, retry, on_error). Values of earlier steps are ${steps.<id>.output}, inputs ${inputs.<name>}. The owner is asked first.",
      inputSchema: v.object({ definition: text("The whole workflow as YAML", 15_000) }),
      execute: ({ definition }) =>
        told(async () => {
          const { name, steps } = await workflows.save(definition);
          return { saved: name, steps };
        }),
      meta: { category: "orchestration", dangerous: true, idempotent: true },
    }),
  };
}

/** The conversation, where others listen: what its people asked for elsewhere is not for them. */
function groupOf({ speaker, home }: ToolContext): string | undefined {
  return speaker.peer.kind === "direct" ? undefined : (home?.sessionKey ?? speaker.sessionKey);
}

/** What is wrong is the model's to read. */
async function told<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (AssistantError.is(error) && !error.code.startsWith("STORE_")) throw new ToolError(error.code, error.message);
    throw error;
  }
}

function shown({ id, name, status, progress, steps, output, summary }: WorkflowRunSeen) {
  return {
    run_id: id,
    workflow: name,
    status,
    progress: `${progress.done} of ${progress.total} steps`,
    steps: steps.map((step) => ({
      id: step.id,
      status: step.status,
      ...(step.error && { error: step.error.message }),
      ...(step.waitsFor && { waits_for: waitText(step.waitsFor) }),
    })),
    ...(output !== undefined && { output }),
    ...(summary !== undefined && { summary }),
  };
}

function waitText({ until, event, approval }: NonNullable<WorkflowRunSeen["steps"][number]["waitsFor"]>): string {
  if (approval) return `the owner's approval ${approval.code}`;
  if (event !== undefined) return `the event ${event}`;
  return until === undefined ? "another workflow" : until.toISOString();
}
