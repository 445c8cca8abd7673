import type { PageLibraries } from "../../libraries.ts";
import type { Page, PageLink, PageReader } from "../page-reader.ts";
import { readPlain, resolve, withoutHash } from "./plain.ts";

/** The plain reader reads larger pages: building their tree would block the program for seconds. */
const MAX_HTML = 1_000_000;
const MAX_ELEMENTS = 10_000;
/** Deepest nesting of elements; more would overflow the stack of the libraries. */
const DEEPEST = 200;
/** A shorter article is a guess, and the whole page says more. In characters. */
const MIN_ARTICLE = 140;

/** Parts around the main text, on pages that mark their parts. */
const AROUND = "nav, footer, aside, dialog, body > header, [hidden], [aria-hidden=true]";

/** The part of an element's interface that is used here. */
interface Element {
  remove(): void;
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
  querySelectorAll(selector: string): Iterable<Element>;
}

/**
 * Reads pages as a browser's reading view does: the article, in Markdown. Pages without an article, and pages that
 * are too large, are read by the plain reader.
 */
export function pageReaderOf(libraries: PageLibraries): PageReader {
  return {
    async read(html, url) {
      const plain = readPlain(html, url);
      if (!isModest(html)) return plain;
      try {
        return readArticle(html, url, libraries, plain);
      } catch {
        // The plain text can be read even if the page breaks the parser.
        return plain;
      }
    },
  };
}

function readArticle(html: string, url: string, libraries: PageLibraries, plain: Page): Page {
  const document = libraries.parseHTML(wholeDocument(html)).document as Element;
  const base = baseOf(document, url);
  for (const element of [...document.querySelectorAll(AROUND)]) element.remove();
  const reader = new libraries.Readability(document as never, {
    maxElemsToParse: MAX_ELEMENTS,
    charThreshold: MIN_ARTICLE,
    serializer: (node) => node,
  });
  const article = reader.parse();
  const content = article?.content as Element | null | undefined;
  if (!content || (content.textContent ?? "").trim().length < MIN_ARTICLE) return plain;
  const text = toMarkdown(content, libraries).trim();
  if (text === "") return plain;
  const seen = new Set([withoutHash(url)]);
  const links = [...linksOf(content, base), ...plain.links].filter((link) => !seen.has(link.url) && seen.add(link.url));
  return { title: article?.title?.trim() || plain.title, text, links };
}

function toMarkdown(content: Element, { Turndown }: PageLibraries): string {
  const turndown = new Turndown({ headingStyle: "atx", bulletListMarker: "-", codeBlockStyle: "fenced" });
  turndown.remove(["script", "style", "svg", "iframe", "object", "video", "audio", "button"] as never);
  // `remove` does not affect elements with a rule of their own.
  turndown.addRule("image", { filter: "img" as never, replacement: () => "" });
  // Addresses appear once, in the list of links.
  turndown.addRule("link", { filter: "a" as never, replacement: (words) => words });
  turndown.addRule("cell", { filter: ["td", "th"] as never, replacement: (words) => `${words.trim()} | ` });
  turndown.addRule("row", { filter: "tr" as never, replacement: (words) => `${words.replace(/ \| $/u, "")}\n` });
  return turndown.turndown(content as never).replaceAll(/\n{3,}/gu, "\n\n");
}

function linksOf(content: Element, base: string): readonly PageLink[] {
  return [...content.querySelectorAll("a")].flatMap((link) => {
    const href = link.getAttribute("href");
    const target = href === null ? undefined : resolve(href, base);
    if (target === undefined) return [];
    return [{ text: (link.textContent ?? "").replaceAll(/\s+/gu, " ").trim().slice(0, 200), url: withoutHash(target) }];
  });
}

function baseOf(document: Element, url: string): string {
  const [base] = document.querySelectorAll("base");
  return resolve(base?.getAttribute("href") ?? "", url) ?? url;
}

/** Adds missing outer elements: the parser reads a fragment as a document without a body. */
function wholeDocument(html: string): string {
  const inner = html.replace(/^\s*<!doctype[^>]*>/iu, "");
  if (!/<html[\s>]/iu.test(inner)) {
    return /<body[\s>]/iu.test(inner) ? `<html>${inner}</html>` : `<html><head></head><body>${inner}</body></html>`;
  }
  return inner;
}

/** Whether a page has few and shallow enough elements, checked without building a tree. */
function isModest(html: string): boolean {
  if (html.length > MAX_HTML) return false;
  let elements = 0;
  let depth = 0;
  for (const [, slash, name = ""] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)/giu)) {
    if (LEAVES.test(name)) elements++;
    else if (slash === "/") depth = Math.max(0, depth - 1);
    else if (++depth > DEEPEST) return false;
    else elements++;
    if (elements > MAX_ELEMENTS) return false;
  }
  return true;
}

/** Elements without an end tag, or whose end tag is often omitted. */
const LEAVES = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|p|li|td|th|tr|dt|dd|option|path)$/iu;
