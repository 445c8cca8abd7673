import type { Channel, OutboundMessage, Target } from "../channel.ts";
import type { Clock } from "../clock.ts";
import type { Engine } from "../engine/index.ts";
import { messageOf } from "../errors.ts";
import { DEFAULT_ACCOUNT } from "../message.ts";
import type { Notice } from "../notice.ts";
import { parseOutboxKey, splitText } from "../outbox/index.ts";
import type { Outbox, OutboxAddress, PartMark, QueuedEntry } from "../outbox/index.ts";
import type { MarkRecord, OutRecord } from "../session/index.ts";
import type { Audit, Metrics, Redactor } from "../telemetry/index.ts";
import { MAX_SLEEP_MS, createPacer } from "./pacing.ts";
import * as rules from "./retry.ts";
import { withinTime } from "./within-time.ts";

/** What delivery needs of the sessions. */
export interface DeliverySessions {
  /** The reply of a turn with its marks; `null` when it is not there (yet, or any more). */
  findOut(
    sessionKey: string,
    turn: string,
  ): Promise<{ readonly seq: number; readonly record: OutRecord; readonly marks: readonly MarkRecord[] } | null>;
  /** Contract: written at once, but not waited for to be flushed. */
  mark(sessionKey: string, mark: Omit<MarkRecord, "v" | "at" | "type">): Promise<void>;
}

export interface DeliveryParts {
  readonly outbox: Outbox;
  readonly sessions: DeliverySessions;
  readonly channels: readonly Channel[];
  readonly clock: Clock;
  readonly engine: Pick<Engine, "wake">;
  readonly metrics?: Pick<Metrics, "increment">;
  readonly audit?: Pick<Audit, "write">;
  /**
   * Decides again on what nobody asked for and a restart left unsent. Contract: may be asked again for the same; `true`: it waits elsewhere now, and is not sent.
   * Default: it is sent.
   */
  holdAgain?(notice: Notice): Promise<boolean>;
  /** Takes secrets out of what a channel says of its failures: it is kept with the message. */
  readonly redact: Redactor;
  readonly logger?: { warn(message: string, fields?: Readonly<Record<string, unknown>>): void };
}

export interface Delivery {
  /**
   * The handler of `outbox:` keys: sends what waits for one chat, in order. Contract: reads everything from the log, so that it may run again at any time;
   * throws what the store throws, and the signal's reason. A part is sent again only when its mark was not written: at most the one that a crash interrupted.
   */
  handle(key: string, signal: AbortSignal): Promise<void>;
}

/** A reply or a message on its way, wherever its state is kept. */
interface Shipment {
  /** The turn or the message; its parts' idempotency keys begin with it. */
  readonly id: string;
  readonly session?: string;
  readonly target: Target;
  readonly parts: readonly string[];
  /** Under the last part. */
  readonly buttons?: OutboundMessage["buttons"];
  /** When it was written. */
  readonly writtenMs: number;
  /** Since when it is tried. */
  readonly sinceMs: number;
  readonly marks: readonly PartMark[];
  readonly inReplyTo?: string;
  mark(mark: Omit<PartMark, "at">): Promise<void>;
}

/** When to come back to a chat, in milliseconds since the epoch; `undefined`: there is nothing more to do for the entry. */
type ComeBack = number | undefined;

