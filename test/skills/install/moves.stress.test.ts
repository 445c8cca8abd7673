import { describe, expect, it } from "vitest";
import { crashed, valuesIn, watched } from "./crashes.ts";
import { setUp } from "./support.ts";

const skillIn = (all: Readonly<Record<string, unknown>>) =>
  Object.keys(all).filter((key) => !key.startsWith("skills/."));

describe("a skill's folder changes as a whole", () => {
  const acts = {
    "an installation": { withOld: false, act: ({ installer }) => installer.install({ slug: "greet" }) },
    "an installation over another": {
      withOld: true,
      act: ({ installer }) => installer.install({ slug: "greet", force: true }),
    },
    "an update": { withOld: true, act: ({ installer }) => installer.update("greet") },
    "a removal": { withOld: true, act: ({ installer }) => installer.remove("greet") },
  } satisfies Record<string, { readonly withOld: boolean; act(room: ReturnType<typeof setUp>): Promise<unknown> }>;

  it.each(Object.entries(acts))(
    "%s that ends before any write comes to the old or to the new end",
    async (_, { act, withOld }) => {
      const whole = await crashed(0, act, withOld);
      expect(whole.outcome).toBe("done");
      const end = await valuesIn(whole.backing);
      expect(Object.keys(end).filter((key) => key.startsWith("skills/."))).toEqual([]);
      const ends = new Set<string>();
      for (let crashAt = 1; crashAt <= whole.writes; crashAt += 1) {
        const { backing, old } = await crashed(crashAt, act, withOld);
        const room = setUp([], backing);
        // What is seen before anything is mended: the old skill whole, or nothing of it. The new one only when all of it is there.
        const seen = await valuesIn(backing);
        if (!(await room.installed.isMoving("greet"))) {
          const shown = Object.fromEntries(skillIn(seen).map((key) => [key, seen[key]]));
          expect([old, end]).toContainEqual(shown);
        }
        const recovered = await room.installer.recover();
        expect(recovered.lost).toEqual([]);
        const after = await valuesIn(backing);
        expect([old, end]).toContainEqual(after);
        ends.add(JSON.stringify(after) === JSON.stringify(end) ? "new" : "old");
        expect(await room.installer.recover()).toEqual({ finished: [], undone: [], lost: [] });
        expect(await valuesIn(backing)).toEqual(after);
      }
      // One decision lies between them: both ends come about.
      expect([...ends].toSorted()).toEqual(["new", "old"]);
    },
  );

  it("a crash of the recovery is recovered from as well", async () => {
    const act = ({ installer }: ReturnType<typeof setUp>) => installer.install({ slug: "greet", force: true });
    const whole = await crashed(0, act);
    const end = await valuesIn(whole.backing);
    for (let first = 1; first <= whole.writes; first += 1)
      for (let second = 1; ; second += 1) {
        const { backing, old } = await crashed(first, act);
        let writes = 0;
        const store = watched(backing, () => {
          writes += 1;
          if (writes >= second) throw new Error("crash");
        });
        const failed = await setUp([], store)
          .installer.recover()
          .then(
            () => false,
            () => true,
          );
        await setUp([], backing).installer.recover();
        expect([old, end]).toContainEqual(await valuesIn(backing));
        if (!failed) break;
      }
  });
});
