import * as v from "valibot";
import { AssistantError } from "../../../mod.ts";
import type { Attachment } from "../../../mod.ts";
import type { InboundMessage, Peer, Sender } from "../../../kit.ts";

const User = v.object({
  id: v.number(),
  is_bot: v.optional(v.boolean()),
  first_name: v.optional(v.string()),
  last_name: v.optional(v.string()),
  username: v.optional(v.string()),
});

const Chat = v.object({
  id: v.number(),
  type: v.string(),
  title: v.optional(v.string()),
  first_name: v.optional(v.string()),
});

const Entity = v.object({
  type: v.string(),
  offset: v.number(),
  length: v.number(),
  user: v.optional(User),
  url: v.optional(v.string()),
});

const TelegramFile = v.object({
  file_id: v.string(),
  file_name: v.optional(v.string()),
  mime_type: v.optional(v.string()),
  file_size: v.optional(v.number()),
});

const Place = v.object({ latitude: v.number(), longitude: v.number() });

/** The original author of a forwarded message. */
const Origin = v.object({
  sender_user: v.optional(User),
  sender_user_name: v.optional(v.string()),
  sender_chat: v.optional(Chat),
  chat: v.optional(Chat),
});

/** The author and the content of a message. */
const Written = v.object({
  from: v.optional(User),
  sender_chat: v.optional(Chat),
  chat: v.optional(Chat),
  text: v.optional(v.string()),
  entities: v.optional(v.array(Entity)),
  caption: v.optional(v.string()),
  caption_entities: v.optional(v.array(Entity)),
  photo: v.optional(v.array(TelegramFile)),
  document: v.optional(TelegramFile),
  voice: v.optional(TelegramFile),
  audio: v.optional(TelegramFile),
  video: v.optional(TelegramFile),
  video_note: v.optional(TelegramFile),
  animation: v.optional(TelegramFile),
  sticker: v.optional(v.object({ emoji: v.optional(v.string()) })),
  location: v.optional(Place),
  venue: v.optional(v.object({ title: v.string(), address: v.string(), location: Place })),
  contact: v.optional(
    v.object({ phone_number: v.string(), first_name: v.string(), last_name: v.optional(v.string()) }),
  ),
  poll: v.optional(v.object({ question: v.string(), options: v.array(v.object({ text: v.string() })) })),
  dice: v.optional(v.object({ emoji: v.string(), value: v.number() })),
});

const RepliedMessage = v.object({ ...Written.entries, forum_topic_created: v.optional(v.unknown()) });

const Message = v.object({
  ...Written.entries,
  chat: Chat,
  message_id: v.number(),
  media_group_id: v.optional(v.string()),
  date: v.number(),
  edit_date: v.optional(v.number()),
  message_thread_id: v.optional(v.number()),
  is_topic_message: v.optional(v.boolean()),
  reply_to_message: v.optional(RepliedMessage),
  external_reply: v.optional(v.object({ ...Written.entries, origin: Origin })),
  quote: v.optional(v.object({ text: v.string() })),
  forward_origin: v.optional(Origin),
  // Fields of Bot API servers before 7.0 instead of forward_origin. Source:
  // https://core.telegram.org/bots/api-changelog#december-29-2023.
  forward_from: v.optional(User),
  forward_from_chat: v.optional(Chat),
  forward_sender_name: v.optional(v.string()),
  forward_from_message_id: v.optional(v.unknown()),
  forward_signature: v.optional(v.unknown()),
  forward_date: v.optional(v.unknown()),
});

/** A press of a button under one of the bot's messages. An old message may come without its content. */
const CallbackQuery = v.object({
  id: v.string(),
  from: User,
  data: v.optional(v.string()),
  message: v.optional(
    v.object({
      chat: Chat,
      message_id: v.number(),
      message_thread_id: v.optional(v.number()),
      is_topic_message: v.optional(v.boolean()),
    }),
  ),
});

