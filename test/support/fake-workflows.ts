import { AssistantError } from "../../src/errors.ts";
import { ConfigError, type ConfigIssue } from "../../src/settings/index.ts";
import type { WorkflowRunView, WorkflowStepView, WorkflowSummary, WorkflowsApi } from "../../src/workflow/index.ts";

export const STARTED_AT = Date.UTC(2026, 0, 5, 12);

/** A step as it stands before it is done. */
export function stepView(step: Partial<WorkflowStepView> & { readonly id: string }): WorkflowStepView {
  return { run: "prompt", what: `Do ${step.id}`, needs: [], status: "pending", attempt: 0, ...step };
}

/** A run as it stands when it has begun. */
export function runView(run: Partial<WorkflowRunView> & { readonly id: string }): WorkflowRunView {
  const { steps = [stepView({ id: "first" })] } = run;
  return {
    name: "report",
    status: "running",
    user: "app:Ada",
    sessionKey: "agent:main:app:direct:Ada",
    inputs: {},
    steps,
    startedAt: new Date(STARTED_AT),
    progress: { done: steps.filter(({ status }) => status === "done").length, total: steps.length },
    budget: { maxTokens: 200_000, maxSeconds: 3600, maxToolCalls: 200 },
    spent: { tokens: 0, toolCalls: 0, seconds: 0 },
    ...run,
  };
}

export type FakeWorkflows = ReturnType<typeof fakeWorkflows>;

/** `assistant.workflows` without anything behind it: it keeps what it is given, and writes down what it is asked. */
export function fakeWorkflows() {
  const runs = new Map<string, WorkflowRunView>();
  const kept = new Map<string, WorkflowSummary>();
  const texts = new Map<string, string>();
  const problems: ConfigIssue[] = [];
  const asked: { readonly what: string; readonly given: readonly unknown[] }[] = [];
  const note = (what: string, ...given: unknown[]) => void asked.push({ what, given });

  function define(name: string, more: Partial<WorkflowSummary> = {}): WorkflowSummary {
    const summary: WorkflowSummary = { name, description: "", source: "file", inputs: {}, steps: 1, ...more };
    kept.set(name, summary);
    return summary;
  }

  const found = <T>(one: T | undefined, what: string): T => {
    if (one === undefined) throw new AssistantError("NOT_FOUND", `There is no ${what}`);
    return one;
  };
  const runOf = (id: string) => found(runs.get(id), `run ${id}`);
  function put(run: WorkflowRunView): WorkflowRunView {
    runs.set(run.id, run);
    return run;
  }

  const workflows: Omit<WorkflowsApi, "finished"> = {
    async run(definition, options = {}) {
      note("run", definition, options);
      if (typeof definition === "string" && definition.includes("\n")) refuse(definition);
      const name = typeof definition === "string" ? definition : definition.name;
      if (typeof definition === "string") found(kept.get(name), `workflow ${name}`);
      const { user = "sdk", inputs = {}, id } = options;
      const known = [...runs.values()].find((run) => run.id === id);
      return { runId: put(known ?? runView({ id: id ?? `run-${runs.size + 1}`, name, user, inputs })).id };
    },
    get: async (id) => runOf(id),
    async list({ user, name, limit = 20 } = {}) {
      const all = [...runs.values()].toReversed();
      return all
        .filter((run) => (user === undefined || run.user === user) && (name === undefined || run.name === name))
        .slice(0, limit);
    },
    async cancel(id, options = {}) {
      note("cancel", id, options);
      return put({ ...runOf(id), status: "cancelled", endedAt: new Date(STARTED_AT + 1000) });
    },
    async resume(id, options = {}) {
      note("resume", id, options);
      const run = runOf(id);
      if (run.status !== "failed" && run.status !== "cancelled")
        throw new AssistantError("CONFLICT", `The run ${id} is ${run.status}`);
      return put({ ...run, status: "running" });
    },
    async retry(id, step, options = {}) {
      note("retry", id, step, options);
      const run = runOf(id);
      found(
        run.steps.find((one) => one.id === step),
        `step ${step}`,
      );
      return put({ ...run, status: "running" });
    },
    async signal(id, event, data) {
      note("signal", id, event, data);
      if (runOf(id).status === "done") throw new AssistantError("CONFLICT", `The run ${id} has ended`);
    },
    // Chains of skills are the owner's alone here.
    definitions: async ({ user } = {}) =>
      [...kept.values()].filter(({ source }) => user === undefined || source !== "skill"),
    problems: async () => problems,
    async definition(name, of) {
      const offered = (await workflows.definitions(of)).find((one) => one.name === name);
      const { description, source } = found(offered, `workflow ${name}`);
      const definition = {
        name,
        description,
        budget: { maxTokens: 5000 },
        steps: [
          {
            id: "first",
            run: "tool",
            tool: "now",
            with: { timeZone: "UTC" },
            retry: { max: 1, backoffSeconds: 5 },
            onError: "skip",
          },
        ],
      } as const;
      return { definition, yaml: texts.get(name) ?? `name: ${name}\n`, source };
    },
    async save(text, { name = "untitled" } = {}) {
      note("save", text, name);
      if (typeof text !== "string") return define(text.name);
      if (!text.includes("steps:")) refuse(text, `${name}.yaml`);
      texts.set(name, text);
      return define(name);
    },
    async remove(name) {
      note("remove", name);
      if (found(kept.get(name), `workflow ${name}`).source !== "file")
        throw new AssistantError("NOT_FOUND", `The workflow ${name} is not in a file`);
      kept.delete(name);
    },
  };

  return { workflows, runs, problems, asked, define, put };
}

function refuse(text: string, file = "workflow.yaml"): never {
  if (text.includes("steps:")) return undefined as never;
  throw new ConfigError([{ file, line: 2, column: 1, path: "steps", message: "steps: is missing" }]);
}
