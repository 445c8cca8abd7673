import type { Clock } from "../clock.ts";
import { AssistantError, messageOf } from "../errors.ts";
import type { FetchAt, Network } from "../platform.ts";
import { type Deadline, startDeadline } from "../time-limit.ts";
import { withoutAddresses } from "./network.ts";
import { type HopRequest, followRedirect } from "./redirect.ts";
import { type Lookup, checkUrl } from "./url.ts";

/** Limits of one request, for all redirects together. */
export interface FetchLimits {
  /**
   * Maximum bytes of the body, counted as they arrive and after decompression. Default 5 MiB (5_242_880). `Infinity`:
   * no limit.
   */
  readonly maxBytes?: number;
  /** Milliseconds until the last byte of the body. Default 20_000. `Infinity`: no limit, for streams that stay open. */
  readonly timeoutMs?: number;
  /** Maximum number of redirects. Default 5. */
  readonly maxRedirects?: number;
  /**
   * Accepted media types, such as `text/*`, `application/json` or `application/*+json`; a response without a type
   * passes. Default: any.
   */
  readonly types?: readonly string[];
}

/** Options of `createGuardedFetch`. The limits apply to every request that sets none of its own. */
export interface GuardedFetchOptions extends FetchLimits {
  /**
   * The host program's own `fetch`, used for every request; the guard's checks stay in place. Default: connections to
   * the checked addresses if the runtime can make them, else the global `fetch`.
   */
  readonly fetch?: typeof fetch;
  /** Resolves host names. Default: the machine's resolver; Workers have none, so only names are checked. */
  readonly lookup?: Lookup;
  /** Connects to a checked address if no `fetch` is given. Default: the runtime's own; Workers have none. */
  readonly connect?: FetchAt;
  /** Measures the time limit. */
  readonly clock: Clock;
  /** `User-Agent` of a request that sets none. Default `Mozilla/5.0 (compatible; Wakeful)`. */
  readonly userAgent?: string;
  /**
   * Origins from the configuration, such as `http://127.0.0.1:9000`. They are fetched without checks, with `fetch`.
   * Never add an origin that a model or a stranger wrote. Default: none.
   */
  readonly trustedOrigins?: readonly string[];
}

/** As the `RequestInit` of `fetch`, with limits for this request. */
export interface GuardedInit extends FetchLimits {
  /** Default `GET`. */
  readonly method?: string;
  /** Headers of the request. Credentials among them are dropped at a redirect to another origin. */
  readonly headers?: HeadersInit;
  /** Text or bytes: a stream could not be sent again after a redirect. */
  readonly body?: BodyInit | null;
  /** Aborts the request, its redirects and the reading of its body. */
  readonly signal?: AbortSignal | null;
  /** As in the Fetch Standard. Default `follow`. */
  readonly redirect?: RequestRedirect;
}

/**
 * A `fetch` for addresses that strangers or models wrote. The response's `url` is that of the last hop; its body
 * throws when a limit is exceeded.
 *
 * @throws {AssistantError} `URL_REFUSED` if the guard refuses the address, or one that a redirect leads to;
 * `BODY_TOO_LARGE` over `maxBytes`; `FETCH_FAILED` for all else: no connection, a timeout, too many redirects, a type
 * that is not accepted. The reason of `signal` if that aborts.
 */
export type GuardedFetch = (input: string | URL | Request, init?: GuardedInit) => Promise<Response>;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Creates a guarded `fetch`. It checks the URL and addresses of every hop before the request, follows redirects
 * itself instead of the runtime, keeps credentials with the origin they were given for, and limits bytes and time.
 *
 * Source: docs/web-guard.md, "Guarded requests".
 *
 * @param network The runtime's own network, for options that are left out. `null`: it has none (Workers).
 */
