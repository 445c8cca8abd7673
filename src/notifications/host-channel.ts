import type { Channel, Target } from "../channel.ts";
import { DEFAULT_ACCOUNT } from "../message.ts";
import type { HostMessage } from "../reply.ts";
import type { Notifications } from "./notifications.ts";

export interface HostChannelDeps {
  readonly notifications: Pick<Notifications, "keep">;
  /** Queues a message for a chat. Contract: resolved = durable; the same id is queued once. */
  enqueue(target: Target, entry: { readonly message: Pick<HostMessage, "id" | "text" | "buttons"> }): Promise<void>;
  /** The host program's option. Without it, messages are kept until they are read. */
  readonly deliver?: ((message: HostMessage) => Promise<{ readonly id: string | number | bigint } | void>) | undefined;
}

const NAME = "sdk";
/** Prefixes of the ids of late results and notices; all other messages are replies of turns. */
const RESULT = "late:";
const NOTICE = "notice:";

/**
 * Sends unrequested messages to users of the host program: queued and retried like messages to a channel.
 *
 * Source: docs/sessions.md, "What is said unasked".
 */
export function createHostChannel({ notifications, enqueue, deliver }: HostChannelDeps) {
  /** Queues a message. Resolved = durable. The same id is said once. */
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
      // The id may be a number from a database; marks need a text.
      if (deliver) return { id: String((await deliver(message))?.id ?? id) };
      await notifications.keep(message);
      return { id };
    },
  };

  return { tell, targetOf, channel };
}

/** Target of a reply that no caller waits for. */
function targetOf(user: string, sessionKey: string): Target {
  return { channel: NAME, account: DEFAULT_ACCOUNT, chat: user, thread: sessionKey };
}
