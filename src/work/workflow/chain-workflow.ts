import type { Skill } from "../../skills/index.ts";
import type { JsonValue } from "../../store/index.ts";
import type { StepDefinition, WorkflowDefinition } from "../../workflow/index.ts";

/**
 * Turns a chain of skills into a workflow, one step per skill. Each step gets the output of an earlier one. A step that
 * is a chain itself becomes a workflow step.
 *
 * Source: docs/workflows-definitions.md, "Chains of skills".
 *
 * @param isChain Whether a skill is a chain.
 */
export function chainWorkflow(
  { name, description, chain = [] }: Pick<Skill, "name" | "description" | "chain">,
  isChain: (skill: string) => boolean,
): WorkflowDefinition {
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
      const needs = [...new Set([before, ids[index - 1]].filter((id) => id !== undefined))];
      const common = { id: ids[index] ?? "", ...(needs.length > 0 && { needs }) };
      const given = before === undefined ? undefined : `\${steps.${before}.output}`;
      if (isChain(skill)) {
        const task = given === undefined ? TASK : `${TASK}\n\n${given}`;
        return { ...common, run: "workflow", workflow: skill, with: { task } };
      }
      return {
        ...common,
        run: "skill",
        skill,
        with: { ...asWritten(params), task: TASK, ...(given !== undefined && { [inputFrom ?? "input"]: given }) },
      };
    }),
  };
}

const TASK = "${inputs.task}";

/** Escapes `${` in a skill's parameters, which hold no references. */
function asWritten<Value extends JsonValue>(value: Value): Value {
  const written = (one: JsonValue): JsonValue => {
    if (typeof one === "string") return one.replaceAll("${", "$$${");
    if (Array.isArray(one)) return one.map(written);
    if (typeof one !== "object" || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, written(inner ?? null)]));
  };
  return written(value) as Value;
}

/** Makes a step id of an output's name, which may have characters that ids do not allow. */
function idOf(name: string, index: number): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, "-")
    .replace(/^[^a-z0-9]+/, "");
  return `s${index + 1}-${plain}`.slice(0, 64).replace(/-$/, "");
}
