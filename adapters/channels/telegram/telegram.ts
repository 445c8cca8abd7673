import { AssistantError, systemClock } from "../../../mod.ts";
import {
  ChannelSendError,
  MAX_WEBHOOK_BYTES,
  TELEGRAM_API,
  createSecretCheck,
  parseJsonBody,
  readBody,
  type Channel,
  type InboundMessage,
} from "../../../kit.ts";
import type { Attachment, Clock } from "../../../mod.ts";
import type { ChannelLimits, DownloadedFile, OutboundMessage, Receipt, Target, TelegramConfig } from "../../../kit.ts";
import { createBotApi, isRecord, sendError } from "./bot-api.ts";
import { pollUpdates } from "./poll.ts";
import { setUpTelegram } from "./set-up.ts";
import { telegramHtml } from "./html.ts";
import { namesSomebody, parseUpdate, pressToInbound, reactionToInbound, toInbound } from "./update.ts";
import { verifyTelegram } from "./verify.ts";

/** The channel's settings from the file, and those that only code can give. */
export interface TelegramOptions extends TelegramConfig {
  /** Default: the assistant's, else the global one. */
  readonly fetch?: typeof globalThis.fetch;
  /** Measures how long Telegram is silent. Default: the system's clock. */
  readonly clock?: Pick<Clock, "sleep" | "after">;
}

const MAX_TEXT_LENGTH = 4096;
/** Bots cannot download larger files. Source: https://core.telegram.org/bots/api#getfile. */
const MAX_FILE_BYTES = 20 * 1024 * 1024;
const TOO_BIG = "Telegram gives bots no files over 20 MB";
/** How long a webhook waits for the bot's own name, in milliseconds. */
const NAME_TIMEOUT_MS = 3000;

/** Most albums remembered for their remaining files. */
const MAX_ALBUMS = 1000;

/** A Telegram bot. Its options decide whether it has `receive`, `listen` or both. */
export type TelegramChannel = Channel &
  Required<Pick<Channel, "setUp" | "startTyping" | "edit" | "download" | "verifySetup">>;

/**
 * A Telegram bot: by webhook, or over its own connection (long polling), which needs no public address.
 *
 * Source: docs/channels-telegram.md, "Telegram".
 *
 * @throws {AssistantError} `OPTION_INVALID` if the token is missing, or the secret is and messages come by webhook alone.
 * @example
 * ```ts
 * telegram({ token: env.TELEGRAM_TOKEN, dm: "open" });
 * ```
 */
