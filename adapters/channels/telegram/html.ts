import type { Token, Tokens } from "marked";

/** The tags around the text. A tag is not opened again inside itself, which Telegram refuses for some tags. */
interface Inside {
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly strike?: boolean;
  readonly link?: boolean;
  readonly quote?: boolean;
}

const LINKABLE = /^(?:https?|tg|mailto|tel):/i;

/**
 * Converts Markdown to Telegram's HTML: bold, italic, strike, code, links and quotes; lists and headings, which
 * Telegram lacks, become text. Everything else is escaped, so that any Markdown gives HTML that Telegram accepts.
 *
 * Source: https://core.telegram.org/bots/api#html-style.
 *
 * @returns The HTML and the visible text, which counts towards Telegram's limit.
 */
export async function telegramHtml(markdown: string): Promise<{ html: string; visible: string }> {
  // Loaded with the first reply, not at start.
  const { Lexer } = await import("marked");
  const html = blocks(new Lexer({ gfm: true, breaks: false, pedantic: false }).lex(markdown), {});
  return { html, visible: unescape(html.replaceAll(/<[^>]*>/g, "")) };
}

function blocks(tokens: readonly Token[], inside: Inside, separator = "\n\n"): string {
  return tokens
    .map((token) => block(token, inside))
    .filter((text) => text !== "")
    .join(separator);
}

function block(token: Token, inside: Inside): string {
  switch (token.type) {
    case "space":
      return "";
    case "heading":
      return tag("b", inline(token.tokens ?? [], { ...inside, bold: true }), inside.bold);
    case "code":
      return codeBlock(token as Tokens.Code);
    case "blockquote": {
      const text = blocks(token.tokens ?? [], { ...inside, quote: true });
      return tag("blockquote", text, inside.quote);
    }
    case "list":
      return list(token as Tokens.List, inside, "");
    case "hr":
      return "———";
    case "table":
      return `<pre>${escape(token.raw.trim())}</pre>`;
    case "paragraph":
    case "text":
      return token.tokens === undefined ? escape((token as Tokens.Text).text) : inline(token.tokens, inside);
    default:
      // HTML and link definitions are shown as written.
      return escape(token.raw.trim());
  }
}

function list(token: Tokens.List, inside: Inside, indent: string): string {
  const start = token.start === "" ? 1 : token.start;
  return token.items
    .map((item, index) => {
      const bullet = token.ordered ? `${start + index}.` : item.task ? (item.checked === true ? "☑" : "☐") : "•";
      const content = item.tokens
        .filter(({ type }) => type !== "checkbox" && type !== "space")
        .map((child) =>
          child.type === "list" ? list(child as Tokens.List, inside, `${indent}  `) : block(child, inside),
        )
        .join("\n");
      return `${indent}${bullet} ${content.trimStart()}`;
    })
    .join("\n");
}

function codeBlock({ text, lang }: Tokens.Code): string {
  const language = /^[\w+#.-]+/.exec(lang ?? "")?.[0];
  const code = escape(text);
  return language === undefined ? `<pre>${code}</pre>` : `<pre><code class="language-${language}">${code}</code></pre>`;
}

function inline(tokens: readonly Token[], inside: Inside): string {
  return tokens.map((token) => span(token, inside)).join("");
}

function span(token: Token, inside: Inside): string {
  const nested: readonly Token[] | undefined = "tokens" in token ? token.tokens : undefined;
  const children = (more: Inside) => inline(nested ?? [], { ...inside, ...more });
  switch (token.type) {
    case "strong":
      return tag("b", children({ bold: true }), inside.bold);
    case "em":
      return tag("i", children({ italic: true }), inside.italic);
    case "del":
      return tag("s", children({ strike: true }), inside.strike);
    case "codespan":
      return tag("code", escape((token as Tokens.Codespan).text), false);
    case "br":
      return "\n";
    case "link":
      return link(token as Tokens.Link, children({ link: true }), inside);
    case "image":
      return link(token as Tokens.Image, escape((token as Tokens.Image).text), inside);
    case "html":
      return /^<br\s*\/?>$/i.test(token.raw) ? "\n" : escape(token.raw);
    case "text":
      return nested === undefined ? escape((token as Tokens.Text).text) : inline(nested, inside);
    case "checkbox":
      return "";
    case "escape":
      return escape((token as Tokens.Escape).text);
    default:
      return escape(token.raw);
  }
}

function link({ href }: { href: string }, text: string, inside: Inside): string {
  const label = text.trim() === "" ? escape(href) : text;
  if (inside.link === true || label === escape(href)) return label;
  if (LINKABLE.test(href)) return `<a href="${escape(href).replaceAll('"', "&quot;")}">${label}</a>`;
  return href === "" ? label : `${label} (${escape(href)})`;
}

function tag(name: string, content: string, isOpen: boolean | undefined): string {
  return isOpen === true || content.trim() === "" ? content : `<${name}>${content}</${name}>`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function unescape(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}
