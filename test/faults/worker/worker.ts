import { workersPlatform } from "../../../adapters/platform/workers/index.ts";
import { telegram } from "../../../adapters/channels/telegram/index.ts";
import { type AssistantObjectState, assistantObject, worker } from "../../../adapters/runtimes/cloudflare/index.ts";
import { durableObjectStore } from "../../../adapters/storage/durable-object/index.ts";
import { systemClock } from "../../../mod.ts";
import { type LogRecord } from "../../../kit.ts";
import { readMemory } from "../memory.ts";
import { type Mode, BUSY_OPTIONS, busyLatencyMs, faultsModel, faultsTools, withFiles } from "../script.ts";

interface Env {
  readonly API_BASE: string;
  readonly BOT_TOKEN: string;
  readonly BOT_SECRET: string;
  readonly MODE: Mode;
}

const say = (level: "warn" | "error") => (message: string, fields?: object) =>
  console[level](`${message} ${JSON.stringify(fields ?? {})}`);

/** The assistant of the examples with a model and tools that can be checked, and a look at its log and its memory when all is over. */
export class Assistant extends assistantObject(({ API_BASE, BOT_TOKEN, BOT_SECRET, MODE }: Env) => ({
  model: faultsModel({ clock: systemClock(), latencyMs: busyLatencyMs }),
  ...BUSY_OPTIONS,
  tools: faultsTools(async (effect) => {
    await systemClock().sleep(busyLatencyMs() / 2);
    const response = await fetch(`${API_BASE}/effect`, { method: "POST", body: JSON.stringify(effect) });
    await response.text();
  }),
  logger: { debug: () => {}, info: () => {}, warn: say("warn"), error: say("error") },
  channels: [
    withFiles(
      telegram({
        token: BOT_TOKEN,
        secret: BOT_SECRET,
        apiBase: API_BASE,
        dm: "open",
        queue: { debounceMs: 0, mode: MODE },
      }),
    ),
  ],
})) {
  readonly #state: AssistantObjectState;

  constructor(state: AssistantObjectState, env: Env) {
    super(state, env);
    this.#state = state;
  }

  override async fetch(request: Request): Promise<Response> {
    if (new URL(request.url).pathname !== "/faults/state") return super.fetch(request);
    const store = durableObjectStore(this.#state);
    const sessions: [string, LogRecord[]][] = [];
    for await (const { key } of store.list("sessions/")) {
      if (!/\/(log|summary)\.jsonl$/.test(key)) continue;
      const records: LogRecord[] = [];
      for await (const { seq, record } of store.read(key)) records.push({ seq, ...record });
      sessions.push([key, records]);
    }
    return Response.json({ sessions, memory: await readMemory(store, workersPlatform) });
  }
}

export default worker({ binding: "ASSISTANT" });
