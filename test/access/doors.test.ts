import { describe, expect, it } from "vitest";
import { embeddedEngine, memoryStore } from "../../entry.host.ts";
import { type ChannelAccess } from "../../kit.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { sampled } from "../support/thorough.ts";
import { settled, watchedEngine } from "../support/watched-engine.ts";
import { type Writing, testAssistant } from "../support/assistant.ts";

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
      const clock = fakeClock();
      const store = memoryStore();
      let asked = 0;
      const start = async (given: ChannelAccess) => {
        const { engine, isIdle } = watchedEngine(embeddedEngine({ store, clock }));
        const t = await testAssistant({
          script() {
            asked += 1;
            return "heard";
          },
          store,
          clock,
          engine,
          channel: { access: given },
          owner: { ids: [`memory:${OWNER}`] },
          roles: { owner: [`memory:${ROLE_OWNER}`] },
          memory: { enabled: false },
          queue: { debounceMs: 0 },
        });
        const post = async (id: string, writing: Writing) => {
          const status = await t.receive("hello", { from: id, ...writing });
          await settled(clock, isIdle, { ms: 100, steps: 2, quietSteps: 2 });
          return status;
        };
        return { ...t, post };
      };
      const first = await start(access);
      await first.post(PAIRED, {});
      const [pending] = (await first.assistant.access.list()).pending;
      await first.assistant.access.approve(pending?.code ?? "", { user: `memory:${OWNER}` });
      await first.assistant.stop();

      const { post, channel } = await start({ ...access, dm });
      const wrong: string[] = [];
      const everything = PEOPLE.flatMap((id) =>
        (Object.keys(PLACES) as (keyof typeof PLACES)[]).flatMap((place) =>
          KINDS.map((kind) => ({ id, place, kind }) as const),
        ),
      );
      // In steps that share no factor with the numbers of people, places and kinds: each comes up.
      for (const { id, place, kind } of sampled(everything, 7)) {
        const before = asked;
        const sent = channel.sent.length;
        const status = await post(id, { ...PLACES[place](id), kind });
        const expected = kind === "message" && isAnswered(dm, groups, id, place) ? 1 : 0;
        if (asked - before !== expected || status !== 200)
          wrong.push(`${id} in ${place} by a ${kind}: ${asked - before}`);
        // Where nobody is answered nothing is said either.
        if (dm === "disabled" && place === "direct" && channel.sent.length !== sent)
          wrong.push(`${id} was told something`);
      }
      expect(wrong).toEqual([]);
    },
  );
});
