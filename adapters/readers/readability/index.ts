import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom/worker";
import Turndown from "turndown/lib/turndown.browser.es.js";
import { type PageReader, pageReaderOf } from "../../../mod.ts";

export type { Page, PageLink, PageReader } from "../../../mod.ts";

/**
 * Reads pages as a browser's reading view does: the article, in Markdown. Elsewhere than on Workers the assistant does so by itself; on Workers this
 * adds about 75 KB (gzip) to the bundle.
 *
 * Source: docs/web.md, "Reading pages".
 */
export function readabilityReader(): PageReader {
  return pageReaderOf({ Readability, parseHTML, Turndown });
}
