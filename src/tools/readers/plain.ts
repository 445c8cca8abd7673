import type { Page, PageLink, PageReader } from "../page-reader.ts";
import { htmlPieces } from "./html-tags.ts";

/** Elements that never contain text of the page. */
const NEVER_SHOWN = new Set([
  ..."script style template noscript iframe svg math canvas object audio video select datalist head textarea".split(
    " ",
  ),
]);
/** Elements around the main text of most pages. */
const AROUND = new Set(["nav", "header", "footer", "aside", "form", "dialog", "menu"]);
const BLOCKS = new Set(
  (
    "address article aside blockquote body dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main " +
    "nav ol option p pre section summary table tbody tfoot thead tr ul"
  ).split(" "),
);
const VOID = new Set("area base br col embed hr img input link meta source track wbr".split(" "));
/** Blocks without an empty line between them. */
const NARROW = new Set(["li", "tr", "dt", "dd", "legend", "option"]);
/** Most characters that are read; the text of any page begins well before. */
const MAX_HTML = 2_000_000;
/** Most nesting of elements whose end decides what is shown. */
const DEEPEST = 64;

/**
 * Reads pages without any library, in time linear in their length: text in lines, headings and lists marked,
 * navigation and similar parts left out. It does not detect the article; `readabilityReader()` does.
 */
export function plainReader(): PageReader {
  return { read: async (html, url) => readPlain(html, url) };
}

/** `plainReader()` as a synchronous function. */
export function readPlain(html: string, url: string): Page {
  const everything = createLines();
  const focused = createLines();
  const links: PageLink[] = [];
  const seen = new Set([withoutHash(url)]);
  const hiding: string[] = [];
  const around: string[] = [];
  let base = url;
  let title = "";
  let inTitle = false;
  let link: { readonly url: string; text: string } | undefined;

  const endLink = () => {
    if (link !== undefined && !seen.has(link.url)) {
      seen.add(link.url);
      links.push({ text: oneLine(link.text), url: link.url });
    }
    link = undefined;
  };

  for (const piece of htmlPieces(html.slice(0, MAX_HTML))) {
    if (piece.kind === "text") {
      if (inTitle) title ||= oneLine(piece.text);
      else if (hiding.length === 0) {
        if (link !== undefined && link.text.length < 400) link.text += piece.text;
        everything.add(piece.text);
        if (around.length === 0) focused.add(piece.text);
      }
      continue;
    }
    const { kind, name } = piece;
    if (name === "title") inTitle = kind === "open" && !hiding.includes("svg");
    // A body element ends an unclosed head.
    if (name === "body" && hiding.at(-1) === "head") hiding.pop();
    if (kind === "open") {
      if (name === "base") base = resolve(piece.attributes.get("href") ?? "", url) ?? base;
      if (name === "a") {
        endLink();
        const href = piece.attributes.get("href");
        const target = href === undefined ? undefined : resolve(href, base);
        if (target !== undefined) link = { url: withoutHash(target), text: "" };
      }
      if (name === "img" && link !== undefined) link.text += ` ${piece.attributes.get("alt") ?? ""} `;
    } else if (name === "a") endLink();

    const isHidden = kind === "open" && piece.attributes.has("hidden") && !VOID.has(name);
    follow(hiding, kind, name, NEVER_SHOWN.has(name) || isHidden);
    follow(around, kind, name, AROUND.has(name));
    if (hiding.length > 0) continue;
    everything.tag(kind, name);
    if (around.length === 0) focused.tag(kind, name);
  }
  endLink();
  const text = focused.end();
  // A `<nav>` that is never closed would swallow the page.
  return { title, text: around.length === 0 && text !== "" ? text : everything.end(), links };
}

/**
 * Keeps the stack of open elements that hide their content. An element nested in one of the same name is pushed too,
 * so that its end tag does not end the outer one.
 */
function follow(stack: string[], kind: "open" | "close", name: string, opens: boolean): void {
  if (kind === "open") {
    if ((opens || stack.at(-1) === name) && stack.length < DEEPEST) stack.push(name);
    return;
  }
  const last = stack.lastIndexOf(name);
  if (last !== -1) stack.length = last;
}

/** Collects text in lines: blocks begin new lines, and white space collapses to one space except in `<pre>`. */
function createLines() {
  const lines: string[] = [];
  let line: string[] = [];
  let endsInSpace = true;
  let preformatted = 0;

  const put = (text: string) => {
    if (text === "") return;
    line.push(text);
    endsInSpace = text.endsWith(" ");
  };
  const endLine = () => {
    const whole = line.join("");
    const done = preformatted > 0 ? whole.trimEnd() : whole.trim();
    line = [];
    endsInSpace = true;
    // An empty heading or list item.
    if (/^(?:#{1,6}|-)$/u.test(done)) return;
    if (done !== "") lines.push(done);
    else if (preformatted > 0) emptyLine();
  };
  const emptyLine = () => {
    if (lines.length > 0 && lines.at(-1) !== "") lines.push("");
  };

  return {
    add(text: string) {
      if (preformatted > 0) {
        const [first = "", ...rest] = text.split("\n");
        put(first);
        for (const next of rest) {
          endLine();
          put(next);
        }
        return;
      }
      const plain = text.replaceAll(/[\s\u00a0]+/gu, " ");
      put(endsInSpace ? plain.trimStart() : plain);
    },
    tag(kind: "open" | "close", name: string) {
      if (name === "br") return endLine();
      if ((name === "td" || name === "th") && kind === "close") return put(" | ");
      if (!BLOCKS.has(name)) return;
      endLine();
      if (name === "pre") preformatted = Math.max(0, preformatted + (kind === "open" ? 1 : -1));
      // A paragraph ends with an empty line.
      if (kind === "close" && !NARROW.has(name)) emptyLine();
      const level = /^h([1-6])$/u.exec(name)?.[1];
      if (kind === "open" && level !== undefined) put(`${"#".repeat(Number(level))} `);
      if (kind === "open" && name === "li") put("- ");
    },
    end() {
      endLine();
      return lines
        .map((one) => (one.endsWith(" |") ? one.slice(0, -2) : one))
        .join("\n")
        .trim();
    },
  };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim().slice(0, 200);
}

/** Resolves a link to an absolute web address; `undefined` if it is none. */
export function resolve(href: string, base: string): string | undefined {
  try {
    const url = new URL(href.trim(), base);
    return url.protocol === "http:" || url.protocol === "https:" ? url.href : undefined;
  } catch {
    return undefined;
  }
}

export function withoutHash(url: string): string {
  return url.replace(/#.*$/su, "");
}
