/**
 * Serves an assistant on Bun: `serve()`.
 *
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Listener, type RunningServer, type Servable, type ServeOptions, serveOn } from "../server.ts";

export type { RunningServer, Servable, ServeOptions } from "../server.ts";

interface BunServer {
  requestIP(request: Request): { readonly address: string } | null;
}

/** The few members of Bun that are used; https://bun.com/reference/bun/serve. */
interface BunApi {
  serve(options: {
    port: number;
    hostname: string;
    idleTimeout: number;
    maxRequestBodySize: number;
    fetch(request: Request, server: BunServer): Response | Promise<Response>;
  }): {
    readonly port: number;
    /** Answers that the client's system has not yet received completely. */
    readonly pendingRequests: number;
    stop(closeActiveConnections?: boolean): Promise<void>;
  };
}

/** Milliseconds between two checks for unfinished answers. */
const LOOK_MS = 20;

/**
 * Listens, then starts the assistant.
 *
 * Source: docs/deploy.md, "Bun and Deno".
 *
 * @throws {AssistantError} `OPTION_INVALID` when it cannot listen at that address.
 */
export function serve(assistant: Servable, options: ServeOptions = {}): Promise<RunningServer> {
  return serveOn(listen, assistant, options);
}

async function listen(fetch: Servable["fetch"], port: number, hostname: string): Promise<Listener> {
  const { Bun } = globalThis as unknown as { Bun?: BunApi };
  if (Bun === undefined) throw new TypeError("wakeful/runtimes/bun runs on Bun only");
  // An answer can take as long as a turn, and Bun closes a silent connection after 10 seconds by default.
  const server = Bun.serve({
    port,
    hostname,
    idleTimeout: 0,
    maxRequestBodySize: 16 * 1024 * 1024,
    fetch: (request, own) => fetch(request, { remoteAddress: own.requestIP(request)?.address }),
  });
  return {
    port: server.port,
    async close() {
      let isClosed = false;
      const closed = server.stop().then(() => void (isClosed = true));
      // `stop` waits for connections, including a browser's idle ones.
      while (!isClosed && server.pendingRequests > 0) await sleep(LOOK_MS);
      await server.stop(true);
      await closed;
    },
    cut: () => void server.stop(true),
  };
}
