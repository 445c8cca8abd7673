/**
 * Under this key of `fetch`'s `env`, `serve()` of a runtime adapter gives the address that it listens on. A browser reaches such a server by whatever name leads to
 * it, so its names have to be known; a host program that mounts the assistant, and a Worker, see to their names themselves.
 */
export const SERVED: unique symbol = Symbol.for("wakeful.served") as never;
