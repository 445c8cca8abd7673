// Whether a process that has nothing else to do ends. One file for Node, Bun and Deno; a Worker has no process.

/** The timer goes on, and keeps no process from ending. */
export function unref(timer) {
  if (typeof timer === "object") timer.unref();
  else globalThis.Deno?.unrefTimer(timer);
}

/** Keeps the process from ending until the function that it returns is called. */
export function keepAlive() {
  const timer = setInterval(() => {}, 2 ** 30);
  return () => clearInterval(timer);
}
