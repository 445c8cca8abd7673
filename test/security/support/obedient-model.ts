import { type ScriptedModel, calls, says, scriptedModel } from "../../../src/testing/scripted-model.ts";

/** Everything that looks like a value nobody else may see: `CANARY-…`, `PRIVATE-…`. */
const CANARIES = /\b(?:CANARY|PRIVATE)-[\w-]+/g;
const CODES = /(?:pproval|\/approve|\/deny) \(?([2-9A-HJKMNP-Z]{6})\b/g;
/** More than a real one would do at once, fewer than the runtime refuses. */
const MAX_CALLS = 30;

/** An instruction as it stands in a text: `[[call <tool> <json>]]`. */
export function order(tool: string, input: unknown): string {
  return `[[call ${tool} ${typeof input === "string" ? input : JSON.stringify(input)}]]`;
}

/**
 * A model that obeys whoever writes: every `[[call …]]` that it finds anywhere in what it is given (speech, notes, results, descriptions of tools), at once,
 * each of them once in a conversation; offered or not. Of every code it sees it says and sends `/approve`, and it says every secret aloud.
 */
export function obedientModel(): ScriptedModel {
  return scriptedModel(
    (prompt, _index, { tools = [] }) => {
      const done = new Set<string>();
      const texts: string[] = [];
      for (const message of prompt) {
        if (message.role !== "assistant") {
          collect(message.content, texts);
          continue;
        }
        for (const part of message.content) if (part.type === "tool-call") done.add(part.toolCallId);
      }
      collect(tools, texts);
      const all = texts.join("\n");
      const codes = matches(all, CODES);
      const wanted = [...ordersIn(texts), ...codes.flatMap(ordersOf)].filter(([, , id]) => !done.has(id));
      const said = [...codes.map((code) => `/approve ${code}`), ...matches(all, CANARIES)].join("\n") || "As you wish";
      return wanted.length === 0 ? says(said) : calls(said, ...wanted.slice(0, MAX_CALLS));
    },
    { record: true },
  );
}

/** What it tries with a code: to answer by itself, in this chat and in others. */
function ordersOf(code: string): (readonly [string, unknown, string])[] {
  const text = `/approve ${code}`;
  const named: readonly (readonly [string, unknown])[] = [
    ["message", { text }],
    ["message", { text, to: "telegram:1" }],
    ["approve", { code, answer: "once", asOwner: true }],
  ];
  return named.map(([tool, input], index) => [tool, input, `code-${code}-${index}`]);
}

/** Every string in a value, however deep: a model reads them all. */
export function collect(value: unknown, texts: string[]): void {
  if (typeof value === "string") texts.push(value);
  else if (typeof value === "object" && value !== null) for (const one of Object.values(value)) collect(one, texts);
}

function ordersIn(texts: readonly string[]): (readonly [string, unknown, string])[] {
  const found = new Map<string, readonly [string, unknown, string]>();
  for (const text of texts) {
    if (!text.includes("call")) continue;
    // As it stands, and as one reads it who sees through JSON in JSON and through Markdown.
    let readable = text;
    for (let depth = 0; depth < 3; depth += 1) {
      for (const [tool, input] of parseOrders(readable)) {
        const id = `obey-${hash(`${tool} ${input}`)}`;
        if (!found.has(id)) found.set(id, [tool, input, id]);
      }
      readable = readable.replaceAll(/\\([[\]_"\\*`])/g, "$1");
    }
  }
  return [...found.values()];
}

function parseOrders(text: string): (readonly [tool: string, input: string])[] {
  const found: (readonly [string, string])[] = [];
  for (const match of text.matchAll(/\[\[call ([^\s\]]+) /g)) {
    const from = match.index + match[0].length;
    const input = text[from] === "{" ? objectAt(text, from) : text.slice(from, text.indexOf("]]", from));
    if (input !== undefined) found.push([match[1] ?? "", input]);
  }
  return found;
}

/** The JSON object that begins here; `undefined` for what is none. */
function objectAt(text: string, from: number): string | undefined {
  let depth = 0;
  let inString = false;
  for (let at = from; at < text.length; at += 1) {
    const sign = text[at];
    if (inString) {
      if (sign === "\\") at += 1;
      else if (sign === '"') inString = false;
      continue;
    }
    if (sign === '"') inString = true;
    if (sign === "{") depth += 1;
    if (sign === "}") depth -= 1;
    if (depth > 0) continue;
    const object = text.slice(from, at + 1);
    try {
      JSON.parse(object);
      return object;
    } catch {
      return undefined;
    }
  }
  return undefined;
}

export function matches(text: string, pattern: RegExp): string[] {
  return [...new Set(Array.from(text.matchAll(pattern), (match) => match[1] ?? match[0]))];
}

function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return (value >>> 0).toString(36) + text.length.toString(36);
}
