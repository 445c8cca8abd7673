import * as v from "valibot";
import { AssistantError, systemClock } from "../../../mod.ts";
import {
  ChannelSendError,
  MAX_WEBHOOK_BYTES,
  createHmac,
  messageOf,
  newId,
  parseJsonBody,
  readBody,
  type Channel,
  type InboundMessage,
} from "../../../kit.ts";
import type { Attachment, Clock } from "../../../mod.ts";
import type { OutboundMessage, Receipt, Target, WebhookConfig } from "../../../kit.ts";

/** The channel's settings from the file, and those that only code can give. */
export interface WebhookOptions extends WebhookConfig {
  /** Default: the assistant's, else the global one. */
  readonly fetch?: typeof globalThis.fetch;
  /** Default: the wall clock. */
  readonly clock?: Pick<Clock, "now">;
}

/** Largest difference between a signature's timestamp and now, in both directions. */
const WINDOW_SECONDS = 300;
const TIMESTAMP = /^\d{1,12}$/;
const SIGNATURE = /^sha256=([0-9a-f]{64})$/;

/** The `replyTo` of a message whose sender gets the reply in the response, so that it is not posted. */
const IN_RESPONSE = "response";

const TEXT = "Expected a text";
const ID = "Expected a text of 1 to 512 characters";
const SIZE = "Expected a whole number of 0 or more";

function fieldsOf<Fields extends v.ObjectEntries>(fields: Fields) {
  return v.object(fields, ({ expected }) =>
    expected === "Object" ? "Expected an object" : "Expected this field, but it is missing",
  );
}

const id = v.pipe(v.string(TEXT), v.nonEmpty(ID), v.maxLength(512, ID));
/** Blanks around a name are refused: no access rule could match it. */
const name = v.pipe(
  id,
  v.check((given) => given === given.trim(), "Expected no spaces around it"),
);
const text = v.string(TEXT);
const Body = fieldsOf({
  id,
  user: name,
  text: v.optional(text, ""),
  /** The `id` of a message of this user and session that now reads `text`, or is gone. */
  edited: v.optional(id),
  deleted: v.optional(id),
  session: v.optional(name),
  attachments: v.optional(
    v.array(
      fieldsOf({
        name: v.optional(text),
        media_type: v.optional(text, "application/octet-stream"),
        url: v.optional(text),
        size_bytes: v.optional(v.pipe(v.number(SIZE), v.integer(SIZE), v.minValue(0, SIZE))),
      }),
      "Expected a list",
    ),
  ),
  reply_url: v.optional(text),
});

/**
 * Any program that can sign a POST: messages in with `X-Timestamp` and `X-Signature`, replies out the same way.
 *
 * Source: docs/channels-webhook.md, "Webhook".
 *
 * @throws {AssistantError} `OPTION_INVALID` if the secret is missing or an address is not one.
 * @example
 * ```ts
 * webhook({ secret: env.WEBHOOK_SECRET, replyUrl: "https://example.com/replies", dm: "open" });
 * ```
 */
