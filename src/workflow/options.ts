// Written by .ci/docs.ts from src/config/schema: change the schema, and run it.

import type { WorkflowDefinition } from "./definition.ts";

/** Work in several steps. Source: docs/workflows.md. */
export interface WorkflowOptions {
  /** Whether there are workflows; false: none runs, and there are no tools for them. Default true. */
  readonly enabled?: boolean;
  /** Maximum steps of one run that run in parallel. Default 2. */
  readonly maxParallel?: number;
  /** Workflows of the program, besides those in files. */
  readonly definitions?: readonly (string | WorkflowDefinition)[];
}
