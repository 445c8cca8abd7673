import { describe, expect, it } from "vitest";
import { createSkillMoves } from "../../../src/skills/install/moves.ts";
import { type Store, memoryStore } from "../../../src/store/index.ts";
import { fakeClock } from "../../../src/testing/index.ts";
import { NEW, OLD, crashed, valuesIn, watched } from "./crashes.ts";
import { SKILL, everythingIn, filesOf, greet, setUp, shelfRegistry } from "./support.ts";

describe("a skill's folder changes as a whole", () => {
  it("a store that fails once, and then works, leaves nothing behind", async () => {
    const act = ({ installer }: ReturnType<typeof setUp>) => installer.install({ slug: "greet", force: true });
    const whole = await crashed(0, act);
    const end = await valuesIn(whole.backing);
    for (let failAt = 1; failAt <= whole.writes; failAt += 1) {
      const backing = memoryStore();
      await setUp([shelfRegistry("shelf", { greet: { archive: OLD, meta: {} } })], backing).installer.install({
        slug: "greet",
      });
      await backing.put("skills/other/SKILL.md", "kept");
      const old = await valuesIn(backing);
      let writes = 0;
      const store = watched(backing, () => {
        writes += 1;
        if (writes === failAt) throw new Error("disk");
      });
      const room = setUp([shelfRegistry("shelf", { greet: { archive: NEW, meta: { version: "2.0.0" } } })], store);
      const outcome = await act(room).then(
        () => "done",
        () => "failed",
      );
      const moving = await room.installed.isMoving("greet");
      if (outcome === "failed" && !moving) expect([old, end]).toContainEqual(await withoutStaging(backing));
      await room.installer.recover();
      expect([old, end]).toContainEqual(await valuesIn(backing));
    }
  });

  it("a write that is done although the store says it failed is found out", async () => {
    const backing = memoryStore();
    let decides = 0;
    const store: Store = {
      ...backing,
      async put(key, value, options) {
        const version = await backing.put(key, value, options);
        // The second write of this document is the one that decides.
        if (key === "skills/.installing/greet" && (decides += 1) === 2) throw new Error("the connection broke off");
        return version;
      },
    };
    const { installer } = setUp([shelfRegistry("shelf", { greet: { archive: OLD, meta: {} } })], store);
    expect(await installer.install({ slug: "greet" })).toMatchObject({ name: "greet" });
    expect(Object.keys(await filesOf(backing, "greet"))).toHaveLength(4);
    expect(Object.keys(await everythingIn(backing)).filter((key) => key.startsWith("skills/."))).toEqual([]);
  });

  it("is the old one or not there while it changes, never half of each", async () => {
    const backing = memoryStore();
    const shelf = { greet: { archive: OLD, meta: {} } };
    await setUp([shelfRegistry("shelf", shelf)], backing).installer.install({ slug: "greet" });
    const old = await filesOf(backing, "greet");
    const { installed } = setUp([], backing);
    const seen: string[] = [];
    const pending: Promise<void>[] = [];
    const store = watched(backing, () => {
      pending.push(
        (async () => {
          const files = await filesOf(backing, "greet");
          const moving = await installed.isMoving("greet");
          seen.push(moving ? "hidden" : JSON.stringify(files) === JSON.stringify(old) ? "old" : "new");
        })(),
      );
    });
    shelf.greet = { archive: NEW, meta: { version: "2.0.0" } };
    await setUp([shelfRegistry("shelf", shelf)], store).installer.install({ slug: "greet", force: true });
    await Promise.all(pending);
    expect(seen.join(" ")).toMatch(/^(?:old )+(?:hidden )+new(?: new)*$/);
  });

  it.each([
    ["reads what is to be moved", "get", "skills/.staging/"],
    ["puts a file in place", "put", "skills/greet/"],
    ["removes an old file", "remove", "skills/greet/"],
    ["lets go of the decision", "remove", "skills/.installing/"],
  ] as const)(
    "a process that stands still before it %s writes nothing over what came later",
    async (_, method, prefix) => {
      const { backing } = await crashed(0, async () => {});
      const first = await standsStill(backing, method, prefix);
      // Another process carries it out, and a third one installs something else.
      await setUp([], backing).installer.recover();
      const third = {
        archive: greet([
          { name: "third.md", data: "3" },
          { name: "old.md", data: "3" },
        ]),
        meta: { version: "3.0.0" },
      };
      await setUp([shelfRegistry("shelf", { greet: third })], backing).installer.install({
        slug: "greet",
        force: true,
      });
      const after = await valuesIn(backing);
      first.goOn();
      await first.done;
      expect(await valuesIn(backing)).toEqual(after);
    },
  );

  it("another process that installs it is waited for by nobody, unless it is gone for ten minutes", async () => {
    const backing = memoryStore();
    const room = setUp([shelfRegistry("shelf", { greet: { archive: OLD, meta: {} } })], backing);
    const at = room.clock.now();
    await backing.put("skills/.installing/greet", { state: "preparing", id: "X", at });
    await backing.put("skills/.staging/X/SKILL.md", SKILL());
    await expect(room.installer.install({ slug: "greet" })).rejects.toMatchObject({ code: "CONFLICT" });
    await backing.put("skills/.installing/greet", { state: "preparing", id: "X", at: at - 600_001 });
    expect(await room.installer.install({ slug: "greet" })).toMatchObject({ name: "greet" });
    expect(Object.keys(await everythingIn(backing)).filter((key) => key.startsWith("skills/."))).toEqual([]);
  });

  it("new files that are damaged before they are moved take the skill away: it is never half", async () => {
    const { backing } = await crashed(0, async () => {});
    const room = await standsStill(backing, "get", "skills/.staging/");
    for (const key of Object.keys(await everythingIn(backing)))
      if (key.startsWith("skills/.staging/") && key.endsWith("new.md")) await backing.put(key, "damaged");
    expect(await setUp([], backing).installer.recover()).toEqual({ finished: [], undone: [], lost: ["greet"] });
    expect(Object.keys(await everythingIn(backing))).toEqual(["skills/other/SKILL.md"]);
    room.goOn();
    await room.done.catch(() => {});
    expect(Object.keys(await everythingIn(backing))).toEqual(["skills/other/SKILL.md"]);
  });

  it("a document that nobody here wrote in the place of a decision is taken for none", async () => {
    const backing = memoryStore();
    await backing.put("skills/.installing/greet", "what is this");
    expect(await createSkillMoves({ store: backing, clock: fakeClock() }).recover()).toMatchObject({
      undone: ["greet"],
    });
    expect(await everythingIn(backing)).toEqual({});
  });
});

