import type { ContextOptions } from "../channel.ts";
import type { Clock } from "../clock.ts";
import type { CompactRecord, InRecord, Session } from "../session/index.ts";
import { contextBlock } from "./boundaries.ts";
import { formatTime } from "./format-time.ts";
import { groupSituation } from "./group-situation.ts";
import { type ContextPart, cutsOf, cutsOfPrompt, partsOf } from "./parts.ts";
import type { ContextScope, ContextSources, SourceChoice } from "./sources.ts";
import { instructionsOf } from "./system.ts";
import { type PromptMessage, type TurnInput, inputMessages, noteMessage } from "./turn-messages.ts";
import { DEFAULT_HISTORY_TOKENS, historyWindow, shownTurn } from "./window.ts";
import type { Person } from "./options.ts";

/** Earlier turns that `lite` shows. */
const LITE_TURNS = 4;
const MAX_NAME_CHARS = 64;

export interface BuiltContext {
  readonly instructions: string;
  /** Estimated on first access. */
  readonly instructionsTokens: number;
  /** Earlier turns and what this turn answers. The turn's own steps follow. */
  readonly messages: readonly PromptMessage[];
  /** The block in the newest user message. */
  readonly block: string | undefined;
  /** All parts in order. A part's tokens are counted on access. */
  readonly parts: readonly ContextPart[];
  /** What was left out, as `<part>: <what>`. Reading it counts no tokens. */
  readonly cuts: readonly string[];
}

/** Inserts a part into a prompt, before the newest message. */
export function withPart(
  context: BuiltContext,
  part: ContextPart,
  messages: BuiltContext["messages"],
  block: BuiltContext["block"],
): BuiltContext {
  const parts = () => context.parts.toSpliced(-1, 0, part);
  return {
    instructions: context.instructions,
    get instructionsTokens() {
      return context.instructionsTokens;
    },
    messages,
    block,
    get parts() {
      return parts();
    },
    get cuts() {
      return cutsOf(parts());
    },
  };
}

export interface ContextInput extends TurnInput {
  readonly session: Pick<Session, "key" | "history" | "complete" | "summary">;
  readonly agent: {
    readonly id: string;
    readonly name?: string | undefined;
    readonly instructions?: string | undefined;
  };
  readonly options: ContextOptions;
  /** What rooms and the host add to the instructions. Default nothing. */
  readonly sources?: ContextSources | undefined;
  /** Time zone of people without a configured one. */
  readonly timezone: string;
  /** Configuration of the speaker. */
  readonly person?: Person | undefined;
  readonly clock: Clock;
}

export const DEFAULT_STRATEGY = "full";

/** Lets the sources load what `buildContext` reads; `undefined` if there is nothing to wait for. Never rejects. */
export function prepareContext({ sources, ...input }: Omit<ContextInput, "clock">): Promise<void> | undefined {
  const newest = newestOf(input);
  if (!sources || !newest || input.options.strategy === "lite") return undefined;
  return sources.prepare(scopeOf(input, newest), choiceOf(input.options));
}

/**
 * Builds the prompt of a turn. Everything before the newest message stays byte-identical to the previous turn, until
 * a source, the summary or the window changes.
 *
 * Source: docs/context.md.
 */
export function buildContext(input: ContextInput): BuiltContext {
  const { session, agent, options, sources } = input;
  const strategy = options.strategy ?? DEFAULT_STRATEGY;
  const lite = strategy === "lite";
  const newest = newestOf(input);
  const added = !sources || !newest || lite ? NONE : sources.read(scopeOf(input, newest), choiceOf(options));
  const system = instructionsOf({ session, agent, isGroup: isGroup(newest), added });

  const withBlock = strategy !== "custom" || (options.includeRuntime ?? true);
  const block = input.block ?? (withBlock && newest ? runtimeBlock(input, newest) : undefined);
  const summary = lite ? undefined : session.summary;
  const budget = options.historyTokens ?? DEFAULT_HISTORY_TOKENS;
  const window = historyWindow(session.history, budget, lite ? LITE_TURNS : Infinity);
  const messages: PromptMessage[] = summary ? [summaryMessage(summary)] : [];
  for (let index = window.from; index < session.history.length; index += 1)
    messages.push(...shownTurn(session.history[index]!).messages);
  messages.push(...inputMessages({ ...input, block }));

  const made = { agent, system, summary, session, window, inputs: input.inputs, block, messages };
  return {
    instructions: system.text,
    get instructionsTokens() {
      return system.tokens;
    },
    messages,
    block,
    get parts() {
      return partsOf(made);
    },
    get cuts() {
      return cutsOfPrompt(made);
    },
  };
}

const NONE = [] as const;

function newestOf({ inputs }: TurnInput): InRecord | undefined {
  return inputs.findLast((one): one is InRecord => one.type === "in");
}

function isGroup(message: InRecord | undefined): boolean {
  return message !== undefined && message.peer.kind !== "direct";
}

function choiceOf({ strategy, includeParts, includeMemory }: ContextOptions): SourceChoice {
  return strategy === "custom" ? { names: includeParts, memory: includeMemory } : {};
}

function scopeOf(
  { session, agent, options }: Pick<ContextInput, "session" | "agent" | "options">,
  message: InRecord,
): ContextScope {
  const { peer, user, channel, account, roles } = message;
  const isDirect = peer.kind === "direct";
  return {
    agentId: agent.id,
    sessionKey: session.key,
    kind: peer.kind,
    user: isDirect ? user : undefined,
    peerId: peer.id,
    channel,
    account,
    roles: isDirect ? roles : [],
    ...(options.strategy === "custom" && options.includeSkills && { skills: options.includeSkills }),
    ...(options.excludeTools && { excludeTools: options.excludeTools }),
  };
}

const summaries = new WeakMap<CompactRecord, PromptMessage>();

function summaryMessage(record: CompactRecord): PromptMessage {
  let message = summaries.get(record);
  if (!message) {
    message = noteMessage("summary of earlier turns", record.summary || "Older turns are in the log and not shown");
    summaries.set(record, message);
  }
  return message;
}

function runtimeBlock({ session, inputs, clock, timezone, person = {} }: ContextInput, message: InRecord): string {
  const nowMs = clock.now();
  const inGroup = isGroup(message);
  const where = inGroup ? `${message.peer.kind} ${message.peer.id}` : "direct chat";
  // A stranger chooses their display name, so it is quoted and cut.
  const name = person.name ?? message.sender.name?.slice(0, MAX_NAME_CHARS);
  const who = name === undefined ? message.user : `${JSON.stringify(name)} (${message.user})`;
  return contextBlock([
    `time: ${formatTime(nowMs, person.timezone ?? timezone)}`,
    `channel: ${message.channel}, ${where}`,
    `from: ${who}`,
    ...(person.language === undefined ? [] : [`answer in: ${person.language}`]),
    ...(inGroup ? groupSituation({ session, inputs, nowMs }) : []),
  ]);
}
