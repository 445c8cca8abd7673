import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";

/** A request that the stub got. */
export interface StubRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface StubServer extends AsyncDisposable {
  /** Its address, as `base_url` has it. */
  readonly url: string;
  readonly requests: readonly StubRequest[];
  /** Answers that clients gave up on. */
  readonly hungUp: number;
}

/** How the stub answers one request. `undefined` never answers. */
export type StubAnswer =
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly json: unknown }
  | { readonly events: readonly unknown[]; readonly thenHang?: boolean }
  | undefined;

/** A server on loopback that speaks what it is told to. */
export async function stubServer(answer: (request: StubRequest) => StubAnswer): Promise<StubServer> {
  const requests: StubRequest[] = [];
  let hungUp = 0;

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on("close", () => {
      if (!response.writableFinished) hungUp++;
    });
    let body = "";
    for await (const chunk of incoming) body += String(chunk);
    const request: StubRequest = {
      method: incoming.method ?? "",
      path: incoming.url ?? "",
      authorization: incoming.headers.authorization,
      body: body === "" ? {} : (JSON.parse(body) as Record<string, unknown>),
    };
    requests.push(request);
    const given = answer(request);
    if (given === undefined) return;
    if ("json" in given) {
      const text = typeof given.json === "string" ? given.json : JSON.stringify(given.json);
      response.writeHead(given.status ?? 200, { "content-type": "application/json", ...given.headers }).end(text);
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of given.events) response.write(`data: ${JSON.stringify(event)}\n\n`);
    if (given.thenHang !== true) response.end("data: [DONE]\n\n");
  }

  const server = createServer((incoming, response) => void handle(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The stub server has no port");
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    requests,
    get hungUp() {
      return hungUp;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