async function withoutStaging(store: Store) {
  const all = await valuesIn(store);
  return Object.fromEntries(Object.entries(all).filter(([key]) => !key.startsWith("skills/.")));
}

/** An installation that stands still before it does this to a key, until `goOn()`. */
async function standsStill(backing: Store, method: "get" | "put" | "remove", prefix: string) {
  let goOn = () => {};
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  let reached = () => {};
  const there = new Promise<void>((resolve) => (reached = resolve));
  const original = backing[method] as (key: string, ...given: readonly unknown[]) => Promise<unknown>;
  const store = {
    ...backing,
    async [method](key: string, ...given: readonly unknown[]) {
      if (key.startsWith(prefix)) {
        reached();
        await gate;
      }
      return original(key, ...given);
    },
  } as Store;
  const room = setUp([shelfRegistry("shelf", { greet: { archive: NEW, meta: { version: "2.0.0" } } })], store);
  const done = room.installer.install({ slug: "greet", force: true });
  await Promise.race([there, done]);
  return { goOn, done };
}

describe("two processes that install one skill", () => {
  /** A store whose first such write waits for what `meanwhile` does. */
  const interrupted = (
    backing: Store,
    isThere: (key: string, isPut: boolean) => boolean,
    meanwhile: () => Promise<void>,
  ): Store => {
    let isDone = false;
    const wait = async (key: string, isPut: boolean) => {
      if (isDone || !isThere(key, isPut)) return;
      isDone = true;
      await meanwhile();
    };
    return {
      ...backing,
      put: async (key, ...rest) => {
        await wait(key, true);
        return backing.put(key, ...rest);
      },
      remove: async (key, ...rest) => {
        await wait(key, false);
        return backing.remove(key, ...rest);
      },
    };
  };
  const roomOver = (store: Store, archive: Uint8Array) =>
    setUp([shelfRegistry("shelf", { greet: { archive, meta: {} } })], store);
  const isStaging = (key: string, isPut: boolean) => isPut && key.startsWith("skills/.staging/");

  it("are not mixed when the slower one was taken for gone", async () => {
    const backing = memoryStore();
    const faster = roomOver(backing, NEW);
    const slow = interrupted(backing, isStaging, async () => {
      faster.clock.step(11 * 60_000);
      await faster.installer.install({ slug: "greet" });
    });
    await expect(roomOver(slow, OLD).installer.install({ slug: "greet" })).rejects.toThrow();
    expect(await filesOf(backing, "greet")).toMatchObject({ "new.md": "new", "both.md": "two" });
    expect(Object.keys(await everythingIn(backing)).filter((key) => key.startsWith("skills/."))).toEqual([]);
  });

  it("do not take each other's claim away", async () => {
    const backing = memoryStore();
    const told = { claimed: () => {}, goOn: () => {} };
    const isClaimed = new Promise<void>((resolve) => (told.claimed = resolve));
    const mayGoOn = new Promise<void>((resolve) => (told.goOn = resolve));
    const second = interrupted(backing, isStaging, async () => {
      told.claimed();
      await mayGoOn;
    });
    let other: Promise<unknown> | undefined;
    // The first is about to say that it has ended; the second has carried that out and has begun its own.
    let writes = 0;
    const first = interrupted(
      backing,
      (key) => key === "skills/.installing/greet" && (writes += 1) === 3,
      async () => {
        other = roomOver(second, NEW).installer.install({ slug: "greet", force: true });
        await isClaimed;
      },
    );
    await roomOver(first, OLD).installer.install({ slug: "greet" });
    told.goOn();
    await other;
    expect(await filesOf(backing, "greet")).toMatchObject({ "new.md": "new", "both.md": "two" });
    expect(Object.keys(await everythingIn(backing)).filter((key) => key.startsWith("skills/."))).toEqual([]);
  });
});
