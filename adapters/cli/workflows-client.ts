import type { JsonValue } from "../../mod.ts";
import type { ApiCall } from "./approvals-client.ts";

/** A definition in a list, as the API writes it. */
export interface WorkflowRow {
  readonly name: string;
  readonly description: string;
  readonly source: string;
  readonly inputs: Readonly<
    Record<string, { readonly type?: string; readonly default?: unknown; readonly required?: boolean }>
  >;
  readonly steps: number;
}

/** A complete definition. */
export interface WorkflowDetailRow {
  readonly definition: unknown;
  readonly yaml: string;
  readonly source: string;
}

/** A run in a list. Times are ISO 8601 texts. */
export interface WorkflowRunRow {
  readonly run_id: string;
  readonly name: string;
  readonly status: "running" | "waiting" | "done" | "failed" | "cancelled";
  readonly user: string;
  readonly started_at: string;
  readonly ended_at?: string;
  readonly progress: { readonly done: number; readonly total: number };
  readonly budget: { readonly max_tokens: number; readonly max_seconds: number; readonly max_tool_calls: number };
  readonly spent: { readonly tokens: number; readonly tool_calls: number; readonly seconds: number };
  readonly error?: { readonly code: string; readonly message: string };
}

/** A run with its steps. */
export interface WorkflowRunDetailRow extends WorkflowRunRow {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly steps: readonly WorkflowStepRow[];
  readonly output?: unknown;
  readonly summary?: string;
}

export interface WorkflowStepRow {
  readonly id: string;
  readonly what: string;
  readonly status: "pending" | "running" | "waiting" | "done" | "failed" | "skipped";
  readonly attempt: number;
  readonly started_at?: string;
  readonly ended_at?: string;
  readonly error?: { readonly code: string; readonly message: string };
  readonly tokens?: number;
  readonly waits_for?: {
    readonly until?: string;
    readonly event?: string;
    readonly approval?: { readonly code: string };
    readonly run_id?: string;
  };
  readonly items?: { readonly done: number; readonly failed: number; readonly total: number };
}

/** A run's limits, as far as they are set. */
export interface BudgetRow {
  readonly max_tokens?: number;
  readonly max_seconds?: number;
  readonly max_tool_calls?: number;
}

export interface NewRunRow {
  readonly name: string;
  readonly inputs: Readonly<Record<string, JsonValue>>;
  readonly user: string;
  readonly session?: string | undefined;
  readonly budget?: BudgetRow | undefined;
}

/** Filter of runs. */
export interface RunFilter {
  readonly name?: string | undefined;
  readonly user?: string | undefined;
  readonly limit?: number | undefined;
}

/** Workflows of a store or of a server. */
export interface WorkflowsClient {
  list(filter?: RunFilter): Promise<{
    readonly definitions: readonly WorkflowRow[];
    /** Files that cannot be read; absent from an older server. */
    readonly problems?: readonly { readonly file: string; readonly line: number; readonly message: string }[];
    readonly runs: readonly WorkflowRunRow[];
  }>;
  show(name: string): Promise<WorkflowDetailRow>;
  /** @returns The id of the run. */
  run(run: NewRunRow): Promise<string>;
  get(run: string): Promise<WorkflowRunDetailRow>;
  cancel(run: string): Promise<WorkflowRunDetailRow>;
  resume(run: string, budget: BudgetRow | undefined): Promise<WorkflowRunDetailRow>;
  retry(run: string, step: string, budget: BudgetRow | undefined): Promise<WorkflowRunDetailRow>;
  signal(run: string, event: string, data: JsonValue | undefined): Promise<void>;
  save(name: string, yaml: string): Promise<WorkflowRow>;
  remove(name: string): Promise<void>;
}

const ROOT = "/api/v1/workflows";

/** Uses the API's routes. */
export function workflowsClient(call: ApiCall): WorkflowsClient {
  const runAt = (run: string) => `${ROOT}/${encodeURIComponent(run)}`;
  const definitionAt = (name: string) => `${ROOT}/definitions/${encodeURIComponent(name)}`;
  const asked = async <T>(...given: Parameters<ApiCall>) => (await call(...given)) as T;
  const post = <T>(path: string, body: object) => asked<T>(path, { method: "POST", body: said(body) });
  return {
    list(filter = {}) {
      const query = new URLSearchParams(Object.entries(said(filter)).map(([name, value]) => [name, String(value)]));
      return asked(query.size === 0 ? ROOT : `${ROOT}?${query}`);
    },
    show: (name) => asked(definitionAt(name)),
    run: async (run) => (await post<{ readonly run_id: string }>(ROOT, run)).run_id,
    get: (run) => asked(runAt(run)),
    cancel: (run) => asked(`${runAt(run)}/cancel`, { method: "POST" }),
    resume: (run, budget) => post(`${runAt(run)}/resume`, { budget }),
    retry: (run, step, budget) => post(`${runAt(run)}/retry`, { step, budget }),
    async signal(run, event, data) {
      await post(`${runAt(run)}/events`, { event, data });
    },
    save: (name, yaml) => asked(definitionAt(name), { method: "PUT", body: { yaml } }),
    async remove(name) {
      await call(definitionAt(name), { method: "DELETE" });
    },
  };
}

/** The fields that are set. */
function said(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
