/**
 * Serves an assistant on Node: `serve()`; inside Express or any `node:http` server: `toNodeHandler()`.
 *
 * @module
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { createAdaptorServer, getRequestListener } from "@hono/node-server";
import { type Listener, type RunningServer, type Servable, type ServeOptions, serveOn } from "../server.ts";

export type { RunningServer, Servable, ServeOptions } from "../server.ts";

/**
 * Listens, then starts the assistant.
 *
 * Source: docs/deploy.md, "Node".
 *
 * @throws {AssistantError} `OPTION_INVALID` when it cannot listen at that address.
 */
export function serve(assistant: Servable, options: ServeOptions = {}): Promise<RunningServer> {
  return serveOn(listen, assistant, options);
}

/**
 * The assistant as a request handler of `node:http`, and so of Express: `app.use("/assistant",
 * toNodeHandler(assistant))`. Mount it before any middleware that reads the request's body. The host starts and stops
 * the assistant.
 */
export function toNodeHandler(
  assistant: Pick<Servable, "fetch">,
): (request: IncomingMessage, response: ServerResponse) => void {
  const listener = getRequestListener((request, env) => assistant.fetch(request, sourceOf(env)), {
    overrideGlobalObjects: false,
  });
  return (request, response) => void (isRead(request) ? refuseRead(response) : listener(request, response));
}

function isRead({ method, readableEnded }: IncomingMessage): boolean {
  return readableEnded && method !== "GET" && method !== "HEAD";
}

function refuseRead(response: ServerResponse): void {
  const problem = {
    type: "urn:wakeful:error:INTERNAL",
    title: "An internal error occurred",
    status: 500,
    detail: "The body was read before it came here: mount toNodeHandler() before express.json() and the like",
    code: "INTERNAL",
  };
  response.writeHead(500, { "content-type": "application/problem+json" }).end(JSON.stringify(problem));
}

function listen(fetch: Servable["fetch"], port: number, hostname: string): Promise<Listener> {
  // Keeps the global Request and Response unchanged: the process belongs to the host program.
  const server = createAdaptorServer({
    fetch: (request, env) => fetch(request, sourceOf(env)),
    overrideGlobalObjects: false,
  });
  let closing = false;
  // Connections without a request. Node's close waits for them: those that a browser opens ahead, and those kept alive
  // for a next request.
  const idle = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    idle.add(socket);
    socket.once("close", () => idle.delete(socket));
  });
  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    idle.delete(socket);
    response.once("finish", () => void (closing ? socket.end() : socket.destroyed || idle.add(socket)));
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, hostname, () => {
      server.off("error", reject);
      const address = server.address();
      resolve({
        port: typeof address === "object" && address !== null ? address.port : port,
        close: () =>
          new Promise((closed) => {
            closing = true;
            server.close(() => closed());
            for (const socket of idle) socket.destroy();
          }),
        cut: () => {
          server.close();
          if ("closeAllConnections" in server) server.closeAllConnections();
        },
      });
    });
  });
}

/** The facts about a connection that the HTTP layer needs: its remote address. */
function sourceOf(env: unknown): { readonly remoteAddress: string | undefined } {
  const { incoming } = env as { readonly incoming?: { readonly socket?: { readonly remoteAddress?: string } } };
  return { remoteAddress: incoming?.socket?.remoteAddress };
}
