/**
 * Serves an assistant on Deno: `serve()`.
 *
 * @module
 */
import { type Listener, type RunningServer, type Servable, type ServeOptions, serveOn } from "../server.ts";

export type { RunningServer, Servable, ServeOptions } from "../server.ts";

interface DenoRequestInfo {
  readonly remoteAddr: { readonly hostname?: string };
}

/** The few members of Deno that are used; https://docs.deno.com/api/deno/~/Deno.serve. */
interface DenoApi {
  serve(
    options: { port: number; hostname: string; onListen(): void },
    handler: (request: Request, info: DenoRequestInfo) => Response | Promise<Response>,
  ): { readonly addr: { readonly port: number }; shutdown(): Promise<void> };
}

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
  const { Deno } = globalThis as unknown as { Deno?: DenoApi };
  if (Deno === undefined) throw new TypeError("wakeful/runtimes/deno runs on Deno only");
  const cut = new AbortController();
  const wasCut = new Promise<Response>((resolve) => {
    cut.signal.addEventListener("abort", () => resolve(new Response(null, { status: 503 })), { once: true });
  });
  // Deno's own signal cannot end open requests once shutdown() waits for them, so streams and unanswered requests are
  // ended here.
  const server = Deno.serve({ port, hostname, onListen: () => {} }, async (request, { remoteAddr }) => {
    const response = await Promise.race([fetch(request, { remoteAddress: remoteAddr.hostname }), wasCut]);
    const streams = response.headers.get("content-type")?.startsWith("text/event-stream");
    if (!streams || response.body === null) return response;
    return new Response(response.body.pipeThrough(endingWith(cut.signal)), response);
  });
  return {
    port: server.addr.port,
    close: () => server.shutdown(),
    cut: () => {
      cut.abort();
      void server.shutdown().catch(() => {});
    },
  };
}

/** Passes bytes through and ends when the signal aborts. */
function endingWith(signal: AbortSignal): TransformStream<Uint8Array, Uint8Array> {
  let end = () => {};
  const forget = () => signal.removeEventListener("abort", end);
  const transformer: Transformer<Uint8Array, Uint8Array> & { cancel(): void } = {
    start(controller) {
      end = () => controller.terminate();
      signal.addEventListener("abort", end, { once: true });
    },
    flush: forget,
    cancel: forget,
  };
  return new TransformStream(transformer);
}
