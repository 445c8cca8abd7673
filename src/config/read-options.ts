import type { Store } from "../store/index.ts";
import type { SkillsOptions } from "../skills/index.ts";
import type { AssistantOptions } from "./assistant-options.ts";
import { checkMadeByCode } from "./made-by-code.ts";
import { validateChannelAccess, validateOptions } from "./validate-options.ts";

/** The checked options of an assistant. */
export interface ReadOptions {
  readonly options: Omit<AssistantOptions, "skills"> & { readonly skills?: SkillsOptions };
  /** One line for each option that is known but has no effect in this version. */
  readonly warnings: readonly string[];
  /** The values of all secret options. */
  readonly secrets: readonly string[];
}

/**
 * Checks the options that `createAssistant` was given.
 *
 * @throws {AssistantError} `OPTION_INVALID`, with every wrong option, what was expected and what was given.
 */
export async function readOptions(given: AssistantOptions): Promise<ReadOptions> {
  // `fsStore(…)` returns a promise, and a caller without types may forget to await it.
  const known = isPromise(given?.store) ? { ...given, store: await given.store } : given;
  const options = written(known);
  const { warnings, secrets } = validateOptions(options);
  checkMadeByCode(options);
  const ofChannels = (options.channels ?? []).flatMap(
    ({ name, access }) => validateChannelAccess(name, access).warnings,
  );
  return { options, warnings: [...warnings, ...ofChannels], secrets };
}

/** Expands short forms of options. Uses `Object.create`, because options may come from a prototype. */
function written(given: AssistantOptions): ReadOptions["options"] {
  const skills = given?.skills;
  if (isList(skills)) return Object.create(given, { skills: { value: { sources: skills }, enumerable: true } });
  return given as ReadOptions["options"]; // skills is not a list here
}

/** `Array.isArray` does not narrow readonly arrays. */
function isList<T>(value: readonly T[] | object | undefined): value is readonly T[] {
  return Array.isArray(value);
}

function isPromise(value: unknown): value is Promise<Store> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
