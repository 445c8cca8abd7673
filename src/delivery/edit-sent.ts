import { type Target, sendFailure } from "../channel.ts";
import type { Channels } from "../channels.ts";
import { type Clock, after } from "../clock.ts";
import { messageOf } from "../errors.ts";
import { type Outbox, type SplitOptions, splitText } from "../outbox/index.ts";
import { createTurns } from "../store/index.ts";
import type { Logger } from "../telemetry/index.ts";
import { startDeadline } from "../time-limit.ts";
import { MIN_RETRY_AFTER_MS } from "./retry.ts";

/** How long the platform may take, in milliseconds. */
const EDIT_MS = 10_000;
/** A change that the platform puts off is tried so often in all. */
const MAX_TRIES = 5;

export interface EditSentDeps {
  readonly outbox: Pick<Outbox, "find">;
  readonly channels: Pick<Channels, "of">;
  readonly clock: Clock;
  readonly logger: Pick<Logger, "warn">;
}

/**
 * Changes the last part of a message that was sent, where its buttons are.
 * @param change The new text, from the one that was sent, within the channel's limits.
 * @returns Whether it reads so now. False where the channel edits nothing, it was not sent yet, or its chat's log was removed since; also where the platform
 * puts it off: then it is tried again when the platform says, unless the message was to be changed otherwise since, and `change` is asked anew.
 */
export type EditSent = (
  target: Target,
  messageId: string,
  change: (text: string, limits: SplitOptions) => string,
) => Promise<boolean>;

/** Contract of what it makes: best effort, never throws. Buttons under the message go. */
export function createEditSent({ outbox, channels, clock, logger }: EditSentDeps): EditSent {
  /** One change of a message at a time: a platform may finish an earlier one later. */
  const inTurn = createTurns();
  /** By message: the change that it is to have. */
  const newest = new Map<string, Parameters<EditSent>[2]>();

  return (target, messageId, change) => {
    const key = JSON.stringify([target, messageId]);
    newest.set(key, change);
    return tried(1);

    function tried(tries: number): Promise<boolean> {
      return inTurn(key, async () => {
        const outcome = await edited(tries);
        if (typeof outcome === "number") {
          after(clock, outcome, () => void (newest.get(key) === change && tried(tries + 1)), { idle: true });
          return false;
        }
        if (newest.get(key) === change) newest.delete(key);
        return outcome;
      });
    }

    /** @returns Whether it reads so now, or in how many milliseconds to try again. */
    async function edited(tries: number): Promise<boolean | number> {
      const channel = channels.of(target);
      if (!channel?.edit) return false;
      const deadline = startDeadline(clock, EDIT_MS, () => new Error(`No answer within ${EDIT_MS} ms`));
      try {
        const message = await outbox.find(target, messageId);
        if (!message) return false;
        const { maxTextLength: maxLength, unit } = channel.limits;
        const limits = { maxLength, unit };
        const parts = splitText(message.text, limits);
        const last = parts.length - 1;
        const sent = message.marks.findLast(({ part, delivery }) => part === last && delivery === "sent");
        if (sent?.platformId === undefined) return false;
        const text = change(parts[last] ?? "", limits);
        await deadline.within(channel.edit(target, sent.platformId, { text }, deadline.signal));
        return true;
      } catch (error) {
        const { retryable, retryAfterMs } = sendFailure(error);
        if (retryable && retryAfterMs !== undefined && tries < MAX_TRIES)
          return Math.max(retryAfterMs, MIN_RETRY_AFTER_MS);
        logger.warn("A sent message could not be changed, nor buttons under it taken away", {
          channel: target.channel,
          error: messageOf(error),
        });
        return false;
      } finally {
        deadline.end();
      }
    }
  };
}
