import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { telegramPlatform } from "./telegram-platform.ts";
import type { Answer, TelegramPlatform } from "./telegram-platform.ts";

/**
 * A Bot API on a loopback port, for tests that need real HTTP: `apiBase: stub.url`.
 *
 * In this process: `const stub = await startTelegramStub()`. As a process of its own:
 * `node test/support/telegram-stub.ts [port]` prints one line, `{"url":"http://127.0.0.1:…"}`, and is then told what to do over HTTP:
 * `GET /_sent?after=0` gives what was taken as `[{ id, chat, text, idempotencyKey }]`, `GET /_count` gives `{ sent, calls }`,
 * `POST /_script` takes `{ answers: [Answer | null], method? }`, `POST /_reset` forgets everything. It ends with its standard input, or by a signal.
 */
export interface TelegramStub {
  /** For the option `apiBase`. */
  readonly url: string;
  readonly platform: TelegramPlatform;
  stop(): Promise<void>;
}

/** The token that the stub takes when none is given. */
export const STUB_TOKEN = "7001:stub-token";

export async function startTelegramStub({ port = 0, token = STUB_TOKEN } = {}): Promise<TelegramStub> {
  const platform = telegramPlatform({ token, sleep: (ms) => sleep(ms) });
  const server = createServer((request, response) => {
    serve(platform, request, response).catch(() => response.destroy());
  });
  // Bots keep their connections; a load test opens many.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${bound}`,
    platform,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(platform: TelegramPlatform, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "http://127.0.0.1");
  const body = await readText(request);
  if (url.pathname.startsWith("/_")) return control(platform, url, body, response);

  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const key = request.headers["idempotency-key"];
  // A throw is a broken connection: the caller destroys the socket.
  const answer = await platform.handle(url.pathname, body, typeof key === "string" ? key : null, gone.signal);
  response.writeHead(answer.status, { "content-type": "application/json" });
  response.end(await answer.text());
}

function control(platform: TelegramPlatform, url: URL, body: string, response: ServerResponse): void {
  let result: unknown = {};
  if (url.pathname === "/_sent") {
    const after = Number(url.searchParams.get("after") ?? 0);
    result = platform.sent
      .slice(after)
      .map(({ id, chat, text, idempotencyKey }) => ({ id, chat, text, idempotencyKey }));
  } else if (url.pathname === "/_count") {
    result = { sent: platform.sent.length, calls: platform.calls.length };
  } else if (url.pathname === "/_script") {
    const { answers, method } = JSON.parse(body) as { answers: (Answer | null)[]; method?: string };
    platform.script(answers, method === undefined ? {} : { method });
  } else if (url.pathname === "/_reset") {
    platform.reset();
  } else {
    response.writeHead(404);
  }
  response.end(JSON.stringify(result));
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

const isMain = process.argv[1]?.replaceAll("\\", "/").endsWith("/telegram-stub.ts") === true;
if (isMain) {
  const stub = await startTelegramStub({ port: Number(process.argv[2] ?? 0) });
  console.log(JSON.stringify({ url: stub.url }));
  const stop = () => void stub.stop().then(() => process.exit(0));
  process.on("SIGTERM", stop);
  // The parent went away: nobody else would end this process.
  process.stdin.on("end", stop).resume();
}
