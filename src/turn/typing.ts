import type { Channel, Target } from "../channel.ts";
import { type Clock, after } from "../clock.ts";
import type { Logger } from "../telemetry/index.ts";

/** A person sees that an answer is being written when a turn takes longer than this, in milliseconds, and again while it goes on. */
const FIRST_AFTER_MS = 1500;
const AGAIN_AFTER_MS = 5000;

export interface TypingDeps {
  channel(target: Pick<Target, "channel" | "account">): Channel | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** @returns What shows in a chat that an answer is being written. It gives back what ends that. */
export function createTyping({ channel, clock, logger }: TypingDeps) {
  return function show(target: Target | undefined, signal: AbortSignal): () => void {
    const platform = target && channel(target);
    if (!target || !platform?.startTyping) return () => {};
    let cancel = after(clock, FIRST_AFTER_MS, showOnce);

    function showOnce(): void {
      if (!target) return;
      platform
        ?.startTyping?.(target, signal)
        .catch((error: unknown) => logger.debug("Could not show typing", { error: String(error) }));
      cancel = after(clock, AGAIN_AFTER_MS, showOnce);
    }
    return () => cancel();
  };
}
