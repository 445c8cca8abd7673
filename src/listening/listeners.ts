import type { Channel } from "../channel.ts";
import type { Clock } from "../clock.ts";
import { withTimeout } from "../time-limit.ts";

/** Most milliseconds for the connections to end when the assistant stops. */
const STOP_MS = 2_000;

export interface ListenersDeps {
  readonly channels: readonly Channel[];
  /** Connects a channel until the signal aborts. See `createConnect`. */
  connect(channel: Channel, signal: AbortSignal): Promise<void>;
  /** The assistant without its connections. */
  readonly lifecycle: {
    start(): Promise<void>;
    stop(options?: { readonly graceMs?: number }): Promise<void>;
  };
  readonly clock: Clock;
}

/** Connects channels with their platforms while the assistant runs. */
export function createListeners({ channels, connect, lifecycle, clock }: ListenersDeps) {
  const ending = new AbortController();
  let connections: readonly Promise<void>[] | undefined;

  async function start(options?: { readonly listen?: boolean } | null): Promise<void> {
    await lifecycle.start();
    if (options?.listen && !ending.signal.aborted)
      connections ??= channels.map((channel) => connect(channel, ending.signal));
  }

  async function stop(options?: { readonly graceMs?: number }): Promise<void> {
    ending.abort(new Error("The assistant stops"));
    if (connections !== undefined) await withTimeout(clock, STOP_MS, Promise.all(connections), () => {});
    return lifecycle.stop(options);
  }

  return { start, stop };
}
