// Whether somebody follows the AI SDK's calls through the channel that it tells of them. It copies every prompt and tool for that channel, heard or not,
// which takes as long as the rest of a call: so it is asked to only when there is a listener.
const channel = openChannel();

function openChannel() {
  const { process } = globalThis;
  if (process?.release?.name !== "node") return undefined; // the SDK tells nothing there
  try {
    // Kept, since a channel that nobody holds is made anew for each question.
    return process.getBuiltinModule?.("node:diagnostics_channel")?.tracingChannel?.("ai:telemetry");
  } catch {
    return undefined;
  }
}

export function isTracingModelCalls() {
  if (channel === undefined) return false;
  const { start, end, asyncStart, asyncEnd, error } = channel;
  // Bun's channel does not say this of all five together.
  return [start, end, asyncStart, asyncEnd, error].some((one) => one?.hasSubscribers ?? false);
}
