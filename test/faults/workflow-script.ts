import * as v from "valibot";
import { defineTool } from "../../mod.ts";

export const TOKEN = "faults-token-0123456789";
export const STEPS = 20;
/** The start that each life asks for again. */
export const START = "the one start";

/** Has its effect on a server that outlives the assistant, under the call's key. */
export function effectTool(url: string) {
  return defineTool({
    description: "Has an effect elsewhere",
    inputSchema: v.looseObject({ n: v.optional(v.unknown()) }),
    async execute({ n }, { callId, signal }) {
      const response = await fetch(url, { method: "POST", body: JSON.stringify({ key: callId, n }), signal });
      await response.text();
      return { n: n ?? null };
    },
  });
}

/** Calls of tools and prompts, some side by side. */
export const DEFINITION = {
  name: "long",
  steps: Array.from({ length: STEPS }, (_, index) => {
    const id = `s${index}`;
    const needs = index === 0 ? [] : [`s${index - 1 - (index % 3 === 2 ? 1 : 0)}`];
    if (index % 6 === 4) return { id, run: "prompt" as const, prompt: `Say ${index}`, needs };
    return { id, run: "tool" as const, tool: "effect", with: { n: index }, needs };
  }),
};

/** The steps that have an effect. */
export const WITH_EFFECT: readonly string[] = DEFINITION.steps.filter(({ run }) => run === "tool").map(({ id }) => id);
