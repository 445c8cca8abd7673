// Whether a tracer follows the AI SDK's calls through its channel. The SDK copies every prompt and tool for that channel, heard or not, which takes as long as
// the rest of a call: so it is asked to only when there is a listener.

/** The part of a tracing channel that is used. Bun's does not say this of all five together. */
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
    // Kept: a channel that nothing refers to is made again for each question.
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
