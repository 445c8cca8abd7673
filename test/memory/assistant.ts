import { type AssistantOptions, createAssistant, embeddedEngine, memoryStore } from "../../entry.host.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { inMemoryChannel } from "../../src/testing/in-memory-channel.ts";
import { type Script, says, scriptedModel } from "../../src/testing/scripted-model.ts";
import { settled, watchedEngine } from "../support/watched-engine.ts";

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
  const settle = (ms = 5000) => settled(clock, isIdle, { ms, steps: 25 });

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

export function promptOf(requests: readonly { readonly prompt: unknown }[]): string {
  return requests.map(({ prompt }) => JSON.stringify(prompt)).join("\n");
}
