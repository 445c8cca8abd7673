import { readPlain } from "../readers/plain.ts";
import { type SearchProvider, fieldOf, hitsOf, readJson } from "./provider.ts";

export const BRAVE_URL = "https://api.search.brave.com";

/** Options of `brave`. */
export interface BraveOptions {
  /** The key, from https://api-dashboard.search.brave.com. */
  readonly apiKey: string;
  /** Default `BRAVE_URL`. */
  readonly baseUrl?: string;
}

/** Most results that the API returns. */
const MAX_RESULTS = 20;
/** Longest query that the API accepts, in characters. */
const MAX_QUERY = 400;

/** Brave's Web Search API. Source: https://api-dashboard.search.brave.com/app/documentation/web-search. */
export function brave({ apiKey, baseUrl = BRAVE_URL }: BraveOptions): SearchProvider {
  const endpoint = new URL(`${baseUrl.replace(/\/+$/u, "")}/res/v1/web/search`);
  return {
    name: "brave",
    origins: [endpoint.origin],
    // A getter, so that printing the object does not show the key.
    get secrets() {
      return [apiKey];
    },
    async search(query, { limit, signal, fetch }) {
      const url = new URL(endpoint);
      url.searchParams.set("q", query.slice(0, MAX_QUERY));
      url.searchParams.set("count", String(Math.min(limit, MAX_RESULTS)));
      const headers = { "x-subscription-token": apiKey, accept: "application/json" };
      const answer = await readJson(await fetch(url, { headers, signal }), "Brave");
      // Titles and descriptions mark matching words with <strong>.
      return hitsOf(fieldOf(fieldOf(answer, "web"), "results"), ({ title, url, description }) => ({
        title: typeof title === "string" ? readPlain(title, endpoint.href).text : title,
        url,
        snippet: typeof description === "string" ? readPlain(description, endpoint.href).text : description,
      }));
    },
  };
}
