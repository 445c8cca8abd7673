import process from "node:process";
import { createMemoryState } from "@chat-adapter/state-memory";
import { createTelegramAdapter } from "@chat-adapter/telegram";
import { generateText } from "ai";
import { Chat } from "chat";
import { bareModel } from "../programs/bare-model.ts";
import { HISTORY_MESSAGES, INSTRUCTIONS, SECRET, TOKEN, listen, ready } from "../programs/bot.ts";

// The bot on Chat SDK with its state in memory. Argument: where the Bot API is.

const model = bareModel();
const chats = new Map<string, { role: "user" | "assistant"; content: string }[]>();
const bot = new Chat({
  userName: "wakeful_bot",
  adapters: {
    telegram: createTelegramAdapter({
      botToken: TOKEN,
      secretToken: SECRET,
      mode: "webhook",
      userName: "wakeful_bot",
      apiUrl: process.argv[2] ?? "",
    }),
  },
  state: createMemoryState(),
  // The default drops what arrives while a handler runs.
  concurrency: "queue",
  logger: "silent",
});

bot.onDirectMessage(async (thread, message) => {
  const history = chats.get(thread.id) ?? [];
  history.push({ role: "user", content: message.text });
  const { text } = await generateText({ model, instructions: INSTRUCTIONS, messages: history });
  history.push({ role: "assistant", content: text });
  chats.set(thread.id, history.slice(-HISTORY_MESSAGES));
  await thread.post(text);
});

ready(await listen((request) => bot.webhooks.telegram(request)));
