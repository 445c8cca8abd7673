// Whether a tracer listens to the AI SDK's channel. The SDK copies every prompt and tool for that channel even without
// a listener, which doubles the time of a call, so it is enabled only when there is a listener.

/** The part of a tracing channel that is used. Bun has no `hasSubscribers` for all five together. */
interface TracingChannel {
  readonly start?: Heard;
  readonly end?: Heard;
  readonly asyncStart?: Heard;
  readonly asyncEnd?: Heard;
  readonly error?: Heard;
}
type Heard = { readonly hasSubscribers: boolean } | undefined;

/** The part of a process that is used; a Worker may have none. */
interface ProcessLike {
  readonly release?: { readonly name?: string };
  getBuiltinModule?(id: string): { tracingChannel?(name: string): TracingChannel } | undefined;
}

const channel = openChannel();

function openChannel(): TracingChannel | undefined {
  const { process } = globalThis as { readonly process?: ProcessLike };
  if (process?.release?.name !== "node") return undefined; // the SDK publishes nothing there
  try {
    // Kept in a variable: an unreferenced channel is created again on each look.
    return process.getBuiltinModule?.("node:diagnostics_channel")?.tracingChannel?.("ai:telemetry");
  } catch {
    return undefined;
  }
}

export function isTracing(): boolean {
  if (channel === undefined) return false;
  const { start, end, asyncStart, asyncEnd, error } = channel;
  return [start, end, asyncStart, asyncEnd, error].some((one) => one?.hasSubscribers ?? false);
}
