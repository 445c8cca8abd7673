import type { Store } from "../store/index.ts";
import type { SkillsOptions } from "../skills/index.ts";
import type { AssistantOptions } from "./assistant-options.ts";
import { checkMadeByCode } from "./made-by-code.ts";
import { validateChannelAccess, validateOptions } from "./validate-options.ts";

/** The options of an assistant, checked. */
export interface ReadOptions {
  readonly options: Omit<AssistantOptions, "skills"> & { readonly skills?: SkillsOptions };
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
  const known = isPromise(given?.store) ? { ...given, store: await given.store } : given;
  const options = written(known);
  const { warnings, secrets } = validateOptions(options);
  checkMadeByCode(options);
  const ofChannels = (options.channels ?? []).flatMap(
    ({ name, access }) => validateChannelAccess(name, access).warnings,
  );
  return { options, warnings: [...warnings, ...ofChannels], secrets };
}

/** What may be short, at length. Options may come by a prototype. */
function written(given: AssistantOptions): ReadOptions["options"] {
  const skills = given?.skills;
  if (isList(skills)) return Object.create(given, { skills: { value: { sources: skills }, enumerable: true } });
  return given as ReadOptions["options"]; // its skills are no list
}

/** `Array.isArray` does not know lists that are read only. */
function isList<T>(value: readonly T[] | object | undefined): value is readonly T[] {
  return Array.isArray(value);
}

function isPromise(value: unknown): value is Promise<Store> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
