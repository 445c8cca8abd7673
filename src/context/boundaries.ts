import { withoutMarkers } from "../guard/index.ts";

/** Text from elsewhere, marked as data with the name of its source. */
export function noteBoundary(source: string, text: string): string {
  return `<wakeful-note source=${JSON.stringify(withoutMarkers(source))}>\n${withoutMarkers(text)}\n</wakeful-note>`;
}

/** What a stranger wrote and a tool brought in: data, whatever it says. */
export function dataBoundary(source: string, text: string): string {
  return `<wakeful-data source=${JSON.stringify(withoutMarkers(oneLine(source)))}>\n${withoutMarkers(text)}\n</wakeful-data>`;
}

/** A skill that the model is to follow for this task, with what tells it from others. */
export function skillBoundary(name: string, confidence: number, hash: string, text: string): string {
  const origin = `sha256:${hash.slice(0, MAX_HASH_CHARS)}`;
  return `<wakeful-skill name=${quoted(name)} confidence="${confidence.toFixed(2)}" origin=${quoted(origin)}>\n${withoutMarkers(text)}\n</wakeful-skill>`;
}

const MAX_HASH_CHARS = 16;

function quoted(text: string): string {
  return JSON.stringify(withoutMarkers(oneLine(text)));
}

export function contextBlock(lines: readonly string[]): string {
  return `<wakeful-context>\n${withoutMarkers(lines.map(oneLine).join("\n"))}\n</wakeful-context>`;
}

/** The text without line breaks of any kind. */
export function oneLine(text: string): string {
  return text.replace(/[\r\n\v\f\u0085\u2028\u2029]+/g, " ");
}
