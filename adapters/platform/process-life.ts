// Whether a process that has nothing else to do ends. One file for Node, Bun and Deno.

/** Older releases of Deno give a timer as a number. */
declare const Deno: { unrefTimer(id: number): void } | undefined;

/** The timer goes on, and keeps no process from ending. */
export function unref(timer: ReturnType<typeof setTimeout> | number): void {
  if (typeof timer === "object") timer.unref();
  else if (typeof Deno !== "undefined") Deno.unrefTimer(timer);
}

/** Keeps the process from ending until the function that it returns is called. */
export function keepAlive(): () => void {
  const timer = setInterval(() => {}, 2 ** 30);
  return () => clearInterval(timer);
}
