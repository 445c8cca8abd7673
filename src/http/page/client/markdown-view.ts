import { codeBlock, element } from "./elements.ts";

/**
 * Renders the safe and useful part of Markdown: paragraphs, code blocks, inline code, bold text and URLs. All else
 * stays plain text.
 */
export function renderMarkdown(into: HTMLElement, markdown: string): void {
  const parts: Node[] = [];
  let paragraph: string[] = [];
  const endParagraph = () => {
    const text = paragraph.join("\n").trim();
    if (text !== "") parts.push(element("p", {}, inline(text)));
    paragraph = [];
  };
  const lines = markdown.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(lines[at]!);
    if (!fence) {
      if (lines[at]!.trim() === "") endParagraph();
      else paragraph.push(lines[at]!);
      continue;
    }
    endParagraph();
    const code: string[] = [];
    const closing = fence[1]!;
    for (at++; at < lines.length; at++) {
      const line = lines[at]!.trim();
      if (line.startsWith(closing) && line.replaceAll(closing[0]!, "") === "") break;
      code.push(lines[at]!);
    }
    parts.push(codeBlock(code.join("\n")));
  }
  endParagraph();
  into.replaceChildren(...parts);
}

/** Returns the plain text, for places without markup. */
export function withoutMarks(markdown: string): string {
  return markdown
    .replace(/^ {0,3}(?:#{1,6} +|(?:`{3,}|~{3,}).*$)/gm, "")
    .replace(/`([^`\n]+)`|\*\*([^*\n]+)\*\*/g, (_, code = "", bold = "") => code + bold);
}

/** Code, bold text, or a URL without the punctuation after it and with balanced parentheses. */
const INLINE =
  /(`[^`\n]+`|\*\*[^*\n]+\*\*|https?:\/\/(?:\([^\s()]*\)|[^\s()<>"'`*\u3000-\u303f\uff00-\uffef])+(?<![.,;:!?]))/;

function inline(text: string): (Node | string)[] {
  return text.split(INLINE).map((piece, index) => {
    if (index % 2 === 0) return piece;
    if (piece.startsWith("`")) return element("code", { text: piece.slice(1, -1) });
    return piece.startsWith("*") ? element("strong", {}, inline(piece.slice(2, -2))) : linkTo(piece);
  });
}

/**
 * The text is the address, so that a link leads where it says. The page's headers hide the page's own address from it.
 */
function linkTo(address: string): HTMLAnchorElement {
  return Object.assign(element("a", { text: address }), { href: address, target: "_blank" });
}
