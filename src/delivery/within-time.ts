import { after, type Clock } from "../clock.ts";
import { SEND_TIMEOUT_MS, STOP_GRACE_MS } from "./retry.ts";

/** Gives a try its time, and a little of it when the process stops: an aborted try would have to be sent again. */
export async function withinTime<T>(
  clock: Pick<Clock, "sleep">,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const controller = new AbortController();
  const cancels: (() => void)[] = [];
  const abortAfter = (ms: number, reason: () => unknown) => {
    cancels.push(after(clock, ms, () => controller.abort(reason())));
  };
  const onStop = () => abortAfter(STOP_GRACE_MS, () => signal.reason);
  abortAfter(SEND_TIMEOUT_MS, () => new Error(`The platform did not answer within ${SEND_TIMEOUT_MS} ms`));
  signal.addEventListener("abort", onStop, { once: true });
  try {
    return await Promise.race([work(controller.signal), aborted(controller.signal)]);
  } finally {
    signal.removeEventListener("abort", onStop);
    for (const cancel of cancels) cancel();
  }
}

/** Rejects when the signal aborts: a channel that does not look at its signal must not hold its chat for ever. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
  );
}
