import { describe, expect, it } from "vitest";
import { telegram } from "../../adapters/channels/telegram/index.ts";
import type { TelegramOptions } from "../../adapters/channels/telegram/index.ts";
import { statements } from "../../src/memory/index.ts";
import { splitText } from "../../src/outbox/index.ts";
import { channelContract } from "../../src/testing/channel-contract.ts";
import { telegramPlatform } from "../support/telegram-platform.ts";
import type { Answer } from "../support/telegram-platform.ts";
import { updates } from "./fixtures/telegram.ts";

const token = "7001:AAHsecret-token_value";
const secret = "webhook_secret-1";
const never = new AbortController().signal;
const target = { channel: "telegram", account: "default", chat: "42" };

function setUp(options: Partial<TelegramOptions> = {}) {
  const platform = telegramPlatform({ token });
  const channel = telegram({ token, secret, fetch: platform.fetch, ...options });
  return { platform, channel };
}

function post(body: unknown, headers: Record<string, string> = { "x-telegram-bot-api-secret-token": secret }): Request {
  const isRaw = typeof body === "string" || body instanceof Uint8Array || body instanceof ReadableStream;
  return new Request("https://assistant.example/webhooks/telegram", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: isRaw ? (body as BodyInit) : JSON.stringify(body),
    ...(body instanceof ReadableStream && { duplex: "half" }),
  });
}

/** More than 1 MiB in pieces, without a declared length. */
function stream(bytes: number): ReadableStream<Uint8Array> {
  let left = bytes;
  return new ReadableStream({
    pull(controller) {
      if (left <= 0) return controller.close();
      controller.enqueue(new Uint8Array(Math.min(left, 65_536)).fill(32));
      left -= 65_536;
    },
  });
}

channelContract(
  { describe, it, expect },
  {
    name: "telegram()",
    async open() {
      const { platform, channel } = setUp();
      const answers: Record<string, Answer> = {
        "rate-limited": {
          kind: "status",
          status: 429,
          description: "Too Many Requests: retry after 7",
          retryAfterSeconds: 7,
        },
        unavailable: { kind: "status", status: 502, description: "Bad Gateway" },
        refused: { kind: "status", status: 403, description: "Forbidden: bot was blocked by the user" },
        unreachable: { kind: "drop" },
      };
      return {
        channel,
        target,
        secrets: [token, secret],
        request: async ({ id, text }) =>
          post({
            ...updates.direct,
            update_id: Number(id),
            message: { ...updates.direct.message, message_id: Number(id), text },
          }),
        edited: async ({ id, of, text }) =>
          post({
            ...updates.edited,
            update_id: Number(id),
            edited_message: { ...updates.edited.edited_message, message_id: Number(of), text },
          }),
        forged: async () => ({
          "a wrong secret": post(updates.direct, { "x-telegram-bot-api-secret-token": "wrong" }),
          "no secret": post(updates.direct, {}),
          "an empty secret": post(updates.direct, { "x-telegram-bot-api-secret-token": "" }),
          "the secret twice": post(updates.direct, { "x-telegram-bot-api-secret-token": `${secret}, ${secret}` }),
          "a wrong secret and a broken body": post("{", { "x-telegram-bot-api-secret-token": "wrong" }),
        }),
        malformed: async () => ({
          "not JSON": post("{"),
          "not UTF-8": post(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d])),
          nothing: post(""),
          "not an update": post({ hello: 1 }),
          "a list": post([updates.direct]),
          "an id that is no number": post({ ...updates.direct, update_id: "1" }),
        }),
        oversized: async () => post(stream(1_100_000)),
        connection: {
          push: ({ id, text }) =>
            platform.push({
              ...updates.direct,
              update_id: Number(id),
              message: { ...updates.direct.message, message_id: Number(id), text },
            }),
          unconfirmed: () => platform.waiting.length,
        },
        answerNext: (answer) => platform.script([answers[answer]!]),
        sends: () => platform.calls.filter(({ method }) => method === "sendMessage").length,
        taken: () => platform.sent.map(({ text, idempotencyKey }) => ({ text, idempotencyKey })),
      };
    },
  },
);

