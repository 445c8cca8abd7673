import type { Channel, Target } from "../channel.ts";
import { type Clock, after } from "../clock.ts";
import type { Logger } from "../telemetry/index.ts";

/** Milliseconds until a running turn shows typing in the chat, and between repeats. */
const FIRST_AFTER_MS = 1500;
const AGAIN_AFTER_MS = 5000;

export interface TypingDeps {
  channel(target: Pick<Target, "channel" | "account">): Channel | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** @returns A function that shows typing in a chat. It returns a function that ends this. */
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
