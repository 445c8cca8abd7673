import { withoutMarkers } from "../guard/index.ts";

/** Marks text from elsewhere as data, with the name of its source. */
export function noteBoundary(source: string, text: string): string {
  return `<wakeful-note source=${JSON.stringify(withoutMarkers(source))}>\n${withoutMarkers(text)}\n</wakeful-note>`;
}

/** Marks text that a stranger wrote and a tool brought in. It is data, whatever it says. */
export function dataBoundary(source: string, text: string): string {
  return `<wakeful-data source=${JSON.stringify(withoutMarkers(oneLine(source)))}>\n${withoutMarkers(text)}\n</wakeful-data>`;
}

/** Marks a skill that the model follows for this task, with its name, confidence and hash. */
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

/** Replaces line breaks of any kind by blanks. */
export function oneLine(text: string): string {
  return text.replace(/[\r\n\v\f\u0085\u2028\u2029]+/g, " ");
}