describe("telegram()", () => {
  it.each([
    { option: "token", options: { token: "", secret } },
    { option: "token", options: { secret } },
    { option: "secret", options: { token, secret: "" } },
    { option: "secret", options: { token, secret: "  " } },
    { option: "secret", options: { token, receive: "webhook" } },
  ])("refuses to be made without a $option", ({ option, options }) => {
    expect(() => telegram(options as TelegramOptions)).toThrow(
      expect.objectContaining({ code: "OPTION_INVALID", message: expect.stringContaining(option) }),
    );
  });

  it("paces as Telegram asks, and not at all against another base", () => {
    expect(setUp().channel.limits).toEqual({ maxTextLength: 4096, unit: "chars", perChatPerSecond: 1, perSecond: 30 });
    expect(setUp({ apiBase: "https://api.telegram.org/" }).channel.limits.perSecond).toBe(30);
    expect(setUp({ apiBase: "http://127.0.0.1:9" }).channel.limits).toEqual({ maxTextLength: 4096, unit: "chars" });
  });

  it("calls the Bot API at its base, without a doubled slash", async () => {
    const urls: string[] = [];
    const { channel } = setUp({
      apiBase: "http://127.0.0.1:9/",
      fetch: async (input) => {
        urls.push(new Request(input).url);
        return Response.json({ ok: true, result: { message_id: 5 } });
      },
    });
    expect(await channel.send(target, { text: "hi" }, never)).toEqual({ id: "5" });
    expect(urls).toEqual([`http://127.0.0.1:9/bot${token}/sendMessage`]);
  });
});

describe("telegram()'s buttons", () => {
  it("stand under the message, those that Telegram would refuse left out", async () => {
    const bodies: unknown[] = [];
    const { channel } = setUp({
      fetch: async (input, init) => {
        bodies.push(await new Request(input, init).json());
        return Response.json({ ok: true, result: { message_id: 5 } });
      },
    });
    const buttons = [
      { id: "/approve K7QD2M", label: "Approve once" },
      { id: "x".repeat(65), label: "too long" },
    ];
    await channel.send(target, { text: "May I?", buttons }, never);
    expect(bodies).toMatchObject([
      { reply_markup: { inline_keyboard: [[{ text: "Approve once", callback_data: "/approve K7QD2M" }]] } },
    ]);
  });
});

