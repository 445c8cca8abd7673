import type { Known } from "./remembered/known.ts";

/** The languages the offline model understands and answers in. */
export type Language = "en" | "zh";

/** A request that was understood. */
export interface Match {
  /** The language it was asked in, and is answered in. */
  readonly language: Language;
  /** What the slots of the phrasing hold; a slot that the phrasing does not have is missing. */
  readonly groups: Readonly<Record<string, string>>;
  /** All of the request as it was written. */
  readonly text: string;
}

/** A tool call that an intent wants. */
export interface IntentCall {
  /** Full name of the tool, as the model is offered it. */
  readonly toolName: string;
  /** Arguments of the call; they must fit the tool's input schema. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** What came back from a call that worked. (Failed calls are told to the person by the model itself.) */
export interface IntentResult {
  /** Full name of the tool that was called. */
  readonly toolName: string;
  /** Arguments that the call was made with. */
  readonly input: unknown;
  /** The tool's output: a string, or JSON. */
  readonly output: unknown;
}

/** What an intent does next: say something and be done, call tools, or ask for the value of a slot. */
export type Step =
  | { readonly say: string }
  | { readonly calls: readonly IntentCall[] }
  | {
      readonly ask: string;
      /** The person's next message is taken as this slot, and the intent is asked again. */
      readonly slot: string;
      readonly options?: readonly string[];
    };

/** One earlier message of the conversation, as far as the prompt holds it. */
export interface Turn {
  /** Who wrote it: the person, or the model. */
  readonly role: "user" | "assistant";
  /** The text parts of the message, joined; what tools were called with is not in it. */
  readonly text: string;
}

/** What an intent does, and one way to ask for it. */
export type Ability = readonly [does: string, example: string];

/** What an intent may know besides the request. */
export interface Conversation {
  /** Who asks, in a group, as the prompt names them. */
  readonly speaker: string | undefined;
  /** What was said before this request, oldest first. */
  readonly earlier: readonly Turn[];
  /** What the prompt says of the person who asks, the newest first: memories, lasting facts, what the owner wrote of themselves, and what they said before. */
  readonly known: readonly Known[];
  /** `2026-05-03`: the day of the newest message, where the prompt names it. */
  readonly today: string | undefined;
  /** Whether the call offers the tool. */
  offers(toolName: string): boolean;
  /** What the model can do with the tools that are offered. */
  abilities(language: Language): readonly Ability[];
}

/**
 * One thing the offline model can do: how people ask for it, which tool calls it takes, and how the results are told.
 *
 * Source: docs/models-offline.md, "The offline model".
 */
export interface Intent {
  /** Unique; a later intent of the same name replaces an earlier one. */
  readonly name: string;
  /** Tools that must all be offered; without them the model says that it cannot, and never pretends. */
  readonly tools: readonly string[];
  /** What it does, and one way to ask for it, for the help text. An intent without it works but is not listed. */
  readonly help?: Readonly<Record<Language, Ability>>;
  /** How people say it: see `compilePhrasing`. The first phrasing that fits wins, in the order of the intents. */
  readonly phrasings: Readonly<Record<Language, readonly string[]>>;
  /** False: the words fit, but what they say is something else, so other phrasings are tried. Contract: pure. */
  accepts?(match: Match): boolean;
  /** Contract: pure; the same match and conversation give the same step. */
  call(match: Match, conversation: Conversation): Step;
  /**
   * Contract: pure. Asked after all calls of the last step came back well; may call again.
   *
   * @param results Of all steps of this request so far, oldest first.
   */
  phrase?(results: readonly IntentResult[], match: Match, conversation: Conversation): Step;
  /**
   * Contract: pure. Asked when a call did not work. Absent, or `undefined`: the person is told the reason.
   *
   * @param reason As the tool gave it.
   */
  failed?(reason: string, match: Match, conversation: Conversation): Step | undefined;
}
