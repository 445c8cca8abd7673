import * as v from "valibot";
import { RUNTIME_CHANNEL } from "../../host-channels.ts";
import { defineTool } from "../tool.ts";

export interface JobStartOptions {
  /** Records the owner's consent that one run does this task. */
  agree(job: string, planned: number, task: string): Promise<void>;
}

/**
 * The effect of the owner's yes to a run of a job that needs one. Only the runtime calls it, always with an approval;
 * no model ever sees it.
 *
 * Source: docs/jobs.md, "Runs".
 */
export function jobStartTool({ agree }: JobStartOptions) {
  return {
    job_start: defineTool({
      description: "Starts a run of a job that needs the owner's consent",
      inputSchema: v.strictObject({
        job: v.string(),
        name: v.string(),
        task: v.string(),
        user: v.string(),
        planned: v.string(),
      }),
      execute: ({ job, planned, task }) => agree(job, Date.parse(planned), task),
      meta: {
        category: "scheduler",
        dangerous: true,
        idempotent: true,
        visibleTo: ({ channel }) => channel === RUNTIME_CHANNEL,
      },
    }),
  };
}
