import { telegram } from "wakeful/channels/telegram";
import { offlineModel } from "wakeful/models/offline";
import { assistantObject, worker } from "wakeful/runtimes/cloudflare";

interface Env {
  WAKEFUL_TOKEN: string;
  TELEGRAM_TOKEN?: string;
  TELEGRAM_SECRET?: string;
}

/** One tenant's assistant, with its conversations in the object's own database. */
export const Assistant = assistantObject(({ WAKEFUL_TOKEN, TELEGRAM_TOKEN, TELEGRAM_SECRET }: Env) => ({
  // Any AI SDK model: createOpenAI({ apiKey: env.OPENAI_API_KEY })("…"), …
  model: offlineModel(),
  channels: TELEGRAM_TOKEN && TELEGRAM_SECRET ? [telegram({ token: TELEGRAM_TOKEN, secret: TELEGRAM_SECRET })] : [],
  server: { token: WAKEFUL_TOKEN },
}));

export default worker({ binding: "ASSISTANT" });
