import type { Channel, Receipt } from "../channel.ts";
import { MAX_WEBHOOK_BYTES } from "../channel.ts";
import type { Clock } from "../clock.ts";
import { AssistantError, messageOf } from "../errors.ts";
import type { Accepted } from "../inbox/index.ts";
import { DEFAULT_ACCOUNT, type InboundMessage } from "../message.ts";
import type { Audit, Logger, Metrics } from "../telemetry/index.ts";
import { withTimeout } from "../time-limit.ts";
import { BODY_TIMEOUT_MS, refuseLargeBody, withinTime } from "./body.ts";
import { ProblemError } from "./problem.ts";
import { json, type Call, type Method, type PublicRoute } from "./route.ts";
import { AcceptedJson, WebhookReplyJson } from "./wire.ts";

/** How long a webhook that wants its reply in the response stays open, in milliseconds. */
const WEBHOOK_WAIT_MS = 60_000;

/** Maximum rejected webhooks per minute in the audit log. */
const MAX_REJECTIONS_A_MINUTE = 60;

/** Value of `Retry-After` if a message could not be stored, in seconds. */
const REDELIVER_AFTER_SECONDS = 5;

export interface WebhookRoutesDeps {
  readonly channels: readonly Channel[];
  /** Access, route, journal and wake. Resolves once the message is durable. */
  accept(channel: Channel, message: InboundMessage): Promise<Accepted>;
  readonly audit: Pick<Audit, "write">;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export function webhookRoutes(deps: WebhookRoutesDeps): readonly PublicRoute[] {
  const { channels, accept, audit, clock, logger, metrics } = deps;
  let rejections = { minute: 0, lines: 0 };

  function channelOf({ channel: name = "", account = DEFAULT_ACCOUNT }: Call["params"]): Channel {
    const found = channels.find(
      (channel) => channel.name === name && (channel.access.account ?? DEFAULT_ACCOUNT) === account && channel.receive,
    );
    if (found) return found;
    throw new ProblemError(
      "NOT_FOUND",
      `No channel ${JSON.stringify(name)} with the account ${JSON.stringify(account)} accepts webhooks here`,
    );
  }

  async function received(channel: Channel, request: Request): Promise<Receipt> {
    refuseLargeBody(request, MAX_WEBHOOK_BYTES);
    try {
      return await withinTime(channel.receive!(request), clock, BODY_TIMEOUT_MS);
    } catch (error) {
      if (AssistantError.is(error, "CHANNEL_REJECTED")) {
        auditRejection(channel, error.message);
      }
      throw error;
    }
  }

  /** Strangers can send forged webhooks, so the audit log takes a limited number per minute. The metric counts all. */
  function auditRejection(channel: Channel, reason: string): void {
    const minute = Math.floor(clock.now() / 60_000);
    if (rejections.minute !== minute) rejections = { minute, lines: 0 };
    rejections.lines += 1;
    if (rejections.lines > MAX_REJECTIONS_A_MINUTE) return;
    const target = `${channel.name}:${channel.access.account ?? DEFAULT_ACCOUNT}`;
    audit.write({ who: "unknown", what: "webhook.rejected", target, verdict: "refused", reason });
  }

  /** Sequential, so that messages of one delivery keep their order in the log. */
  async function acceptAll(channel: Channel, receipt: Receipt): Promise<Accepted[]> {
    const accepted: Accepted[] = [];
    try {
      for (const message of receipt.messages) accepted.push(await accept(channel, message));
    } catch (error) {
      // Not acknowledged, so the platform delivers everything again. Messages already stored are recognised by id.
      logger.error("A webhook could not be stored", { channel: channel.name, error: messageOf(error) });
      throw new ProblemError("STORE_UNAVAILABLE", "The message could not be stored: deliver it again", {
        retryAfter: REDELIVER_AFTER_SECONDS,
      });
    }
    return accepted;
  }

  async function answer(receipt: Receipt, first: Accepted | undefined): Promise<Response> {
    const message = receipt.messages[0];
    if (!receipt.wait || !message || !first || !("reply" in first)) return receipt.response ?? new Response(null);
    try {
      // Uses a signal that never aborts: aborting would stop the turn, but its reply still goes to the chat.
      const reply = await withTimeout(clock, WEBHOOK_WAIT_MS, first.reply(new AbortController().signal), () => null);
      if (reply) return json({ id: reply.turnId, in_reply_to: message.id, text: reply.text });
    } catch (error) {
      // The message is stored, so it is acknowledged.
      logger.warn("A reply could not be waited for", { channel: message.channel, error: messageOf(error) });
    }
    return json({ turn_id: first.turnId, session_key: first.sessionKey }, 202);
  }

  async function handle({ request, params }: Call): Promise<Response> {
    const startedMs = clock.now();
    const channel = channelOf(params);
    let outcome = "failed";
    try {
      const receipt = await received(channel, request);
      const accepted = await acceptAll(channel, receipt);
      outcome = "accepted";
      metrics.observe("webhook.ack.latency_seconds", (clock.now() - startedMs) / 1000, { channel: channel.name });
      return await answer(receipt, accepted[0]);
    } catch (error) {
      if (AssistantError.is(error, "CHANNEL_REJECTED")) outcome = "rejected";
      throw error;
    } finally {
      metrics.increment("webhook.ack_total", { channel: channel.name, outcome });
    }
  }

  const route = (method: Method, path: string, params: Record<string, string>): PublicRoute => ({
    method,
    path,
    params,
    summary:
      method === "GET"
        ? "Answers the handshake of platforms that verify a webhook by GET"
        : "Receives a messaging platform's events",
    access: "public",
    answers: {
      200: {
        description:
          "The event is stored, or the platform's handshake is answered; with `?wait=true` on the generic webhook, the reply",
        schema: WebhookReplyJson,
        also: "text/plain",
      },
      202: { description: "The event is stored; the reply took longer than a minute", schema: AcceptedJson },
    },
    handle,
  });
  const channel = { channel: "The channel's name, such as `telegram`" };
  const account = { account: "The account of the channel. Default: `default`" };
  return (["POST", "GET"] as const).flatMap((method) => [
    route(method, "/webhooks/:channel", channel),
    route(method, "/webhooks/:channel/:account", { ...channel, ...account }),
  ]);
}
