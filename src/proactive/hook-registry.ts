import { AssistantError } from "../errors.ts";
import type { EventBus } from "../events/index.ts";
import { subscribeHook } from "./adapter.ts";
import type { ProactiveHook } from "./hook.ts";

/** How a hook takes part. */
export interface HookOptions {
  /** Higher ones are asked first; equal ones in the order they were added. Default 0. */
  readonly priority?: number;
  /** Milliseconds that each of its functions may take. Default 10_000. */
  readonly timeoutMs?: number;
  /** Most calls of each of its functions in any 60 seconds; the rest are skipped and counted. Default: no limit. */
  readonly maxRatePerMinute?: number;
}

/** A hook that takes part. */
export interface RegisteredHook extends HookOptions {
  /** As it was added. */
  readonly hook: ProactiveHook;
  /** As it was given, else 0. */
  readonly priority: number;
}

/** The hooks of an assistant. Source: docs/hooks.md. */
export interface HookRegistry {
  /**
   * The hook takes part from the next event on.
   * @returns A function that removes it.
   * @throws {AssistantError} `OPTION_INVALID` without a name, when another hook has it, or when one of its functions is none or has a name that is never called.
   * @throws {RangeError} If an option is out of range.
   */
  add(hook: ProactiveHook, options?: HookOptions): () => void;
  /** @returns Whether there was a hook of that name. */
  remove(name: string): boolean;
  /** In the order in which they are asked. */
  list(): readonly RegisteredHook[];
}

const FUNCTIONS = ["onTaskStart", "onIterationStart", "onToolCompleted", "onTaskCompleted"];

/** Programs without types learn at once what would otherwise fail in each turn, or never be called. What a class keeps for itself is not enumerable. */
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
