/** Notification of a server that its tools changed. */
const LIST_CHANGED = "notifications/tools/list_changed";
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

export interface OwnOriginFetchOptions {
  /** The underlying fetch, which checks addresses. */
  readonly fetch: typeof globalThis.fetch;
  /** The only allowed origin, as `https://mcp.example`. */
  readonly origin: string;
  /** Longest answer in bytes; for an event stream, the longest event. */
  readonly maxBytes: number;
  /** Ends every request. */
  readonly signal: AbortSignal;
  onListChanged(): void;
}

/**
 * Creates a fetch for one MCP server. Headers never go to another origin, a redirect is refused (workerd offers no
 * way to refuse one except to look at the response), and an answer over `maxBytes` is cut off with an error.
 */
export function ownOriginFetch(options: OwnOriginFetchOptions): typeof globalThis.fetch {
  const { origin, maxBytes, signal, onListChanged } = options;
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== origin) throw new Error(`A request to ${url.origin} is refused: this server is ${origin}`);
    const signals = init?.signal ? AbortSignal.any([init.signal, signal]) : signal;
    const response = await options.fetch(url.href, { ...init, redirect: "manual", signal: signals });
    const { status } = response;
    if (response.type === "opaqueredirect" || (status >= 300 && status < 400)) {
      await response.body?.cancel();
      throw new Error(
        `The server answers with a redirect (${status}), which is not followed: set url to its final address`,
      );
    }
    if (response.body === null) return response;
    const events = /^text\/event-stream/i.test(response.headers.get("content-type") ?? "");
    const body = response.body.pipeThrough(limit(maxBytes, events ? onListChanged : undefined));
    return new Response(body, { status, statusText: response.statusText, headers: response.headers });
  };
}

/**
 * Counts bytes. For an event stream (`onListChanged` given) the count restarts after each blank line, and the
 * notification is searched for.
 */
function limit(maxBytes: number, onListChanged: (() => void) | undefined): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  let count = 0;
  let atLineStart = false;
  let tail = "";
  return new TransformStream({
    transform(chunk, controller) {
      if (onListChanged === undefined) {
        count += chunk.length;
      } else {
        for (const byte of chunk) {
          count = byte === LINE_FEED && atLineStart ? 0 : count + 1;
          atLineStart = byte === LINE_FEED || (byte === CARRIAGE_RETURN && atLineStart);
        }
        tail += decoder.decode(chunk, { stream: true });
        if (tail.includes(LIST_CHANGED)) {
          onListChanged();
          tail = "";
        }
        tail = tail.slice(-LIST_CHANGED.length);
      }
      if (count > maxBytes) throw new Error(`The server's answer is longer than ${maxBytes} bytes`);
      controller.enqueue(chunk);
    },
  });
}
