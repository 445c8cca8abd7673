/**
 * An assistant that is made to be killed: serves Telegram on the runtime that runs it, and prints what the store reports and `ready <port>`.
 * Its one argument is `ChildOptions` as JSON. It ends with its standard input, so that it never outlives who started it.
 */
import { appendFileSync } from "node:fs";
import process from "node:process";
import { telegram } from "../../adapters/channels/telegram/index.ts";
import type { RunningServer, Servable, ServeOptions } from "../../adapters/runtimes/server.ts";
import { type Clock, type Logger, createAssistant, systemClock } from "../../entry.host.ts";
import type { Store } from "../../kit.ts";
import { type Mode, BUSY_OPTIONS, busyLatencyMs, faultsModel, faultsTools, withFiles } from "./script.ts";

export interface ChildOptions {
  readonly store: { readonly kind: "fs"; readonly root: string } | { readonly kind: "redis"; readonly url: string };
  readonly apiBase: string;
  readonly token: string;
  readonly secret: string;
  /** Each effect of a tool is one line of this file. */
  readonly effects: string;
  readonly maxTurnSeconds?: number;
  readonly maxSteps?: number;
  /** Slow calls, a short window and this queue mode. Default: quick calls, everything as it comes. */
  readonly busyMode?: Mode;
  /** A file whose number of milliseconds is added to the clock, read anew at each look. */
  readonly clockOffset?: string;
}

const options = JSON.parse(process.argv[2] ?? "{}") as ChildOptions;
process.stdin.on("end", () => process.exit(0)).resume();

/** One whole line at a time. */
const say = (word: string, text: string) => void process.stdout.write(`${word} ${text.replaceAll("\n", " ")}\n`);

const logger: Logger = {
  debug: () => {},
  info: () => {},
  warn: (message, fields) => say("warn", `${message} ${JSON.stringify(fields ?? {})}`),
  error: (message, fields) => say("error", `${message} ${JSON.stringify(fields ?? {})}`),
};

async function openStore(clock: Clock): Promise<Store> {
  if (options.store.kind === "fs") {
    const { fsStore } = await import("../../adapters/storage/fs/index.ts");
    return fsStore({ root: options.store.root, clock, onReport: (report) => say("report", JSON.stringify(report)) });
  }
  const { redisStore } = await import("../../adapters/storage/redis/index.ts");
  return redisStore({ url: options.store.url });
}

async function serveHere(assistant: Servable, serveOptions: ServeOptions): Promise<RunningServer> {
  if ("Bun" in globalThis) return (await import("../../adapters/runtimes/bun/index.ts")).serve(assistant, serveOptions);
  if ("Deno" in globalThis)
    return (await import("../../adapters/runtimes/deno/index.ts")).serve(assistant, serveOptions);
  return (await import("../../adapters/runtimes/node/index.ts")).serve(assistant, serveOptions);
}

/** A host whose time of day is set on and back while it runs; what waits, waits as long as before. */
async function steppedClock(file: string): Promise<Clock> {
  const { readFileSync } = await import("node:fs");
  const system = systemClock();
  const offset = () => Number(readFileSync(file, "utf8")) || 0;
  return {
    now: () => system.now() + offset(),
    sleep: (ms, signal) => system.sleep(ms, signal),
    at: (timeMs, callback) => system.at(timeMs - offset(), callback),
  };
}

const clock = options.clockOffset === undefined ? systemClock() : await steppedClock(options.clockOffset);
const { busyMode } = options;
const isBusy = busyMode !== undefined;
const quickLatencyMs = () => 2 + Math.random() * 10;
const assistant = await createAssistant({
  model: faultsModel({ clock: systemClock(), latencyMs: isBusy ? busyLatencyMs : quickLatencyMs }),
  ...(isBusy && BUSY_OPTIONS),
  store: await openStore(clock),
  clock,
  logger,
  tools: faultsTools(async (effect) => {
    await systemClock().sleep(isBusy ? busyLatencyMs() / 2 : Math.random() * 4);
    appendFileSync(options.effects, `${JSON.stringify(effect)}\n`);
    await systemClock().sleep(Math.random() * 4);
  }),
  agent: {
    ...(options.maxTurnSeconds !== undefined && { maxTurnSeconds: options.maxTurnSeconds }),
    ...(options.maxSteps !== undefined && { maxSteps: options.maxSteps }),
  },
  channels: [
    withFiles(
      telegram({
        token: options.token,
        secret: options.secret,
        receive: "webhook",
        apiBase: options.apiBase,
        dm: "open",
        queue: { debounceMs: 0, ...(busyMode !== undefined && { mode: busyMode }) },
      }),
    ),
  ],
});
const server = await serveHere(assistant, { port: 0 });
process.once("SIGTERM", () => void server.stop().then(() => process.exit(0)));
say("ready", String(server.port));
// Whoever is killed writes no cache of compiled files (Node): the restarts that are measured are the assistant's, not the compiler's.
process.getBuiltinModule("node:module").flushCompileCache?.();
