/** An assistant that asks Telegram for its messages and is made to be killed. Its arguments are the store's folder and the address of the Bot API. */
import process from "node:process";
import { telegram } from "../../adapters/channels/telegram/index.ts";
import { fsStore } from "../../adapters/storage/fs/index.ts";
import { createAssistant } from "../../entry.host.ts";
import { scriptedModel } from "../../src/testing/index.ts";
import { BOT_TOKEN } from "./bot-api.ts";

const [, , root = "", apiBase = ""] = process.argv;
process.stdin.on("end", () => process.exit(0)).resume();

const assistant = await createAssistant({
  store: await fsStore({ root }),
  model: scriptedModel(
    (prompt) => `answers ${/u\d+(?= please)/.exec(JSON.stringify(prompt.at(-1)))?.[0] ?? "nothing"}`,
  ),
  memory: { enabled: false },
  queue: { maxConcurrent: 8, mode: "followup", debounceMs: 0 },
  channels: [telegram({ token: BOT_TOKEN, apiBase, dm: "open" })],
});
await assistant.start({ listen: true });
process.stdout.write("ready\n");
