import type { Channel, OutboundMessage, Target } from "../channel.ts";
import type { Clock } from "../clock.ts";
import { messageOf } from "../errors.ts";
import { type Outbox, type OutboxAddress, type PartMark, splitText } from "../outbox/index.ts";
import type { Audit, Logger, Metrics, Redactor } from "../telemetry/index.ts";
import { MAX_SLEEP_MS, createPacer } from "./pacing.ts";
import * as rules from "./retry.ts";
import { withinTime } from "./within-time.ts";

/** A reply or a message to send, independent of where its state is stored. */
export interface Shipment {
  /** Id of the turn or the message, which is the prefix of its parts' idempotency keys. */
  readonly id: string;
  readonly session?: string;
  readonly target: Target;
  readonly parts: readonly string[];
  /** Buttons under the last part. */
  readonly buttons?: OutboundMessage["buttons"];
  /** When it was written. */
  readonly writtenMs: number;
  /** When it was first tried. */
  readonly sinceMs: number;
  readonly marks: readonly PartMark[];
  readonly inReplyTo?: string;
  mark(mark: Omit<PartMark, "at">): Promise<void>;
}

/** Next time to handle a chat, in milliseconds since the epoch; `undefined`: the entry is finished. */
export type ComeBack = number | undefined;

export interface ShippingDeps {
  readonly outbox: Pick<Outbox, "bury">;
  /** Redacts secrets in a channel's error, which is stored with the message. */
  readonly redact: Redactor;
  readonly clock: Clock;
  readonly metrics?: Pick<Metrics, "increment">;
  readonly audit?: Pick<Audit, "write">;
  readonly logger?: Pick<Logger, "warn">;
}

/** Sends shipments to platforms part by part, with rate limits, retries and dead letters. */
export type Shipping = ReturnType<typeof createShipping>;

export function createShipping({ outbox, redact, clock, metrics, audit, logger }: ShippingDeps) {
  const pacer = createPacer(clock);
  /**
   * Parts that the platform accepted but whose mark could not be written. The next run writes the mark and does not
   * send them again.
   */
  const taken = new Map<string, string>();

  /** Sends the open parts in order, until one has to wait. */
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
      // A mark in the future was written before the host's clock was set back.
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

  return { ship };
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
