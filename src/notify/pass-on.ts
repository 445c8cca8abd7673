import type { PlacedNotice } from "../attention/index.ts";
import type { NewOffer } from "../buttons/index.ts";
import type { Target } from "../channel.ts";
import { DEFAULT_ACCOUNT } from "../message.ts";
import type { OutboxMessage } from "../outbox/index.ts";
import type { HostMessage } from "../reply.ts";
import { parseUser } from "../session/index.ts";

export interface PassOnDeps {
  readonly channels: { of(target: Pick<Target, "channel" | "account">): unknown };
  /** Contract: resolved = durable; the same id is queued once. */
  enqueue(target: Target, entry: { readonly message: OutboxMessage }): Promise<void>;
  /** Says it to a person whom no channel reaches. Contract: as `enqueue`. */
  tellHost(message: Omit<HostMessage, "kind">): Promise<void>;
  /** Makes the buttons of a question. Contract: made again for the same source, it is the same. */
  offer(offer: NewOffer): Promise<{ readonly buttons: NonNullable<OutboxMessage["buttons"]> }>;
}

/** Says a notice: into the outbox of its chat, or to where people look whom no channel reaches. Contract: resolved = durable; the same id is said once. */
export type PassOn = (notice: PlacedNotice) => Promise<void>;

export function createPassOn({ channels, enqueue, tellHost, offer }: PassOnDeps): PassOn {
  return async function passOn(notice) {
    const { id, type, user, text, sessionKey } = notice;
    const target = targetOf(notice);
    const isReached = channels.of(target) !== undefined;
    // What a late result is can be seen by its id.
    const toldId = isReached || type === "late" ? id : `notice:${id}`;
    const buttons = notice.offer
      ? (
          await offer({
            ...notice.offer,
            source: id,
            people: [user],
            session: sessionKey,
            shown: { target, messageId: toldId },
          })
        ).buttons
      : notice.buttons;
    if (isReached) await enqueue(target, { message: { id, text, ...(buttons && { buttons }) } });
    else await tellHost({ id: toldId, user, text, sessionKey });
  };
}

function targetOf({ user, channel, account = DEFAULT_ACCOUNT, chat, thread, replyTo }: PlacedNotice): Target {
  return {
    channel,
    account,
    chat: chat ?? parseUser(user).id,
    ...(thread !== undefined && { thread }),
    ...(replyTo !== undefined && { replyTo }),
  };
}
