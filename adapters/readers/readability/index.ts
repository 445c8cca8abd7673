import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom/worker";
import Turndown from "turndown/lib/turndown.browser.es.js";
import { type PageLibraries, type PageReader, pageReaderOf } from "../../../kit.ts";

export type { Page, PageLink, PageReader } from "../../../kit.ts";

/**
 * Reads pages like a browser's reading view: the article alone, in Markdown. On other runtimes the assistant does this
 * by itself; on Workers this reader adds about 75 KB (gzip) to the bundle.
 *
 * Source: docs/web.md, "Reading pages".
 */
export function readabilityReader(): PageReader {
  // Deno reads the types of this build as plain functions.
  const converter = Turndown as unknown as PageLibraries["Turndown"];
  return pageReaderOf({ Readability, parseHTML, Turndown: converter });
}
