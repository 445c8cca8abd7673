import { estimateTokenCount } from "tokenx";
import type { Clock } from "../clock.ts";
import type { InRecord, LoggedTurn, Session } from "../session/index.ts";
import type { JsonValue } from "../store/index.ts";
import { contextBlock } from "./boundaries.ts";
import { formatTime } from "./format-time.ts";
import { BOUNDARY_RULES, DEFAULT_INSTRUCTIONS } from "./instructions.ts";
import { type PromptMessage, type TurnInput, inputMessages, turnMessages } from "./turn-messages.ts";

/** How a prompt is put together. Source: docs/context.md. */
export interface ContextOptions {
  /** `full`: everything. `lite`: identity, time, message and the last turns. `custom`: what the `include` options name. Default `full`. */
  readonly strategy?: "full" | "lite" | "custom";
  /** Most tokens of earlier turns in the prompt, estimated. Default 16_000. */
  readonly historyTokens?: number;
  /** Most tokens that hooks may inject at one place of a prompt, estimated. 0: none. Default 2000. */
  readonly injectionTokens?: number;
  /** Names of tools that the model is not shown. Default none. */
  readonly excludeTools?: readonly string[];
  /** Of `custom`: the block with time, channel and speaker. Default true. */
  readonly includeRuntime?: boolean;
}

export const DEFAULT_HISTORY_TOKENS = 16_000;
/** Turns that are shown although they are over the budget. */
const LEAST_TURNS = 8;
/** Earlier turns that `lite` shows. */
const LITE_TURNS = 4;
/** Estimates run low on dense JSON: tool results count this many times (docs/context.md, "Counting tokens"). */
const TOOL_TOKENS_FACTOR = 1.5;
const LONGEST_NAME_CHARS = 64;
/** The estimate of no text has more tokens than this for each UTF-16 unit: single emoji come closest. */
const MOST_TOKENS_A_CHAR = 2;
/** What a message costs beside its text. */
const MESSAGE_OVERHEAD_TOKENS = 4;

/** One part of a prompt, for `explainContext`. */
export interface ContextPart {
  readonly name: string;
  /** Estimated. */
  readonly tokens: number;
  /** Where it comes from. */
  readonly source: string;
  /** What was left out of it, in words. */
  readonly cut?: string;
}

export interface BuiltContext {
  readonly instructions: string;
  /** Earlier turns and what this turn answers; the turn's own steps come after. */
  readonly messages: readonly PromptMessage[];
  /** The block as it stands in the newest user message. */
  readonly block: string | undefined;
  readonly parts: readonly ContextPart[];
}

export interface ContextInput extends TurnInput {
  readonly session: Pick<Session, "history" | "complete">;
  readonly agent: {
    readonly id: string;
    readonly name?: string | undefined;
    readonly instructions?: string | undefined;
  };
  readonly options: ContextOptions;
  /** Of people of whom nothing else is known. */
  readonly timezone: string;
  /** What the configuration knows of the person who speaks. */
  readonly person?: Person | undefined;
  readonly clock: Clock;
}

export interface Person {
  readonly name?: string;
  /** IANA name. */
  readonly timezone?: string;
  /** BCP 47 tag of the language to answer in. */
  readonly language?: string;
}

/**
 * The prompt of a turn. Everything before the newest message is the same bytes as in the turn before, until the oldest turns leave the window.
 */
export function buildContext(input: ContextInput): BuiltContext {
  const { session, agent, options, clock, timezone } = input;
  const strategy = options.strategy ?? "full";
  const instructions = instructionsOf(agent);
  const newest = input.inputs.findLast((one): one is InRecord => one.type === "in");
  const withBlock = strategy !== "custom" || (options.includeRuntime ?? true);
  const block =
    input.block ?? (withBlock && newest ? runtimeBlock(newest, clock.now(), timezone, input.person) : undefined);
  const window = historyWindow(
    session.history,
    options.historyTokens ?? DEFAULT_HISTORY_TOKENS,
    strategy === "lite" ? LITE_TURNS : Infinity,
  );
  const messages: PromptMessage[] = [];
  for (let index = window.from; index < session.history.length; index += 1)
    messages.push(...shown(session.history[index]!).messages);
  const own = inputMessages({ ...input, block });
  messages.push(...own);

  return {
    instructions,
    messages,
    block,
    get parts() {
      const cut = window.from > 0 || !session.complete ? { cut: "older turns are in the log, not in the prompt" } : {};
      return [
        {
          name: "instructions",
          tokens: estimateTokenCount(instructions),
          source: agent.instructions === undefined ? "default" : `agent ${agent.id}`,
        },
        {
          name: "history",
          tokens: window.tokens,
          source: `${session.history.length - window.from} turns of the session`,
          ...cut,
        },
        ...(block === undefined
          ? []
          : [{ name: "runtime", tokens: estimateTokenCount(block), source: "clock, channel and sender" }]),
        {
          name: "message",
          tokens: own.reduce((sum, message) => sum + messageTokens(message), 0),
          source: "what this turn answers",
        },
      ];
    },
  };
}

