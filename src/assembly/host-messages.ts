import type { Channel, Target } from "../channel.ts";
import type { Clock } from "../clock.ts";
import { DEFAULT_ACCOUNT } from "../message.ts";
import type { Outbox } from "../outbox/index.ts";
import type { HostMessage } from "../reply.ts";
import { ConflictError } from "../errors.ts";
import { type JsonValue, type Store, storeKey } from "../store/index.ts";

export interface HostMessagesParts {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  readonly outbox: Pick<Outbox, "enqueue">;
  /** The option of the host. Without it messages are kept until they are read. */
  readonly deliver?: ((message: HostMessage) => Promise<{ readonly id: string | number | bigint } | void>) | undefined;
}

/** A message that waits to be read. */
export type KeptMessage = HostMessage & { readonly createdAt: Date };

const FORMAT = 1;
const PREFIX = "notifications/";
const NAME = "sdk";
/** Begins the ids of late results; everything else is the reply of a turn. */
const RESULT = "late:";
/** Of one user; the oldest go when there are more. */
const MOST_KEPT = 100;

/**
 * What the assistant says unasked to people who are reached through the host program: queued and tried like messages to a channel.
 *
 * Source: docs/sessions.md, "What is said unasked".
 */
export function createHostMessages({ store, clock, outbox, deliver }: HostMessagesParts) {
  /** Resolved = durable. The same id is said once. */
  function tell({ id, user, sessionKey, text }: Omit<HostMessage, "kind">): Promise<void> {
    return outbox.enqueue(targetOf(user, sessionKey), { message: { id, text } });
  }

  const channel: Channel = {
    name: NAME,
    access: {},
    limits: { maxTextLength: Number.MAX_SAFE_INTEGER, unit: "chars" },
    async send({ chat: user, thread: sessionKey = "" }, { text, idempotencyKey = "" }) {
      const of = idempotencyKey.replace(/\.\d+$/, "");
      const kind = of.startsWith(RESULT) ? "result" : "reply";
      const id = kind === "result" ? of : `told:${of}`;
      const message: HostMessage = { id, user, sessionKey, kind, text };
      // An id of a database may be a number, which logs do not hold as such.
      if (deliver) return { id: String((await deliver(message))?.id ?? id) };
      await keep(message);
      return { id };
    },
  };

  async function keep(message: HostMessage): Promise<void> {
    const value = { v: FORMAT, ...message, at: clock.now() } as unknown as JsonValue;
    try {
      await store.put(keyOf(message), value, { expect: null });
    } catch (error) {
      if (!ConflictError.is(error)) throw error; // it is kept already
    }
    const kept = await list({ user: message.user });
    for (const old of kept.slice(0, -MOST_KEPT)) await store.remove(keyOf(old));
  }

  /** What waits, oldest first; of one user, or of all. */
  async function list({ user }: { readonly user?: string | undefined } = {}): Promise<readonly KeptMessage[]> {
    const found: KeptMessage[] = [];
    for await (const { key } of store.list(user === undefined ? PREFIX : `${storeKey("notifications", user)}/`)) {
      const value = (await store.get(key))?.value as (HostMessage & { v: number; at: number }) | undefined;
      if (!value) continue;
      const { v: _format, at, ...message } = value;
      found.push({ ...message, createdAt: new Date(at) });
    }
    return found.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
  }

  /** @returns False when there is no such message, of that user. */
  async function remove(id: string, user?: string): Promise<boolean> {
    const found = (await list({ user })).find((message) => message.id === id);
    if (found) await store.remove(keyOf(found));
    return found !== undefined;
  }

  return { tell, targetOf, channel, list, remove };
}

function keyOf({ user, id }: Pick<HostMessage, "user" | "id">): string {
  return storeKey("notifications", user, id);
}

/** Where a reply goes that nobody waits for. */
function targetOf(user: string, sessionKey: string): Target {
  return { channel: NAME, account: DEFAULT_ACCOUNT, chat: user, thread: sessionKey };
}
