import * as v from "valibot";
import { type AnyTool, ToolError, defineTool } from "../../mod.ts";
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
 * `u17k` calls a tool that does not exist, `u17m` sends malformed input, `u17o` calls for ever, `u17h` hangs, `u17e` fails, `u17g` streams rubbish.
 */
export const KINDS = ["", "c", "l", "b", "x", "k", "m", "o", "h", "e", "g"] as const;
export type Kind = (typeof KINDS)[number];

const TOKEN = /\bu(\d+)([clbxkmoheg]?)\b/g;

/** A message's text: its number, what it asks for, and some words. */
export function messageText(id: number, kind: Kind): string {
  return `u${id}${kind} please`;
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

/** The newest user message of the prompt with the notes before it (earlier ones may be of a turn that failed), and what came after it. */
function readPrompt(prompt: readonly PromptLike[]) {
  const last = prompt.findLastIndex(({ role }) => role === "user");
  let first = last;
  while (first > 0 && textOf(prompt[first - 1]?.content).includes("<wakeful-note")) first -= 1;
  const text = prompt
    .slice(Math.max(0, first), last + 1)
    .map(({ content }) => textOf(content))
    .join("\n");
  const asked = [...text.matchAll(TOKEN)].map(([, id, kind = ""]) => ({ id: Number(id), kind: kind as Kind }));
  const after = prompt.slice(last + 1);
  return {
    ids: asked.map(({ id }) => id),
    idsOf: (...kinds: readonly Kind[]) => asked.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id),
    steps: after.filter(({ role }) => role === "tool").length,
    afterText: JSON.stringify(after),
  };
}

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
  const { ids, idsOf, steps, afterText } = readPrompt(prompt);
  if (offersTools && idsOf("o").length > 0) return calls(["lookup", { ids: idsOf("o") }]);
  if (steps === 0) {
    if (idsOf("h").length > 0) return hangs("I think");
    if (idsOf("e").length > 0) return fails(500);
    if (idsOf("g").length > 0)
      return streams([{ type: "rubbish", n: 1 }, null, 7, { type: "text-delta", id: "never-begun", delta: "?" }]);
    if (idsOf("k").length > 0) return calls(["no_such_tool", { a: 1 }], ["lookup", { ids: idsOf("k") }]);
    if (idsOf("m").length > 0) return calls(["charge", "{ not JSON"], ["charge", { ids: "none" }], ["lookup", "[]"]);
    const charged = idsOf("c", "b");
    const looked = idsOf("l", "b");
    const wanted = [
      ...(charged.length > 0 ? [["charge", { ids: charged }] as const] : []),
      ...(looked.length > 0 ? [["lookup", { ids: looked }] as const] : []),
    ];
    if (wanted.length > 0) return calls(...wanted);
  }
  const line = `answers ${ids.map((id) => `u${id}`).join(" ")}`;
  const unsure = afterText.includes("INTERRUPTED") ? " (one effect is uncertain)" : "";
  const filler = idsOf("x").length > 0 ? `\n\n${"Every word of this is needed to fill the message. ".repeat(190)}` : "";
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
  const inputSchema = v.object({ ids: v.array(v.number()) });
  const run =
    (tool: Effect["tool"]) =>
    async ({ ids }: { ids: number[] }, { callId }: { callId: string }) => {
      try {
        await effect({ tool, callId, ids });
      } catch (cause) {
        throw new ToolError("UNKNOWN", "Nobody knows whether it had its effect", { cause });
      }
      return { tool, ids };
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
