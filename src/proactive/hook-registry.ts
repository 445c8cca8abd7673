import { AssistantError } from "../errors.ts";
import type { EventBus } from "../events/index.ts";
import { subscribeHook } from "./adapter.ts";
import type { ProactiveHook } from "./hook.ts";

/** Options of a hook. */
export interface HookOptions {
  /** Hooks with a higher priority are called first; equal ones in the order they were added. Default 0. */
  readonly priority?: number;
  /** Time limit for each call, in milliseconds. Default 10_000. */
  readonly timeoutMs?: number;
  /** Maximum calls of each function in any 60 seconds; further calls are skipped and counted. Default: no limit. */
  readonly maxRatePerMinute?: number;
}

/** A registered hook. */
export interface RegisteredHook extends HookOptions {
  /** The hook object, unchanged. */
  readonly hook: ProactiveHook;
  /** The given priority, else 0. */
  readonly priority: number;
}

/** The hooks of an assistant. Source: docs/hooks.md. */
export interface HookRegistry {
  /**
   * Adds a hook. It takes part from the next event on.
   * @returns A function that removes it.
   * @throws {AssistantError} `OPTION_INVALID` if it has no name, another hook has that name, or an `on…` member is not
   * a function or has an unknown name.
   * @throws {RangeError} If an option is out of range.
   */
  add(hook: ProactiveHook, options?: HookOptions): () => void;
  /** Removes a hook. @returns Whether a hook of that name existed. */
  remove(name: string): boolean;
  /** Lists the hooks in the order in which they are called. */
  list(): readonly RegisteredHook[];
}

const FUNCTIONS = ["onTaskStart", "onIterationStart", "onToolCompleted", "onTaskCompleted"];

/**
 * Reports wrong members at registration: programs without types would otherwise fail in each turn or never be called.
 * Methods of a class are not enumerable and are not checked.
 */
function checkFunctions(hook: ProactiveHook): void {
  for (const name in hook) {
    const given: unknown = hook[name as keyof ProactiveHook] ?? undefined;
    if (!/^on[A-Z]/.test(name) || given === undefined) continue;
    if (typeof given !== "function" || !FUNCTIONS.includes(name))
      throw new AssistantError(
        "OPTION_INVALID",
        `Invalid ${name} of the hook ${JSON.stringify(hook.name)}: expected functions named ${FUNCTIONS.join(", ")}`,
      );
  }
}

export function createHookRegistry(
  { events }: { readonly events: EventBus },
  given: readonly ProactiveHook[] = [],
): HookRegistry {
  const hooks = new Map<string, { readonly registered: RegisteredHook; readonly stop: () => void }>();

  function add(hook: ProactiveHook, options: HookOptions = {}): () => void {
    const name = (hook as ProactiveHook | undefined)?.name;
    if (typeof name !== "string" || name === "") {
      throw new AssistantError("OPTION_INVALID", "Invalid hook: expected a name, by which it is reported and removed");
    }
    if (hooks.has(name)) {
      throw new AssistantError(
        "OPTION_INVALID",
        `Invalid hook ${JSON.stringify(name)}: another hook has this name; give it its own, or remove the other one first`,
      );
    }
    checkFunctions(hook);
    const stop = subscribeHook(events, hook, { ...options, name });
    const entry = { registered: { ...options, priority: options.priority ?? 0, hook }, stop };
    hooks.set(name, entry);
    return () => {
      if (hooks.get(name) === entry) remove(name);
    };
  }

  function remove(name: string): boolean {
    hooks.get(name)?.stop();
    return hooks.delete(name);
  }

  for (const hook of given) add(hook);
  return {
    add,
    remove,
    list: () =>
      [...hooks.values()].map(({ registered }) => registered).sort((one, other) => other.priority - one.priority),
  };
}
