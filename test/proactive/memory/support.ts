import { createEventBus, publishForInjections } from "../../../src/events/index.ts";
import type { AnyEvent, EventFailure, Injection } from "../../../src/events/index.ts";
import { type Likeness, type Memory, type MemoryEntry, createMemory } from "../../../src/memory/index.ts";
import { createMemoryUsers } from "../../../src/session/index.ts";
import type { Peer } from "../../../src/message.ts";
import { type MemoryFlowOptions, createHookRegistry } from "../../../src/proactive/index.ts";
import type { CaptureDeps } from "../../../src/proactive/memory/capture.ts";
import type { FlushDeps } from "../../../src/proactive/memory/flush.ts";
import type { RecallDeps } from "../../../src/proactive/memory/recall.ts";
import { type NewRecord, createSessions } from "../../../src/session/index.ts";
import { type Store, memoryStore } from "../../../src/store/index.ts";
import { createMetrics, createModelRedactor } from "../../../src/telemetry/index.ts";
import { fakeClock } from "../../../src/testing/fake-clock.ts";
import { platform } from "../../support/this-platform.ts";

export const KEY = "agent:main:telegram:direct:42";
export const ADA = {
  user: "telegram:42",
  channel: "telegram",
  peer: { kind: "direct", id: "42" } as Peer,
  roles: ["user"],
  account: "default",
};
const USAGE = { inputTokens: 1, outputTokens: 1 };

export interface SetUp {
  readonly store?: Store;
  readonly clock?: ReturnType<typeof fakeClock>;
  readonly memory?: Partial<Memory>;
  readonly options?: MemoryFlowOptions;
  readonly likeness?: Likeness;
  readonly engine?: CaptureDeps["engine"];
}

/** Everything real but the model and the clock. */
export function setUp({
  store = memoryStore(),
  clock = fakeClock(),
  memory: given,
  options,
  likeness,
  engine,
}: SetUp = {}) {
  const failures: EventFailure[] = [];
  const warnings: string[] = [];
  const events = createEventBus({ clock, onFailure: (failure) => failures.push(failure) });
  const hooks = createHookRegistry({ events });
  const metrics = createMetrics();
  const memory = createMemory({ yaml: platform.yaml, store, clock });
  const sessions = createSessions({ store, clock });
  const wakes: string[] = [];
  const published: AnyEvent[] = [];
  events.subscribe("*", (event) => void published.push(event), { name: "test" });
  const { memoryUserOf } = createMemoryUsers({ session: {}, ownerIds: () => [], keepsCapitals: () => false });
  const parts: CaptureDeps & RecallDeps & FlushDeps = {
    memory: { ...memory, ...given },
    memoryUserOf,
    sessions,
    store,
    engine: engine ?? { wake: async (key) => void wakes.push(key) },
    events,
    clock,
    metrics,
    logger: { warn: (message) => void warnings.push(message) },
    redact: createModelRedactor(["hunter2-the-long-secret"]),
  };
  const saved = async (userId = "telegram:42") => {
    const entries: MemoryEntry[] = [];
    for await (const entry of memory.list(userId)) entries.push(entry);
    return entries.reverse();
  };
  return {
    store,
    clock,
    events,
    hooks,
    failures,
    warnings,
    metrics,
    memory,
    sessions,
    wakes,
    published,
    parts,
    options,
    likeness,
    saved,
    eventsOf: <Type extends AnyEvent["type"]>(type: Type) =>
      published.flatMap((event) =>
        event.type === type ? [event.payload as Extract<AnyEvent, { type: Type }>["payload"]] : [],
      ),
    begin: (text: string, taskId = "t1", who = ADA, sessionKey = KEY): Promise<readonly Injection[]> =>
      publishForInjections(events, (inject) => ({
        type: "task.started",
        sessionId: sessionKey,
        timestamp: clock.now(),
        payload: { taskId, text, ...who, source: "message", inject },
      })),
    iterate: (step: number, taskId = "t1"): Promise<readonly Injection[]> =>
      publishForInjections(events, (inject) => ({
        type: "iteration.started",
        sessionId: KEY,
        timestamp: clock.now(),
        payload: { taskId, step, inject },
      })),
    complete: (taskId: string, toolCalls = 0, who = ADA, sessionKey = KEY) =>
      events.publish({
        type: "task.completed",
        sessionId: sessionKey,
        timestamp: clock.now(),
        payload: { taskId, status: "completed", source: "message", toolCalls, usage: USAGE, ...who, text: "" },
      }),
  };
}

/** A message of Ada's, as the log has it. */
export function said(id: string, text: string, more: Partial<Extract<NewRecord, { type: "in" }>> = {}): NewRecord {
  const { peer, ...ada } = ADA;
  return {
    type: "in",
    id,
    turn: `turn-${id}`,
    text,
    ...ada,
    account: "default",
    peer,
    sender: { id: "42", name: "Ada" },
    ...more,
  };
}

export const call = (name: string, input: Record<string, string> = {}, error?: { code: string; message: string }) => ({
  name,
  input,
  durationMs: 7,
  ...(error ? { error } : { output: "done" }),
});

export function replied(
  of: string | readonly string[],
  more: Partial<Extract<NewRecord, { type: "out" }>> = {},
): NewRecord {
  const ids = [of].flat();
  const plain = { text: "All right.", silent: false, parts: [], toolCalls: [], usage: USAGE, steps: 1 };
  return { type: "out", turn: `turn-${ids[0]}`, of: ids, ...plain, ...more };
}

export function stepped(
  turn: string,
  step: number,
  more: Partial<Extract<NewRecord, { type: "step" }>> = {},
): NewRecord {
  const answer = { message: null, text: "", calls: [], usage: USAGE, finish: "stop", model: "m" };
  return {
    type: "step",
    turn,
    step,
    ...(step === 0 && { of: [turn.slice("turn-".length)], seen: 0 }),
    ...answer,
    ...more,
  };
}

export const found = (turn: string, step: number, output: string): NewRecord => ({
  type: "tool",
  turn,
  step,
  index: 0,
  name: "look",
  state: "done",
  output,
  durationMs: 1,
});