describe("telegram().receive()", () => {
  const read = async (update: unknown, options: Partial<TelegramOptions> = { botUsername: "wakeful_bot" }) =>
    (await setUp(options).channel.receive!(post(update))).messages;

  it("reads a direct message, with its sender by number", async () => {
    expect(await read(updates.direct)).toEqual([
      {
        channel: "telegram",
        id: "900001",
        messageId: String(updates.direct.message.message_id),
        peer: { kind: "direct", id: "42" },
        sender: { id: "42", name: "Ada L" },
        text: "Hello there",
        mentioned: true,
        sentAtMs: 1_767_600_000_000,
        raw: updates.direct,
      },
    ]);
  });

  it("reads the addresses of links whose words are others", async () => {
    const link = (offset: number, length: number, url: string) => ({ type: "text_link", offset, length, url });
    const bold = { type: "bold", offset: 0, length: 2 };
    const entities = [bold, link(3, 4, "https://a.example/"), link(12, 5, "https://b.example/?q=1")];
    const { message } = updates.direct;
    const [text] = await read({ update_id: 1, message: { ...message, text: "🚀 this and that!", entities } });
    expect(text?.text).toBe("🚀 this (https://a.example/) and that! (https://b.example/?q=1)");
    const photo = { ...updates.photo.message, caption_entities: [link(8, 4, "https://a.example/")] };
    const [caption] = await read({ update_id: 2, message: photo });
    expect(caption?.text).toBe("Look at this (https://a.example/)");
    const reply = { ...message, message_id: 3, text: "sum it up", reply_to_message: photo };
    expect((await read({ update_id: 3, message: reply }))[0]?.quoted?.text).toBe(caption?.text);
  });

  it.each([
    { update: "7", told: "expected an object" },
    { update: {}, told: "missing or of another kind: update_id" },
    {
      update: { update_id: 1, message: { chat: { id: "x", type: "private" }, message_id: 1 } },
      told: "missing or of another kind: message.chat.id, message.date",
    },
  ])("says in plain words why $update is no update", async ({ update, told }) => {
    await expect(read(update)).rejects.toMatchObject({
      code: "OPTION_INVALID",
      message: `Cannot read the body as it is not an Update of the Bot API: ${told}`,
    });
  });

  it("names the account that it is", async () => {
    expect((await read(updates.direct, { account: "second" }))[0]?.account).toBe("second");
  });

  it.each([
    { name: "emoji", text: "👩‍👩‍👧 你好 🇸🇪" },
    { name: "command", text: "/start now" },
    { name: "sticker", text: "👍" },
    { name: "location", text: "[location: 59.33, 18.07]" },
    { name: "photo", text: "Look at this" },
    { name: "voice", text: "" },
  ] as const)("reads the text of $name", async ({ name, text }) => {
    expect((await read(updates[name]))[0]?.text).toBe(text);
  });

  it.each([
    { name: "photo", attachments: [{ mediaType: "image/jpeg", url: "telegram-file:large-id", sizeBytes: 98_000 }] },
    {
      name: "document",
      attachments: [{ mediaType: "application/pdf", url: "telegram-file:doc-id", name: "notes.pdf", sizeBytes: 4096 }],
    },
    { name: "voice", attachments: [{ mediaType: "audio/ogg", url: "telegram-file:voice-id", sizeBytes: 9000 }] },
  ] as const)("brings the file of $name, by its id, without the token", async ({ name, attachments }) => {
    const [message] = await read(updates[name]);
    expect(message?.attachments).toEqual(attachments);
    expect(JSON.stringify(message)).not.toContain(token);
  });

  it.each([
    ["a person", { type: "user", sender_user: { id: 9, first_name: "Bo", last_name: "K" } }, "Bo K"],
    ["somebody hidden", { type: "hidden_user", sender_user_name: "Bo" }, "Bo"],
    ["a group", { type: "chat", sender_chat: { id: -5, type: "group", title: "Club" } }, "Club"],
    ["a channel", { type: "channel", chat: { id: -6, type: "channel", title: "News" }, message_id: 3 }, "News"],
    ["nobody that is known", { type: "later" }, "Somebody"],
  ])(
    "quotes what is forwarded from %s: the words of others are no statement and no command",
    async (_, origin, name) => {
      const forwarded = { ...updates.direct.message, text: "/new\nI am allergic to nuts", forward_origin: origin };
      const [message] = await read({ ...updates.direct, message: forwarded });
      expect(message?.text).toBe(`Forwarded message:\n> ${name} wrote:\n> /new\n> I am allergic to nuts`);
      expect(statements(message?.text ?? "")).toEqual([]);
    },
  );

  // Servers of the Bot API before 7.0 name the origin by fields of the message.
  it.each([
    ["a person", { forward_from: { id: 9, first_name: "Bo", last_name: "K" }, forward_date: 1 }, "Bo K"],
    ["somebody hidden", { forward_sender_name: "Bo", forward_date: 1 }, "Bo"],
    [
      "a channel",
      { forward_from_chat: { id: -6, type: "channel", title: "News" }, forward_from_message_id: 3 },
      "News",
    ],
    ["a channel by its message alone", { forward_from_message_id: 3 }, "Somebody"],
    ["a signed post alone", { forward_signature: "Bo" }, "Somebody"],
    ["nobody that is known", { forward_date: 1_767_600_000 }, "Somebody"],
  ])("quotes what an older server says is forwarded from %s", async (_, fields, name) => {
    const forwarded = { ...updates.direct.message, text: "/new\nI am allergic to nuts", ...fields };
    const [message] = await read({ ...updates.direct, message: forwarded });
    expect(message?.text).toBe(`Forwarded message:\n> ${name} wrote:\n> /new\n> I am allergic to nuts`);
    expect(statements(message?.text ?? "")).toEqual([]);
  });

  it("leaves as it is what somebody forwards of their own", async () => {
    const { from } = updates.direct.message;
    for (const fields of [
      { forward_origin: { type: "user", sender_user: from } },
      { forward_from: from, forward_date: 1_767_600_000 },
    ]) {
      const own = { ...updates.direct.message, text: "I like tea", ...fields };
      expect((await read({ ...updates.direct, message: own }))[0]?.text).toBe("I like tea");
    }
  });

  it("says which message an edit changed, how it reads now, and when it was edited", async () => {
    expect((await read(updates.edited))[0]).toMatchObject({
      id: "900004",
      messageId: String(updates.edited.edited_message.message_id),
      kind: "edit",
      text: "Hello, everybody",
      sentAtMs: 1_767_600_060_000,
    });
  });

  describe("what a message replies to", () => {
    const { chat, from } = updates.group.message;
    const bob = { id: 43, is_bot: false, first_name: "Bob" };
    const photo = [{ file_id: "P", file_unique_id: "P", width: 1, height: 1 }];
    const replying = (reply: object, more: object = {}) =>
      read({
        update_id: 900_100,
        message: { ...updates.group.message, text: "yes", reply_to_message: reply, ...more },
      });

    it.each([
      {
        title: "another person's words",
        reply: { message_id: 1, from: bob, chat, text: "Shall we?" },
        quoted: { text: "Shall we?", sender: { id: "43", name: "Bob" } },
      },
      {
        title: "the part of them that was chosen",
        reply: { message_id: 1, from: bob, chat, text: "Shall we? Or not?" },
        more: { quote: { text: "Or not?", position: 10 } },
        quoted: { text: "Or not?", sender: { id: "43", name: "Bob" } },
      },
      {
        title: "the bot's own",
        reply: updates.groupReply.message.reply_to_message,
        quoted: { text: "It is nine" },
      },
      {
        title: "a sticker",
        reply: { message_id: 1, from: bob, chat, sticker: { emoji: "🎉" } },
        quoted: { text: "🎉", sender: { id: "43", name: "Bob" } },
      },
      { title: "a service message", reply: { message_id: 1, from: bob, chat, new_chat_title: "x" }, quoted: undefined },
      { title: "the beginning of a topic", reply: updates.forumTopic.message.reply_to_message, quoted: undefined },
    ])("is told with who wrote it, and not as words of who replies: $title", async ({ reply, more, quoted }) => {
      const [message] = await replying(reply, more);
      expect(message?.text).toBe("yes");
      expect(message?.quoted).toEqual(quoted);
    });

    it.each([
      { origin: { type: "user", sender_user: bob }, sender: { id: "43", name: "Bob" } },
      { origin: { type: "hidden_user", sender_user_name: "Eve" }, sender: { id: "hidden", name: "Eve" } },
      { origin: { type: "chat", sender_chat: { id: -9, type: "group", title: "T" } }, sender: { id: "-9", name: "T" } },
      { origin: { type: "channel", chat: { id: -8, type: "channel", title: "C" } }, sender: { id: "-8", name: "C" } },
    ])("is told too when it stands in another chat, of a $origin.type, with its files", async ({ origin, sender }) => {
      const outside = (more: object) => ({ reply_to_message: undefined, external_reply: { origin, ...more } });
      const quote = { text: "Shall we?", position: 0 };
      expect((await replying({}, { ...outside({}), quote }))[0]?.quoted).toEqual({ text: "Shall we?", sender });
      const direct = { chat: { id: from.id, type: "private" } };
      const [message] = await replying({}, { ...direct, ...outside({ photo }) });
      expect(message?.attachments).toMatchObject([{ url: "telegram-file:P" }]);
      expect(message?.quoted).toBeUndefined();
      expect((await replying({}, outside({ sticker: { emoji: "🎉" } })))[0]?.quoted).toEqual({ text: "🎉", sender });
    });

    it("brings its files along in a group, where they were no message to the assistant", async () => {
      const reply = { message_id: 1, from: bob, chat, photo, caption: "look" };
      expect((await replying(reply))[0]).toMatchObject({
        attachments: [{ url: "telegram-file:P" }],
        quoted: { text: "look" },
      });
      const direct = { id: from.id, type: "private" };
      expect((await replying({ ...reply, chat: direct }, { chat: direct }))[0]?.attachments).toBeUndefined();
    });
  });

  it("takes every file of an album for addressed of which one is", async () => {
    const { channel } = setUp({ botUsername: "wakeful_bot" });
    const { caption: _words, caption_entities: _names, ...file } = updates.groupCaptionMention.message;
    const mentioned = async (message: object) =>
      (await channel.receive!(post({ update_id: 1, message }))).messages[0]?.mentioned;
    const words = updates.groupCaptionMention.message;
    expect(await mentioned({ ...file, media_group_id: "a" })).toBe(false);
    expect(await mentioned({ ...words, media_group_id: "a" })).toBe(true);
    expect(await mentioned({ ...file, media_group_id: "a" })).toBe(true);
    expect(await mentioned({ ...file, media_group_id: "b" })).toBe(false);
    expect(await mentioned(file)).toBe(false);
  });

  it.each([
    { name: "group", mentioned: false },
    { name: "groupMention", mentioned: true },
    { name: "groupMentionOfAnother", mentioned: false },
    { name: "groupMentionInText", mentioned: false },
    { name: "groupTextMention", mentioned: true },
    { name: "groupReply", mentioned: true },
    { name: "groupCommand", mentioned: true },
    { name: "groupCommandForAnother", mentioned: false },
    { name: "groupCaptionMention", mentioned: true },
    { name: "forumTopic", mentioned: false },
    { name: "command", mentioned: true },
  ] as const)("sees whether it is addressed: $name, $mentioned", async ({ name, mentioned }) => {
    expect((await read(updates[name]))[0]?.mentioned).toBe(mentioned);
  });

  it.each([
    ["@wakeful_bot /stop", "/stop"],
    ["@Wakeful_Bot\n/deny AB12 not now", "/deny AB12 not now"],
    ["@wakeful_bot what is in /etc?", "@wakeful_bot what is in /etc?"],
    ["@somebody /stop", "@somebody /stop"],
    ["please @wakeful_bot /stop", "please @wakeful_bot /stop"],
  ])("reads a command behind its own name: %j is %j", async (text, said) => {
    const offset = text.indexOf("@");
    const entities = [{ type: "mention", offset, length: text.slice(offset).search(/\s/) }];
    const message = { ...updates.groupMention.message, text, entities };
    expect((await read({ ...updates.groupMention, message }))[0]?.text).toBe(said);
  });

  it("keeps a group's chat, sender and message apart, and answers the message", async () => {
    expect((await read(updates.group))[0]).toMatchObject({
      peer: { kind: "group", id: "-1001234567890" },
      sender: { id: "42" },
      replyTo: "21",
    });
  });

  it("takes a forum's topic for a thread, and a chain of replies not", async () => {
    expect((await read(updates.forumTopic))[0]?.thread).toBe("5");
    expect((await read(updates.replyThread))[0]?.thread).toBeUndefined();
  });

  it("takes an anonymous administrator for the group, not for a person", async () => {
    expect((await read(updates.anonymousAdmin))[0]?.sender).toEqual({ id: "-1001234567890", name: "Engine room" });
  });

  it.each([
    { chat: { id: -55, type: "group", title: "G" }, migrate_to_chat_id: -100999 },
    { chat: { id: -100999, type: "supergroup", title: "G" }, migrate_from_chat_id: -55 },
  ])("takes nothing for somebody's words that tells of a new id of the group", async (service) => {
    const message = { message_id: 9, from: updates.group.message.from, date: 1_767_600_000, ...service };
    expect(await read({ update_id: 900_200, message })).toEqual([]);
  });

  it("reads a post of a channel", async () => {
    expect((await read(updates.channelPost))[0]).toMatchObject({
      peer: { kind: "channel", id: "-1009" },
      sender: { id: "-1009" },
      text: "posted",
    });
  });

  it.each([
    { title: "a thumb", of: "reaction", verdict: "positive", text: "👍" },
    { title: "a heart in its coloured form", of: "reaction", now: ["❤\uFE0F"], verdict: "positive", text: "❤\uFE0F" },
    { title: "a burning heart", of: "reaction", now: ["❤\u200D🔥"], verdict: "positive", text: "❤\u200D🔥" },
    { title: "a heart on fire in its coloured form", of: "reaction", now: ["❤\uFE0F\u200D🔥"], verdict: "positive" },
    { title: "a thumb down", of: "reaction", now: ["👎"], verdict: "negative", text: "👎" },
    { title: "a no beside a yes", of: "reaction", now: ["🔥", "💩"], verdict: "negative", text: "🔥💩" },
    { title: "a yes that was taken away", of: "reactionTaken", verdict: "none", text: "" },
    { title: "a yes that became a question", of: "reactionTaken", now: ["🤔"], verdict: "none", text: "🤔" },
    { title: "a thumb of a member of a group", of: "reactionInGroup", verdict: "positive", text: "🔥" },
  ] as const)("reads $title under a message", async (given) => {
    const { verdict } = given;
    const update = structuredClone(updates[given.of]) as unknown as { message_reaction: { new_reaction: unknown[] } };
    if ("now" in given) update.message_reaction.new_reaction = given.now.map((emoji) => ({ type: "emoji", emoji }));
    const isGroup = given.of === "reactionInGroup";
    expect(await read(update)).toMatchObject([
      {
        kind: "reaction",
        id: String(updates[given.of].update_id),
        sender: { id: "42", name: "Ada L" },
        peer: isGroup ? { kind: "group", id: "-1001234567890" } : { kind: "direct", id: "42" },
        mentioned: true,
        reaction: { to: "501", verdict },
        ...("text" in given && { text: given.text }),
      },
    ]);
  });

  it.each([
    {
      title: "of an anonymous administrator",
      change: { user: undefined, actor_chat: { id: -100, type: "supergroup" } },
    },
    { title: "of a bot", change: { user: { id: 9, is_bot: true, first_name: "Other" } } },
    { title: "that says neither", change: { new_reaction: [{ type: "emoji", emoji: "🤔" }] } },
    {
      title: "of a sign that has no emoji",
      change: { new_reaction: [{ type: "custom_emoji", custom_emoji_id: "7" }] },
    },
    { title: "that was paid", change: { new_reaction: [{ type: "paid" }] } },
  ])("passes over a reaction $title", async ({ change }) => {
    const { reaction } = updates;
    expect(await read({ ...reaction, message_reaction: { ...reaction.message_reaction, ...change } })).toEqual([]);
  });

  it("reads the press of a button as whose it is and what it stands for, and ends its waiting sign", async () => {
    expect(await read(updates.callbackQuery)).toMatchObject([
      { kind: "press", text: "approve:1", sender: { id: "42" }, peer: { kind: "direct", id: "42" }, mentioned: true },
    ]);
    const receipt = await setUp().channel.receive!(post(updates.callbackQuery));
    expect(await receipt.response?.json()).toEqual({
      method: "answerCallbackQuery",
      callback_query_id: "4382bfdwdsb323b2d9",
    });
  });

  it.each(["joined", "memberChange", "ownMessage"] as const)(
    "takes %s for genuine, with nothing to answer",
    async (name) => {
      expect(await read(updates[name])).toEqual([]);
    },
  );

  it("asks Telegram for its name once, and only when a group's message names somebody", async () => {
    const { channel, platform } = setUp();
    await channel.receive!(post(updates.direct));
    await channel.receive!(post(updates.group));
    expect(platform.calls).toEqual([]);
    expect((await channel.receive!(post(updates.groupMention))).messages[0]?.mentioned).toBe(true);
    expect((await channel.receive!(post(updates.groupCommand))).messages[0]?.mentioned).toBe(true);
    expect(platform.calls.map(({ method }) => method)).toEqual(["getMe"]);
  });

  it("does not guess when Telegram cannot say its name: the update comes again", async () => {
    const { channel, platform } = setUp();
    platform.script([{ kind: "drop" }]);
    await expect(channel.receive!(post(updates.groupMention))).rejects.toMatchObject({ code: "CHANNEL_UNAVAILABLE" });
    expect((await channel.receive!(post(updates.groupMention))).messages[0]?.mentioned).toBe(true);
  });
});

