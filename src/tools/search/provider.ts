import type { GuardedFetch } from "../../guard/index.ts";

/** One result of a search. */
export interface SearchHit {
  /** The page's title, in plain text. */
  readonly title: string;
  /** Where the page is, absolute. */
  readonly url: string;
  /** What the page says about it, in a sentence or two; may be empty. */
  readonly snippet: string;
}

/** One search engine. Those given to an assistant are asked in order until one answers. */
export interface SearchProvider {
  /** In results, logs and error messages. */
  readonly name: string;
  /** Where it sends requests, as `https://api.example.com`: these origins come from configuration and are not checked by the URL guard. Default none. */
  readonly origins?: readonly string[];
  /** Its keys, taken out of logs, audit lines, errors and what tools give. Contract: never changes. Default none. */
  readonly secrets?: readonly string[];
  /**
   * Contract: best results first, at most about `limit`; an empty list when there is nothing; throws when it could not search. Uses `fetch` for
   * every request and stops when `signal` aborts. Its errors never hold the key.
   */
  search(query: string, options: SearchProviderOptions): Promise<readonly SearchHit[]>;
}

/** What a search engine is given for one search. */
export interface SearchProviderOptions {
  /** Most results that are wanted. */
  readonly limit: number;
  /** Gives the search up when it aborts. */
  readonly signal: AbortSignal;
  /** Limited in time and size; redirects keep no credentials. */
  readonly fetch: GuardedFetch;
}

/** The JSON of an answer that has to be one. */
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
    throw new Error(`${name} answered with something that is no JSON`, { cause });
  }
}

/** The entries of a list in JSON that came from outside, as hits; what is no hit is left out. */
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

/** An object of JSON whose fields are not known. */
export interface Fields {
  readonly [name: string]: unknown;
}

/** A field of JSON that came from outside; `undefined` when there is no such thing. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Fields)[name] : undefined;
}
