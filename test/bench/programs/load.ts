import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { createInterface } from "node:readline";
import { SECRET, TOKEN } from "./bot.ts";

// Telegram and its people in one process: sixteen senders, each of whom writes again when the answer has come. It is told by lines of JSON what to do:
// `{ url, seconds }` sends to a bot for so long and prints what came of it.

const SENDERS = 16;
/** A message that was not answered within this is lost, and its sender goes on. */
const PATIENCE_MS = 5000;
/** 160 characters. */
const TEXT =
  "Where did I put the blue folder with the papers of the house, the one that the notary gave me in spring before we went to the sea for a week with the children??";

const agent = new Agent({ keepAlive: true, maxSockets: SENDERS * 2 });
const answered = new Map<number, () => void>();
let updates = 0;
let calls = 0;

const botApi = createServer((incoming, response) => {
  let body = "";
  incoming.setEncoding("utf8").on("data", (text: string) => (body += text));
  incoming.on("end", () => {
    calls += 1;
    const method = incoming.url?.split("/").at(-1) ?? "";
    response.setHeader("content-type", "application/json");
    if (!incoming.url?.startsWith(`/bot${TOKEN}/`)) return void response.writeHead(401).end("{}");
    if (method === "getMe") {
      const me = { id: 7001, is_bot: true, first_name: "Bench", username: "wakeful_bot" };
      return void response.end(JSON.stringify({ ok: true, result: me }));
    }
    if (!method.startsWith("send")) return void response.end(JSON.stringify({ ok: true, result: true }));
    const { chat_id: chat } = JSON.parse(body) as { chat_id: number | string };
    const id = Number(chat);
    const result = { message_id: calls, date: 1_767_600_000, chat: { id, type: "private" }, text: "" };
    response.end(JSON.stringify({ ok: true, result }));
    if (method !== "sendChatAction") answered.get(id)?.();
  });
});
botApi.keepAliveTimeout = 60_000;
await new Promise<void>((resolve) => botApi.listen(0, "127.0.0.1", resolve));
console.log(JSON.stringify({ url: `http://127.0.0.1:${(botApi.address() as AddressInfo).port}` }));

function post(url: string, chat: number): Promise<number> {
  updates += 1;
  const from = { id: chat, is_bot: false, first_name: "Ada", language_code: "en" };
  const body = JSON.stringify({
    update_id: updates,
    message: {
      message_id: updates,
      date: Math.floor(Date.now() / 1000),
      chat: { id: chat, type: "private", first_name: "Ada" },
      from,
      text: TEXT,
    },
  });
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "x-telegram-bot-api-secret-token": SECRET,
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", agent, headers }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    });
    sent.on("error", reject).end(body);
  });
}

async function sendAndReceive(url: string, seconds: number) {
  const until = performance.now() + seconds * 1000;
  const acknowledgedMs: number[] = [];
  const repliedMs: number[] = [];
  let lost = 0;
  await Promise.all(
    Array.from({ length: SENDERS }, async (_, index) => {
      const chat = 1000 + index;
      while (performance.now() < until) {
        const startedAt = performance.now();
        const reply = new Promise<boolean>((resolve) => {
          const timer = setTimeout(() => resolve(false), PATIENCE_MS);
          answered.set(chat, () => {
            clearTimeout(timer);
            resolve(true);
          });
        });
        const status = await post(url, chat);
        acknowledgedMs.push(performance.now() - startedAt);
        if (status !== 200) throw new Error(`The bot answered ${status}`);
        if (await reply) repliedMs.push(performance.now() - startedAt);
        else lost += 1;
      }
    }),
  );
  const sorted = acknowledgedMs.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)];
  return { repliesPerSecond: repliedMs.length / seconds, acknowledgedP50: at(0.5), acknowledgedP99: at(0.99), lost };
}

for await (const line of createInterface({ input: process.stdin })) {
  const { url, seconds } = JSON.parse(line) as { url: string; seconds: number };
  console.log(JSON.stringify(await sendAndReceive(url, seconds)));
}
process.exit(0);