describe("telegram().send()", () => {
  it("sends HTML to the chat, its thread and the message that it answers, without link previews", async () => {
    const { channel, platform } = setUp();
    await channel.send(
      { ...target, chat: "-1001234567890", thread: "5", replyTo: "21" },
      { text: "**bold** & <i>" },
      never,
    );
    expect(platform.sent[0]?.payload).toEqual({
      chat_id: -1001234567890,
      message_thread_id: 5,
      link_preview_options: { is_disabled: true },
      reply_parameters: { message_id: 21, allow_sending_without_reply: true },
      text: "<b>bold</b> &amp; &lt;i&gt;",
      parse_mode: "HTML",
    });
  });

  it("shows link previews when asked to", async () => {
    const { channel, platform } = setUp({ linkPreviews: true });
    await channel.send({ ...target, chat: "@news" }, { text: "hi" }, never);
    expect(platform.sent[0]?.payload).toEqual({ chat_id: "@news", text: "hi", parse_mode: "HTML" });
  });

  it("sends plain text when Telegram cannot read the formatting", async () => {
    const { channel, platform } = setUp();
    platform.script([
      { kind: "status", status: 400, description: "Bad Request: can't parse entities: Unsupported start tag" },
    ]);
    await channel.send(target, { text: "**bold**", idempotencyKey: "t.0" }, never);
    expect(platform.sent.map(({ text, idempotencyKey }) => ({ text, idempotencyKey }))).toEqual([
      { text: "**bold**", idempotencyKey: "t.0" },
    ]);
  });

  it("sends plain text when formatting would make it longer than the limit", async () => {
    const { channel, platform } = setUp();
    const text = "- [x]\n".repeat(200) + "1. a\n".repeat(500);
    await channel.send(target, { text: text.slice(0, 4096) }, never);
    expect(platform.sent[0]?.text.length).toBeLessThanOrEqual(4096);
  });

  it.each(["<!-- nothing -->", "![]()", "[](http://a.b)", "***", "\ud83d half", "```\n```", "&lt;b&gt;", "> ", "# "])(
    "sends %j, whatever becomes of its formatting",
    async (text) => {
      const { channel, platform } = setUp();
      await channel.send(target, { text }, never);
      expect(platform.sent).toHaveLength(1);
    },
  );

  it("follows a group that became a supergroup", async () => {
    const { channel, platform } = setUp();
    platform.script([
      {
        kind: "status",
        status: 400,
        description: "Bad Request: group chat was upgraded to a supergroup chat",
        migrateTo: -100999,
      },
    ]);
    await channel.send({ ...target, chat: "-55" }, { text: "hi" }, never);
    expect(platform.sent.map(({ chat }) => chat)).toEqual(["-100999"]);
  });

  it.each([
    { status: 400, description: "Bad Request: chat not found", retryable: false },
    { status: 403, description: "Forbidden: bot was kicked from the group chat", retryable: false },
    { status: 401, description: "Unauthorized", retryable: true },
    { status: 404, description: "Not Found", retryable: true },
    { status: 500, description: "Internal Server Error", retryable: true },
  ])("finds $status $description worth a retry: $retryable", async ({ status, description, retryable }) => {
    const { channel, platform } = setUp();
    platform.script([{ kind: "status", status, description }]);
    await expect(channel.send(target, { text: "hi" }, never)).rejects.toMatchObject({
      name: "ChannelSendError",
      retryable,
      message: expect.stringContaining(description),
    });
  });

  it("takes an answer that is not the Bot API's for one that may come right", async () => {
    const { channel } = setUp({
      fetch: async () => new Response("<html>502</html>", { status: 502, headers: { "retry-after": "3" } }),
    });
    await expect(channel.send(target, { text: "hi" }, never)).rejects.toMatchObject({
      retryable: true,
      retryAfterMs: 3000,
    });
  });

  it("does not follow a redirect with its token", async () => {
    let asked = 0;
    const { channel } = setUp({
      fetch: async (_input, init) => {
        asked++;
        expect(init?.redirect).toBe("manual");
        return new Response(null, { status: 302, headers: { location: "https://elsewhere.example/" } });
      },
    });
    await expect(channel.send(target, { text: "hi" }, never)).rejects.toMatchObject({ retryable: true });
    expect(asked).toBe(1);
  });

  it("edits a message, and takes one that did not change for done", async () => {
    const { channel, platform } = setUp();
    platform.script([null, { kind: "status", status: 400, description: "Bad Request: message is not modified" }]);
    await channel.edit(target, "9", { text: "*new*" }, never);
    await channel.edit(target, "9", { text: "*new*" }, never);
    expect(platform.calls[0]).toMatchObject({
      method: "editMessageText",
      payload: { chat_id: 42, message_id: 9, text: "<i>new</i>" },
    });
  });

  it("brings a reply of 10,000 characters with fences whole to the chat, in parts that Telegram takes", async () => {
    const { channel, platform } = setUp();
    const code = Array.from({ length: 90 }, (_, line) => `  if (a < ${line} && b > 1) { call("${line}"); } // 码`).join(
      "\n",
    );
    const text =
      `# Plan\n\nSome **bold** words & <tags>. `.repeat(20) +
      `\n\n\`\`\`ts\n${code}\n\`\`\`\n\n1. one\n2. two\n\n`.repeat(3);
    expect(text.length).toBeGreaterThan(10_000);
    for (const part of splitText(text, { maxLength: channel.limits.maxTextLength, unit: channel.limits.unit }))
      await channel.send(target, { text: part }, never);
    expect(platform.sent.every(({ payload }) => payload["parse_mode"] === "HTML")).toBe(true);
    const arrived = platform.sent.map((message) => message.text).join("\n");
    for (const line of code.split("\n")) expect(arrived.split(line).length - 1).toBe(3);
    expect(arrived).not.toContain("```");
  });

  it("brings a Chinese reply of 10,000 characters whole to the chat", async () => {
    const { channel, platform } = setUp();
    const text = "**春天**来了，花开了。鸟儿在枝头唱歌！".repeat(500);
    for (const part of splitText(text, { maxLength: channel.limits.maxTextLength, unit: channel.limits.unit }))
      await channel.send(target, { text: part }, never);
    expect(platform.sent.map((message) => message.text).join("")).toBe(text.replaceAll("**", ""));
  });
});

