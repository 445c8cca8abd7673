/**
 * Key of `fetch`'s `env` under which a runtime adapter's `serve()` passes the address that it listens on. Browsers can
 * reach such a server by any name that resolves to it, so its names must be checked. A host program that mounts the
 * assistant, and a Worker, check names themselves.
 */
export const SERVED: unique symbol = Symbol.for("wakeful.served") as never;

/**
 * Key of `fetch`'s `env` under which `serve()` passes a signal that aborts when it accepts no more requests. Endless
 * responses, as the event feed, end then, because the server waits for all open responses.
 */
export const CLOSING: unique symbol = Symbol.for("wakeful.closing") as never;

/** Returns the signal that `serve()` passed with a request, if any. */
export function closingOf(env: unknown): AbortSignal | undefined {
  const signal: unknown = (env as { readonly [CLOSING]?: unknown } | undefined)?.[CLOSING];
  return signal instanceof AbortSignal ? signal : undefined;
}