export function webhook(options: WebhookOptions): Channel & Required<Pick<Channel, "receive" | "verifySetup">> {
  const {
    secret,
    replyUrl: givenUrl,
    replyOrigins = [],
    fetch: givenFetch,
    clock = systemClock(),
    ...access
  } = options;
  if (typeof secret !== "string" || secret === "") {
    throw new AssistantError(
      "OPTION_INVALID",
      "Cannot use webhook() as secret is missing: give the text that both sides sign with",
    );
  }
  let ask = givenFetch;
  const hmac = createHmac(secret);
  const replyUrl = givenUrl === undefined ? undefined : parseAddress(givenUrl, "replyUrl").href;
  const origins = new Set(replyOrigins.map((origin) => parseAddress(origin, "replyOrigins").origin));
  if (replyUrl !== undefined) origins.add(new URL(replyUrl).origin);

  async function receive(request: Request): Promise<Receipt> {
    const timestamp = request.headers.get("x-timestamp") ?? "";
    // A header that was sent twice arrives joined by a comma, which the pattern refuses.
    const signature = SIGNATURE.exec(request.headers.get("x-signature") ?? "")?.[1];
    if (!TIMESTAMP.test(timestamp) || signature === undefined) {
      throw rejected(
        "The headers X-Timestamp (Unix seconds) and X-Signature (sha256=<64 lower-case hex digits>) are required, once each",
      );
    }
    if (Math.abs(clock.now() / 1000 - Number(timestamp)) > WINDOW_SECONDS) {
      throw rejected(
        `X-Timestamp is more than ${WINDOW_SECONDS} seconds off: set the clock, and sign every attempt again`,
      );
    }
    const body = await readBody(request, { maxBytes: MAX_WEBHOOK_BYTES });
    if (!(await hmac.verify(signedBytes(timestamp, body), signature))) {
      throw rejected(
        "X-Signature does not match: sign `<timestamp>.<raw body>` with HMAC-SHA256 and the channel's secret",
      );
    }
    const message = readMessage(parseJsonBody(body));
    if (new URL(request.url).searchParams.get("wait") !== "true") return { messages: [message] };
    return { messages: [{ ...message, replyTo: IN_RESPONSE }], wait: true };
  }

  function readMessage(raw: unknown): InboundMessage {
    const parsed = v.safeParse(Body, raw);
    if (!parsed.success) {
      const problems = parsed.issues.map((issue) => [v.getDotPath(issue) ?? [], issue.message].flat().join(": "));
      throw new AssistantError("OPTION_INVALID", `Cannot read the body: ${problems.join("; ")}`);
    }
    const { id, user, text, session, attachments, reply_url, edited, deleted } = parsed.output;
    if (edited !== undefined && deleted !== undefined) {
      throw new AssistantError("OPTION_INVALID", "Cannot read the body: a message is edited or deleted, not both");
    }
    if (deleted === undefined && text.trim() === "" && (attachments ?? []).length === 0) {
      throw new AssistantError(
        "OPTION_INVALID",
        "Cannot read the body as it has nothing to answer: give text or attachments",
      );
    }
    return {
      channel: "webhook",
      ...(access.account !== undefined && { account: access.account }),
      id,
      messageId: edited ?? deleted ?? id,
      peer: { kind: "direct", id: conversationOf(user, session) },
      sender: { id: user },
      text: deleted === undefined ? text : "",
      ...(edited !== undefined && { kind: "edit" }),
      ...(deleted !== undefined && { kind: "deletion" }),
      ...(attachments !== undefined && { attachments: attachments.map(toAttachment) }),
      mentioned: true,
      ...(reply_url !== undefined && { replyTo: allowedReplyUrl(reply_url) }),
      raw,
    };
  }

  /** Only configured origins: a message must not make the assistant call any other address. */
  function allowedReplyUrl(text: string): string {
    const url = parseAddress(text, "reply_url");
    if (origins.has(url.origin)) return url.href;
    throw new AssistantError(
      "OPTION_INVALID",
      `Cannot reply to ${url.origin}: reply_url must have the origin of the channel's replyUrl, or one that is listed in its option replyOrigins`,
    );
  }

  async function send(target: Target, message: OutboundMessage, signal: AbortSignal): Promise<{ id: string }> {
    const replyId = message.idempotencyKey ?? newId(clock);
    if (target.replyTo === IN_RESPONSE) return { id: replyId };
    const url = target.replyTo ?? replyUrl;
    if (url === undefined) {
      throw new ChannelSendError(
        "There is no address to post the reply to: give the channel a replyUrl, or each message a reply_url",
        { retryable: false },
      );
    }
    const { text, inReplyTo = null } = message;
    // An unasked message replies to nothing, so the program needs the recipient.
    const body = JSON.stringify({ id: replyId, in_reply_to: inReplyTo, text, ...speakerOf(target.chat) });
    const timestamp = String(Math.floor(clock.now() / 1000));
    let response: Response;
    try {
      response = await (ask ?? globalThis.fetch)(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "x-timestamp": timestamp,
          "x-signature": `sha256=${await hmac.sign(`${timestamp}.${body}`)}`,
          "idempotency-key": replyId,
        },
        body,
        redirect: "manual",
        signal,
      });
      // An unread body keeps its connection busy.
      await response.body?.cancel();
    } catch (cause) {
      throw new ChannelSendError(`The reply could not be posted: ${messageOf(cause)}`, { retryable: true, cause });
    }
    if (response.ok) return { id: replyId };
    const { status } = response;
    const retryable = status >= 500 || status === 408 || status === 425 || status === 429;
    throw new ChannelSendError(`The reply was refused with status ${status}`, {
      retryable,
      retryAfterMs: retryAfterMs(response, clock.now()),
    });
  }

  return {
    name: "webhook",
    access,
    limits: { maxTextLength: Infinity, unit: "chars" },
    caseSensitiveIds: true,
    useFetch: (fetch) => void (ask ??= fetch),
    // A getter, so that printing the object does not show it.
    get secrets() {
      return [secret];
    },
    receive,
    send,
    async verifySetup() {
      const strong = secret.length >= 16;
      return [
        strong
          ? { ok: true, what: "The secret has at least 16 characters" }
          : {
              ok: false,
              what: "The secret is short",
              remedy: "Use 32 random characters, for example from `openssl rand -hex 16`",
            },
        replyUrl === undefined
          ? {
              ok: true,
              what: "No replyUrl: replies go to each message's reply_url, or into the response with ?wait=true",
            }
          : { ok: true, what: `Replies are posted to ${replyUrl}` },
      ];
    },
  };
}

function rejected(message: string): AssistantError {
  return new AssistantError("CHANNEL_REJECTED", message);
}

function signedBytes(timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${timestamp}.`);
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}

function parseAddress(text: string, name: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new AssistantError(
      "OPTION_INVALID",
      `Cannot use ${name} as it is not an http or https address: current value is ${JSON.stringify(text)}`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new AssistantError(
      "OPTION_INVALID",
      `Cannot use ${name} as it contains a user name or password: the signature shows who sends`,
    );
  }
  return url;
}

function toAttachment({
  name,
  media_type,
  url,
  size_bytes,
}: {
  name?: string | undefined;
  media_type: string;
  url?: string | undefined;
  size_bytes?: number | undefined;
}): Attachment {
  return {
    mediaType: media_type,
    ...(name !== undefined && { name }),
    ...(url !== undefined && { url }),
    ...(size_bytes !== undefined && { sizeBytes: size_bytes }),
  };
}

/** Seconds, or a date. Source: RFC 9110, 10.2.3. */
function retryAfterMs(response: Response, nowMs: number): number | undefined {
  const value = response.headers.get("retry-after");
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}

/** Id of the conversation of a user, or of a session that the caller names. Unique for each pair of user and session. */
function conversationOf(user: string, session: string | undefined): string {
  const plain = user.replaceAll("%", "%25").replaceAll("/", "%2F");
  return session === undefined ? plain : `${plain}/${session}`;
}

/** The reverse of `conversationOf`. */
function speakerOf(conversation: string): { readonly user: string; readonly session?: string } {
  const [, plain = "", session] = /^([^/]*)(?:\/(.*))?$/s.exec(conversation) ?? [];
  const user = plain.replaceAll("%2F", "/").replaceAll("%25", "%");
  return { user, ...(session !== undefined && { session }) };
}