export function telegram(options: TelegramOptions): TelegramChannel {
  const {
    token,
    secret,
    receive: way = "auto",
    linkPreviews = false,
    botUsername,
    fetch: givenFetch,
    clock = systemClock(),
    apiBase: givenBase,
    ...access
  } = options;
  requireText("token", token, "the token that @BotFather gave");
  if (secret !== undefined || way === "webhook")
    requireText("secret", secret, "letters, digits, _ and -, which Telegram sends with each webhook");
  const apiBase = (givenBase ?? TELEGRAM_API).replace(/\/+$/, "");
  let ask = givenFetch;
  const api = createBotApi({ token, apiBase, fetch: (input, init) => (ask ?? globalThis.fetch)(input, init) });
  const botId = /^(\d+):/.exec(token)?.[1];
  let username = botUsername?.replace(/^@/, "");
  const albums = new Set<string>();

  /** The bot's own name, which decides whether `@name` in a group means the bot. */
  async function ownName(): Promise<string | undefined> {
    if (username !== undefined) return username;
    const answer = await api.call("getMe", {}, { signal: AbortSignal.timeout(NAME_TIMEOUT_MS) });
    if (answer.ok && isRecord(answer.result) && typeof answer.result["username"] === "string")
      username = answer.result["username"];
    else if (!answer.ok) throw sendError("getMe", answer.refusal);
    return username;
  }

  function receiving(secret: string): NonNullable<Channel["receive"]> {
    const isSecret = createSecretCheck(secret);
    return async function receive(request: Request): Promise<Receipt> {
      if (!(await isSecret(request.headers.get("x-telegram-bot-api-secret-token")))) {
        throw new AssistantError(
          "CHANNEL_REJECTED",
          "The header X-Telegram-Bot-Api-Secret-Token is missing or wrong: call setWebhook with the channel's secret as secret_token",
        );
      }
      const { message, press } = await read(parseJsonBody(await readBody(request, { maxBytes: MAX_WEBHOOK_BYTES })));
      // In the response, as Telegram allows: this ends the button's loading sign without another request.
      const seen = press === undefined ? {} : { response: Response.json({ method: "answerCallbackQuery", ...press }) };
      return { messages: message === null ? [] : [message], ...seen };
    };
  }

  async function listen(...[signal, deliver, log]: Parameters<NonNullable<Channel["listen"]>>): Promise<void> {
    for await (const { update, id } of pollUpdates({ api, clock }, signal)) {
      const found = await read(update).catch((error: unknown) => {
        if (!AssistantError.is(error, "OPTION_INVALID")) throw error;
        // A retry would block all later updates.
        log(`The Telegram update ${id} is skipped: ${error.message}`);
        return { message: null, press: undefined };
      });
      if (found.message !== null) await deliver([found.message]);
      // Best effort: ends the button's loading sign.
      if (found.press) api.call("answerCallbackQuery", found.press, { signal }).catch(() => {});
    }
  }

  /** Converts an update from the webhook or from polling into a message. */
  async function read(
    update: unknown,
  ): Promise<{ readonly message: InboundMessage | null; readonly press?: { readonly callback_query_id: string } }> {
    const parsed = parseUpdate(update);
    if (parsed === null) return { message: null };
    if (parsed.kind === "press") {
      const press = { callback_query_id: parsed.press.id };
      return { message: pressToInbound(parsed, { account: access.account }), press };
    }
    if (parsed.kind === "reaction") return { message: reactionToInbound(parsed, { account: access.account }) };
    const { message } = parsed;
    if (botId !== undefined && message.from?.id === Number(botId)) return { message: null };

    const needsName = message.chat.type !== "private" && namesSomebody(message);
    const bot = {
      id: botId === undefined ? undefined : Number(botId),
      username: needsName ? await nameOrUnavailable() : username,
    };
    const inbound = toInbound(parsed, { account: access.account, bot });
    return { message: inbound && withItsAlbum(inbound, message.media_group_id) };
  }

  /** An album arrives as one message for each file, and only one of them has the words that address the bot. */
  function withItsAlbum(inbound: InboundMessage, album: string | undefined): InboundMessage {
    if (album === undefined) return inbound;
    if (albums.has(album)) return { ...inbound, mentioned: true };
    if (albums.size >= MAX_ALBUMS) albums.clear();
    if (inbound.mentioned === true) albums.add(album);
    return inbound;
  }

  /** Without its name the bot could miss that it was addressed. After this error the update comes again. */
  async function nameOrUnavailable(): Promise<string | undefined> {
    try {
      return await ownName();
    } catch (cause) {
      throw new AssistantError(
        "CHANNEL_UNAVAILABLE",
        "Cannot tell whether the bot was addressed as Telegram did not say its name: set botUsername",
        { cause },
      );
    }
  }

  async function send(target: Target, message: OutboundMessage, signal: AbortSignal): Promise<{ id: string }> {
    const reply = target.replyTo !== undefined && /^\d+$/.test(target.replyTo);
    const payload = {
      ...place(target),
      ...preview(),
      ...(message.buttons && { reply_markup: keyboard(message.buttons) }),
      ...(reply && { reply_parameters: { message_id: Number(target.replyTo), allow_sending_without_reply: true } }),
    };
    const result = await callWithText("sendMessage", payload, message, signal);
    const id = isRecord(result) ? result["message_id"] : undefined;
    return { id: typeof id === "number" ? String(id) : "" };
  }

  async function edit(target: Target, id: string, message: OutboundMessage, signal: AbortSignal): Promise<void> {
    await callWithText(
      "editMessageText",
      { chat_id: chatId(target.chat), message_id: Number(id), ...preview() },
      message,
      signal,
    );
  }

  async function callWithText(
    method: string,
    payload: object,
    message: OutboundMessage,
    signal: AbortSignal,
  ): Promise<unknown> {
    const options = { signal, idempotencyKey: message.idempotencyKey };
    // Telegram refuses a lone surrogate, which is not valid UTF-8.
    const text = message.text.replaceAll(/\p{Surrogate}/gu, "\uFFFD");
    const formatted = await format(text);
    let answer = await api.call(method, { ...payload, ...formatted }, options);
    if (!answer.ok && answer.refusal.movedTo !== undefined) {
      payload = { ...payload, chat_id: chatId(answer.refusal.movedTo) };
      answer = await api.call(method, { ...payload, ...formatted }, options);
    }
    if (!answer.ok && "parse_mode" in formatted && isFormatError(answer.refusal))
      answer = await api.call(method, { ...payload, text }, options);
    if (answer.ok) return answer.result;
    if (answer.refusal.description.includes("message is not modified")) return undefined;
    throw sendError(method, answer.refusal);
  }

  async function startTyping(target: Target, signal: AbortSignal): Promise<void> {
    const answer = await api.call("sendChatAction", { ...place(target), action: "typing" }, { signal });
    if (!answer.ok) throw sendError("sendChatAction", answer.refusal);
  }

  async function download({ url = "" }: Attachment, signal: AbortSignal): Promise<DownloadedFile> {
    const id = /^telegram-file:(.+)$/s.exec(url)?.[1];
    if (id === undefined) throw refused("its address is not one of Telegram's");
    const answer = await api.call("getFile", { file_id: id }, { signal });
    if (!answer.ok) {
      if (/file is too big/i.test(answer.refusal.description)) throw refused(TOO_BIG);
      throw sendError("getFile", answer.refusal);
    }
    const { file_path: path, file_size: size } = isRecord(answer.result) ? answer.result : {};
    if (typeof size === "number" && size > MAX_FILE_BYTES) throw refused(TOO_BIG);
    // A self-hosted Bot API server in local mode returns a path of its own machine, which no URL serves.
    if (typeof path !== "string" || !/^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/.test(path))
      throw refused("Telegram gave no path to fetch it from");
    const { body, mediaType } = await api.file(path, signal);
    const name = path.slice(path.lastIndexOf("/") + 1);
    return { bytes: body, name, ...(mediaType !== "" && { mediaType }) };
  }

  function place({ chat, thread }: Target) {
    return { chat_id: chatId(chat), ...(thread !== undefined && { message_thread_id: Number(thread) }) };
  }

  function preview() {
    return linkPreviews ? {} : { link_preview_options: { is_disabled: true } };
  }

  return {
    name: "telegram",
    access,
    limits: limitsOf(apiBase),
    useFetch: (fetch) => void (ask ??= fetch),
    // A getter, so that printing the object does not show it.
    get secrets() {
      return secret === undefined ? [token] : [token, secret];
    },
    ...(secret !== undefined && way !== "poll" && { receive: receiving(secret) }),
    ...(way !== "webhook" && { listen }),
    setUp: ({ webhookUrl, signal }) => setUpTelegram(api, { webhookUrl, secret, way, signal }),
    send,
    edit,
    startTyping,
    download,
    verifySetup: ({ webhookUrl, signal }) =>
      verifyTelegram(api, {
        webhookUrl,
        secret,
        way: webhookUrl === undefined ? way : "webhook",
        groups: access.groups,
        signal,
      }),
  };
}

