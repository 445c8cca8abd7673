import * as v from "valibot";
import { type AnyTool, ToolError, defineTool } from "../../mod.ts";
import type { Channel, InboundMessage } from "../../kit.ts";
import {
  type ScriptedModel,
  type ScriptedStep,
  calls,
  delayed,
  fails,
  hangs,
  says,
  scriptedModel,
  streams,
} from "../../src/testing/scripted-model.ts";
import type { Clock } from "../../mod.ts";

/**
 * What a message asks of the scripted model, as the letters after its number: `u17` is answered at once, `u17c` after a call of `charge`
 * (which must never run twice), `u17l` after `lookup` (which may), `u17b` after both in one step, `u17x` with a reply of several parts;
 * `u17f` calls `lookup` for a long result, `u17a` comes with a file, `u17s` states something to remember;
 * `u17k` calls a tool that does not exist, `u17m` sends malformed input, `u17o` calls for ever, `u17h` hangs, `u17e` fails, `u17g` streams rubbish.
 */
export const KINDS = ["", "c", "l", "b", "x", "f", "a", "s", "k", "m", "o", "h", "e", "g"] as const;
export type Kind = (typeof KINDS)[number];
/** A command of the chat, as `/stop`. */
export type Command = `/${string}`;

/** What becomes of messages that arrive during a turn. */
export const MODES = ["collect", "followup", "steer", "interrupt"] as const;
export type Mode = (typeof MODES)[number];

const TOKEN = /\bu(\d+)([clbxfaskmoheg]?)\b/g;

/** A message's text: its number, what it asks for, and some words; or the command as it is. */
export function messageText(id: number, kind: Kind | Command): string {
  if (isCommand(kind)) return kind;
  return `u${id}${kind} please${kind === "s" ? `. I prefer seat ${id}.` : ""}`;
}

export function isCommand(kind: Kind | Command): kind is Command {
  return kind.startsWith("/");
}

/** The numbers of the messages that a text consists of. */
export function askedIds(text: string): readonly number[] {
  return [...text.matchAll(TOKEN)].map(([, id]) => Number(id));
}

/** The channel whose messages of the kind `a` come with a file, its content in the address. */
export function withFiles(channel: Channel): Channel {
  const withFile = (message: InboundMessage): InboundMessage =>
    /\bu\d+a\b/.test(message.text)
      ? { ...message, attachments: [{ name: "note.txt", mediaType: "text/plain", url: dataUrl(message.text) }] }
      : message;
  return {
    ...channel,
    async receive(request) {
      const receipt = await channel.receive!(request);
      return { ...receipt, messages: receipt.messages.map(withFile) };
    },
  };
}

function dataUrl(text: string): string {
  return `data:text/plain;base64,${btoa(`A file that came with ${text}. `.repeat(100))}`;
}

/** How the assistant is set up for rounds of killing: a short window that conversations soon fill. */
export const BUSY_OPTIONS = {
  context: { historyTokens: 600, contextWindow: 4000 },
  compaction: { reserveTokens: 600, keepLastTurns: 3 },
  queue: { maxConcurrent: 8 },
} as const;

/** Most calls are quick; every third is slow enough for messages to arrive meanwhile. */
export function busyLatencyMs(): number {
  return Math.random() < 0.35 ? 40 + Math.random() * 260 : 2 + Math.random() * 10;
}

/** Fills replies of several parts, of which the last ends with its own words. */
const FILLER = "Every word of this is needed to fill the message. ";
const FILLER_WORDS = FILLER.slice(0, 20);
const LAST_WORDS = "Nothing follows";

/** Is a message a part of a reply of several parts, and which? */
export function placeInReply(text: string): "alone" | "more-follows" | "last" {
  if (text.includes(LAST_WORDS)) return "last";
  return text.includes(FILLER_WORDS) ? "more-follows" : "alone";
}

/** The numbers that a reply says it answers. Replies of several parts name them in the first. */
export function answeredIds(text: string): readonly number[] {
  const line = /answers((?: u\d+)+)/.exec(text)?.[1] ?? "";
  return [...line.matchAll(/u(\d+)/g)].map((match) => Number(match[1]));
}

interface PromptLike {
  readonly role: string;
  readonly content: unknown;
}

/** What the turn at work is asked (all user messages since it began; earlier ones may be of a turn that failed), and what it called already. */
function readPrompt(prompt: readonly PromptLike[]) {
  const isUser = ({ role }: PromptLike) => role === "user";
  const marked = prompt.findLastIndex((one) => isUser(one) && textOf(one.content).includes("<wakeful-context>"));
  const begin = marked === -1 ? prompt.findLastIndex(isUser) : marked;
  let first = begin;
  // Those over the cap stand in a note before; what else stands there, the summary above all, asks for nothing.
  while (first > 0 && textOf(prompt[first - 1]?.content).includes("one line each")) first -= 1;
  const turn = prompt.slice(Math.max(0, first));
  const text = turn
    .filter(isUser)
    .map(({ content }) => textOf(content))
    .join("\n")
    .replace(NOTES, "");
  const asked = [...text.matchAll(TOKEN)].map(([, id, kind = ""]) => ({ id: Number(id), kind: kind as Kind }));
  const tried = triedCalls(turn);
  return {
    ids: asked.map(({ id }) => id),
    idsOf: (...kinds: readonly Kind[]) => asked.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id),
    /** Has this tool been called for this message, other than by a call that never began? */
    isTried: (tool: string, id: number) => tried.some((call) => call.tool === tool && call.ids.includes(id)),
    steps: turn.filter(({ role }) => role === "tool").length,
    turnText: JSON.stringify(turn),
  };
}

interface PartLike {
  readonly type?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly output?: unknown;
}

