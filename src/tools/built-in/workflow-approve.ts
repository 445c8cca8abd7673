import * as v from "valibot";
import { defineTool } from "../tool.ts";

/** The tool that a step `approve` of a workflow calls. */
export const WORKFLOW_APPROVE = "workflow_approve";

export interface WorkflowApproveOptions {
  /** Is it the session of a workflow's run? */
  isRunSession(sessionKey: string): boolean;
}

/**
 * What a yes of the owner to a step of a workflow does: nothing, but that it was given. Runs alone call it, and always with an approval; no model ever sees it.
 *
 * Source: docs/workflows.md, "Approvals".
 */
export function workflowApproveTool({ isRunSession }: WorkflowApproveOptions) {
  return {
    [WORKFLOW_APPROVE]: defineTool({
      description: "Lets a workflow go on past a step that waits for the owner",
      inputSchema: v.looseObject({ run: v.string(), workflow: v.string(), step: v.string() }),
      execute: () => ({ approved: true }),
      meta: {
        category: "orchestration",
        dangerous: true,
        idempotent: true,
        visibleTo: ({ sessionKey }) => isRunSession(sessionKey),
      },
    }),
  };
}
