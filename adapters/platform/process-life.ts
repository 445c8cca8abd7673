// Whether an idle process may end. One file for Node, Bun and Deno.

/** Older releases of Deno return a timer as a number. */
declare const Deno: { unrefTimer(id: number): void } | undefined;

/** Lets the process end although the timer runs. */
export function unref(timer: ReturnType<typeof setTimeout> | number): void {
  if (typeof timer === "object") timer.unref();
  else if (typeof Deno !== "undefined") Deno.unrefTimer(timer);
}

/** Keeps the process alive until the returned function is called. */
export function keepAlive(): () => void {
  const timer = setInterval(() => {}, 2 ** 30);
  return () => clearInterval(timer);
}