/** The ids of calls are unique in a step only, and the results of a step follow it. */
function triedCalls(
  turn: readonly PromptLike[],
): readonly { readonly tool: string; readonly ids: readonly number[] }[] {
  return turn.flatMap(({ role, content }, index) => {
    if (role !== "assistant" || !Array.isArray(content)) return [];
    const results = turn[index + 1]?.role === "tool" ? (turn[index + 1]?.content as readonly PartLike[]) : [];
    return (content as readonly PartLike[]).flatMap(({ type, toolCallId, toolName = "", input }) => {
      if (type !== "tool-call") return [];
      const output = JSON.stringify(results.find((result) => result.toolCallId === toolCallId)?.output ?? "");
      const { ids = [] } = (typeof input === "object" ? input : null) as { ids?: readonly number[] };
      return output.includes("SKIPPED") ? [] : [{ tool: toolName, ids }];
    });
  });
}

/** Notes about other things, memories above all, which name what was asked before. Not the one that tells of messages in a line each. */
const NOTES = /<wakeful-note source="(?!earlier messages)(?:[^"\\]|\\.)*">[\s\S]*?<\/wakeful-note>/g;

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return (content as readonly { text?: unknown }[])
    .map(({ text }) => (typeof text === "string" ? text : ""))
    .join("\n");
}

/** Providers refuse a history in which a call has no result, or a result no call. */
function pairsUp(prompt: readonly PromptLike[]): boolean {
  const open: string[] = [];
  for (const { role, content } of prompt) {
    const parts = Array.isArray(content) ? (content as readonly { type?: string; toolCallId?: string }[]) : [];
    if (role !== "tool" && open.length > 0) return false;
    for (const { type, toolCallId = "" } of parts) {
      if (type === "tool-call") open.push(toolCallId);
      else if (type === "tool-result" && !open.includes(toolCallId)) return false;
      else if (type === "tool-result") open.splice(open.indexOf(toolCallId), 1);
    }
  }
  return open.length === 0;
}

function stepFor(prompt: readonly PromptLike[], offersTools: boolean): ScriptedStep {
  if (!pairsUp(prompt)) return says("BROKEN HISTORY: a call and its result are apart");
  if (textOf(prompt.at(-1)?.content).includes("Write the new summary now."))
    return says("They asked for this and that.");
  if (textOf(prompt[1]?.content).includes("Keep now what will matter later."))
    return calls(["memory_write", { content: "They ask for one thing after the other." }]);
  const { ids, idsOf, isTried, steps, turnText } = readPrompt(prompt);
  if (offersTools && idsOf("o").length > 0) return calls(["lookup", { ids: idsOf("o") }]);
  if (steps === 0) {
    if (idsOf("h").length > 0) return hangs("I think");
    if (idsOf("e").length > 0) return fails(500);
    if (idsOf("g").length > 0)
      return streams([{ type: "rubbish", n: 1 }, null, 7, { type: "text-delta", id: "never-begun", delta: "?" }]);
    if (idsOf("k").length > 0) return calls(["no_such_tool", { a: 1 }], ["lookup", { ids: idsOf("k") }]);
    if (idsOf("m").length > 0) return calls(["charge", "{ not JSON"], ["charge", { ids: "none" }], ["lookup", "[]"]);
  }
  const untried = (tool: string, ...kinds: readonly Kind[]) => idsOf(...kinds).filter((id) => !isTried(tool, id));
  const charged = untried("charge", "c", "b");
  const looked = untried("lookup", "l", "b");
  const long = untried("lookup", "f");
  const wanted = [
    ...(charged.length > 0 ? [["charge", { ids: charged }] as const] : []),
    ...(looked.length > 0 ? [["lookup", { ids: looked }] as const] : []),
    ...(long.length > 0 ? [["lookup", { ids: long, long: true }] as const] : []),
  ];
  if (wanted.length > 0) return calls(...wanted);
  const line = `answers ${ids.map((id) => `u${id}`).join(" ")}`;
  const unsure = turnText.includes("INTERRUPTED") ? " (one effect is uncertain)" : "";
  const filler = idsOf("x").length > 0 ? `\n\n${FILLER.repeat(190)}${LAST_WORDS}` : "";
  return says(line + unsure + filler);
}

/** A model that answers what it is asked, naming the messages; each call takes a few milliseconds. */
export function faultsModel(options: { clock: Clock; latencyMs: () => number }): ScriptedModel {
  return scriptedModel(
    (prompt, _call, { tools }) => {
      const step = stepFor(prompt, (tools ?? []).length > 0);
      return step.type === "hang" || step.type === "stream" ? step : delayed(options.latencyMs(), step);
    },
    { clock: options.clock },
  );
}

/** One effect of a tool in the world: which call made it, and for which messages. */
export interface Effect {
  readonly tool: "charge" | "lookup";
  readonly callId: string;
  readonly ids: readonly number[];
}

export function faultsTools(effect: (effect: Effect) => Promise<void> | void): Record<string, AnyTool> {
  const inputSchema = v.object({ ids: v.array(v.number()), long: v.optional(v.boolean()) });
  const run =
    (tool: Effect["tool"]) =>
    async ({ ids, long }: { ids: number[]; long?: boolean | undefined }, { callId }: { callId: string }) => {
      try {
        await effect({ tool, callId, ids });
      } catch (cause) {
        throw new ToolError("UNKNOWN", "Nobody knows whether it had its effect", { cause });
      }
      return { tool, ids, ...(long && { found: "What was found goes on for long. ".repeat(360) }) };
    };
  return {
    charge: defineTool({ description: "Charges a card; twice is a theft", inputSchema, execute: run("charge") }),
    lookup: defineTool({
      description: "Looks something up",
      inputSchema,
      execute: run("lookup"),
      meta: { idempotent: true },
    }),
  };
}
