import { onTestFinished } from "vitest";
import { memoryStore } from "../../entry.host.ts";
import {
  type AttentionConfig,
  type DecisionRecord,
  type PlacedNotice,
  createAttention,
} from "../../src/attention/index.ts";
import type { Clock } from "../../src/clock.ts";
import { embeddedEngine } from "../../src/engine/index.ts";
import type { Notice } from "../../src/notice.ts";
import { createNotify } from "../../src/notify/index.ts";
import type { Store } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";

const SAID = "said.jsonl";

/** A message that left, as an outbox would have it. */
export interface Said {
  readonly id: string;
  readonly user: string;
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly asks: boolean;
}

export interface FlowOptions {
  readonly store?: Store;
  readonly clock?: Clock;
  readonly config?: AttentionConfig;
  readonly timezoneOf?: (userId: string) => string;
  readonly names?: Readonly<Record<string, string>>;
  readonly reachAt?: Readonly<Record<string, string>>;
  readonly score?: (notice: Notice, priority: number) => Promise<number>;
  readonly enabled?: boolean;
}

/** The flow over a store, with what leaves in a log that knows its ids, as an outbox does. */
export async function flow(options: FlowOptions = {}) {
  const { store = memoryStore(), clock = fakeClock(), config = {}, timezoneOf = () => "UTC", names = {} } = options;
  const decided: (DecisionRecord & { readonly userId: string })[] = [];
  const engine = embeddedEngine({ store, clock });
  const attention = createAttention({
    store,
    engine,
    clock,
    configOf: (userId) => ({ ...config, timezone: timezoneOf(userId) }),
  });
  const unasked = createNotify(
    {
      attention,
      personOf: (user) => names[user] ?? user,
      async passOn({ id, user, text, offer }: PlacedNotice) {
        await store.append(SAID, { id, user, text, at: clock.now(), asks: offer !== undefined }, { id });
      },
      tell: (userId, decision) => void decided.push({ userId, ...decision }),
      reachAt: (user) => options.reachAt?.[user],
      score: options.score ?? (async (_, priority) => priority),
    },
    { isEnabled: () => options.enabled ?? true },
  );
  await engine.start((key) => unasked.handle(key));
  const stop = () => engine.stop();
  return {
    store,
    clock,
    attention,
    engine,
    decided,
    notify: unasked.notify,
    handle: unasked.handle,
    holdAgain: unasked.holdAgain,
    stop,
    async said(): Promise<readonly Said[]> {
      const found: Said[] = [];
      for await (const { record } of store.read(SAID)) found.push(record as unknown as Said);
      return found;
    },
  };
}

/** The flow with a clock that the test moves; stopped when the test has ended. */
export async function flowAt(startMs: number, options: Omit<FlowOptions, "clock"> = {}) {
  const clock = fakeClock(startMs);
  const made = await flow({ ...options, clock });
  onTestFinished(made.stop);
  return { ...made, clock };
}

/** A notice of nobody's asking. */
export function notice(id: string, more: Partial<Notice> = {}): Notice {
  return {
    id,
    type: "note",
    user: "telegram:42",
    text: `about ${id}`,
    sessionKey: "agent:main:telegram:direct:42",
    ...more,
  };
}
