import type { Skill } from "../../skills/index.ts";
import type { StepDefinition, WorkflowDefinition } from "../../workflow/index.ts";

/**
 * A chain of skills as a workflow, step by step: each step does its skill with what an earlier one gave.
 *
 * Source: docs/workflows-definitions.md, "Chains of skills".
 */
export function chainWorkflow({
  name,
  description,
  chain = [],
}: Pick<Skill, "name" | "description" | "chain">): WorkflowDefinition {
  const ids = chain.map(({ skill, outputAs }, index) => idOf(outputAs ?? skill, index));
  const made = new Map(
    chain.flatMap(({ outputAs }, index) => (outputAs === undefined ? [] : [[outputAs, ids[index]] as const])),
  );
  return {
    name,
    description,
    inputs: { task: { type: "string", description: "What it is to be done for", required: false } },
    steps: chain.map(({ skill, inputFrom, params = {} }, index): StepDefinition => {
      const before = inputFrom === undefined ? undefined : made.get(inputFrom);
      const previous = ids[index - 1];
      const needs = [...new Set([before, previous].filter((id) => id !== undefined))];
      return {
        id: ids[index] ?? "",
        run: "skill",
        skill,
        with: {
          ...params,
          task: "${inputs.task}",
          ...(before !== undefined && { [inputFrom ?? "input"]: `\${steps.${before}.output}` }),
        },
        ...(needs.length > 0 && { needs }),
      };
    }),
  };
}

/** Names of outputs may have other signs than ids of steps. */
function idOf(name: string, index: number): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, "-")
    .replace(/^[^a-z0-9]+/, "");
  return `s${index + 1}-${plain}`.slice(0, 64).replace(/-$/, "");
}
