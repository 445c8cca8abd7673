import { embeddedEngine, memoryStore } from "../../entry.host.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { inMemoryChannel } from "../../src/testing/in-memory-channel.ts";
import { says } from "../../src/testing/scripted-model.ts";
import { settled, watchedEngine } from "../support/watched-engine.ts";
import { type TestAssistantOptions, testAssistant } from "../support/assistant.ts";

export const DAY_MS = 86_400_000;

/** An assistant that people write to on two channels, `telegram` and `slack`, with its clock in the test's hands. */
export async function remembering(options: TestAssistantOptions = {}) {
  const { clock = fakeClock(), store = memoryStore() } = options;
  const access = { dm: "open", groups: "mention" } as const;
  const channels = ["telegram", "slack"].map((name) => inMemoryChannel({ name, access }));
  const { engine, isIdle } = watchedEngine(embeddedEngine({ store, clock }));
  const t = await testAssistant({
    script: () => says("Noted"),
    channels,
    engine,
    queue: { debounceMs: 0 },
    ...options,
    clock,
    store,
  });

  /** Lets everything happen that is due within so long, and what it brings about. */
  const settle = (ms = 5000) => settled(clock, isIdle, { ms, steps: 25 });

  return {
    ...t,
    channels,
    settle,
    /** A message and all that comes of it. `user` as `telegram:1`. @returns What the model was shown for it, whole. */
    async say(text: string, user: string, given: { group?: string; mentioned?: boolean } = {}): Promise<string> {
      const [name = "", from = ""] = user.split(":");
      const channel = channels.find((one) => one.name === name);
      if (!channel) throw new RangeError(`There is no channel ${name}`);
      const { group, mentioned = true } = given;
      const peer = group === undefined ? { kind: "direct" as const, id: from } : { kind: "group" as const, id: group };
      const asked = t.model.requests.length;
      const message = { id: crypto.randomUUID(), text, peer, sender: { id: from }, mentioned };
      await t.assistant.fetch(channel.request([message]));
      await settle();
      return promptOf(t.model.requests.slice(asked));
    },
  };
}

export function promptOf(requests: readonly { readonly prompt: unknown }[]): string {
  return requests.map(({ prompt }) => JSON.stringify(prompt)).join("\n");
}
