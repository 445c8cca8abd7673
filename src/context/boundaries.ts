import { withoutMarkers } from "../guard/index.ts";

/** Text from elsewhere, marked as data with the name of its source. */
export function noteBoundary(source: string, text: string): string {
  return `<wakeful-note source=${JSON.stringify(withoutMarkers(source))}>\n${withoutMarkers(text)}\n</wakeful-note>`;
}

/** What a stranger wrote and a tool brought in: data, whatever it says. */
export function dataBoundary(source: string, text: string): string {
  return `<wakeful-data source=${JSON.stringify(withoutMarkers(oneLine(source)))}>\n${withoutMarkers(text)}\n</wakeful-data>`;
}

export function contextBlock(lines: readonly string[]): string {
  return `<wakeful-context>\n${withoutMarkers(lines.map(oneLine).join("\n"))}\n</wakeful-context>`;
}

/** The text without line breaks of any kind. */
export function oneLine(text: string): string {
  return text.replace(/[\r\n\v\f\u0085\u2028\u2029]+/g, " ");
}