/** A reaction under a message. Stickers and paid stars have no emoji. */
const ReactionType = v.object({ type: v.string(), emoji: v.optional(v.string()) });

/** A person's reactions before and after a change. An anonymous administrator or a channel reacts as `actor_chat`. */
const MessageReaction = v.object({
  chat: Chat,
  message_id: v.number(),
  user: v.optional(User),
  date: v.number(),
  old_reaction: v.array(ReactionType),
  new_reaction: v.array(ReactionType),
});

const Update = v.object({
  update_id: v.number(),
  message: v.optional(Message),
  edited_message: v.optional(Message),
  channel_post: v.optional(Message),
  edited_channel_post: v.optional(Message),
  callback_query: v.optional(CallbackQuery),
  message_reaction: v.optional(MessageReaction),
});

/** The kinds of updates that the bot requests from Telegram; it would discard all others. */
export const ALLOWED_UPDATES = [
  "message",
  "edited_message",
  "channel_post",
  "edited_channel_post",
  "callback_query",
  "message_reaction",
] as const;

export type TelegramMessage = v.InferOutput<typeof Message>;

type WrittenMessage = v.InferOutput<typeof Written>;

export type TelegramPress = v.InferOutput<typeof CallbackQuery>;

export type TelegramReaction = v.InferOutput<typeof MessageReaction>;

/** A parsed update; `null` for kinds that the assistant ignores (joins, polls, …). */
export type ParsedUpdate = ParsedMessage | ParsedPress | ParsedReaction;

export interface ParsedReaction {
  readonly kind: "reaction";
  readonly updateId: number;
  readonly reaction: TelegramReaction;
  readonly raw: unknown;
}

export interface ParsedPress {
  readonly kind: "press";
  readonly updateId: number;
  readonly press: TelegramPress;
  readonly raw: unknown;
}

export interface ParsedMessage {
  readonly kind: "message";
  readonly updateId: number;
  readonly isEdit: boolean;
  readonly message: TelegramMessage;
  /** The original update. */
  readonly raw: unknown;
}

/**
 * Source: https://core.telegram.org/bots/api#update.
 *
 * @throws {AssistantError} `OPTION_INVALID` if it is not an update.
 */
export function parseUpdate(body: unknown): ParsedUpdate | null {
  const update = v.safeParse(Update, body);
  if (!update.success) {
    const wrong = update.issues.flatMap((issue) => v.getDotPath(issue) ?? []).join(", ");
    throw new AssistantError(
      "OPTION_INVALID",
      `Cannot read the body as it is not an Update of the Bot API: ${wrong === "" ? "expected an object" : `missing or of another kind: ${wrong}`}`,
    );
  }
  const { update_id: updateId, message, edited_message, channel_post, edited_channel_post } = update.output;
  const { callback_query: press, message_reaction: reaction } = update.output;
  if (press) return { kind: "press", updateId, press, raw: body };
  if (reaction) return { kind: "reaction", updateId, reaction, raw: body };
  const fresh = message ?? channel_post;
  const edited = edited_message ?? edited_channel_post;
  if (fresh) return { kind: "message", updateId, isEdit: false, message: fresh, raw: body };
  return edited ? { kind: "message", updateId, isEdit: true, message: edited, raw: body } : null;
}

/** The assistant's own account on Telegram. */
export interface BotIdentity {
  readonly id: number | undefined;
  /** Without `@`. `undefined`: not known yet. */
  readonly username: string | undefined;
}

/** Whether the message contains an `@name`, so that the bot's own name is needed to decide whether it is addressed. */
export function namesSomebody(message: TelegramMessage): boolean {
  return textEntities(message).some(
    ({ type, text }) => type === "mention" || (type === "bot_command" && text.includes("@")),
  );
}

