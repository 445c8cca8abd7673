import type { Target } from "../channel.ts";
import type { Channels } from "../channels.ts";
import type { Clock } from "../clock.ts";
import { messageOf } from "../errors.ts";
import { type Outbox, type SplitOptions, splitText } from "../outbox/index.ts";
import type { Logger } from "../telemetry/index.ts";
import { startDeadline } from "../time-limit.ts";

/** How long the platform may take, in milliseconds. */
const EDIT_MS = 10_000;

export interface EditSentDeps {
  readonly outbox: Pick<Outbox, "find">;
  readonly channels: Pick<Channels, "of">;
  readonly clock: Clock;
  readonly logger: Pick<Logger, "warn">;
}

/**
 * Changes the last part of a message that was sent, where its buttons are.
 * @param change The new text, from the one that was sent, within the channel's limits.
 * @returns Whether it reads so now. False where the channel edits nothing, it was not sent yet, or its chat's log was removed since.
 */
export type EditSent = (
  target: Target,
  messageId: string,
  change: (text: string, limits: SplitOptions) => string,
) => Promise<boolean>;

/** Contract of what it makes: best effort, never throws. Buttons under the message go. */
export function createEditSent({ outbox, channels, clock, logger }: EditSentDeps): EditSent {
  return async (target, messageId, change) => {
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
      logger.warn("A sent message could not be changed, nor buttons under it taken away", {
        channel: target.channel,
        error: messageOf(error),
      });
      return false;
    } finally {
      deadline.end();
    }
  };
}
