import { createAssistant } from "wakeful";
import { offlineModel } from "wakeful/models/offline";
import { serve } from "wakeful/runtimes/node";
import { fsStore } from "wakeful/storage/fs";

const assistant = await createAssistant({
  // Any AI SDK model: openai("…") of @ai-sdk/openai, anthropic("…") of @ai-sdk/anthropic, …
  model: offlineModel(),
  store: await fsStore({ root: ".wakeful" }),
  server: { token: process.env["WAKEFUL_TOKEN"] ?? "change-me" },
});

const { url } = await serve(assistant, { port: Number(process.env["PORT"] ?? 8787) });
console.log(`Wakeful listens on ${url}`);
