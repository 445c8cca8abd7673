import type { StepPlace } from "../../workflow/index.ts";

const KEYS = "workflow:";

/** The engine's key of a run. */
export function workflowKeyOf(runId: string): string {
  return KEYS + runId;
}

export function isWorkflowKey(key: string): boolean {
  return key.startsWith(KEYS);
}

export function runIdOfKey(key: string): string {
  return key.slice(KEYS.length);
}

/** The session of a run's own calls. Each prompt has a session of its own. */
export function runSessionOf(agentId: string, runId: string): string {
  return `agent:${agentId}:sub:${runId}`;
}

/** The session of one prompt of a run. Another try continues in it. */
export function stepSessionOf(agentId: string, runId: string, place: StepPlace): string {
  return `${runSessionOf(agentId, runId)}.${placeName(place)}`;
}

/** The run whose own calls, not those of its prompts, belong to this session; undefined: none. */
export function runOfCalls(sessionKey: string): string | undefined {
  const run = runOfSession(sessionKey);
  return run !== undefined && sessionKey.endsWith(`:${run}`) ? run : undefined;
}

/** The run that a session belongs to; undefined: none. */
export function runOfSession(sessionKey: string): string | undefined {
  return /^agent:[^:]+:sub:(run-[0-9a-z]+)(?:\.|$)/.exec(sessionKey)?.[1];
}

/** The idempotency key of one try's effect: run, step, attempt. */
export function effectKeyOf(runId: string, place: StepPlace, attempt: number): string {
  return `${runId}.${placeName(place)}.${attempt}`;
}

/** Such as `fetch`, or `fetch-3` for the fourth item. */
export function placeName({ id, item }: StepPlace): string {
  return item === undefined ? id : `${id}-${item}`;
}
