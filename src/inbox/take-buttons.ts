import type { Target } from "../channel.ts";
import type { Channels } from "../channels.ts";
import type { Clock } from "../clock.ts";
import { messageOf } from "../errors.ts";
import { type Outbox, splitText } from "../outbox/index.ts";
import type { Logger } from "../telemetry/index.ts";
import { startDeadline } from "../time-limit.ts";

/** How long the platform may take, in milliseconds. */
const EDIT_MS = 10_000;

export interface TakeButtonsDeps {
  readonly outbox: Pick<Outbox, "find">;
  readonly channels: Pick<Channels, "of">;
  readonly clock: Clock;
  readonly logger: Pick<Logger, "warn">;
}

/** Takes the buttons of a sent message away, and says under it what became of what it asked. */
export type TakeButtons = (target: Target, messageId: string, line: string) => Promise<void>;

/**
 * Contract: best effort, never throws. Nothing is done where the channel edits nothing, the message was not sent yet, or its chat's log was removed since.
 *
 * Source: docs/approvals.md, "What happens".
 */
export function createTakeButtons({ outbox, channels, clock, logger }: TakeButtonsDeps): TakeButtons {
  return async (target, messageId, line) => {
    const channel = channels.of(target);
    if (!channel?.edit) return;
    const deadline = startDeadline(clock, EDIT_MS, () => new Error(`No answer within ${EDIT_MS} ms`));
    try {
      const message = await outbox.find(target, messageId);
      if (!message) return;
      const { maxTextLength: maxLength, unit } = channel.limits;
      const parts = splitText(message.text, { maxLength, unit });
      // The buttons stand under the last part.
      const last = parts.length - 1;
      const platformId = message.marks.findLast(
        ({ part, delivery }) => part === last && delivery === "sent",
      )?.platformId;
      if (platformId === undefined) return;
      const text = fitting(`${parts[last]}\n\n${line}`, line, { maxLength, unit });
      await deadline.within(channel.edit(target, platformId, { text }, deadline.signal));
    } catch (error) {
      logger.warn("The buttons of an answered request could not be taken away", {
        channel: target.channel,
        error: messageOf(error),
      });
    } finally {
      deadline.end();
    }
  };
}

/** An edited message is one message: where both do not fit in it, what was asked goes. */
function fitting(text: string, line: string, limits: Parameters<typeof splitText>[1]): string {
  return splitText(text, limits).length === 1 ? text : line;
}
