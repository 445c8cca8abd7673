import { htmlPieces } from "../readers/html-tags.ts";
import { type SearchHit, type SearchProvider } from "./provider.ts";

export const DUCKDUCKGO_URL = "https://html.duckduckgo.com";

/** Options of `duckduckgo`. */
export interface DuckDuckGoOptions {
  /** Default `DUCKDUCKGO_URL`. */
  readonly baseUrl?: string;
}

/**
 * DuckDuckGo's page for browsers without scripts. It needs no key and has no API: the page may change or ask for
 * proof of a person, and then this provider throws. Use it if neither Perplexity nor Brave is available.
 */
export function duckduckgo({ baseUrl = DUCKDUCKGO_URL }: DuckDuckGoOptions = {}): SearchProvider {
  const endpoint = new URL(`${baseUrl.replace(/\/+$/u, "")}/html/`);
  return {
    name: "duckduckgo",
    origins: [endpoint.origin],
    async search(query, { limit, signal, fetch }) {
      const url = new URL(endpoint);
      url.searchParams.set("q", query);
      const response = await fetch(url, { headers: { accept: "text/html" }, signal });
      const html = await response.text();
      // It answers 202 if it takes the caller for a robot.
      if (response.status !== 200)
        throw new Error(`DuckDuckGo answered with status ${response.status}: it may require a person`);
      const hits = readResults(html, endpoint);
      if (hits.length === 0 && !/\bno-results\b/u.test(html))
        throw new Error("DuckDuckGo answered with a page without results: it may require a person");
      return hits.slice(0, limit);
    },
  };
}

/**
 * Reads the results of the page: links of class `result__a`, and the text of class `result__snippet` after each.
 * Leaves out advertisements.
 */
function readResults(html: string, base: URL): readonly SearchHit[] {
  const hits: { title: string; url: string | undefined; snippet: string }[] = [];
  let reading: "title" | "snippet" | undefined;
  let readingElement = "";
  for (const piece of htmlPieces(html)) {
    if (piece.kind === "text") {
      const hit = hits.at(-1);
      if (hit && reading !== undefined) hit[reading] += piece.text;
    } else if (piece.kind === "close") {
      if (piece.name === readingElement) reading = undefined;
    } else {
      const classes = (piece.attributes.get("class") ?? "").split(/\s+/u);
      const isTitle = classes.includes("result__a");
      if (!isTitle && !classes.includes("result__snippet")) continue;
      if (isTitle) hits.push({ title: "", url: targetOf(piece.attributes.get("href") ?? "", base), snippet: "" });
      reading = isTitle ? "title" : "snippet";
      readingElement = piece.name;
    }
  }
  return hits.flatMap(({ title, url, snippet }) =>
    url === undefined ? [] : [{ title: oneLine(title) || url, url, snippet: oneLine(snippet) }],
  );
}

/**
 * Links go through the engine's own counter, `/l/?uddg=<address>`. Links of advertisements (`/y.js`) give no target.
 */
function targetOf(href: string, base: URL): string | undefined {
  try {
    const url = new URL(href, base);
    const own =
      url.hostname === "duckduckgo.com" || url.hostname.endsWith(".duckduckgo.com") || url.origin === base.origin;
    const target = own ? (url.pathname === "/l/" ? url.searchParams.get("uddg") : null) : url.href;
    return target !== null && /^https?:\/\//iu.test(target) ? target : undefined;
  } catch {
    return undefined;
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim();
}
