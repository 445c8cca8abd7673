import * as v from "valibot";
import { defineTool } from "../tool.ts";

/** The tool that a step `approve` of a workflow calls. */
export const WORKFLOW_APPROVE = "workflow_approve";

export interface WorkflowApproveOptions {
  /** Whether a session belongs to a workflow's run. */
  isRunSession(sessionKey: string): boolean;
}

/**
 * The effect of the owner's yes to a step of a workflow: it only records that it was given. Only runs call it, always
 * with an approval; no model ever sees it.
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
