import type { Channel, Target } from "../channel.ts";
import { DEFAULT_ACCOUNT } from "../message.ts";
import type { HostMessage } from "../reply.ts";
import type { Notifications } from "./notifications.ts";

export interface HostChannelDeps {
  readonly notifications: Pick<Notifications, "keep">;
  /** Queues a message for a chat. Contract: resolved = durable; the same id is queued once. */
  enqueue(target: Target, entry: { readonly message: Pick<HostMessage, "id" | "text" | "buttons"> }): Promise<void>;
  /** The option of the host program. Without it messages are kept until they are read. */
  readonly deliver?: ((message: HostMessage) => Promise<{ readonly id: string | number | bigint } | void>) | undefined;
}

const NAME = "sdk";
/** Begin the ids of late results and of notices; everything else is the reply of a turn. */
const RESULT = "late:";
const NOTICE = "notice:";

/**
 * Says things unasked to users who are reached through the host program: queued and retried like messages to a channel.
 *
 * Source: docs/sessions.md, "What is said unasked".
 */
export function createHostChannel({ notifications, enqueue, deliver }: HostChannelDeps) {
  /** Resolved = durable. The same id is said once. */
  function tell({ id, user, sessionKey, text, buttons }: Omit<HostMessage, "kind">): Promise<void> {
    return enqueue(targetOf(user, sessionKey), { message: { id, text, ...(buttons && { buttons }) } });
  }

  const channel: Channel = {
    name: NAME,
    access: {},
    limits: { maxTextLength: Number.MAX_SAFE_INTEGER, unit: "chars" },
    async send({ chat: user, thread: sessionKey = "" }, { text, idempotencyKey = "", buttons }) {
      const of = idempotencyKey.replace(/\.\d+$/, "");
      const kind = of.startsWith(RESULT) ? "result" : of.startsWith(NOTICE) ? "notice" : "reply";
      const id = kind === "reply" ? `told:${of}` : of;
      const message: HostMessage = { id, user, sessionKey, kind, text, ...(buttons && { buttons }) };
      // An id of a database may be a number, which logs do not hold as such.
      if (deliver) return { id: String((await deliver(message))?.id ?? id) };
      await notifications.keep(message);
      return { id };
    },
  };

  return { tell, targetOf, channel };
}

/** Where a reply goes that no caller waits for. */
function targetOf(user: string, sessionKey: string): Target {
  return { channel: NAME, account: DEFAULT_ACCOUNT, chat: user, thread: sessionKey };
}
