import { AssistantError } from "../../errors.ts";
import { brave } from "./brave.ts";
import { duckduckgo } from "./duckduckgo.ts";
import { perplexity } from "./perplexity.ts";
import type { SearchProvider } from "./provider.ts";
import type { SearchOptions } from "../options.ts";

export type { SearchOptions } from "../options.ts";

interface Switch {
  /** Default true if there is a key. */
  readonly enabled?: boolean;
}

/**
 * Returns the enabled engines, in order; empty if there are none.
 *
 * @throws {AssistantError} `OPTION_INVALID` for an engine that is enabled without its key.
 */
export function searchProviders(options: SearchOptions = {}): readonly SearchProvider[] {
  const { perplexity: first, brave: second, duckduckgo: third, providers = [] } = options;
  return [
    ...(wants("perplexity", first) ? [perplexity(first)] : []),
    ...(wants("brave", second) ? [brave(second)] : []),
    ...(third?.enabled === true ? [duckduckgo(third)] : []),
    ...providers,
  ];
}

function wants<Given extends { readonly apiKey?: string } & Switch>(
  name: string,
  given: Given | undefined,
): given is Given & { readonly apiKey: string } {
  if (given === undefined || given.enabled === false) return false;
  if (given.apiKey !== undefined && given.apiKey !== "") return true;
  if (given.enabled !== true) return false;
  throw new AssistantError("OPTION_INVALID", `Invalid option search.${name}: it is enabled but has no apiKey`);
}
