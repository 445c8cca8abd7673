import { codeBlock, element } from "./elements.ts";

/** Paragraphs, code blocks, inline code and bold text: what is safe and useful of Markdown; the rest stays as it was written. */
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

function inline(text: string): (Node | string)[] {
  return text
    .split(/(`[^`\n]+`|\*\*[^*\n]+\*\*)/)
    .map((piece, index) =>
      index % 2 === 0
        ? piece
        : piece.startsWith("`")
          ? element("code", { text: piece.slice(1, -1) })
          : element("strong", { text: piece.slice(2, -2) }),
    );
}
