import type { GuardedFetch } from "../../guard/index.ts";

/** One result of a search. */
export interface SearchHit {
  /** The page's title, in plain text. */
  readonly title: string;
  /** Address of the page, absolute. */
  readonly url: string;
  /** A sentence or two from the page; may be empty. */
  readonly snippet: string;
}

/** One search engine. An assistant asks its engines in order until one answers. */
export interface SearchProvider {
  /** Name in results, logs and error messages. */
  readonly name: string;
  /**
   * Origins of its requests, as `https://api.example.com`. They come from configuration, so the URL guard does not
   * check them. Default none.
   */
  readonly origins?: readonly string[];
  /** Its keys, redacted in logs, audit lines, errors and tool output. Contract: never changes. Default none. */
  readonly secrets?: readonly string[];
  /**
   * Searches. Contract: best results first, at most about `limit`; an empty list if there are none; throws if it
   * could not search. Uses `fetch` for every request and stops when `signal` aborts. Its errors never contain the
   * key.
   */
  search(query: string, options: SearchProviderOptions): Promise<readonly SearchHit[]>;
}

/** Options of one search. */
export interface SearchProviderOptions {
  /** Most results to return. */
  readonly limit: number;
  /** Cancels the search when it aborts. */
  readonly signal: AbortSignal;
  /** Limited in time and size; redirects keep no credentials. */
  readonly fetch: GuardedFetch;
}

/** Reads an answer as JSON; throws if it is an error or not JSON. */
export async function readJson(response: Response, name: string): Promise<unknown> {
  if (!response.ok) {
    response.body?.cancel().catch(() => {});
    const why =
      response.status === 401 || response.status === 403
        ? ": check the key"
        : response.status === 429
          ? ": too many requests"
          : "";
    throw new Error(`${name} answered with status ${response.status}${why}`);
  }
  try {
    return await response.json();
  } catch (cause) {
    throw new Error(`${name} answered with something that is not JSON`, { cause });
  }
}

/** Reads the entries of an untrusted list as hits; skips entries that are none. */
export function hitsOf(
  list: unknown,
  read: (entry: Fields) => { title: unknown; url: unknown; snippet: unknown },
): readonly SearchHit[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown) => {
    if (typeof entry !== "object" || entry === null) return [];
    const { title, url, snippet } = read(entry as Fields);
    if (typeof url !== "string" || !/^https?:\/\//iu.test(url)) return [];
    return [
      {
        title: typeof title === "string" && title !== "" ? title : url,
        url,
        snippet: typeof snippet === "string" ? snippet : "",
      },
    ];
  });
}

/** An untrusted JSON object. */
export interface Fields {
  readonly [name: string]: unknown;
}

/** A field of untrusted JSON; `undefined` if there is none. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Fields)[name] : undefined;
}
