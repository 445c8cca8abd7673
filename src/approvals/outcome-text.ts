import type { ApprovalRecord } from "./records.ts";

/** The outcome of a request as a text for the model, shown as data because others wrote parts of it. */
export function outcomeText({ tool, code, input, answer, outcome }: ApprovalRecord): string {
  const call = `${tool} ${JSON.stringify(input)}`;
  switch (outcome?.verdict) {
    case "done":
      return `Approved (${code}): ${call} ran. Result: ${shown(outcome.output)}`;
    case "failed":
      return `Approved (${code}): ${call} failed. ${outcome.error?.code ?? "FAILED"}: ${outcome.error?.message ?? ""}`;
    case "denied":
      return `Denied (${code}): ${call} did not run. Reason: ${outcome.reason ?? "none given"}. Do not ask for the same again`;
    case "expired":
      return answer
        ? `Not run in time (${code}): ${call} did not run: ${outcome.reason ?? "it was approved too long ago"}`
        : `Not answered in time (${code}): ${call} did not run`;
    default:
      return `Interrupted (${code}): ${call} was approved, and the program stopped while it ran. It may or may not have had its effect: check before you do it again`;
  }
}

function shown(output: unknown): string {
  return typeof output === "string" ? output : JSON.stringify(output ?? null);
}