export function createDelivery(parts: DeliveryParts): Delivery {
  const { outbox, sessions, channels, clock, engine, metrics, audit, redact, logger, holdAgain } = parts;
  const startedAt = clock.now();
  const pacer = createPacer(clock);
  /** Parts that the platform took but whose mark could not be written: marked, not sent, when the handler comes back. */
  const taken = new Map<string, string>();
  /** Chats whose first message waits for its next try: until when, and since when (a clock that is set back ends the wait). */
  const blocked = new Map<string, { readonly at: number; readonly since: number }>();

  async function handle(key: string, signal: AbortSignal): Promise<void> {
    const address = parseOutboxKey(key);
    if (address === null) {
      logger?.warn("Not the key of an outbox", { key });
      return;
    }
    // While the first message of a chat waits for its next try, the ones behind it need not be looked at.
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

  /** Of what waited through a restart: it may be night by now. */
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
    if (shipment !== null) return ship(shipment, channel, address, signal);

    // A pointer and its reply are written side by side: for a moment there may be only the pointer.
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

  /** Sends the parts that are neither sent nor given up, in order, until one has to wait. */
  async function ship(
    shipment: Shipment,
    channel: Channel,
    address: OutboxAddress,
    signal: AbortSignal,
  ): Promise<ComeBack> {
    const states = newestMarks(shipment.marks);
    let sentBeforeMs: number | undefined;
    for (const part of shipment.parts.keys()) {
      const state = states.get(part);
      if (state?.delivery === "sent") sentBeforeMs = state.at;
      if (state?.delivery === "sent" || state?.delivery === "dead") continue;
      const nowMs = clock.now();
      // A mark of the future was written before the host's clock was set back.
      if (state?.nextAt !== undefined && state.nextAt > nowMs && state.at <= nowMs) return state.nextAt;

      const { waitMs } = pacer.reserve(`${address.channel}\n${address.account}`, address.chat, channel.limits);
      if (waitMs > MAX_SLEEP_MS) return nowMs + waitMs;
      if (waitMs > 0) await clock.sleep(waitMs, signal);

      const isLate = state === undefined && nowMs - shipment.writtenMs > rules.LATE_AFTER_MS;
      const wasToldLate = sentBeforeMs !== undefined && nowMs - sentBeforeMs <= rules.LATE_AFTER_MS;
      const comeBackAt = await tryPart(shipment, part, {
        channel,
        tries: state?.attempt ?? 0,
        isLate: isLate && !wasToldLate,
        signal,
      });
      if (comeBackAt !== undefined) return comeBackAt;
      sentBeforeMs = clock.now();
    }
    return undefined;
  }

  async function tryPart(
    shipment: Shipment,
    part: number,
    { channel, tries, isLate, signal }: { channel: Channel; tries: number; isLate: boolean; signal: AbortSignal },
  ): Promise<ComeBack> {
    const key = `${shipment.id}.${part}`;
    const labels = { channel: channel.name };
    try {
      const platformId = taken.get(key) ?? (await send(shipment, part, channel, isLate, signal));
      taken.set(key, platformId);
      metrics?.increment("outbox.delivery_total", { ...labels, outcome: "sent" });
      await shipment.mark({ part, delivery: "sent", platformId, attempt: tries + 1 });
      taken.delete(key);
      return undefined;
    } catch (error) {
      if (taken.has(key)) throw error; // the store's failure, not the platform's
      if (signal.aborted) throw error;
      const nowMs = clock.now();
      const verdict = rules.decideRetry(error, { tries, sinceMs: shipment.sinceMs, nowMs });
      const reason = redact(messageOf(error));
      if (verdict.delivery === "pending") {
        metrics?.increment("outbox.delivery_total", { ...labels, outcome: "retry" });
        await shipment.mark({ part, ...verdict, error: reason });
        return verdict.nextAt;
      }
      metrics?.increment("outbox.delivery_total", { ...labels, outcome: "dead" });
      logger?.warn("A message was given up", { ...labels, id: key, error: reason });
      audit?.write({
        who: "runtime",
        what: "delivery.dead",
        target: `${shipment.target.channel}:${shipment.target.chat}`,
        verdict: "failed",
        reason,
      });
      await bury(shipment, part, verdict.attempt, reason);
      await shipment.mark({ part, ...verdict, error: reason });
      return undefined;
    }
  }

  async function bury(shipment: Shipment, part: number, attempts: number, error: string): Promise<void> {
    const { id, target, session, writtenMs } = shipment;
    const text = shipment.parts[part] ?? "";
    await outbox.bury({
      at: clock.now(),
      writtenAt: writtenMs,
      target,
      id,
      ...(session !== undefined && { session }),
      part,
      text,
      error,
      attempts,
    });
  }

  async function send(
    shipment: Shipment,
    part: number,
    channel: Channel,
    isLate: boolean,
    signal: AbortSignal,
  ): Promise<string> {
    const { id, target, parts, inReplyTo, buttons } = shipment;
    const text = parts[part] ?? "";
    const idempotencyKey = `${id}.${part}`;
    const message: OutboundMessage = {
      text,
      idempotencyKey,
      ...(inReplyTo !== undefined && { inReplyTo }),
      ...(buttons && part === parts.length - 1 && { buttons }),
    };
    return withinTime(clock, signal, async (within) => {
      if (!isLate) return (await channel.send(target, message, within)).id;
      const line = lateLine(shipment.writtenMs);
      const whole = `${line}\n\n${text}`;
      if (fits(whole, channel)) return (await channel.send(target, { ...message, text: whole }, within)).id;
      const { buttons: _, ...plain } = message;
      await channel.send(target, { ...plain, text: line, idempotencyKey: `${idempotencyKey}.late` }, within);
      return (await channel.send(target, message, within)).id;
    });
  }

  return { handle };
}

function newestMarks(marks: readonly PartMark[]): Map<number, PartMark> {
  return new Map(marks.map((mark) => [mark.part, mark]));
}

function fits(text: string, { limits }: Channel): boolean {
  return splitText(text, { maxLength: limits.maxTextLength, unit: limits.unit }).length <= 1;
}

function lateLine(writtenMs: number): string {
  return `(late: written ${new Date(writtenMs).toISOString().slice(0, 16).replace("T", " ")} UTC)`;
}

/** The platform's own event id: a session knows it as `<channel>:<account>:<event id>`. */
function platformIdOf(messageId: string | undefined, { channel, account }: OutboxAddress): string | undefined {
  const prefix = `${channel}:${account}:`;
  return messageId?.startsWith(prefix) ? messageId.slice(prefix.length) : messageId;
}
