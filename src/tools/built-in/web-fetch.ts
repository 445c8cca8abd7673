import * as v from "valibot";
import { AssistantError } from "../../errors.ts";
import { type GuardedFetch, mediaType } from "../../guard/index.ts";
import type { Page, PageReader } from "../page-reader.ts";
import { defineTool } from "../tool.ts";
import type { AnyTool } from "../tool.ts";
import { told } from "./told.ts";
import { headOf } from "../../short-text.ts";

export interface WebFetchOptions {
  readonly fetch: GuardedFetch;
  readonly pageReader: PageReader;
}

const MAX_BYTES = 5 * 1024 * 1024;
const TIMEOUT_MS = 20_000;
const MAX_REDIRECTS = 5;
/** As many characters as `file_read` shows. */
const SHOWN_CHARACTERS = 16_000;
const SHOWN_LINKS = 50;

const READABLE = ["text/*", "application/json", "application/*+json", "application/xml", "application/*+xml"];
const HTML = new Set(["text/html", "application/xhtml+xml"]);

/**
 * `web_fetch`: the text of a page.
 *
 * Source: docs/web.md, "web_fetch".
 */
export function webFetchTool({ fetch, pageReader }: WebFetchOptions): Readonly<Record<string, AnyTool>> {
  const web_fetch = defineTool({
    description: `Fetches a page or a text from the public web and gives its readable text (at most ${SHOWN_CHARACTERS} characters), title and links. Pages, JSON, XML and plain text only.`,
    inputSchema: v.strictObject({
      url: v.pipe(v.string(), v.description("The whole address, with https:// or http://")),
    }),
    async execute({ url }, { signal }) {
      return told(async () => {
        const limits = { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, maxRedirects: MAX_REDIRECTS, types: READABLE };
        const headers = { accept: "text/html, application/xhtml+xml, application/json;q=0.9, text/*;q=0.8, */*;q=0.1" };
        const response = await fetch(url.trim(), { ...limits, headers, signal });
        const bytes = new Uint8Array(await response.arrayBuffer());
        const type = mediaType(response.headers);
        const text = decode(bytes, response.headers.get("content-type") ?? "", response.url);
        const found = { url: response.url, status: response.status, content_type: type };
        if (!HTML.has(type) && !(type === "" && /^\s*<(?:!doctype html|html[\s>])/iu.test(text)))
          return { ...found, ...cut(text) };
        const page = await pageReader.read(text, response.url);
        return { ...found, title: page.title, ...cut(page.text), ...linksOf(page) };
      });
    },
    meta: { category: "web", idempotent: true, untrusted: true },
  });
  return { web_fetch };
}

function cut(text: string): { text: string; note?: string } {
  if (text.length <= SHOWN_CHARACTERS) return { text };
  const shown = headOf(text, SHOWN_CHARACTERS);
  return { text: shown, note: `Only the first ${shown.length} of ${text.length} characters are shown` };
}

function linksOf({ links }: Page): { links: Page["links"]; more_links?: number } {
  if (links.length <= SHOWN_LINKS) return { links };
  return { links: links.slice(0, SHOWN_LINKS), more_links: links.length - SHOWN_LINKS };
}

/**
 * Decodes with the encoding of the byte order mark, of the server's header or of the page, in this order; else UTF-8.
 */
function decode(bytes: Uint8Array, contentType: string, url: string): string {
  const head = new TextDecoder("utf-8").decode(bytes.subarray(0, 1024));
  const named =
    markOf(bytes) ??
    /charset\s*=\s*["']?([^\s"';]+)/iu.exec(contentType)?.[1] ??
    /<meta[^>]+charset\s*=\s*["']?([^\s"'/>;]+)/iu.exec(head)?.[1] ??
    /^<\?xml[^>]+encoding\s*=\s*["']([^"']+)/iu.exec(head)?.[1] ??
    "utf-8";
  const text = decoderOf(named).decode(bytes);
  if (text.includes("\0"))
    throw new AssistantError("FETCH_FAILED", `Cannot read ${url}: its ${bytes.byteLength} bytes are no text`);
  return text;
}

function markOf(bytes: Uint8Array): string | undefined {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8";
  if (a === 0xff && b === 0xfe) return "utf-16le";
  return a === 0xfe && b === 0xff ? "utf-16be" : undefined;
}

function decoderOf(label: string): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch {
    // An unknown encoding, or one that this runtime lacks.
    return new TextDecoder("utf-8");
  }
}