/** Whether the message addresses the bot: by its name, by a reply to it, or by a command for it. */
export function isAddressed(message: TelegramMessage, bot: BotIdentity): boolean {
  const replied = message.reply_to_message;
  // In a forum, every message is a reply to the message that opened its topic.
  if (replied?.from?.id === bot.id && bot.id !== undefined && replied?.forum_topic_created === undefined) return true;
  const name = bot.username?.toLowerCase();
  return textEntities(message).some(
    (entity) =>
      isNameOf(bot, entity) ||
      (name !== undefined && entity.type === "bot_command" && entity.text.toLowerCase().endsWith(`@${name}`)),
  );
}

function isNameOf(
  { id, username }: BotIdentity,
  { type, text, user }: ReturnType<typeof textEntities>[number],
): boolean {
  if (type === "text_mention") return user?.id === id && id !== undefined;
  return type === "mention" && username !== undefined && text.toLowerCase() === `@${username.toLowerCase()}`;
}

/** `@bot /stop` is the command `/stop`. Before other words the name stays, as the person wrote it. */
function withoutNameBeforeCommand(message: TelegramMessage, bot: BotIdentity, content: string): string {
  const [first] = textEntities(message);
  if (first === undefined || !content.startsWith(first.text) || !isNameOf(bot, first)) return content;
  const rest = content.slice(first.text.length).trimStart();
  return rest.startsWith("/") ? rest : content;
}

/** The text of a message. A link with its own words is followed by its address. */
function wordsOf(message: WrittenMessage): string {
  const { text = message.caption ?? describeContent(message) } = message;
  return textEntities(message).reduceRight((words, { url, end }) => {
    return url === undefined ? words : `${words.slice(0, end)} (${url})${words.slice(end)}`;
  }, text);
}

function textEntities(message: WrittenMessage) {
  const text = message.text ?? message.caption ?? "";
  const entities = message.text === undefined ? message.caption_entities : message.entities;
  // Offsets count UTF-16 code units, as JavaScript does.
  return (entities ?? []).map(({ type, offset, length, user, url }) => ({
    type,
    user,
    url,
    text: text.slice(offset, offset + length),
    end: offset + length,
  }));
}

/**
 * Converts an update to a message for the assistant; `null` when it has no content to answer (a join, a pin, a new
 * title).
 */
export function toInbound(
  parsed: ParsedMessage,
  options: { account: string | undefined; bot: BotIdentity },
): InboundMessage | null {
  const { updateId, isEdit, message } = parsed;
  const quoted = quotedOf(message, options.bot);
  // In a group, a file is not a message to the assistant until someone replies to it. The same holds for a file of
  // another chat.
  const here = message.chat.type === "private" ? undefined : message.reply_to_message;
  const shown = quoted && (message.external_reply ?? here);
  const attachments = [message, ...(shown ? [shown] : [])].flatMap(readAttachments);
  const content = wordsOf(message);
  if (content === "" && readAttachments(message).length === 0) return null;
  const sender = readSender(message);
  const text = asQuoted(originOf(message), sender, withoutNameBeforeCommand(message, options.bot, content));
  const peer: Peer = { kind: peerKind(message.chat.type), id: String(message.chat.id) };
  const direct = peer.kind === "direct";
  const thread = message.is_topic_message === true ? message.message_thread_id : undefined;
  return {
    channel: "telegram",
    ...(options.account !== undefined && { account: options.account }),
    id: String(updateId),
    messageId: String(message.message_id),
    peer,
    ...(thread !== undefined && { thread: String(thread) }),
    sender,
    text,
    ...(attachments.length > 0 && { attachments }),
    ...(quoted && quoted.text !== "" && { quoted }),
    mentioned: direct || isAddressed(message, options.bot),
    sentAtMs: (message.edit_date ?? message.date) * 1000,
    // In a group, the answer is a reply to this message.
    ...(!direct && { replyTo: String(message.message_id) }),
    ...(isEdit && { kind: "edit" }),
    raw: parsed.raw,
  };
}

