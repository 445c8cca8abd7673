import { estimateTokenCount } from "tokenx";
import type { Injection, InjectionType } from "../events/index.ts";
import { noteBoundary, oneLine } from "./boundaries.ts";
import { type BuiltContext, withPart } from "./context.ts";
import { MAX_CHARS_A_TOKEN, shorten } from "./cut-text.ts";
import type { ContextPart } from "./parts.ts";
import { setIn } from "./speakers.ts";
import { fitsByLength } from "./tokens.ts";

/** Default for the most tokens of injections at one place of the prompt, estimated. */
export const DEFAULT_INJECTION_TOKENS = 2000;

const HEADINGS: { readonly [Type in InjectionType]: string } = {
  warning: "Warnings",
  goal: "Goals",
  memory_recall: "From memory",
  skill_activation: "Skills that fit",
  suggestion: "Suggestions",
};

const MAX_SOURCE_CHARS = 64;
/** A shortened text below this says nothing and is left out. */
const MIN_TOKENS = 32;
/** Tokens of a heading and its boundary. */
const HEADING_TOKENS = 24;
/** Upper bound of an item's characters besides its text and source, with a heading of its own. */
const ITEM_CHARS = 64;
const CUT_MARK = " … cut";

/** Injections as the prompt shows them. */
export interface ShownInjections {
  /** The text for the prompt; `undefined` if there is none. */
  readonly text: string | undefined;
  /** Sources of the shown texts, without duplicates. */
  readonly sources: readonly string[];
  /** Number of injections that were left out or shortened because they did not fit. */
  readonly leftOut: number;
  readonly shortened: number;
}

/**
 * Sorts by priority (equal ones keep their order), takes what fits the budget, and writes each type under its heading
 * in one boundary. The injection that crosses the budget is shortened and the rest is left out, so that nothing
 * displaces something more important.
 */
export function showInjections(injections: readonly Injection[], budgetTokens: number): ShownInjections {
  const sorted = injections.filter(({ content }) => content.trim() !== "").sort((a, b) => b.priority - a.priority);
  const isRoomy = fitsByLength(
    sorted.map(({ content, source }) => `${source}${content}`),
    budgetTokens - sorted.length * ITEM_CHARS,
  );
  const groups = new Map<InjectionType, string[]>();
  const sources = new Set<string>();
  let left = budgetTokens;
  let shown = 0;
  let shortened = 0;
  for (const { type, content, source } of sorted) {
    const room = left - (groups.has(type) ? 0 : HEADING_TOKENS);
    const from = oneLine(source).slice(0, MAX_SOURCE_CHARS);
    const start = `- (${from}) `;
    const looked = content.slice(0, Math.max(0, room) * MAX_CHARS_A_TOKEN);
    const text = setIn(looked.trim());
    const fitted = isRoomy ? start + text : fit(start, text, room);
    if (fitted === undefined) break;
    const isCut = looked.length < content.length || fitted.length < start.length + text.length;
    const item = isCut ? fitted + CUT_MARK : fitted;
    const items = groups.get(type);
    if (items) items.push(item);
    else groups.set(type, [item]);
    sources.add(from);
    if (!isRoomy) left = room - estimateTokenCount(item);
    shown += 1;
    if (!isCut) continue;
    shortened = 1;
    break;
  }
  const notes = [...groups].map(([type, items]) => noteBoundary("hooks", [`# ${HEADINGS[type]}`, ...items].join("\n")));
  return {
    text: notes.length === 0 ? undefined : notes.join("\n\n"),
    sources: [...sources],
    leftOut: sorted.length - shown,
    shortened,
  };
}

/** The text, or the beginning that fits; `undefined` if hardly any of it fits. */
function fit(start: string, text: string, tokens: number): string | undefined {
  const whole = start + text;
  if (estimateTokenCount(whole) <= tokens) return whole;
  if (tokens < MIN_TOKENS) return undefined;
  const kept = shorten(whole, tokens - estimateTokenCount(CUT_MARK));
  return kept.length > start.length ? kept : undefined;
}

/**
 * Adds what was injected at the beginning of a turn after the runtime's block, before the newest message.
 * Everything before that stays byte-identical. The resulting block is journaled with the first step, so that a
 * resumed turn and later prompts show the same.
 */
export function withInjections(
  context: BuiltContext,
  injections: readonly Injection[],
  budgetTokens: number = DEFAULT_INJECTION_TOKENS,
): BuiltContext {
  if (injections.length === 0) return context;
  const { text, sources, leftOut, shortened } = showInjections(injections, budgetTokens);
  let tokens: number | undefined;
  const part: ContextPart = {
    name: "injections",
    get tokens() {
      return (tokens ??= estimateTokenCount(text ?? ""));
    },
    source: sources.length === 0 ? "hooks" : `hooks: ${sources.join(", ")}`,
    ...(leftOut + shortened > 0 && { cut: cutText(leftOut, shortened, budgetTokens) }),
  };
  const { messages, block } = text === undefined ? context : addBehindBlock(context, text);
  return withPart(context, part, messages, block);
}

function addBehindBlock({ messages, block }: BuiltContext, text: string): Pick<BuiltContext, "messages" | "block"> {
  const newest = messages.at(-1);
  if (typeof newest?.content !== "string") throw new RangeError("Cannot inject as the prompt has no newest message");
  const spoken = block === undefined ? `\n\n${newest.content}` : newest.content.slice(block.length);
  const longer = block === undefined ? text : `${block}\n\n${text}`;
  return { messages: [...messages.slice(0, -1), { ...newest, content: longer + spoken }], block: longer };
}

function cutText(leftOut: number, shortened: number, budgetTokens: number): string {
  const what = [
    ...(shortened > 0 ? [`${shortened} shortened`] : []),
    ...(leftOut > 0 ? [`${leftOut} left out`] : []),
  ].join(", ");
  return `${what}: over the ${budgetTokens} tokens of context.injectionTokens`;
}
