import type { InRecord, Sequenced, StepCall } from "./records.ts";
import { changeText } from "./changes.ts";
import { callIdOf } from "./transcript.ts";
import { shortened } from "../short-text.ts";

/** `markdown` is for people; `jsonl` is the session's records, a line each. */
export type ExportFormat = "markdown" | "jsonl";

/** Characters of a call's input and of its outcome that are shown. */
const MAX_CALL_CHARS = 160;

/** The records as they are, one JSON line each, with `seq`. */
export async function* exportJsonl(records: AsyncIterable<Sequenced>): AsyncGenerator<string> {
  for await (const { seq, ...record } of records) yield `${JSON.stringify({ seq, ...record })}\n`;
}

/**
 * A conversation to read: a heading a day, who said what, calls in a line each with what came of them, summaries and new beginnings as rules. What people and
 * models wrote stands in quotations and cannot end them, whatever it holds. Times are UTC. Little is kept in memory: the calls of one turn.
 *
 * Source: docs/sessions.md, "Export".
 */
export async function* exportMarkdown(key: string, records: AsyncIterable<Sequenced>): AsyncGenerator<string> {
  yield `# ${plain(key)}\n`;
  let day = "";
  /** Calls of the turn that runs, until their results come. */
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

/** What a record adds, without the line break at its end; empty for what nobody reads. */
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
      // What an earlier turn left without a result was interrupted.
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

/** In one line, without any character that means something in Markdown. */
function plain(text: string): string {
  return oneLine(text).replace(/[\\`*_[\]<>#|~&!]/g, "\\$&");
}

/** As inline code: a run of backticks inside ends it only when it is as long as the one that began it. */
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

/** Also what only some readers take for the end of a line. */
const LINE_END = /\r\n|[^\P{Cc}\t]|[\u2028\u2029]/u;
/** However far it is set in: quotation marks change how far a tab reaches. */
const OPENING_FENCE = /^\s*(`{3,}(?!.*`)|~{3,})(.*)$/;

/**
 * A text as a quotation, every line of it. Outside blocks of code no `<` begins a tag, which would reach beyond the quotation where Markdown becomes HTML. Which
 * lines are code must be as clear to every reader as it is here: fences are written anew, at the margin and after a blank line, and always closed.
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
