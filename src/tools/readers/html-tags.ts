import { decodeEntities } from "./entities.ts";

/** One piece of HTML text, in order. */
export type HtmlPiece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "open"; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly kind: "close"; readonly name: string };

/** Elements whose content up to the end tag is not markup. */
const RAW = new Set(["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"]);
/** Most attributes of one tag that are kept: only a hostile page has more. */
const MAX_ATTRIBUTES = 64;

/**
 * Splits HTML into tags and texts, in time linear in its length, even if it is malformed. Leaves out comments and
 * declarations, lower-cases names and decodes character references. It builds no tree and adds no missing end tags.
 *
 * Source: the HTML Standard, "Tokenization", as far as readable text needs it.
 */
export function* htmlPieces(html: string): Generator<HtmlPiece> {
  const tag = /<(\/?)([a-z][^\s/>]*)/iuy;
  const attribute = /[\s/]*([^\s=>/][^\s=>/]*)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>]*))?/uy;
  let textFrom = 0;
  let at = 0;
  for (;;) {
    const open = html.indexOf("<", at);
    if (open === -1) break;
    const skipTo = endOfDeclaration(html, open);
    tag.lastIndex = open;
    const found = skipTo === undefined ? tag.exec(html) : null;
    if (skipTo === undefined && found === null) {
      at = open + 1;
      continue;
    }
    if (open > textFrom) yield { kind: "text", text: decodeEntities(html.slice(textFrom, open)) };
    if (skipTo !== undefined || found === null) {
      at = textFrom = skipTo ?? open + 1;
      continue;
    }
    const name = (found[2] ?? "").toLowerCase();
    const attributes = new Map<string, string>();
    at = tag.lastIndex;
    for (;;) {
      attribute.lastIndex = at;
      const one = attribute.exec(html);
      if (one === null) break;
      at = attribute.lastIndex;
      const key = (one[1] ?? "").toLowerCase();
      if (attributes.size < MAX_ATTRIBUTES && !attributes.has(key))
        attributes.set(key, decodeEntities(unquote(one[2])));
    }
    const end = html.indexOf(">", at);
    at = textFrom = end === -1 ? html.length : end + 1;
    if (found[1] === "/") {
      yield { kind: "close", name };
      continue;
    }
    yield { kind: "open", name, attributes };
    if (RAW.has(name)) {
      const close = endOfRaw(html, name, at);
      if (close > at)
        yield {
          kind: "text",
          text: name === "title" || name === "textarea" ? decodeEntities(html.slice(at, close)) : "",
        };
      at = textFrom = close;
    }
  }
  if (textFrom < html.length) yield { kind: "text", text: decodeEntities(html.slice(textFrom)) };
}

function unquote(value = ""): string {
  return /^(?:"|')/u.test(value) && value.length > 1 ? value.slice(1, -1) : value;
}

/** The end of a comment, doctype or similar declaration that begins at `open`; `undefined` if none begins there. */
function endOfDeclaration(html: string, open: number): number | undefined {
  if (html.startsWith("<!--", open)) return after(html, "-->", open + 2);
  const next = html[open + 1];
  return next === "!" || next === "?" ? after(html, ">", open) : undefined;
}

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found === -1 ? html.length : found + mark.length;
}

function endOfRaw(html: string, name: string, from: number): number {
  const close = new RegExp(`</${name}[\\s/>]`, "giu");
  close.lastIndex = from;
  return close.exec(html)?.index ?? html.length;
}
