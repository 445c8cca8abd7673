import * as v from "valibot";
import { defineTool } from "../../../mod.ts";
import { telegram } from "../../../adapters/channels/telegram/index.ts";
import { webhook } from "../../../adapters/channels/webhook/index.ts";
import { createHmac } from "../../../src/guard/hmac.ts";
import { updates } from "../../channels/fixtures/telegram.ts";
import { telegramPlatform } from "../../support/telegram-platform.ts";
import { calls, says } from "../../../src/testing/index.ts";
import { type WorldOptions, openWorld } from "../world.ts";

const TOKEN = "7001:AAHtoken";
const SECRET = "telegram-secret";
const HOOK_SECRET = "webhook-secret-webhook-secret";

/** An assistant behind Telegram, and what the platform was asked to do. */
async function behindTelegram(options: WorldOptions = {}) {
  const platform = telegramPlatform({ token: TOKEN });
  const t = await openWorld({
    owner: { ids: ["telegram:42"] },
    ...options,
    more: () => ({
      channels: [
        telegram({
          token: TOKEN,
          secret: SECRET,
          dm: "open",
          groups: "mention",
          botUsername: "wakeful_bot",
          fetch: platform.fetch,
          apiBase: "http://stub",
        }),
      ],
    }),
  });
  let shown = 0;
  return {
    ...t,
    get assistant() {
      return t.assistant;
    },
    platform,
    async update(name: string, update: unknown): Promise<void> {
      const headers = { "content-type": "application/json", "x-telegram-bot-api-secret-token": SECRET };
      const body = JSON.stringify(update);
      await t.deliver(name, new Request("http://localhost/webhooks/telegram", { method: "POST", headers, body }));
      for (const { method, payload } of platform.calls.slice(shown)) t.recording.value(`telegram ${method}`, payload);
      shown = platform.calls.length;
    },
  };
}

export const platforms = {
  async "every kind of update of Telegram"() {
    const t = await behindTelegram();
    for (const [name, update] of Object.entries(updates)) await t.update(name, update);
    return t.close();
  },

  async "an approval by a button of Telegram"() {
    const t = await behindTelegram({
      tools: {
        wipe: defineTool({
          description: "Wipes a disk",
          inputSchema: v.object({ disk: v.string() }),
          execute: ({ disk }) => ({ wiped: disk }),
          meta: { dangerous: true },
        }),
      },
      script: (_, index) => (index === 0 ? calls(["wipe", { disk: "sda" }]) : says("**Done**, _really_")),
    });
    await t.update("a message", updates.direct);
    const asked = t.platform.sent.find(({ payload }) => "reply_markup" in payload);
    const data = /"callback_data":"([^"]+)"/.exec(JSON.stringify(asked?.payload))?.[1];
    const { callback_query: pressed } = updates.callbackQuery;
    await t.update("a press", {
      update_id: 910_001,
      callback_query: { ...pressed, message: { ...pressed.message, message_id: asked?.id }, data },
    });
    await t.update("another message", { ...updates.direct, update_id: 910_002 });
    return t.close();
  },

  async "a webhook of one's own"() {
    const posted: unknown[] = [];
    const t = await openWorld({
      more: (clock) => ({
        channels: [
          webhook({
            secret: HOOK_SECRET,
            dm: "open",
            clock,
            replyUrl: "https://app.example/replies",
            fetch: async (input, init) => {
              posted.push(await new Request(input, init).json());
              return new Response();
            },
          }),
        ],
      }),
    });
    for (const [path, body] of [
      ["/webhooks/webhook", { id: "1", user: "ada", text: "hello" }],
      ["/webhooks/webhook", { id: "1", user: "ada", text: "hello" }],
      ["/webhooks/webhook", { nothing: true }],
    ] as const) {
      const text = JSON.stringify(body);
      const timestamp = String(Math.floor(t.clock.now() / 1000));
      const signature = `sha256=${await createHmac(HOOK_SECRET).sign(`${timestamp}.${text}`)}`;
      const headers = { "x-timestamp": timestamp, "x-signature": signature, "content-type": "application/json" };
      await t.deliver(text, new Request(`http://localhost${path}`, { method: "POST", headers, body: text }));
    }
    t.recording.value("posted", posted);
    return t.close();
  },
};
