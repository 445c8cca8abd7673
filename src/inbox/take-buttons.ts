import type { Target } from "../channel.ts";
import { splitText } from "../outbox/index.ts";

/**
 * Removes the buttons of a sent message and writes below it what became of the question.
 * @returns Whether the message was changed.
 */
export type TakeButtons = (target: Target, messageId: string, line: string) => Promise<boolean>;

export interface TakeButtonsDeps {
  /** Edits the last part of a sent message, which has the buttons. Contract: best effort, never throws. */
  editSent(
    target: Target,
    messageId: string,
    change: (text: string, limits: Parameters<typeof splitText>[1]) => string,
  ): Promise<boolean>;
}

/**
 * Contract: best effort, never throws. Does nothing if the channel cannot edit, the message was not sent yet, or
 * the chat's log was removed since.
 *
 * Source: docs/approvals.md, "What happens".
 */
export function createTakeButtons({ editSent }: TakeButtonsDeps): TakeButtons {
  return (target, messageId, line) =>
    // An edit cannot split a message: if both texts do not fit, the question is dropped.
    editSent(target, messageId, (text, limits) => {
      const both = `${text}\n\n${line}`;
      return splitText(both, limits).length === 1 ? both : line;
    });
}
