import type { Channel } from "../channel.ts";
import type { Clock } from "../clock.ts";
import type { Engine } from "../engine/index.ts";
import { DEFAULT_ACCOUNT } from "../message.ts";
import type { Notice } from "../notice.ts";
import { parseOutboxKey, splitText } from "../outbox/index.ts";
import type { Outbox, OutboxAddress, QueuedEntry } from "../outbox/index.ts";
import type { MarkRecord, OutRecord } from "../session/index.ts";
import type { Audit } from "../telemetry/index.ts";
import * as rules from "./retry.ts";
import type { ComeBack, Shipment, Shipping } from "./shipping.ts";

/** The part of sessions that delivery uses. */
export interface DeliverySessions {
  /** The reply of a turn with its marks; `null` when it does not exist (yet, or any more). */
  findOut(
    sessionKey: string,
    turn: string,
  ): Promise<{ readonly seq: number; readonly record: OutRecord; readonly marks: readonly MarkRecord[] } | null>;
  /** Contract: written at once, without waiting for a flush. */
  mark(sessionKey: string, mark: Omit<MarkRecord, "v" | "at" | "type">): Promise<void>;
}

export interface DeliveryParts {
  readonly outbox: Outbox;
  readonly sessions: DeliverySessions;
  readonly channels: readonly Channel[];
  readonly shipping: Shipping;
  readonly engine: Pick<Engine, "wake">;
  readonly clock: Clock;
  readonly audit?: Pick<Audit, "write">;
  /**
   * Decides again on an unrequested notice that a restart left unsent. Contract: may be called again for the same
   * notice; `true`: it is held elsewhere now, and is not sent. Default: it is sent.
   */
  holdAgain?(notice: Notice): Promise<boolean>;
  readonly logger?: { warn(message: string, fields?: Readonly<Record<string, unknown>>): void };
}

export interface Delivery {
  /**
   * The handler of `outbox:` keys: sends the queued messages of one chat, in order. Contract: reads everything from the
   * log, so that it may run again at any time; throws what the store throws, and the signal's reason.
   * A part is sent again only if its mark was not written: at most the one that a crash interrupted.
   */
  handle(key: string, signal: AbortSignal): Promise<void>;
}

export function createDelivery(parts: DeliveryParts): Delivery {
  const { outbox, sessions, channels, shipping, engine, clock, audit, holdAgain, logger } = parts;
  const startedAt = clock.now();
  /**
   * Chats whose first message waits for its next try: until when, and since when. A clock that is set back ends the
   * wait.
   */
  const blocked = new Map<string, { readonly at: number; readonly since: number }>();

  async function handle(key: string, signal: AbortSignal): Promise<void> {
    const address = parseOutboxKey(key);
    if (address === null) {
      logger?.warn("Not the key of an outbox", { key });
      return;
    }
    // While the first message of a chat waits for its next try, the others need no look.
    const blockedUntil = blocked.get(key);
    blocked.delete(key);
    if (blockedUntil !== undefined && clock.now() < blockedUntil.at && clock.now() >= blockedUntil.since) {
      return comeBack(key, blockedUntil.at, blockedUntil.since);
    }
    for (const entry of await outbox.pending(address)) {
      signal.throwIfAborted();
      if (await isHeldAgain(entry)) {
        await outbox.settle(address, entry);
        continue;
      }
      const comeBackAt = await deliver(address, entry, signal);
      if (comeBackAt !== undefined) return comeBack(key, comeBackAt, clock.now());
      await outbox.settle(address, entry);
    }
  }

  /** For notices that waited through a restart: it may be night now. */
  async function isHeldAgain(entry: QueuedEntry): Promise<boolean> {
    if (entry.type !== "message" || !entry.unasked || !holdAgain) return false;
    if (entry.at >= startedAt || entry.marks.length > 0) return false;
    return holdAgain({ ...entry.unasked, text: entry.text });
  }

  function comeBack(key: string, at: number, since: number): Promise<void> {
    blocked.set(key, { at, since });
    return engine.wake(key, new Date(at));
  }

  async function deliver(address: OutboxAddress, entry: QueuedEntry, signal: AbortSignal): Promise<ComeBack> {
    const channel = channels.find(
      ({ name, access }) => name === address.channel && (access.account ?? DEFAULT_ACCOUNT) === address.account,
    );
    if (channel === undefined) {
      logger?.warn("A message waits for a channel that is not configured", {
        channel: address.channel,
        account: address.account,
      });
      return clock.now() + rules.NO_CHANNEL_RECHECK_MS;
    }
    const shipment =
      entry.type === "reply" ? await replyShipment(entry, address) : messageShipment(entry, address, channel);
    if (shipment !== null) return shipping.ship(shipment, channel, address, signal);

    // A pointer and its reply are written in parallel: for a moment only the pointer may exist.
    const ageMs = Math.abs(clock.now() - entry.at);
    if (ageMs < rules.NOT_YET_PATIENCE_MS) return clock.now() + rules.NOT_YET_RECHECK_MS;
    const { session = "", turn = "" } = entry.type === "reply" ? entry : {};
    logger?.warn("A queued reply is not in its session", { session, turn });
    audit?.write({
      who: "runtime",
      what: "delivery.skip",
      target: session,
      verdict: "failed",
      reason: `The reply of turn ${turn} is not in its session`,
    });
    return undefined;
  }

  async function replyShipment(
    entry: QueuedEntry & { type: "reply" },
    address: OutboxAddress,
  ): Promise<Shipment | null> {
    const found = await sessions.findOut(entry.session, entry.turn);
    if (found === null) return null;
    const { seq, record, marks } = found;
    const inReplyTo = platformIdOf(record.of.at(-1), address);
    return {
      id: record.turn,
      session: entry.session,
      target: record.target ?? address,
      parts: record.parts,
      writtenMs: record.at,
      sinceMs: record.at,
      marks,
      ...(inReplyTo !== undefined && { inReplyTo }),
      mark: (mark) => sessions.mark(entry.session, { of: seq, ...mark }),
    };
  }

  function messageShipment(
    entry: QueuedEntry & { type: "message" },
    address: OutboxAddress,
    channel: Channel,
  ): Shipment {
    const { maxTextLength: maxLength, unit } = channel.limits;
    return {
      id: entry.id,
      target: entry.target,
      parts: splitText(entry.text, { maxLength, unit }),
      ...(entry.buttons && { buttons: entry.buttons }),
      writtenMs: entry.writtenAt ?? entry.at,
      sinceMs: entry.at,
      marks: entry.marks,
      mark: (mark) => outbox.mark(address, entry.seq, mark),
    };
  }

  return { handle };
}

/** The platform's own event id. Sessions store it as `<channel>:<account>:<event id>`. */
function platformIdOf(messageId: string | undefined, { channel, account }: OutboxAddress): string | undefined {
  const prefix = `${channel}:${account}:`;
  return messageId?.startsWith(prefix) ? messageId.slice(prefix.length) : messageId;
}
