import { ENTRY_TYPES } from "../../memory/index.ts";
import { textSlot } from "./entries.ts";
import type { PatternEntry } from "./pattern.ts";

/** Returns the failed steps of a trace with their error codes. Empty for other entries. */
export function failedSteps(entry: PatternEntry): readonly { readonly tool: string; readonly error: string }[] {
  const steps = entry.slots?.["steps"];
  if (textSlot(entry, "type") !== ENTRY_TYPES.workflowTrace || !Array.isArray(steps)) return [];
  return steps.flatMap((step) => {
    if (typeof step !== "object" || step === null || Array.isArray(step)) return [];
    const { name: tool, error } = step as { readonly name?: unknown; readonly error?: unknown };
    return typeof tool === "string" && typeof error === "string" ? [{ tool, error }] : [];
  });
}
