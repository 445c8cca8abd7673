import { type Fact, type SpokenText, summaryPrompt } from "../context/index.ts";
import type { Clock } from "../clock.ts";
import { messageOf } from "../errors.ts";
import type { Logger, Redactor } from "../telemetry/index.ts";
import { type ModelCalls, firstModel, isOffline } from "./model-calls.ts";
import { type Asking, writerOf } from "./turn-at-work.ts";
import { createTurnStop } from "./turn-stop.ts";

export interface SummaryWriterDeps {
  readonly modelCalls: Pick<ModelCalls, "ask">;
  readonly redact: Redactor;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What a summary is written from. */
export interface SummaryDraft {
  /** The model's prose for the turns before these. */
  readonly previous: string;
  readonly spoken: readonly SpokenText[];
  readonly ledger: readonly Fact[];
  readonly proseTokens: number;
  readonly transcriptTokens: number;
}

/** Time limit for the model, in seconds. */
const SUMMARY_SECONDS = 60;

/**
 * @returns A function that asks the model for a summary. If the model fails or is the offline model, the
 * compaction goes on without prose.
 */
export function createSummaryWriter({ modelCalls, redact, clock, logger }: SummaryWriterDeps) {
  return async function write(
    asking: Asking,
    { previous, spoken, ledger, proseTokens, transcriptTokens }: SummaryDraft,
  ): Promise<{ readonly prose: string; readonly problem?: string }> {
    const { session, signal } = asking;
    const model = firstModel(asking);
    if (model && isOffline(model)) return { prose: "", problem: "the offline model writes no summaries" };
    const prompt = summaryPrompt({ previous, turns: spoken, ledger, proseTokens, transcriptTokens });
    const { instructions, messages } = prompt;
    const stop = createTurnStop(clock, signal);
    stop.limit(SUMMARY_SECONDS);
    try {
      const { id, user, agent } = writerOf(asking);
      const writer = { id, user, session, agent, signal: stop.signal };
      const answer = await modelCalls.ask(writer, { instructions, messages, tools: [] });
      return { prose: answer.text };
    } catch (error) {
      signal.throwIfAborted();
      logger.warn("A summary was written without a model", { session: session.key, error: messageOf(error) });
      return { prose: "", problem: redact(messageOf(error)) };
    } finally {
      stop.release();
    }
  };
}
