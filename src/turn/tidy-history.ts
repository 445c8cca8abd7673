import type { ContextOptions } from "../channel.ts";
import type { Clock } from "../clock.ts";
import { DEFAULT_HISTORY_TOKENS } from "../context/index.ts";
import { messageOf } from "../errors.ts";
import { type InRecord, type RunningTurns, type Session, speakerOf } from "../session/index.ts";
import type { Logger } from "../telemetry/index.ts";
import type { Compaction } from "./compaction.ts";
import type { TurnAgent } from "./model-calls.ts";
import { createTurnStop, stoppedByPerson } from "./turn-stop.ts";

export interface TidyHistoryDeps {
  readonly compaction: Pick<Compaction, "compact" | "isDue">;
  readonly running: RunningTurns;
  agentOf(sessionKey: string): TurnAgent;
  contextOptions(message: InRecord): ContextOptions;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * @returns A function that moves turns into the session's summary before they would leave the prompt. It belongs to
 * no turn, so its failures fail no turn.
 */
export function createTidyHistory({ compaction, running, agentOf, contextOptions, clock, logger }: TidyHistoryDeps) {
  return async function tidyHistory(
    session: Session,
    message: InRecord | undefined,
    engineSignal: AbortSignal,
  ): Promise<void> {
    if (!message || session.open) return;
    const { historyTokens = DEFAULT_HISTORY_TOKENS, excludeTools = [] } = contextOptions(message);
    if (!compaction.isDue(session, historyTokens)) return;
    const stop = createTurnStop(clock, engineSignal);
    // The people who wait can stop it, as they can stop the next turn.
    const leave = running.begin(session.key, {
      beganAt: session.seq,
      users: () => session.waiting.map(({ user }) => user),
      stop: (reason = stoppedByPerson()) => stop.abort(reason),
      interrupt() {},
    });
    try {
      const agent = agentOf(session.key);
      const asking = {
        id: `compaction of ${session.key}`,
        session,
        agent,
        speaker: speakerOf(message, session.key, agent.id),
        excludedTools: excludeTools,
        signal: stop.signal,
      };
      await compaction.compact(asking, { reason: "history", budgetTokens: historyTokens });
    } catch (error) {
      engineSignal.throwIfAborted();
      logger.warn("A conversation could not be put into a summary", { session: session.key, error: messageOf(error) });
    } finally {
      leave();
      stop.release();
    }
  };
}
