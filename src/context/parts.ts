import { estimateTokenCount } from "tokenx";
import type { Session, TurnInputRecord } from "../session/index.ts";
import { heardNote } from "./heard.ts";
import type { System } from "./system.ts";
import { messageTokens } from "./tokens.ts";
import { MAX_NOTES, type PromptMessage, noteMessages } from "./turn-messages.ts";
import type { HistoryWindow } from "./window.ts";

/** A part of a prompt, for `explainContext`. */
export interface ContextPart {
  /** Name of the part in the list. */
  readonly name: string;
  /** Estimated. */
  readonly tokens: number;
  /** Where the part comes from. */
  readonly source: string;
  /** What was left out, in words. */
  readonly cut?: string;
}

interface Made {
  readonly agent: { readonly id: string; readonly instructions?: string | undefined };
  readonly system: System;
  readonly summary: Session["summary"];
  readonly session: Pick<Session, "history" | "complete">;
  readonly window: HistoryWindow;
  readonly inputs: readonly TurnInputRecord[];
  readonly block: string | undefined;
  readonly messages: readonly PromptMessage[];
}

const OLDER = "older turns are in the log, not in the prompt";

/** The parts of a prompt, in order. Tokens are counted only on access. */
export function partsOf(made: Made): readonly ContextPart[] {
  const { agent, system, summary, session, window, inputs, block, messages } = made;
  const { base, added } = system;
  const turns = session.history.length - window.from;
  const isCut = isHistoryCut(made);
  const notes = inputs.filter(({ type }) => type === "note");
  const heard = heardNote(inputs);
  const newest = messages.at(-1);
  let ofBlock: number | undefined;
  const blockTokens = () => (ofBlock ??= block === undefined ? 0 : estimateTokenCount(block));
  return [
    part("instructions", agent.instructions === undefined ? "default" : `agent ${agent.id}`, () => base.ownTokens),
    part("rules", "the runtime", () => base.rulesTokens),
    ...added.map((one) => part(one.name, one.source, () => one.tokens, one.cut)),
    ...(summary ? [summaryPart(summary, messages[0])] : []),
    part("history", `${turns} turns of the session`, () => window.tokens, isCut ? OLDER : undefined),
    ...(notes.length > 0
      ? [
          part(
            "notes",
            `${notes.length} notes of the session`,
            () => noteMessages(notes).reduce((sum, note) => sum + messageTokens(note), 0),
            notes.length > MAX_NOTES ? `${notes.length - MAX_NOTES} older ones are in the log` : undefined,
          ),
        ]
      : []),
    ...(heard
      ? [
          part(
            "heard",
            "messages of the group",
            () => estimateTokenCount(heard.text),
            heard.leftOut > 0 ? `${heard.leftOut} older ones are in the log` : undefined,
          ),
        ]
      : []),
    ...(block === undefined ? [] : [part("runtime", "clock, channel and sender", blockTokens)]),
    part("message", "what this turn answers", () => Math.max(0, (newest ? messageTokens(newest) : 0) - blockTokens())),
  ];
}

function summaryPart({ turns, summary }: NonNullable<Session["summary"]>, message: PromptMessage | undefined) {
  const count = () => (message ? messageTokens(message) : 0);
  return part("summary", `${turns} earlier turns`, count, summary === "" ? OLDER : undefined);
}

function part(name: string, source: string, count: () => number, cut?: string): ContextPart {
  return {
    name,
    source,
    get tokens() {
      return count();
    },
    ...(cut !== undefined && { cut }),
  };
}

function isHistoryCut({ window, session, summary }: Made): boolean {
  return window.from > 0 || (!session.complete && !summary);
}

/** Equals `cutsOf(partsOf(made))`. Most prompts have no cuts, which this detects without building the list of parts. */
export function cutsOfPrompt(made: Made): readonly string[] {
  const { system, summary, inputs } = made;
  const mayBeCut =
    // Notes and overheard messages.
    inputs.some(({ type }) => type !== "in") ||
    system.added.some(({ cut }) => cut !== undefined) ||
    summary?.summary === "" ||
    isHistoryCut(made);
  return mayBeCut ? cutsOf(partsOf(made)) : NONE;
}

const NONE: readonly string[] = [];

/** What was left out, as `<part>: <what>`. */
export function cutsOf(parts: readonly ContextPart[]): readonly string[] {
  return parts.flatMap(({ name, cut }) => (cut === undefined ? [] : `${name}: ${cut}`));
}