export function createGuardedFetch(options: GuardedFetchOptions, network: Network | null): GuardedFetch {
  const { clock, userAgent = "Mozilla/5.0 (compatible; Wakeful)" } = options;
  const trusted = new Set((options.trustedOrigins ?? []).map((origin) => new URL(origin).origin));

  /** Sends one hop after the checks. `refusal` replaces the guard's own reason. */
  async function send(request: HopRequest, signal: AbortSignal, refusal?: string): Promise<Response> {
    const init = {
      method: request.method,
      headers: request.headers,
      signal,
      ...(request.body !== undefined && { body: request.body }),
    };
    const plainFetch = (url: string) => (options.fetch ?? globalThis.fetch)(url, { ...init, redirect: "manual" });
    if (trusted.has(originOf(request.url) ?? "")) return plainFetch(request.url);

    const resolve = options.lookup ?? network?.lookup;
    const checked = await checkUrl(request.url, resolve ? { resolve } : {});
    if (!checked.ok) throw new AssistantError("URL_REFUSED", refusal ?? checked.reason);
    signal.throwIfAborted();
    const connect = options.fetch === undefined ? (options.connect ?? network?.fetchAt) : undefined;
    if (connect && checked.addresses.length > 0) return connect(checked.url, init, checked.addresses);
    return plainFetch(checked.url.href);
  }

  return async (input, init = {}) => {
    const { maxBytes, timeoutMs, maxRedirects, types } = { ...DEFAULT_LIMITS, ...given(options), ...given(init) };
    init.signal?.throwIfAborted();
    const late = () => new AssistantError("FETCH_FAILED", `Cannot fetch in time: it took longer than ${timeoutMs} ms`);
    const deadline = startDeadline(clock, timeoutMs, late, init.signal);
    try {
      let request = await firstRequest(input, init, userAgent);
      for (let redirects = 0; ; redirects++) {
        // The target of the redirect is not shown to the reader: it may be an address inside a network.
        const refusal = redirects > 0 ? `Cannot fetch ${nameOf(input)}: it redirects to a refused address` : undefined;
        const response = await deadline.within(send(request, deadline.signal, refusal));
        if (response.redirected || response.type === "opaqueredirect") {
          throw failed(request, 'was redirected without a check: the given fetch must obey `redirect: "manual"`');
        }
        const location = response.headers.get("location");
        if (!REDIRECTS.has(response.status) || location === null || init.redirect === "manual")
          return limited(response, request, { maxBytes, types, deadline, redirects });

        discard(response);
        if (init.redirect === "error") throw failed(request, "answers with a redirect, which is not allowed here");
        if (redirects >= maxRedirects) throw failed(request, `redirects more than ${maxRedirects} times`);
        const next = followRedirect(request, response.status, location);
        if (typeof next === "string") throw failed(request, next);
        request = next;
      }
    } catch (error) {
      deadline.end();
      if (AssistantError.is(error) || init.signal?.aborted) throw error;
      throw new AssistantError("FETCH_FAILED", `Cannot fetch ${nameOf(input)}: ${reasonOf(error)}`, { cause: error });
    }
  };
}

const DEFAULT_LIMITS = { maxBytes: 5 * 1024 * 1024, timeoutMs: 20_000, maxRedirects: 5, types: undefined };

