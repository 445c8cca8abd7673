import { type Target, sendFailure } from "../channel.ts";
import type { Channels } from "../channels.ts";
import { type Clock, after } from "../clock.ts";
import { messageOf } from "../errors.ts";
import { type Outbox, type SplitOptions, splitText } from "../outbox/index.ts";
import { createTurns } from "../store/index.ts";
import type { Logger } from "../telemetry/index.ts";
import { startDeadline } from "../time-limit.ts";
import { MIN_RETRY_AFTER_MS } from "./retry.ts";

/** Most milliseconds that the platform may take. */
const EDIT_MS = 10_000;
/** Most tries of an edit that the platform postpones. */
const MAX_TRIES = 5;

export interface EditSentDeps {
  readonly outbox: Pick<Outbox, "find">;
  readonly channels: Pick<Channels, "of">;
  readonly clock: Clock;
  readonly logger: Pick<Logger, "warn">;
}

/**
 * Edits the last part of a sent message, which is where its buttons are.
 * @param change Returns the new text from the sent one, within the channel's limits.
 * @returns Whether the message shows the new text. False if the channel cannot edit, the message was not sent yet, or
 * its chat's log was removed.
 * Also false if the platform postpones the edit: it is then tried again at that time, with a new call of `change`,
 * unless a newer edit came.
 */
export type EditSent = (
  target: Target,
  messageId: string,
  change: (text: string, limits: SplitOptions) => string,
) => Promise<boolean>;

/** Contract of the result: best effort, never throws. Buttons under the message are removed. */
export function createEditSent({ outbox, channels, clock, logger }: EditSentDeps): EditSent {
  /** One edit of a message at a time: a platform may finish an earlier one later. */
  const inTurn = createTurns();
  /** The newest edit of each message. */
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

    /** @returns Whether the message shows the new text, or the milliseconds until the next try. */
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
