import { type SpokenText, turnMessages } from "../context/index.ts";
import type { Clock } from "../clock.ts";
import type { EventBus } from "../events/index.ts";
import type { CompactRecord, LoggedTurn } from "../session/index.ts";
import type { Logger } from "../telemetry/index.ts";
import { withTimeout } from "../time-limit.ts";
import type { Asking } from "./turn-at-work.ts";

export interface FlushDeps {
  readonly events: EventBus;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Runs the silent turn in which the model may write to the memory. */
  flushTurn(asking: Asking, leaving: Leaving): Promise<void>;
}

/** Turns that leave the prompt. */
export interface Leaving {
  readonly turns: readonly LoggedTurn[];
  readonly spoken: readonly SpokenText[];
  /** Most tokens of them that a model is shown. */
  readonly transcriptTokens: number;
}

/** Time limit for listeners of `context.compact`, in milliseconds. */
const LISTENERS_MS = 10_000;

/** @returns A function that lets listeners, and then the model, save what matters before turns leave the prompt. */
export function createFlush({ events, clock, logger, flushTurn }: FlushDeps) {
  async function publish(
    { session, speaker, signal }: Asking,
    turns: readonly LoggedTurn[],
    range: CompactRecord["range"],
  ): Promise<void> {
    if (!events.has("context.compact")) return;
    const { user, channel, peer, roles, account } = speaker;
    const messages = turns.flatMap((turn) => turnMessages(turn));
    const payload = { messages, range, userId: user, channel, peer, roles, account };
    const heard = events
      .publish({ type: "context.compact", sessionId: session.key, timestamp: clock.now(), payload })
      .then(() => true);
    const inTime = await withTimeout(clock, LISTENERS_MS, heard, () => false, signal);
    if (!inTime)
      logger.warn("Listeners of context.compact took too long and were not waited for", { session: session.key });
  }

  /** @param withModel False: only listeners. */
  return async function flush(
    asking: Asking,
    leaving: Leaving,
    { range, withModel }: { readonly range: CompactRecord["range"]; readonly withModel: boolean },
  ): Promise<void> {
    await publish(asking, leaving.turns, range);
    if (withModel) await flushTurn(asking, leaving);
  };
}