describe("telegram().verifySetup()", () => {
  const webhookUrl = "https://assistant.example/webhooks/telegram";
  const allowed_updates = [
    "message",
    "edited_message",
    "channel_post",
    "edited_channel_post",
    "callback_query",
    "message_reaction",
  ];
  const verify = (setup: ReturnType<typeof setUp>) => setup.channel.verifySetup({ webhookUrl, signal: never });

  it("finds nothing wrong when the webhook points here", async () => {
    const setup = setUp();
    setup.platform.webhookInfo = { url: webhookUrl, pending_update_count: 0, allowed_updates };
    expect(await verify(setup)).toEqual([
      { ok: true, what: "The token belongs to @wakeful_bot" },
      { ok: true, what: `The webhook is ${webhookUrl}` },
    ]);
  });

  it.each([
    { title: "no webhook", info: { url: "" }, remedy: `url=${webhookUrl}` },
    { title: "another webhook", info: { url: "https://old.example/" }, remedy: "calls setWebhook" },
    {
      title: "a wrong secret",
      info: {
        url: webhookUrl,
        allowed_updates,
        pending_update_count: 3,
        last_error_message: "Wrong response from the webhook: 401 Unauthorized",
      },
      remedy: "secret_token",
    },
    {
      title: "an address that cannot be reached",
      info: {
        url: webhookUrl,
        allowed_updates,
        pending_update_count: 3,
        last_error_message: "Connection timed out",
      },
      remedy: "reachable",
    },
    {
      title: "a webhook without reactions",
      info: { url: webhookUrl, allowed_updates: allowed_updates.slice(0, -1) },
      remedy: '"message_reaction"',
    },
    { title: "a webhook with Telegram's own choice of updates", info: { url: webhookUrl }, remedy: "message_reaction" },
  ])("says how to mend $title", async ({ info, remedy }) => {
    const setup = setUp();
    setup.platform.webhookInfo = info;
    const wrong = (await verify(setup)).filter(({ ok }) => !ok);
    expect(wrong).toHaveLength(1);
    expect(wrong[0]?.remedy).toContain(remedy);
  });

  it("says that a token is wrong, that a secret cannot be set, that groups are not heard", async () => {
    const wrongToken = setUp({ token: "7001:other" });
    expect((await verify(wrongToken)).find(({ ok }) => !ok)?.remedy).toContain("@BotFather");
    const wrongSecret = setUp({ secret: "no spaces allowed" });
    expect((await verify(wrongSecret)).find(({ ok }) => !ok)?.remedy).toContain("A-Z, a-z, 0-9, _ and -");
    const privacy = setUp({ groups: "always" });
    expect((await verify(privacy)).some(({ remedy }) => remedy?.includes("/setprivacy"))).toBe(true);
  });
});
