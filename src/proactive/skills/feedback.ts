import type { Buttons } from "../../buttons/index.ts";
import type { Clock } from "../../clock.ts";
import type { EventBus, EventMap } from "../../events/index.ts";
import type { Outbox } from "../../outbox/index.ts";
import { createTexts, languageOf } from "../../session/index.ts";
import { type Activations, type FeedbackGiven, SKILL_BUTTONS } from "../../skills/index.ts";
import type { RecordedTurn } from "./recorder.ts";

/** A verdict, and how it was given. */
export type SkillVerdict = FeedbackGiven & { readonly via: EventMap["proactive.skill.feedback"]["via"] };

export interface SkillFeedbackDeps {
  readonly activations: Pick<Activations, "addFeedback">;
  readonly events: Pick<EventBus, "publishAsync" | "has">;
  readonly clock: Pick<Clock, "now">;
}

/** Takes what people say of skills. */
export type SkillFeedback = ReturnType<typeof createSkillFeedback>;

/** Keeps verdicts, whichever way they come, and publishes each that is new. */
export function createSkillFeedback({ activations, events, clock }: SkillFeedbackDeps) {
  /**
   * @returns Names of the skills that it is about.
   * @throws {AssistantError} `NOT_FOUND` when no such skill was activated for this person.
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
  readonly buttons: Pick<Buttons, "offer">;
  readonly outbox: Pick<Outbox, "enqueue">;
}

/** @returns What asks under a reply whether the skills that it followed were of help. Asked again, after a crash, it is one question. */
export function createFeedbackButtons({ buttons, outbox }: FeedbackButtonsDeps) {
  return async function ask({ sessionKey, turn, message, user, skills }: RecordedTurn): Promise<void> {
    const { target, origin } = message;
    if (!target || origin !== undefined) return;
    const language = languageOf(message.text);
    const id = `skill-feedback:${turn}`;
    const { buttons: shown } = await buttons.offer({
      source: id,
      kind: SKILL_BUTTONS.feedback,
      people: [message.user],
      session: sessionKey,
      choices: [
        { id: "good", label: "👍" },
        { id: "bad", label: "👎" },
      ],
      data: { user, turn },
      language,
      shown: { target, messageId: id },
    });
    const text = feedbackText("ASK", { language }, { skills: skills.join(", ") });
    await outbox.enqueue(target, { message: { id, text, buttons: shown } });
  };
}

const feedbackText = createTexts({
  en: { ASK: "Did this help ({skills})? /skills good, /skills bad" },
  zh: { ASK: "这次有帮助吗（{skills}）？/skills good、/skills bad" },
});
