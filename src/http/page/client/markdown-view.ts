import { codeBlock, element } from "./elements.ts";

/** Paragraphs, code blocks, inline code, bold text and addresses: what is safe and useful of Markdown; the rest stays as it was written. */
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

/** Its words, where no element can show the rest. */
export function withoutMarks(markdown: string): string {
  return markdown
    .replace(/^ {0,3}(?:#{1,6} +|(?:`{3,}|~{3,}).*$)/gm, "")
    .replace(/`([^`\n]+)`|\*\*([^*\n]+)\*\*/g, (_, code = "", bold = "") => code + bold);
}

/** Code, bold, or an address: without the signs behind it that belong to the sentence, with brackets that are closed in it. */
const INLINE =
  /(`[^`\n]+`|\*\*[^*\n]+\*\*|https?:\/\/(?:\([^\s()]*\)|[^\s()<>"'`*\u3000-\u303f\uff00-\uffef])+(?<![.,;:!?]))/;

function inline(text: string): (Node | string)[] {
  return text.split(INLINE).map((piece, index) => {
    if (index % 2 === 0) return piece;
    if (piece.startsWith("`")) return element("code", { text: piece.slice(1, -1) });
    return piece.startsWith("*") ? element("strong", {}, inline(piece.slice(2, -2))) : linkTo(piece);
  });
}

/** Its address is its text, so that nobody is led elsewhere than they read. The page's headers keep from it where it was opened. */
function linkTo(address: string): HTMLAnchorElement {
  return Object.assign(element("a", { text: address }), { href: address, target: "_blank" });
}
