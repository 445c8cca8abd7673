import { estimateTokenCount } from "tokenx";
import type { BuiltContext } from "./context.ts";
import {
  MAX_TOKENS_A_CHAR,
  messageTokens,
  mostTokens,
  mostTokensByText,
  mostTokensOf,
  tokensOfTold,
} from "./tokens.ts";
import type { PromptMessage } from "./turn-messages.ts";

/** A tool as the model sees it. */
interface ToldTool {
  readonly modelName: string;
  readonly description: string;
  readonly jsonSchema: unknown;
}

const beginnings = new WeakMap<BuiltContext, number>();
const tools = new WeakMap<ToldTool, number>();
const mostOfTools = new WeakMap<ToldTool, number>();

/**
 * Estimates the tokens of a model call: instructions, messages, tools. Earlier counts are cached, so
 * each step costs only what is new.
 *
 * @param stepMessages Messages that the turn's own steps added after `context.messages`.
 */
export function estimatePrompt(
  context: BuiltContext,
  stepMessages: readonly PromptMessage[],
  offered: readonly ToldTool[],
): number {
  let tokens = beginnings.get(context);
  if (tokens === undefined) {
    tokens = context.instructionsTokens + sumOf(context.messages, messageTokens);
    beginnings.set(context, tokens);
  }
  return tokens + sumOf(stepMessages, messageTokens) + sumOf(offered, toolTokens);
}

/** Estimates the tokens of a model call of which only the texts are known. */
export function estimateCall(call: {
  readonly instructions: string;
  readonly messages: readonly PromptMessage[];
  readonly tools: readonly ToldTool[];
}): number {
  return estimateTokenCount(call.instructions) + sumOf(call.messages, messageTokens) + sumOf(call.tools, toolTokens);
}

/** Whether the estimate is within the limit. Short prompts are recognized by their length, without counting. */
export function promptFits(
  context: BuiltContext,
  stepMessages: readonly PromptMessage[],
  offered: readonly ToldTool[],
  limitTokens: number,
): boolean {
  if (!beginnings.has(context)) {
    const isBelow = (known: number, most: (message: PromptMessage) => number) =>
      known + sumOf(context.messages, most) + sumOf(stepMessages, most) <= limitTokens;
    if (isBelow(context.instructions.length * MAX_TOKENS_A_CHAR + sumOf(offered, mostToolTokens), mostTokens))
      return true;
    const known = context.instructionsTokens + sumOf(offered, toolTokens);
    if (isBelow(known, mostTokens) || isBelow(known, mostTokensByText)) return true;
  }
  return estimatePrompt(context, stepMessages, offered) <= limitTokens;
}

function toolTokens(tool: ToldTool): number {
  let tokens = tools.get(tool);
  if (tokens === undefined) tools.set(tool, (tokens = tokensOfTold(told(tool))));
  return tokens;
}

function mostToolTokens(tool: ToldTool): number {
  let most = mostOfTools.get(tool);
  if (most === undefined) mostOfTools.set(tool, (most = mostTokensOf(told(tool))));
  return most;
}

function told({ modelName, description, jsonSchema }: ToldTool): string {
  return JSON.stringify({ name: modelName, description, parameters: jsonSchema });
}

function sumOf<T>(list: readonly T[], weight: (one: T) => number): number {
  let sum = 0;
  for (const one of list) sum += weight(one);
  return sum;
}
