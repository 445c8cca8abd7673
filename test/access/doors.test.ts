import { describe, expect, it } from "vitest";
import { createAssistant, embeddedEngine, memoryStore } from "../../entry.host.ts";
import { type ChannelAccess } from "../../kit.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { inMemoryChannel } from "../../src/testing/in-memory-channel.ts";
import { scriptedModel } from "../../src/testing/scripted-model.ts";
import { sampled } from "../support/thorough.ts";
import { settled, watchedEngine } from "../support/watched-engine.ts";

const OWNER = "1";
const ROLE_OWNER = "2";
const PAIRED = "3";
const LISTED = "4";
const STRANGER = "9";

const MODES = ["pairing", "allowlist", "open", "disabled"] as const;
const GROUPS = ["mention", "always", "disabled"] as const;
const PEOPLE = [OWNER, ROLE_OWNER, PAIRED, LISTED, STRANGER];
const KINDS = ["message", "note", "press"] as const;
const PLACES = {
  direct: (id: string) => ({ peer: { kind: "direct", id } }) as const,
  "a group, addressed": () => ({ peer: { kind: "group", id: "g" }, mentioned: true }) as const,
  "a group": () => ({ peer: { kind: "group", id: "g" }, mentioned: false }) as const,
  "a channel's thread, addressed": () =>
    ({ peer: { kind: "channel", id: "c" }, thread: "t", mentioned: true }) as const,
};

/** The tables of docs/access.md, in the words of this test. */
function isAnswered(
  dm: (typeof MODES)[number],
  groups: (typeof GROUPS)[number],
  id: string,
  place: keyof typeof PLACES,
): boolean {
  if (place !== "direct") return groups === "always" || (groups === "mention" && place !== "a group");
  const direct: Record<(typeof MODES)[number], readonly string[]> = {
    pairing: [OWNER, ROLE_OWNER, PAIRED, LISTED],
    allowlist: [OWNER, ROLE_OWNER, LISTED],
    open: PEOPLE,
    disabled: [],
  };
  return direct[dm].includes(id);
}

describe.each(MODES)("under dm: %s", (dm) => {
  it.each(GROUPS)(
    "and groups: %s everybody gets what docs/access.md says, everywhere and by every kind",
    async (groups) => {
      const access: ChannelAccess = { dm: "pairing", groups, allow: [LISTED] };
      const channel = inMemoryChannel({ access });
      const clock = fakeClock();
      const store = memoryStore();
      let asked = 0;
      const model = scriptedModel(() => {
        asked += 1;
        return "heard";
      });
      let isIdle = () => true;
      const make = (given: ReturnType<typeof inMemoryChannel>) => {
        const watched = watchedEngine(embeddedEngine({ store, clock }));
        isIdle = watched.isIdle;
        return createAssistant({
          model,
          store,
          clock,
          engine: watched.engine,
          channels: [given],
          owner: { ids: [`memory:${OWNER}`] },
          roles: { owner: [`memory:${ROLE_OWNER}`] },
          memory: { enabled: false },
          queue: { debounceMs: 0 },
        });
      };
      let events = 0;
      const post = async (
        to: Awaited<ReturnType<typeof make>>,
        by: ReturnType<typeof inMemoryChannel>,
        id: string,
        rest: object,
      ) => {
        events += 1;
        const message = {
          id: `${events}`,
          peer: { kind: "direct", id },
          sender: { id },
          text: "hello",
          ...rest,
        } as const;
        const answer = await to.fetch(new Request("http://localhost/webhooks/memory", by.request([message])));
        await settled(clock, isIdle, { ms: 100, steps: 2, quietSteps: 2 });
        return answer.status;
      };
      const first = await make(channel);
      await first.start();
      await post(first, channel, PAIRED, {});
      const [pending] = (await first.access.list()).pending;
      await first.access.approve(pending?.code ?? "", { user: `memory:${OWNER}` });
      await first.stop();

      const strict = inMemoryChannel({ access: { ...access, dm } });
      const assistant = await make(strict);
      await assistant.start();
      const wrong: string[] = [];
      const everything = PEOPLE.flatMap((id) =>
        (Object.keys(PLACES) as (keyof typeof PLACES)[]).flatMap((place) =>
          KINDS.map((kind) => ({ id, place, kind }) as const),
        ),
      );
      // In steps that share no factor with the numbers of people, places and kinds: each comes up.
      for (const { id, place, kind } of sampled(everything, 7)) {
        const before = asked;
        const sent = strict.sent.length;
        const status = await post(assistant, strict, id, { ...PLACES[place](id), kind });
        const expected = kind === "message" && isAnswered(dm, groups, id, place) ? 1 : 0;
        if (asked - before !== expected || status !== 200)
          wrong.push(`${id} in ${place} by a ${kind}: ${asked - before}`);
        // Where nobody is answered nothing is said either.
        if (dm === "disabled" && place === "direct" && strict.sent.length !== sent)
          wrong.push(`${id} was told something`);
      }
      expect(wrong).toEqual([]);
      await assistant.stop();
    },
  );
});
