import { ChannelSendError, messageOf } from "../../../kit.ts";

/** Why Telegram refused a call. */
export interface Refusal {
  readonly status: number;
  readonly description: string;
  readonly retryAfterMs?: number;
  /** The group became a supergroup, with another id. */
  readonly movedTo?: string;
}

export type BotApiAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly refusal: Refusal };

export interface BotApi {
  /**
   * Calls one method, once. Contract: throws `ChannelSendError`, retryable, when Telegram did not answer; no message
   * contains the token.
   */
  call(
    method: string,
    payload: object,
    options: { signal: AbortSignal; idempotencyKey?: string | undefined },
  ): Promise<BotApiAnswer>;
  /**
   * Downloads a file by the `file_path` that `getFile` returned. Contract: as `call`; an interrupted body fails with a
   * `ChannelSendError`.
   */
  file(
    path: string,
    signal: AbortSignal,
  ): Promise<{ readonly body: ReadableStream<Uint8Array>; readonly mediaType: string }>;
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
    async file(path, signal) {
      const brokenOff = (error: unknown) =>
        new ChannelSendError(`Telegram did not send the file: ${withoutToken(messageOf(error))}`, { retryable: true });
      let response: Response;
      try {
        response = await fetch(`${apiBase}/file/bot${token}/${path}`, { redirect: "manual", signal });
      } catch (error) {
        throw brokenOff(error);
      }
      if (response.status !== 200 || response.body === null) {
        response.body?.cancel().catch(() => {});
        const refusal = readRefusal(response, {}, withoutToken);
        throw new ChannelSendError(`Telegram ${refusal.description} to the request for a file`, {
          retryable: response.status === 429 || response.status >= 500,
          retryAfterMs: refusal.retryAfterMs,
        });
      }
      const mediaType = response.headers.get("content-type")?.split(";")[0]?.trim() ?? "";
      return { body: failingWith(response.body, brokenOff), mediaType };
    },
  };
}

/** Returns the same bytes, with errors converted by `failure`. */
function failingWith(body: ReadableStream<Uint8Array>, failure: (error: unknown) => Error): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          controller.error(failure(error));
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
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

/** Source: https://core.telegram.org/bots/api#making-requests. */
export function isTokenRefused({ status }: Refusal): boolean {
  return status === 401 || status === 404;
}

/** The refusal as the outbox understands it. A wrong token can be corrected, so the message waits for that. */
export function sendError(method: string, refusal: Refusal): ChannelSendError {
  const { status, description, retryAfterMs } = refusal;
  const retryable = status !== 400 && status !== 403;
  const message = isTokenRefused(refusal)
    ? `Telegram refuses the token (${status}): ${description}; check it with @BotFather`
    : `Telegram refused ${method} (${status}): ${description}`;
  return new ChannelSendError(message, { retryable, retryAfterMs });
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