/**
 * Converts a press of a button to a message for the assistant. Telegram names the person; the button's id is the text.
 * `null`: nothing to answer.
 */
export function pressToInbound(
  { updateId, press, raw }: ParsedPress,
  { account }: { account: string | undefined },
): InboundMessage | null {
  const { from, data, message } = press;
  if (data === undefined || !message) return null;
  const thread = message.is_topic_message === true ? message.message_thread_id : undefined;
  const name = [from.first_name, from.last_name].filter((part) => part !== undefined).join(" ");
  return {
    channel: "telegram",
    ...(account !== undefined && { account }),
    id: String(updateId),
    peer: { kind: peerKind(message.chat.type), id: String(message.chat.id) },
    ...(thread !== undefined && { thread: String(thread) }),
    sender: { id: String(from.id), ...(name !== "" && { name }) },
    text: data,
    mentioned: true,
    kind: "press",
    raw,
  };
}

/**
 * Emoji that count as positive and as negative. Others, such as a thinking face, are neutral. Source:
 * https://core.telegram.org/bots/api#reactiontypeemoji.
 */
const POSITIVE: ReadonlySet<string> = new Set(
  "👍 ❤ 🔥 🥰 👏 😁 🎉 🤩 🙏 👌 😍 ❤\u200D🔥 💯 ⚡ 🏆 🤝 🤗 💘 😘 🆒 🫡".split(" "),
);
const NEGATIVE: ReadonlySet<string> = new Set("👎 💩 🤮 🤬 🖕 😡".split(" "));

/**
 * Converts a person's current reactions to a message's feedback. A negative one outweighs the others. `null`: the
 * person is unknown, or neither the old nor the new reactions have a meaning.
 */
export function reactionToInbound(
  { updateId, reaction, raw }: ParsedReaction,
  { account }: { account: string | undefined },
): InboundMessage | null {
  const { chat, message_id: to, user, date, old_reaction: before, new_reaction: now } = reaction;
  if (!user || user.is_bot === true) return null;
  const verdict = verdictOf(now);
  if (verdict === "none" && verdictOf(before) === "none") return null;
  const name = [user.first_name, user.last_name].filter((part) => part !== undefined).join(" ");
  return {
    channel: "telegram",
    ...(account !== undefined && { account }),
    id: String(updateId),
    peer: { kind: peerKind(chat.type), id: String(chat.id) },
    sender: { id: String(user.id), ...(name !== "" && { name }) },
    text: now.map(({ emoji = "" }) => emoji).join(""),
    mentioned: true,
    sentAtMs: date * 1000,
    kind: "reaction",
    reaction: { to: String(to), verdict },
    raw,
  };
}

function verdictOf(signs: TelegramReaction["new_reaction"]): "positive" | "negative" | "none" {
  // A heart may come with the variation selector for its coloured form.
  const emojis = signs.map(({ emoji = "" }) => emoji.replaceAll("\uFE0F", ""));
  if (emojis.some((emoji) => NEGATIVE.has(emoji))) return "negative";
  return emojis.some((emoji) => POSITIVE.has(emoji)) ? "positive" : "none";
}

function peerKind(type: string): Peer["kind"] {
  if (type === "private") return "direct";
  return type === "channel" ? "channel" : "group";
}

/**
 * The sender by number: anyone can choose a name, and names change. An anonymous administrator or a channel speaks as
 * its chat.
 */
function readSender({ from, sender_chat: chat, chat: place }: WrittenMessage): Sender {
  const name = chat?.title ?? [from?.first_name, from?.last_name].filter((part) => part !== undefined).join(" ");
  return { id: String(chat?.id ?? from?.id ?? place?.id), ...(name !== "" && { name }) };
}

/**
 * The message that this one replies to, in this chat or another. In a forum, every message is a reply to the one that
 * opened its topic.
 */
