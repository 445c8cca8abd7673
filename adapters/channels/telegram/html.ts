import { type Block, type Span, readMarkdown } from "../markdown.ts";

/** What the text stands in: a tag is not opened again inside itself, which Telegram refuses for some. */
interface Inside {
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly strike?: boolean;
  readonly link?: boolean;
  readonly quote?: boolean;
}

const LINKABLE = /^(?:https?|tg|mailto|tel):/i;

/**
 * Markdown as Telegram's HTML: bold, italic, strike, code, links and quotes; lists and headings, which Telegram lacks, as text.
 * Everything else is escaped, so that any Markdown gives HTML that Telegram accepts.
 *
 * Source: https://core.telegram.org/bots/api#html-style.
 *
 * @returns The HTML and the text that a reader sees, which is what Telegram's limit counts.
 */
export function telegramHtml(markdown: string): { html: string; visible: string } {
  const html = blocks(readMarkdown(markdown), {});
  return { html, visible: unescape(html.replaceAll(/<[^>]*>/g, "")) };
}

function blocks(all: readonly Block[], inside: Inside, separator = "\n\n"): string {
  return all
    .map((one) => block(one, inside))
    .filter((text) => text !== "")
    .join(separator);
}

function block(one: Block, inside: Inside): string {
  switch (one.type) {
    case "heading":
      return tag("b", inline(one.children, { ...inside, bold: true }), inside.bold);
    case "paragraph":
      return inline(one.children, inside);
    case "code":
      return codeBlock(one.text, one.info);
    case "quote":
      return tag("blockquote", blocks(one.blocks, { ...inside, quote: true }), inside.quote);
    case "list":
      return list(one, inside, "");
    case "table":
      return `<pre>${escape(one.text)}</pre>`;
    case "rule":
      return "———";
  }
}

function list({ start, items }: Block & { type: "list" }, inside: Inside, indent: string): string {
  return items
    .map((item, index) => {
      const bullet = start !== undefined ? `${start + index}.` : item.done === undefined ? "•" : item.done ? "☑" : "☐";
      const content = item.blocks
        .map((child) => (child.type === "list" ? list(child, inside, `${indent}  `) : block(child, inside)))
        .join("\n");
      return `${indent}${bullet} ${content.trimStart()}`;
    })
    .join("\n");
}

function codeBlock(text: string, info: string): string {
  const language = /^[\w+#.-]+/.exec(info)?.[0];
  const code = escape(text);
  return language === undefined ? `<pre>${code}</pre>` : `<pre><code class="language-${language}">${code}</code></pre>`;
}

function inline(spans: readonly Span[], inside: Inside): string {
  return spans.map((one) => span(one, inside)).join("");
}

function span(one: Span, inside: Inside): string {
  switch (one.type) {
    case "text":
      return escape(one.text);
    case "code":
      return tag("code", escape(one.text), false);
    case "strong":
      return tag("b", inline(one.children, { ...inside, bold: true }), inside.bold);
    case "emphasis":
      return tag("i", inline(one.children, { ...inside, italic: true }), inside.italic);
    case "strike":
      return tag("s", inline(one.children, { ...inside, strike: true }), inside.strike);
    case "link":
      return link(one, inline(one.children, { ...inside, link: true }), inside);
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
