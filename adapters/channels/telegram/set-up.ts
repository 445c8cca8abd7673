import { ChannelSendError } from "../../../kit.ts";
import { type BotApi, isRecord, sendError } from "./bot-api.ts";
import { ALLOWED_UPDATES } from "./update.ts";

/** The values of the option `receive`. */
export type ReceiveWay = "auto" | "poll" | "webhook";

/** How long a bot whose messages go to a webhook waits before it checks that again. */
const LOOK_AGAIN_MS = 3_600_000;

/**
 * Registers the webhook of this address. If no address is known, a registered webhook keeps a bot from polling: `poll`
 * removes it, `auto` keeps and reports it, since someone set it. Updates that wait at Telegram stay there.
 *
 * @returns What was changed.
 * @throws {ChannelSendError} Not retryable when Telegram refuses the token or the address.
 */
export async function setUpTelegram(
  api: BotApi,
  options: { webhookUrl: string | undefined; secret: string | undefined; way: ReceiveWay; signal: AbortSignal },
): Promise<readonly string[]> {
  const { webhookUrl, secret, way, signal } = options;
  if (webhookUrl === undefined && way === "webhook") return []; // people register it themselves
  const known = await call("getWebhookInfo", {});
  const info = isRecord(known) ? known : {};
  const url = typeof info["url"] === "string" ? info["url"] : "";

  if (webhookUrl === undefined) {
    if (url === "") return [];
    if (way === "auto")
      throw new ChannelSendError(
        `Messages go to the webhook ${url} that is registered at Telegram, so this server does not poll for them: set receive: poll to delete the webhook, or server.public_url to move it to this server`,
        { retryable: true, retryAfterMs: LOOK_AGAIN_MS },
      );
    await call("deleteWebhook", {});
    return [`The webhook ${url} was deleted at Telegram, because this server polls for messages (receive: poll)`];
  }
  if (url === webhookUrl && hasAllowed(info["allowed_updates"]) && !isSecretRefused(info)) return [];
  await call("setWebhook", { url: webhookUrl, secret_token: secret, allowed_updates: ALLOWED_UPDATES });
  return [
    `The webhook ${webhookUrl} was registered at Telegram${url === "" || url === webhookUrl ? "" : `, in place of ${url}`}`,
  ];

  async function call(method: string, payload: object): Promise<unknown> {
    const answer = await api.call(method, payload, { signal });
    if (answer.ok) return answer.result;
    const { message, retryAfterMs } = sendError(method, answer.refusal);
    const isFinal = [400, 401, 403, 404].includes(answer.refusal.status);
    throw new ChannelSendError(message, { retryable: !isFinal, retryAfterMs });
  }
}

function hasAllowed(given: unknown): boolean {
  const allowed = Array.isArray(given) ? given : [];
  return allowed.length === ALLOWED_UPDATES.length && ALLOWED_UPDATES.every((name) => allowed.includes(name));
}

/** Whether webhooks were answered with 401. Telegram does not show the secret that it uses. */
function isSecretRefused({
  last_error_message: error,
  pending_update_count: waiting,
}: Record<string, unknown>): boolean {
  return typeof error === "string" && error.includes("401") && typeof waiting === "number" && waiting > 0;
}
