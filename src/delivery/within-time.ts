import { after, type Clock } from "../clock.ts";
import { startDeadline } from "../time-limit.ts";
import { SEND_TIMEOUT_MS, STOP_GRACE_MS } from "./retry.ts";

/**
 * Limits the time of a try. When the process stops, the try still gets a short grace period: an aborted try would have
 * to be sent again.
 */
export async function withinTime<T>(
  clock: Pick<Clock, "sleep">,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const stopped = new AbortController();
  let cancelGrace = () => {};
  const onStop = () => {
    cancelGrace = after(clock, STOP_GRACE_MS, () => stopped.abort(signal.reason));
  };
  signal.addEventListener("abort", onStop, { once: true });
  const late = () => new Error(`The platform did not answer within ${SEND_TIMEOUT_MS} ms`);
  const deadline = startDeadline(clock, SEND_TIMEOUT_MS, late, stopped.signal);
  try {
    // A channel that ignores its signal must not block its chat.
    return await deadline.within(work(deadline.signal));
  } finally {
    deadline.end();
    cancelGrace();
    signal.removeEventListener("abort", onStop);
  }
}
