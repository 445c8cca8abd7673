import { type AssistantOptions, type Engine, createAssistant, embeddedEngine, memoryStore } from "../../mod.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { inMemoryChannel } from "../../src/testing/in-memory-channel.ts";
import { type Script, says, scriptedModel } from "../../src/testing/scripted-model.ts";

export const DAY_MS = 86_400_000;

/** An assistant that people write to on two channels, `telegram` and `slack`, with its clock in the test's hands. */
export async function remembering(
  options: Partial<AssistantOptions> & {
    clock?: ReturnType<typeof fakeClock>;
    store?: ReturnType<typeof memoryStore>;
    script?: Script;
  } = {},
) {
  const { clock = fakeClock(), store = memoryStore(), script = () => says("Noted"), ...rest } = options;
  const access = { dm: "open", groups: "mention" } as const;
  const channels = ["telegram", "slack"].map((name) => inMemoryChannel({ name, access }));
  const model = scriptedModel(script, { record: true });
  const { engine, isIdle } = watchedEngine(embeddedEngine({ store, clock }));
  const fixed = { model, clock, store, engine, channels, queue: { debounceMs: 0 } } as const;
  const assistant = await createAssistant({ ...fixed, ...rest });
  await assistant.start();
  let count = 0;

  /** Lets everything happen that is due within so long, and what it brings about. */
  async function settle(ms = 5000): Promise<void> {
    const steps = 25;
    for (let step = 0; step < steps; step += 1) {
      await clock.advance(ms / steps);
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    for (let quiet = 0; quiet < 5; quiet = isIdle() ? quiet + 1 : 0) {
      await clock.advance(1);
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  }

  return {
    assistant,
    model,
    clock,
    store,
    channels,
    settle,
    /** A message and all that comes of it. `user` as `telegram:1`. @returns What the model was shown for it, whole. */
    async say(text: string, user: string, given: { group?: string; mentioned?: boolean } = {}): Promise<string> {
      const [name = "", from = ""] = user.split(":");
      const channel = channels.find((one) => one.name === name);
      if (!channel) throw new RangeError(`There is no channel ${name}`);
      count += 1;
      const { group, mentioned = true } = given;
      const peer = group === undefined ? { kind: "direct" as const, id: from } : { kind: "group" as const, id: group };
      const asked = model.requests.length;
      const message = { id: `e${count}-${clock.now()}`, text, peer, sender: { id: from }, mentioned };
      await assistant.fetch(channel.request([message]));
      await settle();
      return promptOf(model.requests.slice(asked));
    },
  };
}

/** An engine of which is known whether anything is being handled. */
function watchedEngine(engine: Engine): { readonly engine: Engine; isIdle(): boolean } {
  let running = 0;
  const watched: Engine = {
    ...engine,
    start: (handle) =>
      engine.start(async (key, signal) => {
        running += 1;
        await handle(key, signal).finally(() => (running -= 1));
      }),
  };
  return { engine: watched, isIdle: () => running === 0 };
}

export function promptOf(requests: readonly { readonly prompt: unknown }[]): string {
  return requests.map(({ prompt }) => JSON.stringify(prompt)).join("\n");
}
