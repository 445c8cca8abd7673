import type { Target } from "../channel.ts";
import { splitText } from "../outbox/index.ts";

/** Takes the buttons of a sent message away, and says under it what became of what it asked. @returns Whether it reads so now. */
export type TakeButtons = (target: Target, messageId: string, line: string) => Promise<boolean>;

export interface TakeButtonsDeps {
  /** Changes the last part of a sent message, under which its buttons are. Contract: best effort, never throws. */
  editSent(
    target: Target,
    messageId: string,
    change: (text: string, limits: Parameters<typeof splitText>[1]) => string,
  ): Promise<boolean>;
}

/**
 * Contract: best effort, never throws. Nothing is done where the channel edits nothing, the message was not sent yet, or its chat's log was removed since.
 *
 * Source: docs/approvals.md, "What happens".
 */
export function createTakeButtons({ editSent }: TakeButtonsDeps): TakeButtons {
  return (target, messageId, line) =>
    // An edited message is one message: where both do not fit in it, what was asked goes.
    editSent(target, messageId, (text, limits) => {
      const both = `${text}\n\n${line}`;
      return splitText(both, limits).length === 1 ? both : line;
    });
}
