import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { telegram } from "../../../adapters/channels/telegram/index.ts";
import { fsStore } from "../../../adapters/storage/fs/index.ts";
import { createAssistant } from "../../../entry.host.ts";
import { bareModel } from "./bare-model.ts";
import { INSTRUCTIONS, SECRET, TOKEN, ready } from "./bot.ts";

// The bot as an assistant: every message and reply durable on the fs store. Argument: where the Bot API is.

const runtime = "Bun" in globalThis ? "bun" : "Deno" in globalThis ? "deno" : "node";
const { serve } =
  runtime === "bun"
    ? await import("../../../adapters/runtimes/bun/index.ts")
    : runtime === "deno"
      ? await import("../../../adapters/runtimes/deno/index.ts")
      : await import("../../../adapters/runtimes/node/index.ts");

const root = mkdtempSync(join(tmpdir(), "wakeful-bench-"));
const assistant = await createAssistant({
  model: bareModel(),
  agent: { instructions: INSTRUCTIONS },
  store: await fsStore({ root }),
  channels: [
    telegram({ token: TOKEN, secret: SECRET, receive: "webhook", dm: "open", apiBase: process.argv[2] ?? "" }),
  ],
  queue: { debounceMs: 0 },
  context: { historyTokens: 700 },
  // The bots beside it let go of what is old without a summary. What a compaction costs is the row `long`.
  compaction: { enabled: false },
});
assistant.events.subscribe("*", () => {}, { name: "bench" });
const { port, stop } = await serve(assistant, { port: 0 });
ready(port, async () => {
  await stop();
  rmSync(root, { recursive: true, force: true });
});
