import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { type PlatformUpdate, telegramPlatform } from "../support/telegram-platform.ts";
import { type Effect, answeredIds, placeInReply } from "./script.ts";

export const BOT_TOKEN = "7002:faults";
export const BOT_SECRET = "faults-secret";

/** One arrival of a message at the platform; a message that is sent again arrives again. */
export interface Arrival {
  readonly atMs: number;
  /** Which life of the assistant sent it: it has another `apiBase` in each. */
  readonly life: number;
  readonly chat: string;
  readonly key: string;
  readonly text: string;
  readonly ids: readonly number[];
}

export interface BotApi {
  /** The `apiBase` of one life. What a killed process had already put on the wire arrives after its end, and still counts as its own. */
  urlOf(life: number): string;
  readonly arrivals: readonly Arrival[];
  /** Effects of tools that have no file to write to. */
  readonly effects: readonly Effect[];
  /** The numbers of the messages that some reply names, and of the commands that were answered without a turn. */
  readonly answered: ReadonlySet<number>;
  /** Replies of which the last part is still to come. */
  readonly unfinished: ReadonlySet<string>;
  /** A new update, for whoever asks for it. */
  push(update: PlatformUpdate): void;
  /** How many updates are not confirmed. */
  waiting(): number;
  /** How many updates were handed out more than once. */
  handedOutAgain(): number;
  /** Resolves when updates are handed out next. */
  nextHandedOut(): Promise<void>;
  /** Called once, when the next message arrives: before it is answered, or straight after. */
  onNextArrival(when: "before-answer" | "after-answer", callback: () => void): void;
  forget(): void;
  stop(): Promise<void>;
}

/** The Bot API that outlives the assistant: as strict as the test platform, and remembers what arrived when. */
export async function startBotApi(): Promise<BotApi> {
  const platform = telegramPlatform({ token: BOT_TOKEN });
  let arrivals: Arrival[] = [];
  let effects: Effect[] = [];
  let answered = new Set<number>();
  let unfinished = new Set<string>();
  let handedOut = () => {};
  let before: (() => void) | undefined;
  let after: (() => void) | undefined;

  const server = createServer((request, response) => {
    void (async () => {
      const body = await readText(request);
      const [, life = "", path = "/"] = /^\/life-(\d+)(\/.*)$/.exec(request.url ?? "") ?? [];
      if (path === "/effect") {
        effects.push(JSON.parse(body) as Effect);
        response.end("{}");
        return;
      }
      const key = request.headers["idempotency-key"];
      const answer = await platform.handle(path, body, typeof key === "string" ? key : null);
      const taken = platform.sent.findLast(({ idempotencyKey }) => idempotencyKey === (key ?? null));
      const isMessage = answer.ok && path.endsWith("/sendMessage") && taken !== undefined;
      if (isMessage) {
        const ids = answeredIds(taken.text);
        const arrival = {
          atMs: performance.now(),
          life: Number(life),
          chat: taken.chat,
          key: String(key),
          text: taken.text,
          ids,
        };
        arrivals.push(arrival);
        for (const id of ids) answered.add(id);
        const reply = arrival.key.slice(0, arrival.key.lastIndexOf("."));
        const place = placeInReply(taken.text);
        if (place === "more-follows") unfinished.add(reply);
        if (place === "last") unfinished.delete(reply);
        const [, command] = /^answer:telegram:default:(\d+)\.0$/.exec(arrival.key) ?? [];
        if (command !== undefined) answered.add(Number(command));
        const call = before;
        before = undefined;
        call?.();
      }
      const text = await answer.text();
      if (platform.calls.length > 10_000 && platform.handedOut.size === 0) platform.reset();
      response.writeHead(answer.status, { "content-type": "application/json" });
      response.end(text, () => {
        if (path.endsWith("/getUpdates")) handedOut();
        if (!isMessage) return;
        const call = after;
        after = undefined;
        call?.();
      });
    })().catch(() => response.destroy());
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  return {
    urlOf: (life) => `http://127.0.0.1:${port}/life-${life}`,
    get arrivals() {
      return arrivals;
    },
    get effects() {
      return effects;
    },
    get answered() {
      return answered;
    },
    get unfinished() {
      return unfinished;
    },
    onNextArrival(when, callback) {
      if (when === "before-answer") before = callback;
      else after = callback;
    },
    push: (update) => platform.push(update),
    waiting: () => platform.waiting.length,
    handedOutAgain: () => [...platform.handedOut.values()].filter((times) => times > 1).length,
    nextHandedOut: () => new Promise((resolve) => (handedOut = resolve)),
    forget() {
      arrivals = [];
      effects = [];
      answered = new Set();
      unfinished = new Set();
      before = undefined;
      after = undefined;
      platform.reset();
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
