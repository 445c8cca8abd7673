import type { Clock } from "../clock.ts";
import { type EventBus, publishForInjections } from "../events/index.ts";
import type { JsonValue } from "../store/index.ts";
import { type Tracing, toolSpan } from "../telemetry/index.ts";
import type { CallWatch } from "./tool-call.ts";
import type { RegisteredTool } from "./registry.ts";
import type { ToolContext } from "./tool.ts";

export interface CallEventsDeps {
  readonly events: EventBus;
  readonly clock: Clock;
  /** Default: nothing is traced. */
  readonly tracing?: Pick<Tracing, "isOn" | "within">;
}

/** Reports calls while they run: as events, and as spans if tracing is on. */
export type CallEvents = ReturnType<typeof createCallEvents>;

export function createCallEvents({ events, clock, tracing }: CallEventsDeps) {
  /** Runs the work of a call, inside a span if tracing is on. */
  function traced<Result extends object>(
    call: { readonly name: string | undefined; readonly callId: string; readonly taskId: string },
    work: () => Promise<Result>,
  ): Promise<Result> {
    if (tracing?.isOn() !== true) return work();
    return tracing.within(toolSpan(call), work, (result: TracedResult) => ({
      error: result.error?.code,
    }));
  }

  /** Announces that a call has started; `ended` announces how it ended. */
  function begin(tool: RegisteredTool, context: ToolContext, watch: CallWatch) {
    const startedAt = clock.now();
    return {
      started: announce("tool.started", tool, context, watch, {}),
      durationMs: () => clock.now() - startedAt,
      ended: (durationMs: number, error: string | undefined) =>
        announce(error === undefined ? "tool.completed" : "tool.failed", tool, context, watch, {
          durationMs,
          ...(error !== undefined && { error }),
        }),
    };
  }

  async function announce(
    type: "tool.started" | "tool.completed" | "tool.failed",
    { name }: RegisteredTool,
    { callId, taskId, sessionKey }: ToolContext,
    watch: CallWatch,
    more: { readonly durationMs?: number; readonly error?: string },
  ): Promise<void> {
    if (!events.has(type)) return;
    const common = { sessionId: sessionKey, timestamp: clock.now() };
    const { durationMs = 0 } = more;
    const injections = await publishForInjections(events, (inject) => {
      const call = { taskId, callId, name, inject };
      return type === "tool.started"
        ? { ...common, type, payload: call }
        : { ...common, type, payload: { ...call, ...more, durationMs } };
    });
    for (const injection of injections) watch.injected?.(injection);
  }

  /** Publishes what a tool reports while it runs. */
  function progress(
    call: { readonly taskId: string; readonly callId: string; readonly name: string; readonly sessionKey: string },
    said: { readonly type: string; readonly data?: JsonValue },
  ): void {
    const { sessionKey, ...named } = call;
    const payload = { ...named, ...said };
    events.publishAsync({ type: "tool.progress", sessionId: sessionKey, timestamp: clock.now(), payload });
  }

  return { traced, begin, progress };
}

interface TracedResult {
  readonly error?: { readonly code: string };
}
