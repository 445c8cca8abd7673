// A program of somebody who installed the package: type-checked against the tarball, then run on Node, Bun and Deno.
import { type Assistant, AssistantError, type Config, createAssistant, defineTool, parseConfig } from "wakeful";
import type { Channel, Store } from "wakeful/kit";
import { telegram } from "wakeful/channels/telegram";
import { webhook } from "wakeful/channels/webhook";
import { embeddedEngine } from "wakeful/engines/embedded";
import { loadModel } from "wakeful/models/from-config";
import { offlineModel } from "wakeful/models/offline";
import { toNodeHandler } from "wakeful/runtimes/node";
import type { RunningServer } from "wakeful/runtimes/bun";
import type { ServeOptions } from "wakeful/runtimes/deno";
import { fsStore } from "wakeful/storage/fs";
import { memoryStore } from "wakeful/storage/memory";
import { sqliteStore } from "wakeful/storage/sqlite";
import { fakeClock, scriptedModel } from "wakeful/testing";
import { hostWorkspace } from "wakeful/workspaces/host";
import { virtualWorkspace } from "wakeful/workspaces/virtual";
import * as v from "valibot";

const root = `./data-${Date.now()}`;
const store: Store = await fsStore({ root });
const channels: readonly Channel[] = [
  webhook({ secret: "0123456789abcdef0123456789abcdef" }),
  telegram({ token: "1:a", secret: "s" }),
];
const dice = defineTool({
  description: "Rolls a die",
  inputSchema: v.object({ sides: v.optional(v.number(), 6) }),
  execute: ({ sides }) => ({ rolled: sides }),
});

const assistant: Assistant = await createAssistant({
  model: offlineModel(),
  store,
  channels,
  tools: { dice },
  workspace: virtualWorkspace({ store }),
  queue: { mode: "followup" },
});
const reply = await assistant.send({ text: "hello", user: "sdk" });
const rolled = await assistant.tools.run("dice", {});
const health = await assistant.fetch(new Request("http://localhost/healthz"));
toNodeHandler(assistant);
await assistant.stop();

const config: Config = parseConfig("queue: { debounce_ms: 250 }", { env: {} });
const refused = await createAssistant({ model: offlineModel(), store: memoryStore(), queue: { cap: 0 } }).catch(
  (error: unknown) => AssistantError.is(error, "OPTION_INVALID"),
);

const named: readonly unknown[] = [embeddedEngine, loadModel, sqliteStore, fakeClock, scriptedModel, hostWorkspace];
const shapes: { server?: RunningServer; options?: ServeOptions } = {};
console.log(
  JSON.stringify({
    text: reply.text,
    rolled: rolled.ok && rolled.output,
    health: await health.text(),
    debounceMs: config.queue?.debounceMs,
    refused: refused === true,
    named: named.every((one) => typeof one === "function"),
    shapes: Object.keys(shapes).length,
  }),
);
