/** A source text with what is no code blanked out; every character keeps its place, so that offsets and lines still hold. */
export interface SourceText {
  /** Without comments. */
  readonly withStrings: string;
  /** Without comments and without the text of strings, templates and regular expressions. */
  readonly code: string;
}

const BEFORE_REGEXP = /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|delete|void|throw|await|yield))\s*$/;

/** Blanks out comments and literals of TypeScript. Knows strings, nested templates and regular expressions; needs no parser. */
export function readSource(text: string): SourceText {
  const withStrings = text.split("");
  const code = text.split("");
  /** For each open template: how many braces are open inside its current `${…}`. */
  const templates: number[] = [];
  let index = 0;

  function blank(target: string[], from: number, to: number): void {
    for (let at = from; at < to; at++) if (target[at] !== "\n") target[at] = " ";
  }

  function skipQuoted(quote: string): void {
    const from = index++;
    while (index < text.length && text[index] !== quote && text[index] !== "\n") index += text[index] === "\\" ? 2 : 1;
    blank(code, from + 1, Math.min(index, text.length));
    index++;
  }

  function skipRegExp(): void {
    const from = index++;
    let inClass = false;
    while (index < text.length && text[index] !== "\n" && (inClass || text[index] !== "/")) {
      if (text[index] === "[") inClass = true;
      if (text[index] === "]") inClass = false;
      index += text[index] === "\\" ? 2 : 1;
    }
    blank(code, from + 1, Math.min(index, text.length));
    index++;
  }

  function skipTemplateText(): void {
    const from = index;
    while (index < text.length && text[index] !== "`" && !(text[index] === "$" && text[index + 1] === "{")) {
      index += text[index] === "\\" ? 2 : 1;
    }
    blank(code, from, Math.min(index, text.length));
    if (text[index] === "`") templates.pop();
    index += text[index] === "`" ? 1 : 2;
  }

  while (index < text.length) {
    const char = text[index];
    const pair = text.slice(index, index + 2);
    if (pair === "//" || pair === "/*") {
      const end = pair === "//" ? text.indexOf("\n", index) : text.indexOf("*/", index + 2) + 2;
      const to = end < index ? text.length : end;
      blank(code, index, to);
      blank(withStrings, index, to);
      index = to;
    } else if (char === '"' || char === "'") {
      skipQuoted(char);
    } else if (char === "`") {
      templates.push(0);
      index++;
      skipTemplateText();
    } else if (char === "/" && BEFORE_REGEXP.test(code.slice(Math.max(0, index - 40), index).join(""))) {
      skipRegExp();
    } else {
      const depth = templates.at(-1);
      if (depth !== undefined && char === "{") templates[templates.length - 1] = depth + 1;
      if (depth !== undefined && char === "}") {
        if (depth === 0) {
          index++;
          skipTemplateText();
          continue;
        }
        templates[templates.length - 1] = depth - 1;
      }
      index++;
    }
  }
  return { withStrings: withStrings.join(""), code: code.join("") };
}
