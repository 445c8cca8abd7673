import { type SearchProvider, fieldOf, hitsOf, readJson } from "./provider.ts";

export const PERPLEXITY_URL = "https://api.perplexity.ai";

/** Options of `perplexity`. */
export interface PerplexityOptions {
  /** The key, from https://www.perplexity.ai/settings/api. */
  readonly apiKey: string;
  /** Default `PERPLEXITY_URL`. */
  readonly baseUrl?: string;
}

/** Most results that the API returns. */
const MAX_RESULTS = 20;

/** Perplexity's Search API: results, not an answer. Source: https://docs.perplexity.ai/api-reference/search-post. */
export function perplexity({ apiKey, baseUrl = PERPLEXITY_URL }: PerplexityOptions): SearchProvider {
  const endpoint = `${baseUrl.replace(/\/+$/u, "")}/search`;
  return {
    name: "perplexity",
    origins: [new URL(endpoint).origin],
    // A getter, so that printing the object does not show the key.
    get secrets() {
      return [apiKey];
    },
    async search(query, { limit, signal, fetch }) {
      const response = await fetch(endpoint, {
        method: "POST",
        headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json", accept: "application/json" },
        body: JSON.stringify({ query, max_results: Math.min(limit, MAX_RESULTS) }),
        signal,
      });
      const answer = await readJson(response, "Perplexity");
      return hitsOf(fieldOf(answer, "results"), ({ title, url, snippet }) => ({ title, url, snippet }));
    },
  };
}
