import process from "node:process";
import { generateText } from "ai";
import { Hono } from "hono";
import { bareModel } from "./bare-model.ts";
import { HISTORY_MESSAGES, INSTRUCTIONS, SECRET, TOKEN, listen, ready } from "./bot.ts";

// The bot as one writes it in an evening: a route that answers before it returns, and forgets everything when it ends. Argument: where the Bot API is.

interface Update {
  readonly message?: { readonly chat: { readonly id: number }; readonly text?: string };
}

const api = `${process.argv[2] ?? ""}/bot${TOKEN}`;
const model = bareModel();
const chats = new Map<number, { role: "user" | "assistant"; content: string }[]>();

const app = new Hono();
app.post("/webhooks/telegram", async (context) => {
  if (context.req.header("x-telegram-bot-api-secret-token") !== SECRET) return context.text("wrong secret", 401);
  const { message } = await context.req.json<Update>();
  if (message?.text === undefined) return context.body(null, 200);
  const history = chats.get(message.chat.id) ?? [];
  history.push({ role: "user", content: message.text });
  const { text } = await generateText({ model, instructions: INSTRUCTIONS, messages: history });
  history.push({ role: "assistant", content: text });
  chats.set(message.chat.id, history.slice(-HISTORY_MESSAGES));
  const response = await fetch(`${api}/sendMessage`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ chat_id: message.chat.id, text }),
  });
  await response.json();
  return context.body(null, 200);
});
ready(await listen((request) => app.fetch(request)));
