import type { Clock } from "../clock.ts";
import { type Injection, createEventBus, publishForInjections } from "../events/index.ts";
import { subscribeHook } from "./adapter.ts";
import type { HookRegistry } from "./hook-registry.ts";
import type { HookTask } from "./hook.ts";

/** The turn that would start. */
export interface ExplainedTask extends Omit<HookTask, "taskId" | "source"> {
  readonly sessionKey: string;
}

/**
 * Returns what the hooks would inject at the start of a turn. They run as a dry run on a separate bus, in their order
 * and within their time limits. Other subscribers see nothing, and nothing is counted or written. A hook that fails
 * injects nothing.
 */
export function explainHooks(
  registry: Pick<HookRegistry, "list">,
  { sessionKey, ...task }: ExplainedTask,
  { clock }: { readonly clock: Clock },
): Promise<readonly Injection[]> {
  const events = createEventBus({ clock });
  for (const { hook, priority, timeoutMs } of registry.list()) {
    if (hook.onTaskStart === undefined) continue;
    const options = { name: hook.name, priority, ...(timeoutMs !== undefined && { timeoutMs }) };
    subscribeHook(events, hook, options, { dryRun: true });
  }
  return publishForInjections(events, (inject) => ({
    type: "task.started",
    sessionId: sessionKey,
    timestamp: clock.now(),
    payload: { ...task, taskId: "explain", source: "message", inject },
  }));
}
