/** Every marker of the runtime begins like this, so escaping it in foreign text keeps that text from closing or forging one. */
const MARKER = /<(?=\/?wakeful-)/gi;

/** Foreign text that can neither close nor open a boundary of the runtime. */
export function withoutMarkers(text: string): string {
  return text.includes("wakeful-") || /wakeful-/i.test(text) ? text.replace(MARKER, "&lt;") : text;
}

/** Text from elsewhere, marked as data with the name of its source. */
export function noteBoundary(source: string, text: string): string {
  return `<wakeful-note source=${JSON.stringify(withoutMarkers(source))}>\n${withoutMarkers(text)}\n</wakeful-note>`;
}

export function contextBlock(lines: readonly string[]): string {
  return `<wakeful-context>\n${lines.map((line) => withoutMarkers(oneLine(line))).join("\n")}\n</wakeful-context>`;
}

/** The text without line breaks of any kind. */
export function oneLine(text: string): string {
  return text.replace(/[\r\n\u0085\u2028\u2029]+/g, " ");
}
