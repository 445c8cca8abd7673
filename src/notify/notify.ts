import type { Target } from "../channel.ts";
import { DEFAULT_ACCOUNT } from "../message.ts";
import type { Notice, Notify } from "../notice.ts";
import type { OutboxMessage } from "../outbox/index.ts";
import { parseUser } from "../session/index.ts";
import type { HostMessage } from "../reply.ts";

export interface NotifyDeps {
  readonly channels: { of(target: Pick<Target, "channel" | "account">): unknown };
  /** Contract: resolved = durable; the same id is queued once. */
  enqueue(target: Target, entry: { readonly message: OutboxMessage }): Promise<void>;
  /** Says it to somebody whom no channel reaches. Contract: as `enqueue`. */
  tellHost(message: Omit<HostMessage, "kind">): Promise<void>;
}

/** The one way to say something that nobody waits for. Everything passes: into the outbox of the chat, or to where people look who no channel reaches. */
export function createNotify({ channels, enqueue, tellHost }: NotifyDeps): Notify {
  return async function notify(notice: Notice): Promise<void> {
    const { id, type, user, text, sessionKey } = notice;
    const target = targetOf(notice);
    if (channels.of(target) !== undefined) await enqueue(target, { message: { id, text } });
    // What a late result is can be seen by its id.
    else await tellHost({ id: type === "late" ? id : `notice:${id}`, user, text, sessionKey });
  };
}

function targetOf({ user, channel, account = DEFAULT_ACCOUNT, chat, thread }: Notice): Target {
  const person = parseUser(user);
  return {
    channel: channel ?? person.channel,
    account,
    chat: chat ?? person.id,
    ...(thread !== undefined && { thread }),
  };
}