/** Source: https://core.telegram.org/bots/faq#broadcasting-to-users. Groups take 20 a minute, which Telegram enforces by 429 alone. */
function limitsOf(apiBase: string): ChannelLimits {
  const limits = { maxTextLength: MAX_TEXT_LENGTH, unit: "chars" } as const;
  return apiBase === TELEGRAM_API ? { ...limits, perChatPerSecond: 1, perSecond: 30 } : limits;
}

/**
 * A row of buttons. Telegram keeps at most 64 bytes of a button's data. Source:
 * https://core.telegram.org/bots/api#inlinekeyboardbutton.
 */
function keyboard(buttons: NonNullable<OutboundMessage["buttons"]>) {
  const fitting = buttons.filter(({ id }) => new TextEncoder().encode(id).length <= 64);
  return { inline_keyboard: [fitting.map(({ id, label }) => ({ text: label, callback_data: id }))] };
}

async function format(markdown: string): Promise<{ text: string; parse_mode?: "HTML" }> {
  try {
    const { html, visible } = await telegramHtml(markdown);
    // Numbering and bullets can make a text longer than its Markdown. Telegram would refuse a text of tags alone as empty.
    if (visible.trim() !== "" && visible.length <= MAX_TEXT_LENGTH) return { text: html, parse_mode: "HTML" };
  } catch (error) {
    if (error instanceof ChannelSendError) throw error;
    // A text that the Markdown library cannot read is sent unchanged.
  }
  return { text: markdown };
}

/** An error for a file that no retry can fetch. */
function refused(message: string): ChannelSendError {
  return new ChannelSendError(message, { retryable: false });
}

function isFormatError({ status, description }: { status: number; description: string }): boolean {
  return (
    status === 400 && /can't parse|unsupported start tag|message is too long|text must be non-empty/i.test(description)
  );
}

function chatId(chat: string): number | string {
  const id = Number(chat);
  return /^-?\d+$/.test(chat) && Number.isSafeInteger(id) ? id : chat;
}

function requireText(name: string, value: unknown, what: string): void {
  if (typeof value === "string" && value.trim() !== "") return;
  throw new AssistantError("OPTION_INVALID", `Cannot use telegram() as ${name} is missing: give ${what}`);
}
