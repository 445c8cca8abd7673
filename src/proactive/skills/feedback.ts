import type { Clock } from "../../clock.ts";
import type { EventBus, EventMap } from "../../events/index.ts";
import { type Notify, noticeAddress } from "../../notice.ts";
import { createTexts, languageOf } from "../../session/index.ts";
import { type Activations, type FeedbackGiven, SKILL_BUTTONS } from "../../skills/index.ts";
import type { RecordedTurn } from "./recorder.ts";

/** A person's verdict on skills, and the way it was given. */
export type SkillVerdict = FeedbackGiven & { readonly via: EventMap["proactive.skill.feedback"]["via"] };

export interface SkillFeedbackDeps {
  readonly activations: Pick<Activations, "addFeedback">;
  readonly events: Pick<EventBus, "publishAsync" | "has">;
  readonly clock: Pick<Clock, "now">;
}

/** Stores a verdict. */
export type GiveSkillFeedback = ReturnType<typeof createSkillFeedback>;

/** Creates the function that stores verdicts from all sources and publishes each new one. */
export function createSkillFeedback({ activations, events, clock }: SkillFeedbackDeps) {
  /**
   * @returns Names of the skills that the verdict is about.
   * @throws {AssistantError} `NOT_FOUND` if no such skill was activated for this person.
   */
  return async function give({ via, ...given }: SkillVerdict): Promise<readonly string[]> {
    const { activations: meant, changed } = await activations.addFeedback(given);
    if (events.has("proactive.skill.feedback"))
      for (const { user: userId, skill, session, turn: taskId } of changed) {
        const payload = { userId, skill, helpful: given.helpful, taskId, via };
        events.publishAsync({ type: "proactive.skill.feedback", sessionId: session, timestamp: clock.now(), payload });
      }
    return meant.map(({ skill }) => skill);
  };
}

export interface FeedbackButtonsDeps {
  readonly notify: Notify;
}

/**
 * Creates the function that asks below a reply whether its skills helped. If a crash repeats it, the person still gets
 * one question.
 */
export function createFeedbackButtons({ notify }: FeedbackButtonsDeps) {
  return async function ask({ sessionKey, turn, message, user, skills }: RecordedTurn): Promise<void> {
    const { target, origin } = message;
    if (!target || origin !== undefined) return;
    const language = languageOf(message.text);
    await notify({
      ...noticeAddress(target),
      user: message.user,
      id: `skill-feedback:${turn}`,
      // The owner switched this question on, so it counts as requested.
      type: "feedback",
      requested: true,
      text: feedbackText("ASK", { language }, { skills: skills.join(", ") }),
      sessionKey,
      offer: {
        kind: SKILL_BUTTONS.feedback,
        choices: [
          { id: "good", label: "👍" },
          { id: "bad", label: "👎" },
        ],
        data: { user, turn },
        language,
      },
    });
  };
}

const feedbackText = createTexts({
  en: { ASK: "Did this help ({skills})? /skills good, /skills bad" },
  zh: { ASK: "这次有帮助吗（{skills}）？/skills good、/skills bad" },
});
