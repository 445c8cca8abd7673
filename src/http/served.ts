/**
 * Under this key of `fetch`'s `env`, `serve()` of a runtime adapter gives the address that it listens on. A browser reaches such a server by whatever name leads to
 * it, so its names have to be known; a host program that mounts the assistant, and a Worker, see to their names themselves.
 */
export const SERVED: unique symbol = Symbol.for("wakeful.served") as never;

/**
 * Under this key of `fetch`'s `env`, `serve()` gives the signal that aborts when it takes no more requests. An answer that goes on until its reader leaves, as the
 * feed of events does, ends then: the server waits for every answer that is under way.
 */
export const CLOSING: unique symbol = Symbol.for("wakeful.closing") as never;

/** The signal that `serve()` gave with a request, if it did. */
export function closingOf(env: unknown): AbortSignal | undefined {
  const signal: unknown = (env as { readonly [CLOSING]?: unknown } | undefined)?.[CLOSING];
  return signal instanceof AbortSignal ? signal : undefined;
}
