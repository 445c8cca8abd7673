import * as v from "valibot";
import { messageOf } from "../../errors.ts";
import { type GuardedFetch, withoutAddresses } from "../../guard/index.ts";
import type { SearchHit, SearchProvider } from "../search/provider.ts";
import { ToolError, defineTool } from "../tool.ts";
import type { AnyTool } from "../tool.ts";
import { shortened } from "../../short-text.ts";

export interface WebSearchOptions {
  readonly fetch: GuardedFetch;
  /** Asked in order until one answers. */
  readonly providers: readonly SearchProvider[];
  /** Called for each provider that failed and was skipped. */
  onFailure?(provider: string, error: unknown): void;
}

const LIMITS = { maxBytes: 2 * 1024 * 1024, timeoutMs: 15_000, maxRedirects: 3 };
const DEFAULT_HITS = 5;
const MAX_HITS = 20;
const TITLE_CHARACTERS = 200;
const SNIPPET_CHARACTERS = 500;

/**
 * `web_search`: addresses and snippets from the first search engine that answers. The tool is absent if there is no
 * engine.
 *
 * Source: docs/web.md, "web_search".
 */
export function webSearchTool(options: WebSearchOptions): Readonly<Record<string, AnyTool>> {
  const { providers, fetch: guardedFetch, onFailure } = options;
  if (providers.length === 0) return {};

  const web_search = defineTool({
    description:
      "Searches the web and gives titles, addresses and snippets; read a page that looks right with web_fetch.",
    inputSchema: v.strictObject({
      query: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(1000), v.description("What to search for")),
      limit: v.optional(
        v.pipe(
          v.number(),
          v.integer(),
          v.minValue(1),
          v.maxValue(MAX_HITS),
          v.description(`How many results. Default ${DEFAULT_HITS}`),
        ),
      ),
    }),
    async execute({ query, limit = DEFAULT_HITS }, { signal }) {
      const fetch: GuardedFetch = (input, init) => guardedFetch(input, { ...LIMITS, ...init });
      const failures: string[] = [];
      for (const provider of providers) {
        try {
          const hits = await provider.search(query, { limit, signal, fetch });
          return tidy(hits, limit);
        } catch (error) {
          signal.throwIfAborted();
          onFailure?.(provider.name, error);
          // The model must not see the configured addresses.
          failures.push(`${provider.name}: ${withoutAddresses(messageOf(error))}`);
        }
      }
      throw new ToolError("SEARCH_FAILED", `Cannot search as no search engine answered (${failures.join("; ")})`);
    },
    meta: { category: "search", idempotent: true, untrusted: true },
  });
  return { web_search };
}

/** Removes duplicate pages, and keeps at most `limit`. */
function tidy(hits: readonly SearchHit[], limit: number): readonly SearchHit[] {
  const seen = new Set<string>();
  const kept: SearchHit[] = [];
  for (const { title, url, snippet } of hits) {
    const key = samePage(url);
    if (seen.has(key) || kept.length >= limit) continue;
    seen.add(key);
    kept.push({ title: oneLine(title, TITLE_CHARACTERS), url, snippet: oneLine(snippet, SNIPPET_CHARACTERS) });
  }
  return kept;
}

function samePage(url: string): string {
  try {
    const { host, pathname, search } = new URL(url);
    return host.replace(/^www\./u, "") + pathname.replace(/\/$/u, "") + search;
  } catch {
    return url;
  }
}

function oneLine(text: string, most: number): string {
  const line = text.replaceAll(/\s+/gu, " ").trim();
  return shortened(line, most);
}
