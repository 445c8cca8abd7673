import { AssistantError } from "../../errors.ts";
import type { ReadWriteLock } from "../../memory/index.ts";
import { createTexts } from "../../session/index.ts";
import type { JsonValue } from "../../store/index.ts";
import type { Metrics } from "../../telemetry/index.ts";
import type { Finding, Findings } from "./findings.ts";
import type { PatternAction } from "./pattern.ts";
import { type Withdraw, findingOf } from "./tell-finding.ts";

/** The answers that a person can give to a finding. */
export const PATTERN_ANSWERS = ["yes", "later", "no"] as const;
export type PatternAnswer = (typeof PATTERN_ANSWERS)[number];

export interface PatternAnswersDeps {
  readonly findings: Pick<Findings, "get" | "decide" | "putOff" | "weigh">;
  /** Carries out the action of a suggestion. See `createPatternPromises`. */
  keepPromise(user: string, finding: Finding, action: PatternAction): Promise<string>;
  /** Tells the skill learner the answer to one of its suggestions, by id. */
  readonly skills: Record<"decline" | "putOff", (user: string, suggestion: string) => Promise<unknown>>;
  readonly withdraw: Withdraw;
  /** The current memory user of a user id. */
  canonicalUser(userId: string): string;
  /** Read lock: no answer is handled while a person is erased. */
  readonly lock: Pick<ReadWriteLock, "shared">;
  readonly metrics: Pick<Metrics, "increment">;
}

const text = createTexts({
  en: {
    LATER: "All right, I will ask again in {days} days at the earliest.",
    NO: "All right, I will not bring it up again.",
    DECIDED: "You have answered that already.",
    GONE: "That is over.",
    FAILED: "That did not work: {reason}.",
  },
  zh: {
    LATER: "好的，至少 {days} 天后再问您。",
    NO: "好的，不再提了。",
    DECIDED: "您已经回答过了。",
    GONE: "这件事已经过去了。",
    FAILED: "没有成功：{reason}。",
  },
});

/**
 * Handles a person's answer to a finding. A yes carries out the suggested action with the person's current rights, then
 * stores the answer. If a crash repeats it, it creates no second job, skill or entry.
 *
 * Source: docs/patterns.md, "Answering".
 */
export function createPatternAnswers(deps: PatternAnswersDeps) {
  const { findings, keepPromise, skills, withdraw, canonicalUser, lock, metrics } = deps;

  /** @returns A line for the person, in their language. @throws {AssistantError} `NOT_FOUND`. */
  function answer(user: string, id: string, given: PatternAnswer): Promise<string> {
    return lock.shared(async () => {
      const finding = await findings.get(user, id);
      const { language, detector, suggestion } = finding;
      if (!suggestion) return text("DECIDED", { language });
      const { action } = suggestion;
      await withdraw(user, (notice) => findingOf(notice) === id);
      if (given === "later") {
        await findings.putOff(user, id);
        await tellSuggestion(user, action, skills.putOff);
        metrics.increment("proactive.pattern.answer_total", { detector, answer: given });
        return text("LATER", { language }, { days: action.kind === "skill" ? 7 : 14 });
      }
      let line: string;
      try {
        if (given === "no") await tellSuggestion(user, action, skills.decline);
        line = given === "yes" ? await keepPromise(user, finding, action) : text("NO", { language });
      } catch (error) {
        if (!AssistantError.is(error)) throw error;
        return text("FAILED", { language }, { reason: error.message });
      }
      if (!(await findings.decide(user, id, given === "yes" ? "accepted" : "declined"))) return line;
      await findings.weigh(user, "pattern_suggestion", given === "yes");
      metrics.increment("proactive.pattern.answer_total", { detector, answer: given });
      return line;
    });
  }

  /** Passes the answer on to the skill learner, so that the model does not offer the same suggestion again. */
  async function tellSuggestion(
    user: string,
    action: PatternAction,
    tell: PatternAnswersDeps["skills"]["decline"],
  ): Promise<void> {
    if (action.kind !== "skill") return;
    try {
      await tell(user, action.suggestion);
    } catch (error) {
      // The suggestion was answered elsewhere or no longer exists.
      if (!AssistantError.is(error)) throw error;
    }
  }

  return {
    answer,
    /**
     * Handles a press of a button under a finding. The finding may have been removed in the meantime, with its
     * evidence.
     */
    async press({
      offer,
      choice,
    }: {
      readonly offer: { readonly data: JsonValue; readonly language?: "en" | "zh" };
      readonly choice: string;
    }): Promise<string> {
      const { data, language = "en" } = offer;
      const { user, finding } = data as { readonly user: string; readonly finding: string }; // see `createTellFinding`
      try {
        return await answer(canonicalUser(user), finding, choice as PatternAnswer); // one of the offered choices
      } catch (error) {
        if (AssistantError.is(error, "NOT_FOUND")) return text("GONE", { language });
        throw error;
      }
    },
  };
}