function given(limits: FetchLimits) {
  const { maxBytes, timeoutMs, maxRedirects, types } = limits;
  return {
    ...(maxBytes !== undefined && { maxBytes }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(maxRedirects !== undefined && { maxRedirects }),
    ...(types !== undefined && { types }),
  };
}

async function firstRequest(input: string | URL | Request, init: GuardedInit, userAgent: string): Promise<HopRequest> {
  const base = input instanceof Request ? input : undefined;
  const headers = new Headers(init.headers ?? base?.headers);
  // The requested host must be the checked one.
  headers.delete("host");
  if (!headers.has("user-agent")) headers.set("user-agent", userAgent);
  const method = (init.method ?? base?.method ?? "GET").toUpperCase();
  const body = init.body ?? (base?.body ? await base.arrayBuffer() : null);
  const url = input instanceof Request ? input.url : String(input);
  if (body === null) return { url, method, headers };
  if (typeof body === "string") {
    if (!headers.has("content-type")) headers.set("content-type", "text/plain;charset=UTF-8");
    return { url, method, headers, body };
  }
  // Forms and similar bodies have their own type; as bytes they can be sent again after a redirect.
  const packed = new Response(body);
  const type = packed.headers.get("content-type");
  if (type !== null && !headers.has("content-type")) headers.set("content-type", type);
  return { url, method, headers, body: new Uint8Array(await packed.arrayBuffer()) };
}

function limited(
  response: Response,
  request: HopRequest,
  limits: {
    readonly maxBytes: number;
    readonly types: readonly string[] | undefined;
    readonly deadline: Deadline;
    readonly redirects: number;
  },
): Response {
  const { maxBytes, types, deadline, redirects } = limits;
  const type = mediaType(response.headers);
  if (types !== undefined && type !== "" && !types.some((pattern) => matches(pattern, type))) {
    discard(response);
    throw failed(request, `answers with ${type}, which cannot be read here: expected ${types.join(", ")}`);
  }
  const declared = Number(response.headers.get("content-length") ?? 0);
  if (declared > maxBytes && !response.headers.has("content-encoding") && request.method !== "HEAD") {
    discard(response);
    throw tooLarge(request, maxBytes);
  }
  const { status, statusText, headers } = response;
  if (response.body === null) deadline.end();
  const body = response.body === null ? null : countedBody(response.body, request, maxBytes, deadline);
  const copy = new Response(body, { status, statusText, headers });
  // A response made with `new Response` has no URL.
  return Object.defineProperties(copy, {
    url: { value: new URL(request.url).href },
    redirected: { value: redirects > 0 },
  });
}

function countedBody(
  body: ReadableStream<Uint8Array>,
  request: HopRequest,
  maxBytes: number,
  deadline: Deadline,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const release = (reason: unknown) => {
    deadline.end();
    reader.cancel(reason).catch(() => {});
  };
  let received = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          deadline.signal.throwIfAborted();
          const { done, value } = await deadline.within(reader.read());
          if (done) {
            deadline.end();
            controller.close();
            return;
          }
          received += value.byteLength;
          if (received > maxBytes) throw tooLarge(request, maxBytes);
          controller.enqueue(value);
        } catch (error) {
          release(error);
          controller.error(
            AssistantError.is(error) || deadline.signal.aborted
              ? error
              : failed(request, `broke off (${reasonOf(error)})`),
          );
        }
      },
      cancel: release,
    },
    { highWaterMark: 0 },
  );
}

/** Returns `text/html` for `Text/HTML; charset=utf-8`; empty if the server sends no type. */
export function mediaType(headers: Headers): string {
  return (headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

function matches(pattern: string, type: string): boolean {
  const [start = "", end = ""] = pattern.split("*");
  return pattern.includes("*") ? type.startsWith(start) && type.endsWith(end) : type === pattern;
}

function discard(response: Response): void {
  response.body?.cancel().catch(() => {});
}

function failed(request: HopRequest, problem: string): AssistantError {
  return new AssistantError("FETCH_FAILED", `Cannot fetch ${nameOf(request.url)}: it ${problem}`);
}

function tooLarge(request: HopRequest, maxBytes: number): AssistantError {
  return new AssistantError(
    "BODY_TOO_LARGE",
    `Cannot fetch ${nameOf(request.url)}: it is larger than ${maxBytes} bytes`,
  );
}

function originOf(url: string): string | undefined {
  try {
    return new URL(url).origin;
  } catch {
    return undefined;
  }
}

/** Returns origin and path: a query may hold secrets that must not be logged. */
function nameOf(input: string | URL | Request): string {
  try {
    const { origin, pathname } = new URL(input instanceof Request ? input.url : String(input));
    return origin + pathname.slice(0, 200);
  } catch {
    return "that address";
  }
}

/** Returns the reason of a failure. Runtimes put the actual reason into the cause. */
function reasonOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : {};
  const reason = cause instanceof Error && cause.message !== "" ? cause.message : messageOf(error);
  return withoutAddresses(reason) || "the connection failed";
}
