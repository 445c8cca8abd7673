import type { ApiCall } from "./approvals-client.ts";

/** A job as the API writes it. Times are ISO 8601 texts. */
export interface JobRow {
  readonly id: string;
  readonly name: string;
  readonly schedule: {
    readonly kind: string;
    readonly cron?: string;
    readonly tz?: string;
    readonly at?: string;
    readonly every_ms?: number;
  };
  readonly task: string;
  readonly user: string;
  readonly status: string;
  readonly source: string;
  readonly next_run_at: string | null;
  readonly next_runs: readonly string[];
  readonly last_run_at?: string;
  readonly last_run_status?: string;
  readonly consec_failures: number;
}

export interface RunRow {
  readonly run_id: string;
  readonly planned: string;
  readonly status: string;
  readonly ended?: string;
  readonly error?: string;
  readonly reason?: string;
  readonly output?: string;
  readonly tokens?: number;
}

export interface NewJobRow {
  readonly schedule: string;
  readonly task: string;
  readonly name?: string | undefined;
  readonly timezone?: string | undefined;
  readonly user?: string | undefined;
  readonly mode?: string | undefined;
}

/** Jobs of a store or of a server. */
export interface JobsClient {
  list(): Promise<readonly JobRow[]>;
  get(id: string): Promise<JobRow>;
  create(job: NewJobRow): Promise<JobRow>;
  setStatus(id: string, status: "active" | "paused"): Promise<JobRow>;
  remove(id: string): Promise<void>;
  run(id: string): Promise<string>;
  runs(id: string, limit: number): Promise<readonly RunRow[]>;
}

/** Uses the API's routes. */
export function jobsClient(call: ApiCall): JobsClient {
  const at = (id: string) => `/api/v1/jobs/${encodeURIComponent(id)}`;
  const job = async (...given: Parameters<ApiCall>) => (await call(...given)) as unknown as JobRow;
  return {
    list: async () => ((await call("/api/v1/jobs"))?.["jobs"] ?? []) as readonly JobRow[],
    get: (id) => job(at(id)),
    create: (given) =>
      job("/api/v1/jobs", {
        method: "POST",
        body: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
      }),
    setStatus: (id, status) => job(at(id), { method: "PATCH", body: { status } }),
    async remove(id) {
      await call(at(id), { method: "DELETE" });
    },
    run: async (id) => String((await call(`${at(id)}/run`, { method: "POST" }))?.["run_id"]),
    runs: async (id, limit) => ((await call(`${at(id)}/runs?limit=${limit}`))?.["runs"] ?? []) as readonly RunRow[],
  };
}
