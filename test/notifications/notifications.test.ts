import { describe, expect, it } from "vitest";
import { createNotifications } from "../../src/notifications/index.ts";
import { memoryStore } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";

function setUp() {
  const base = memoryStore();
  const read: string[] = [];
  const store = {
    ...base,
    get(key: string) {
      read.push(key);
      return base.get(key);
    },
  };
  const clock = fakeClock();
  const notifications = createNotifications({ store, clock });
  const keep = async (id: string, user = "ada") => {
    clock.step(1);
    await notifications.keep({ kind: "notice", id, user, sessionKey: "s", text: id });
  };
  return { notifications, keep, read };
}

describe("notifications that wait", () => {
  it("are kept, and removed for their user, without reading the others", async () => {
    const { notifications, keep, read } = setUp();
    for (const id of ["a", "b", "c"]) await keep(id);
    expect(read).toEqual([]);
    expect(await notifications.remove("b", "ada")).toBe(true);
    expect(await notifications.remove("b", "ada")).toBe(false);
    expect(await notifications.remove("c", "bob")).toBe(false);
    expect(new Set(read)).toEqual(new Set(["notifications/ada/b", "notifications/bob/c"]));
    expect((await notifications.list({ user: "ada" })).map(({ id }) => id)).toEqual(["a", "c"]);
  });

  it("are a hundred of a user: the oldest go, whatever their ids", async () => {
    const { notifications, keep } = setUp();
    await keep("z");
    await keep("z", "bob");
    for (let at = 0; at < 101; at++) await keep(`m${at}`);
    const ids = (await notifications.list({ user: "ada" })).map(({ id }) => id);
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([100, "m1", "m100"]);
    expect(await notifications.list({ user: "bob" })).toHaveLength(1);
  });
});
