import type { Clock } from "../../clock.ts";
import { type FetchLimits, type GuardedFetch, type Lookup, createGuardedFetch } from "../../guard/index.ts";
import type { Platform } from "../../platform.ts";
import type { PageReader } from "../page-reader.ts";
import { plainReader } from "../readers/plain.ts";
import { pageReaderOf } from "../readers/readability.ts";
import { type SearchOptions, searchProviders } from "../search/from-options.ts";
import type { AnyTool } from "../tool.ts";
import { webFetchTool } from "./web-fetch.ts";
import { webSearchTool } from "./web-search.ts";

export interface WebToolsOptions {
  readonly clock: Clock;
  readonly platform: Pick<Platform, "network" | "load">;
  /** The host's own `fetch`. Default: see `createGuardedFetch`. */
  readonly fetch?: typeof fetch;
  readonly lookup?: Lookup;
  /** Default: the readability libraries if they are installed, else the plain reader. */
  readonly pageReader?: PageReader | undefined;
  readonly search?: SearchOptions | undefined;
  /** Called for each search engine that failed and was skipped. */
  onSearchFailure?(provider: string, error: unknown): void;
}

/**
 * `web_fetch`, and `web_search` if a search engine is enabled.
 *
 * @throws {AssistantError} `OPTION_INVALID` for a search engine that is enabled without its key.
 */
export function webTools(options: WebToolsOptions): Readonly<Record<string, AnyTool>> {
  const { pageReader = installedReader(options.platform), onSearchFailure } = options;
  const providers = searchProviders(options.search);
  const trustedOrigins = providers.flatMap(({ origins = [] }) => origins);
  return {
    ...webFetchTool({ fetch: guarded(options), pageReader }),
    ...webSearchTool({
      providers,
      fetch: guarded(options, { trustedOrigins }),
      ...(onSearchFailure && { onFailure: onSearchFailure }),
    }),
  };
}

function guarded(
  { clock, platform, fetch, lookup }: WebToolsOptions,
  more: FetchLimits & { readonly trustedOrigins?: readonly string[] } = {},
): GuardedFetch {
  return createGuardedFetch({ clock, ...(fetch && { fetch }), ...(lookup && { lookup }), ...more }, platform.network);
}

/** Returns a reader that loads the best available implementation when it reads the first page. */
function installedReader(platform: Pick<Platform, "load">): PageReader {
  let found: Promise<PageReader> | undefined;
  const find = async () => {
    const libraries = await platform.load("@mozilla/readability");
    return libraries === null ? plainReader() : pageReaderOf(libraries);
  };
  return { read: async (html, url) => (await (found ??= find())).read(html, url) };
}
