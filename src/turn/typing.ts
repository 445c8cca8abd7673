import { after } from "../clock.ts";
import type { TurnParts, Work } from "./parts.ts";

/** A person sees that an answer is being written when a turn takes longer than this, in milliseconds, and again while it goes on. */
const FIRST_AFTER_MS = 1500;
const AGAIN_AFTER_MS = 5000;

/** @returns A function that ends it. */
export function showTyping({ channel, clock, logger }: TurnParts, { newest, signal }: Work): () => void {
  const { target } = newest;
  const platform = target && channel(target);
  if (!target || !platform?.startTyping) return () => {};
  let cancel = after(clock, FIRST_AFTER_MS, show);

  function show(): void {
    if (!target) return;
    platform
      ?.startTyping?.(target, signal)
      .catch((error: unknown) => logger.debug("Could not show typing", { error: String(error) }));
    cancel = after(clock, AGAIN_AFTER_MS, show);
  }
  return () => cancel();
}
