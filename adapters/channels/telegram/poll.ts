import type { Clock } from "../../../mod.ts";
import { ChannelSendError, startDeadline } from "../../../kit.ts";
import { type BotApi, type Refusal, isRecord, isTokenRefused, sendError } from "./bot-api.ts";
import { ALLOWED_UPDATES } from "./update.ts";

/** How long Telegram keeps a request open when it has no update. Source: https://core.telegram.org/bots/api#getupdates. */
const POLL_SECONDS = 50;
/** A request without an answer for this long counts as dead. */
const DEAD_AFTER_MS = (POLL_SECONDS + 15) * 1000;

/**
 * Yields the bot's updates, one at a time. The next request confirms an update, so an update that was yielded but not
 * handled comes again.
 *
 * @throws {ChannelSendError} When the connection breaks; not retryable when Telegram refuses the token.
 */
export async function* pollUpdates(
  { api, clock }: { readonly api: BotApi; readonly clock: Pick<Clock, "sleep" | "after"> },
  signal: AbortSignal,
): AsyncGenerator<{ readonly update: unknown; readonly id: number }> {
  let offset: number | undefined;
  while (!signal.aborted) {
    const deadline = startDeadline(
      clock,
      DEAD_AFTER_MS,
      () => new Error(`Telegram did not answer within ${DEAD_AFTER_MS} ms`),
      signal,
    );
    const answer = await api
      .call(
        "getUpdates",
        { ...(offset !== undefined && { offset }), timeout: POLL_SECONDS, allowed_updates: ALLOWED_UPDATES },
        { signal: deadline.signal },
      )
      .finally(deadline.end);
    if (!answer.ok) throw pollError(answer.refusal);
    for (const { update, id } of numbered(answer.result)) {
      if (signal.aborted) return;
      yield { update, id };
      offset = id + 1;
    }
  }
}

function numbered(result: unknown): readonly { readonly update: unknown; readonly id: number }[] {
  const updates = Array.isArray(result) ? (result as readonly unknown[]) : [undefined];
  return updates.map((update) => {
    const id = isRecord(update) ? update["update_id"] : undefined;
    if (typeof id !== "number")
      throw new ChannelSendError("What answered getUpdates is not the Bot API: check apiBase", { retryable: true });
    return { update, id };
  });
}

/** Converts Telegram's refusal to return updates into an error that says what to do. */
function pollError(refusal: Refusal): ChannelSendError {
  const { status, description } = refusal;
  if (isTokenRefused(refusal))
    return new ChannelSendError(sendError("getUpdates", refusal).message, { retryable: false });
  if (status !== 409) return sendError("getUpdates", refusal);
  const why = /webhook/i.test(description)
    ? "a webhook was registered for this bot in the meantime, so its messages go there; remove it with deleteWebhook, or configure server.public_url"
    : "another program polls for the messages of this bot; stop it, or give this assistant its own bot";
  return new ChannelSendError(`Telegram delivers no messages here (409): ${why}. Telegram says: ${description}`, {
    retryable: true,
  });
}
