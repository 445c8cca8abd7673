import type { InRecord, Sequenced, StepCall } from "./records.ts";
import { changeText } from "./changes.ts";
import { callIdOf } from "./transcript.ts";
import { shortened } from "../short-text.ts";

/** `markdown`: for people. `jsonl`: the session's records, one per line. */
export type ExportFormat = "markdown" | "jsonl";

/** Characters shown of a call's input, and of its outcome. */
const MAX_CALL_CHARS = 160;

/** Yields each record as one JSON line, with `seq`. */
export async function* exportJsonl(records: AsyncIterable<Sequenced>): AsyncGenerator<string> {
  for await (const { seq, ...record } of records) yield `${JSON.stringify({ seq, ...record })}\n`;
}

/**
 * Exports a session as Markdown: a heading per day, each message with its speaker, each call with its outcome on one
 * line, and summaries and `/new` as horizontal rules. Texts of people and models are block quotes that no content can
 * end. Times are UTC. Only the calls of one turn are kept in memory.
 *
 * Source: docs/sessions.md, "Export".
 */
export async function* exportMarkdown(key: string, records: AsyncIterable<Sequenced>): AsyncGenerator<string> {
  yield `# ${plain(key)}\n`;
  let day = "";
  /** Calls of the current turn that have no result yet. */
  const calls = new Map<string, StepCall>();
  for await (const record of records) {
    const lines = linesOf(record, calls);
    if (lines === "") continue;
    const today = new Date(record.at).toISOString().slice(0, 10);
    if (today !== day) yield `\n## ${today}\n`;
    day = today;
    yield `\n${lines}\n`;
  }
  if (calls.size > 0) yield `\n${unfinished(calls)}\n`;
}

/** The Markdown of a record, without a final line break; empty for a record that people do not read. */
function linesOf(record: Sequenced, calls: Map<string, StepCall>): string {
  const time = new Date(record.at).toISOString().slice(11, 19);
  switch (record.type) {
    case "in":
      if (record.source !== undefined) return said(`note: ${record.source}`, time, record.text);
      return [said(speaker(record), time, record.text), attachments(record)].filter((part) => part !== "").join("\n\n");
    case "heard":
      return said(`${speaker(record)} (heard)`, time, record.text);
    case "note":
      return said(`note: ${record.source}`, time, record.text);
    case "change":
      return said(`note: ${record.channel} edit`, time, changeText(record));
    case "step": {
      // Calls of an earlier turn without a result were interrupted.
      const left = record.step === 0 ? unfinished(calls) : "";
      record.calls.forEach((call, index) => calls.set(callIdOf({ ...record, index }), call));
      return left;
    }
    case "tool": {
      if (record.state !== "done") return "";
      const call = calls.get(callIdOf(record));
      calls.delete(callIdOf(record));
      const { error, output = null } = record;
      const outcome = error ? `${error.code}: ${error.message}` : asText(output);
      return `${callLine(record.name, call)} → ${error ? "failed: " : ""}${code(outcome)}`;
    }
    case "out": {
      const left = unfinished(calls);
      const reply = record.silent && !record.error ? "" : said("assistant", time, record.text);
      const failure = record.error ? `*${plain(record.error.code)}: ${plain(record.error.message)}*` : "";
      return [left, reply, failure].filter((part) => part !== "").join("\n\n");
    }
    case "compact": {
      const who = record.by === undefined ? "" : `, written by ${record.by}`;
      const about = `Summary of ${record.turns} turns${who}`;
      return `---\n\n${said(about, time, record.summary || (record.problem ?? ""))}\n\n---`;
    }
    case "reset":
      return `---\n\n${marked("New conversation", record.by, time)}\n\n---`;
    case "stop":
      return marked("Stopped", record.by, time);
    case "setting": {
      const change = Object.entries(record.settings).map(([name, value]) => `${name} ${value ?? "as configured"}`);
      return marked(`Set: ${change.join(", ")}`, record.by, time);
    }
    default:
      return "";
  }
}

function speaker({ sender, user }: { readonly sender: InRecord["sender"]; readonly user: string }): string {
  return sender.name === undefined ? user : `${sender.name} (${user})`;
}

function said(who: string, time: string, text: string): string {
  return `**${plain(who)}** · ${time}\n\n${quoted(text)}`;
}

function marked(what: string, by: string, time: string): string {
  return `*${plain(what)}* · ${plain(by)} · ${time}`;
}

function attachments({ attachments: files = [] }: InRecord): string {
  if (files.length === 0) return "";
  return `Attached: ${files.map(({ name, mediaType }) => plain(name ? `${name} (${mediaType})` : mediaType)).join(", ")}`;
}

function callLine(name: string, call: StepCall | undefined): string {
  return `- ${code(name)}${call ? ` ${code(asText(call.input))}` : ""}`;
}

function unfinished(calls: Map<string, StepCall>): string {
  const lines = [...calls.values()].map((call) => `${callLine(call.name, call)} → no result`);
  calls.clear();
  return lines.join("\n");
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Puts a text on one line and escapes its Markdown. */
function plain(text: string): string {
  return oneLine(text).replace(/[\\`*_[\]<>#|~&!]/g, "\\$&");
}

/** Formats a text as inline code. Only a run of backticks as long as the opening one ends it. */
function code(text: string): string {
  const line = oneLine(text);
  const short = shortened(line, MAX_CALL_CHARS);
  const longest = Math.max(0, ...Array.from(short.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence} ${short.trim() || "(empty)"} ${fence}`;
}

function oneLine(text: string): string {
  return text.slice(0, 1000).replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
}

/** Includes characters that only some readers take as the end of a line. */
const LINE_END = /\r\n|[^\P{Cc}\t]|[\u2028\u2029]/u;
/** Matches at any indentation, because the quote marks change the width of a tab. */
const OPENING_FENCE = /^\s*(`{3,}(?!.*`)|~{3,})(.*)$/;

/**
 * Quotes every line of a text. Outside of code blocks no `<` may begin a tag, because a tag would reach beyond the
 * quotation once the Markdown becomes HTML. Every reader must agree on which lines are code. So fences are rewritten
 * at the margin, after a blank line, and are always closed.
 */
function quoted(text: string): string {
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of text.trimEnd().split(LINE_END)) {
    if (fence === undefined) {
      const [, opening, info = ""] = OPENING_FENCE.exec(line) ?? [];
      if (opening === undefined) lines.push(line.replace(/<(?=[a-z/!?])/gi, "&lt;"));
      else lines.push("", `${opening}${info}`);
      fence = opening;
    } else {
      const mark = line.trim();
      const closes = mark.length >= fence.length && mark.replaceAll(fence.charAt(0), "") === "";
      lines.push(...(closes ? [fence, ""] : [line]));
      if (closes) fence = undefined;
    }
  }
  if (fence !== undefined) lines.push(fence);
  return lines.map((line) => (line === "" ? ">" : `> ${line}`)).join("\n");
}