/**
 * Finished turns that fit, newest first; always whole turns, so that no tool result stands without its call. The newest few are shown also when they
 * are over the budget, up to twice of it, and the very newest always: a conversation must not lose its thread to one long result.
 */
export function historyWindow(
  history: readonly LoggedTurn[],
  budget: number,
  mostTurns = Infinity,
): { readonly from: number; readonly tokens: number } {
  let from = Math.max(0, history.length - mostTurns);
  if (!surelyFit(history, from, budget)) {
    const oldest = from;
    let left = budget;
    for (from = history.length; from > oldest; from -= 1) {
      left -= turnTokens(history[from - 1]!);
      const place = history.length - from;
      const isKept = budget > 0 && (place === 0 || (place < LEAST_TURNS && left >= -budget));
      if (left < 0 && !isKept) break;
    }
  }
  return {
    from,
    get tokens() {
      return history.slice(from).reduce((sum, turn) => sum + turnTokens(turn), 0);
    },
  };
}

/** Most conversations are far below their budget, which their length shows; counting takes longer than all the rest of a prompt. */
function surelyFit(history: readonly LoggedTurn[], oldest: number, budget: number): boolean {
  let most = 0;
  for (let index = history.length - 1; index >= oldest && most <= budget; index -= 1)
    most += shown(history[index]!).mostTokens;
  return most <= budget;
}

/** A finished turn as the prompt shows it. */
interface ShownTurn {
  readonly messages: readonly PromptMessage[];
  /** No estimate is higher. */
  readonly mostTokens: number;
  /** Estimated when it is first asked for. */
  tokens: number | undefined;
}

const shownTurns = new WeakMap<LoggedTurn, ShownTurn>();

/** A finished turn never changes, so its messages are made once. */
function shown(turn: LoggedTurn): ShownTurn {
  let found = shownTurns.get(turn);
  if (!found) {
    const messages = turnMessages(turn);
    found = {
      messages,
      mostTokens: messages.reduce((sum, message) => sum + mostTokens(message), 0),
      tokens: undefined,
    };
    shownTurns.set(turn, found);
  }
  return found;
}

function turnTokens(turn: LoggedTurn): number {
  const found = shown(turn);
  return (found.tokens ??= found.messages.reduce((sum, message) => sum + messageTokens(message), 0));
}

function messageTokens(message: PromptMessage): number {
  const tokens = weigh(message.content, estimateTokenCount);
  return MESSAGE_OVERHEAD_TOKENS + (message.role === "tool" ? Math.ceil(tokens * TOOL_TOKENS_FACTOR) : tokens);
}

function mostTokens(message: PromptMessage): number {
  const tokens = weigh(message.content, (text) => text.length * MOST_TOKENS_A_CHAR);
  return MESSAGE_OVERHEAD_TOKENS + Math.ceil(tokens * TOOL_TOKENS_FACTOR);
}

/** Texts as they are, everything else as the JSON that it is. */
function weigh(content: JsonValue, textWeight: (text: string) => number): number {
  if (typeof content === "string") return textWeight(content);
  if (!isList(content)) return textWeight(JSON.stringify(content));
  return content.reduce((sum: number, part) => sum + textWeight(textOf(part) ?? JSON.stringify(part)), 0);
}

function textOf(part: JsonValue): string | undefined {
  if (typeof part !== "object" || part === null || isList(part)) return undefined;
  return part["type"] === "text" && typeof part["text"] === "string" ? part["text"] : undefined;
}

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);

const instructionTexts = new WeakMap<object, string>();

function instructionsOf(agent: ContextInput["agent"]): string {
  let text = instructionTexts.get(agent);
  if (text === undefined) {
    const name = agent.name === undefined ? "" : `Your name is ${agent.name}.\n\n`;
    text = `${name}${agent.instructions ?? DEFAULT_INSTRUCTIONS}\n\n${BOUNDARY_RULES}`;
    instructionTexts.set(agent, text);
  }
  return text;
}

function runtimeBlock(message: InRecord, nowMs: number, timezone: string, person: Person = {}): string {
  const where = message.peer.kind === "direct" ? "direct chat" : `${message.peer.kind} ${message.peer.id}`;
  // A display name is chosen by a stranger: quoted and short, so that it stays a name.
  const name = person.name ?? message.sender.name?.slice(0, LONGEST_NAME_CHARS);
  const who = name === undefined ? message.user : `${JSON.stringify(name)} (${message.user})`;
  return contextBlock([
    `time: ${formatTime(nowMs, person.timezone ?? timezone)}`,
    `channel: ${message.channel}, ${where}`,
    `from: ${who}`,
    ...(person.language === undefined ? [] : [`answer in: ${person.language}`]),
  ]);
}
