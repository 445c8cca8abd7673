import { AssistantError, systemClock } from "../../mod.ts";
import { CLOSING, DEFAULT_HOST, DEFAULT_PORT, SERVED, messageOf, withTimeout } from "../../kit.ts";
import { unref } from "../platform/process-life.ts";

/** An assistant, or anything with the same outside. */
export interface Servable {
  /** Answers one request. `env` holds what the server adds to it. */
  fetch(request: Request, env?: unknown): Response | Promise<Response>;
  /**
   * Called once, when the server accepts requests. When it rejects, the server is closed and `serve` rejects with the
   * same error.
   */
  start(options: { readonly listen: true }): Promise<void>;
  /** Called when the server stops. May wait `graceMs` milliseconds for work under way. */
  stop(options?: { readonly graceMs?: number }): Promise<void>;
}

/** Options of `serve`. */
export interface ServeOptions {
  /** 0 chooses any free port. Default 8787. */
  readonly port?: number;
  /** The address to listen on. Default `127.0.0.1`: this machine only. `0.0.0.0` is every address. */
  readonly hostname?: string;
  /** Stops the server when it aborts. */
  readonly signal?: AbortSignal;
  /** How long `stop` waits for requests and turns that are under way, in milliseconds. Default 8000. */
  readonly graceMs?: number;
}

/** A running server, as `serve` returns it. */
export interface RunningServer {
  /** The port that it listens on, even if 0 was requested. */
  readonly port: number;
  /** The address for a browser: `http://localhost:8787`. */
  readonly url: string;
  /**
   * Accepts no more requests, waits for those under way, stops the assistant, then closes what is still open. Safe to
   * call twice.
   */
  stop(): Promise<void>;
}

/** A runtime's own server. */
export interface Listener {
  readonly port: number;
  /** Accepts no more requests. Resolves after the last answer. */
  close(): Promise<void>;
  /** Closes everything that is still open. */
  cut(): void;
}

/** Milliseconds that closed connections may take to end: Deno waits for a request that never arrives completely. */
const CUT_MS = 500;

/** Share of the grace for requests. The rest is for turns without a waiting request, such as those of channels and jobs. */
const SHARE_OF_REQUESTS = 0.6;

/** The start and stop order that all runtimes share. */
export async function serveOn(
  listen: (fetch: Servable["fetch"], port: number, hostname: string) => Promise<Listener>,
  assistant: Servable,
  options: ServeOptions = {},
): Promise<RunningServer> {
  const { port = DEFAULT_PORT, hostname = DEFAULT_HOST, signal, graceMs = 8000 } = options;
  const clock = systemClock({ unref });
  const closing = new AbortController();
  const fetch: Servable["fetch"] = (request, env) => {
    // Runtimes put the Host header into the URL unchecked.
    if (!URL.canParse(request.url)) return new Response("The Host header is no host\n", { status: 400 });
    return assistant.fetch(request, { ...(env as object), [SERVED]: hostname, [CLOSING]: closing.signal });
  };
  const listener = await listen(fetch, port, hostname).catch((cause: unknown) => {
    throw new AssistantError("OPTION_INVALID", refusal(cause, port, hostname), { cause });
  });
  try {
    await assistant.start({ listen: true });
  } catch (error) {
    listener.cut();
    await listener.close();
    throw error;
  }

  async function stopOnce(): Promise<void> {
    const answered = listener.close();
    closing.abort();
    // Waiting requests need the assistant, so it stops after them. Endless streams must not keep it running.
    const startMs = performance.now();
    await withTimeout(clock, graceMs * SHARE_OF_REQUESTS, answered, () => {});
    await assistant.stop({
      graceMs: Math.max(graceMs * (1 - SHARE_OF_REQUESTS), startMs + graceMs - performance.now()),
    });
    listener.cut();
    await withTimeout(clock, CUT_MS, answered, () => {});
  }
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= stopOnce());
  if (signal?.aborted) await stop();
  signal?.addEventListener("abort", () => void stop().catch(() => {}), { once: true });
  return { port: listener.port, url: `http://${shownHost(hostname)}:${listener.port}`, stop };
}

/** The host to show: a browser cannot visit `0.0.0.0`. */
function shownHost(hostname: string): string {
  if (hostname === "127.0.0.1" || hostname === "0.0.0.0" || hostname === "::" || hostname === "::1") return "localhost";
  return hostname.includes(":") ? `[${hostname}]` : hostname;
}

function refusal(cause: unknown, port: number, hostname: string): string {
  const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "";
  const text = `${code} ${cause instanceof Error ? cause.name : ""} ${messageOf(cause)}`;
  if (/EADDRINUSE|AddrInUse|in use/i.test(text))
    return `Cannot listen on port ${port}: another program uses it. Choose another one (--port, PORT or server.port; 0 is any free one)`;
  if (/EACCES|PermissionDenied/i.test(text))
    return `Cannot listen on port ${port}: this user may not. Choose one above 1023`;
  if (/EADDRNOTAVAIL|AddrNotAvailable|ENOTFOUND/i.test(text))
    return `Cannot listen on the address ${hostname}: this machine has no such address`;
  return `Cannot listen on ${hostname}:${port}: ${messageOf(cause)}`;
}
