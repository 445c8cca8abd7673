import { ChannelSendError, messageOf } from "../../../mod.ts";

/** Why Telegram refused a call. */
export interface Refusal {
  readonly status: number;
  readonly description: string;
  readonly retryAfterMs?: number;
  /** The group became a supergroup, which has another id. */
  readonly movedTo?: string;
}

export type BotApiAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly refusal: Refusal };

export interface BotApi {
  /** Calls one method, once. Contract: throws `ChannelSendError`, retryable, when Telegram did not answer; the token is in no message. */
  call(
    method: string,
    payload: object,
    options: { signal: AbortSignal; idempotencyKey?: string | undefined },
  ): Promise<BotApiAnswer>;
}

/** Methods of the Bot API over `fetch`. Source: https://core.telegram.org/bots/api#making-requests. */
export function createBotApi(options: { token: string; apiBase: string; fetch: typeof globalThis.fetch }): BotApi {
  const { token, apiBase, fetch } = options;
  // Runtimes put the URL, and with it the token, into the messages of network errors.
  const withoutToken = (text: string) =>
    text.replaceAll(token, "<token>").replaceAll(encodeURIComponent(token), "<token>");

  return {
    async call(method, payload, { signal, idempotencyKey }) {
      let response: Response;
      let body: unknown;
      try {
        response = await fetch(`${apiBase}/bot${token}/${method}`, {
          method: "POST",
          headers: {
            "content-type": "application/json",
            ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
          },
          body: JSON.stringify(payload),
          redirect: "manual",
          signal,
        });
        body = await response.json().catch(() => null);
      } catch (error) {
        throw new ChannelSendError(`Telegram did not answer ${method}: ${withoutToken(messageOf(error))}`, {
          retryable: true,
        });
      }
      if (isRecord(body) && body["ok"] === true) return { ok: true, result: body["result"] };
      return { ok: false, refusal: readRefusal(response, isRecord(body) ? body : {}, withoutToken) };
    },
  };
}

function readRefusal(
  response: Response,
  body: Record<string, unknown>,
  withoutToken: (text: string) => string,
): Refusal {
  const parameters = isRecord(body["parameters"]) ? body["parameters"] : {};
  const seconds = Number(parameters["retry_after"] ?? response.headers.get("retry-after") ?? Number.NaN);
  const movedTo = parameters["migrate_to_chat_id"];
  const description =
    typeof body["description"] === "string" ? withoutToken(body["description"]) : `answered ${response.status}`;
  return {
    status: typeof body["error_code"] === "number" ? body["error_code"] : response.status,
    description,
    ...(Number.isFinite(seconds) && seconds >= 0 && { retryAfterMs: seconds * 1000 }),
    ...((typeof movedTo === "number" || typeof movedTo === "string") && { movedTo: String(movedTo) }),
  };
}

/** The refusal as the outbox understands it. A wrong token (401, 404) can be mended, so the message waits for that. */
export function sendError(method: string, { status, description, retryAfterMs }: Refusal): ChannelSendError {
  const retryable = status !== 400 && status !== 403;
  return new ChannelSendError(`Telegram refused ${method} (${status}): ${description}`, { retryable, retryAfterMs });
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
