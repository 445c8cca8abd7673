import type { Known } from "./remembered/known.ts";

/** The languages the offline model understands and answers in. */
export type Language = "en" | "zh";

/** An understood request. */
export interface Match {
  /** The language of the request and of its answer. */
  readonly language: Language;
  /** Values of the phrasing's slots. A slot that the phrasing does not have is missing. */
  readonly groups: Readonly<Record<string, string>>;
  /** The whole request as written. */
  readonly text: string;
}

/** A tool call that an intent wants. */
export interface IntentCall {
  /** Full name of the tool, as offered to the model. */
  readonly toolName: string;
  /** Arguments of the call. They must fit the tool's input schema. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** The result of a successful call. (The model itself reports failed calls to the person.) */
export interface IntentResult {
  /** Full name of the tool that was called. */
  readonly toolName: string;
  /** Arguments of the call. */
  readonly input: unknown;
  /** The tool's output: a string, or JSON. */
  readonly output: unknown;
}

/** An intent's next step: say something and end, call tools, or ask for the value of a slot. */
export type Step =
  | { readonly say: string }
  | { readonly calls: readonly IntentCall[] }
  | {
      readonly ask: string;
      /** The person's next message becomes the value of this slot, and the intent is called again. */
      readonly slot: string;
      readonly options?: readonly string[];
    };

/** One earlier message of the conversation, as far as the prompt holds it. */
export interface Turn {
  /** Who wrote it: the person, or the model. */
  readonly role: "user" | "assistant";
  /** The text parts of the message, joined. Arguments of tool calls are not included. */
  readonly text: string;
}

/** What an intent does, and one way to ask for it. */
export type Ability = readonly [does: string, example: string];

/** What an intent can use besides the request. */
export interface Conversation {
  /** The author of the request in a group, as the prompt names them. */
  readonly speaker: string | undefined;
  /** What was said before this request, oldest first. */
  readonly earlier: readonly Turn[];
  /**
   * Facts about the author of the request in the prompt, newest first: memories, lasting facts, the owner's own file,
   * and earlier statements.
   */
  readonly known: readonly Known[];
  /** `2026-05-03`: the day of the newest message, if the prompt names it. */
  readonly today: string | undefined;
  /** Whether the call offers the tool. */
  offers(toolName: string): boolean;
  /** What the model can do with the offered tools. */
  abilities(language: Language): readonly Ability[];
}

/**
 * One ability of the offline model: how people ask for it, which tool calls it makes, and how it words the results.
 *
 * Source: docs/models-offline.md, "The offline model".
 */
export interface Intent {
  /** Unique. A later intent of the same name replaces an earlier one. */
  readonly name: string;
  /** Tools that must all be offered. Without them the model says that it cannot do this, and never pretends. */
  readonly tools: readonly string[];
  /** What it does, and one example, for the help text. An intent without it works but is not listed. */
  readonly help?: Readonly<Record<Language, Ability>>;
  /** How people say it: see `compilePhrasing`. The first matching phrasing wins, in the order of the intents. */
  readonly phrasings: Readonly<Record<Language, readonly string[]>>;
  /** False: the words match but mean something else, so other phrasings are tried. Contract: pure. */
  accepts?(match: Match): boolean;
  /** Contract: pure; the same match and conversation give the same step. */
  call(match: Match, conversation: Conversation): Step;
  /**
   * Contract: pure. Called after all calls of the last step succeeded; may call again.
   *
   * @param results Of all steps of this request so far, oldest first.
   */
  phrase?(results: readonly IntentResult[], match: Match, conversation: Conversation): Step;
  /**
   * Contract: pure. Called when a call failed. Absent, or `undefined`: the model tells the person the reason.
   *
   * @param reason As the tool gave it.
   */
  failed?(reason: string, match: Match, conversation: Conversation): Step | undefined;
}
