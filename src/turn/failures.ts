import { AssistantError, messageOf } from "../errors.ts";
import type { Logger, Redactor } from "../telemetry/index.ts";
import type { ModelCalls } from "./model-calls.ts";
import type { Ending } from "./replies.ts";
import { turnText } from "./texts.ts";
import type { Turn } from "./turn-at-work.ts";

export interface FailuresDeps {
  readonly modelCalls: Pick<ModelCalls, "budget">;
  /** Time zone of budgets. */
  readonly timezone: string;
  readonly redact: Redactor;
  readonly logger: Logger;
}

/** @returns A function that turns a failure into a turn's ending: logs it and picks the text for the person. */
export function createFailures({ modelCalls, timezone, redact, logger }: FailuresDeps) {
  /** Names the exhausted budget and the time when it opens again. */
  function budgetText(code: string, said: string): string | undefined {
    const state = modelCalls.budget();
    if (code !== "BUDGET_EXCEEDED" || state.ok) return undefined;
    const time = `${state.opensAt} (${timezone})`;
    return turnText(state.budget === "daily" ? "BUDGET_DAILY" : "BUDGET_MONTHLY", said, { time });
  }

  return function endingOf({ id, session, audience, stop }: Turn, error: unknown): Ending {
    const reason: unknown = stop.signal.aborted ? stop.signal.reason : error;
    const code = AssistantError.is(reason) ? reason.code : "FAILED";
    const fields = { turn: id, session: session.key, code, error: messageOf(reason) };
    const message = redact(messageOf(reason));
    if (code === "ABORTED") {
      logger.info("A turn was ended before it had an answer", fields);
      return { text: "", error: { code, message } };
    }
    logger.error("A turn could not be answered", fields);
    const { text: said, bounds } = audience.newest;
    // The text is for the work that set the limits.
    if (bounds && code === "BUDGET_EXCEEDED") return { text: message, error: { code, message } };
    return { text: budgetText(code, said) ?? turnText(isTold(code) ? code : "FAILED", said), error: { code, message } };
  };
}

/** Error codes with a text of their own. */
const TOLD = ["MODEL_UNAVAILABLE", "TURN_TIMEOUT", "BUDGET_EXCEEDED", "CONTENT_FILTERED", "CONTEXT_OVERFLOW"] as const;

function isTold(code: string): code is (typeof TOLD)[number] {
  return TOLD.some((told) => told === code);
}