function quotedOf(message: TelegramMessage, bot: BotIdentity): InboundMessage["quoted"] {
  const { reply_to_message: replied, external_reply: outside, quote } = message;
  if (outside) {
    const { sender_user: from, sender_user_name: hidden, sender_chat, chat } = outside.origin;
    const sender =
      hidden === undefined ? readSender({ from, sender_chat: sender_chat ?? chat }) : { id: "hidden", name: hidden };
    return { text: quote?.text ?? describeContent(outside), sender };
  }
  if (!replied || replied.forum_topic_created !== undefined) return undefined;
  const text = quote?.text ?? wordsOf(replied);
  const isOwn = bot.id !== undefined && replied.from?.id === bot.id;
  return { text, ...(!isOwn && { sender: readSender(replied) }) };
}

/** The original author of a forwarded message; `undefined` for a message that is not forwarded. */
function originOf(message: TelegramMessage): v.InferOutput<typeof Origin> | undefined {
  const { forward_from, forward_from_chat, forward_sender_name } = message;
  const { forward_from_message_id, forward_signature, forward_date } = message;
  const origin = { sender_user: forward_from, sender_user_name: forward_sender_name, sender_chat: forward_from_chat };
  const signs = [...Object.values(origin), forward_from_message_id, forward_signature, forward_date];
  return message.forward_origin ?? (signs.some((sign) => sign !== undefined) ? origin : undefined);
}

/** Quotes forwarded text of another author: it is neither the sender's words nor a command of the sender. */
function asQuoted(origin: v.InferOutput<typeof Origin> | undefined, sender: Sender, text: string): string {
  if (!origin || text === "") return text;
  const { sender_user: user, sender_user_name: hidden, sender_chat: chat = origin.chat } = origin;
  if (String(chat?.id ?? user?.id) === sender.id) return text;
  const name = chat?.title ?? hidden ?? [user?.first_name, user?.last_name].filter(Boolean).join(" ");
  return `Forwarded message:\n${`${name || "Somebody"} wrote:\n${text}`.replace(/^/gm, "> ")}`;
}

function readAttachments(message: WrittenMessage): Attachment[] {
  const largest = message.photo?.toSorted((left, right) => (left.file_size ?? 0) - (right.file_size ?? 0)).at(-1);
  const files = [
    { file: largest, mediaType: "image/jpeg" },
    { file: message.voice, mediaType: "audio/ogg" },
    { file: message.audio, mediaType: "audio/mpeg" },
    { file: message.video, mediaType: "video/mp4" },
    { file: message.video_note, mediaType: "video/mp4" },
    // A GIF arrives as an animation and again, the same file, as a document.
    { file: message.animation ?? message.document, mediaType: "application/octet-stream" },
  ];
  return files.flatMap(({ file, mediaType }) => {
    if (file === undefined) return [];
    return [
      {
        mediaType: file.mime_type ?? mediaType,
        url: `telegram-file:${file.file_id}`,
        ...(file.file_name !== undefined && { name: file.file_name }),
        ...(file.file_size !== undefined && { sizeBytes: file.file_size }),
      },
    ];
  });
}

/** Describes content that is neither text nor file in words. */
function describeContent({ sticker, location, venue, contact, poll, dice }: WrittenMessage): string {
  if (sticker) return sticker.emoji ?? "[sticker]";
  if (venue)
    return `[place: ${venue.title}, ${venue.address}, ${venue.location.latitude}, ${venue.location.longitude}]`;
  if (location) return `[location: ${location.latitude}, ${location.longitude}]`;
  if (contact)
    return `[contact: ${[contact.first_name, contact.last_name].filter(Boolean).join(" ")}, ${contact.phone_number}]`;
  if (poll) return `[poll: ${poll.question} ${poll.options.map((option) => option.text).join(" / ")}]`;
  return dice ? `[${dice.emoji} ${dice.value}]` : "";
}
