import type { Store } from "../store/index.ts";
import type { AssistantOptions } from "./assistant-options.ts";
import { checkMadeByCode } from "./made-by-code.ts";
import { validateChannelAccess, validateOptions } from "./validate-options.ts";

/** The options of an assistant, checked. */
export interface ReadOptions {
  readonly options: AssistantOptions;
  /** One line for each option that is known but has no effect in this version. */
  readonly warnings: readonly string[];
  /** The values of all secret options. */
  readonly secrets: readonly string[];
}

/**
 * Checks what `createAssistant` was given, once.
 *
 * @throws {AssistantError} `OPTION_INVALID`, naming every option that is wrong, what was expected and what was given.
 */
export async function readOptions(given: AssistantOptions): Promise<ReadOptions> {
  // `fsStore(…)` is a promise, and who has no types may forget to wait for it.
  const options = isPromise(given?.store) ? { ...given, store: await given.store } : given;
  const { warnings, secrets } = validateOptions(options);
  checkMadeByCode(options);
  const ofChannels = (options.channels ?? []).flatMap(
    ({ name, access }) => validateChannelAccess(name, access).warnings,
  );
  return { options, warnings: [...warnings, ...ofChannels], secrets };
}

function isPromise(value: unknown): value is Promise<Store> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
