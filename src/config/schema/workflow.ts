import { flag, list, made, section, whole } from "../../settings/index.ts";
import { DEFAULT_MAX_PARALLEL } from "../../workflow/index.ts";

export const workflow = section(
  {
    enabled: flag({
      what: "Whether there are workflows; false: none runs, and there are no tools for them",
      default: true,
    }),
    maxParallel: whole(1, {
      what: "Maximum steps of one run that run in parallel",
      default: DEFAULT_MAX_PARALLEL,
      max: 32,
    }),
    definitions: list(
      made(
        "string | WorkflowDefinition",
        { WorkflowDefinition: "workflow/definition.ts" },
        {
          what: "A workflow as YAML text or as an object",
        },
      ),
      { what: "Workflows of the program, besides those in files", only: "sdk" },
    ),
  },
  { what: "Work in several steps", inCode: "Source: docs/workflows.md.", type: "workflow/options.ts#WorkflowOptions" },
);
