import { AssistantError } from "../errors.ts";
import { SKILL_BUTTONS } from "../skills/index.ts";
import type { JsonValue } from "../store/index.ts";
import type { PressHandler } from "./presses.ts";
import { skillText } from "./skill-texts.ts";

/** Answers suggestions of skills. */
export interface SuggestionAnswers {
  /** @returns The skill's name. */
  accept(user: string, idOrName: string): Promise<string>;
  decline(user: string, idOrName: string): Promise<string>;
  putOff(user: string, idOrName: string): Promise<string>;
}

/**
 * Stores a person's feedback on skills.
 * @returns The names of the skills.
 */
export type GiveFeedback = (verdict: {
  readonly user: string;
  readonly skill?: string | undefined;
  readonly turn?: string | undefined;
  readonly session?: string | undefined;
  readonly helpful: boolean | null;
  readonly via: "button" | "reaction" | "command";
}) => Promise<readonly string[]>;

export interface SkillPressesDeps {
  readonly answers: SuggestionAnswers;
  readonly giveFeedback: GiveFeedback;
  /** The current name of a person's memory. */
  canonicalUser(userId: string): string;
}

/** @returns Handlers for presses of buttons about skills, by kind. */
export function skillPresses({
  answers,
  giveFeedback,
  canonicalUser,
}: SkillPressesDeps): Readonly<Record<string, PressHandler>> {
  return {
    async [SKILL_BUTTONS.suggestion]({ offer: { data, language = "en" }, choice }) {
      const { user, suggestion } = textsOf(data);
      return sayWhy({ language }, async () => {
        if (choice === "yes")
          return skillText("ACCEPTED", { language }, { name: await answers.accept(user, suggestion) });
        const answer = choice === "later" ? answers.putOff : answers.decline;
        const name = await answer(user, suggestion);
        return skillText(choice === "later" ? "PUT_OFF" : "DECLINED", { language }, { name });
      });
    },
    async [SKILL_BUTTONS.feedback]({ offer: { data, language = "en" }, choice }) {
      const { user, turn } = textsOf(data);
      return sayWhy({ language }, async () => {
        await giveFeedback({ user, turn, helpful: choice === "good", via: "button" });
        return skillText(choice === "good" ? "GOOD" : "BAD", { language });
      });
    },
  };

  /** This program made the offer, possibly before its person was linked. */
  function textsOf(data: JsonValue) {
    const texts = data as { readonly user: string; readonly suggestion: string; readonly turn: string };
    return { ...texts, user: canonicalUser(texts.user) };
  }
}

/** The reply to an answer, also when the answer does not count. */
export async function sayWhy(
  language: { readonly language: "en" | "zh" },
  answer: () => Promise<string>,
): Promise<string> {
  try {
    return await answer();
  } catch (error) {
    if (AssistantError.is(error, "NOT_FOUND")) return skillText("GONE", language);
    if (AssistantError.is(error, "CONFLICT")) return skillText("DECIDED", language);
    throw error;
  }
}
