import { describe, expect, it } from "vitest";
import { memoryStore } from "../../src/store/index.ts";
import { createPersonLines } from "../../src/memory/person-lines.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";

const NOW = Date.UTC(2026, 1, 10, 12);

describe("createPersonLines()", () => {
  it("reads a file again only when that file has changed", async () => {
    const store = memoryStore();
    const read: string[] = [];
    const watched: typeof store = {
      ...store,
      get(key) {
        read.push(key.replace("memory/ada/", ""));
        return store.get(key);
      },
    };
    const clock = fakeClock(NOW);
    const lines = createPersonLines({ store: watched, clock });
    const contents = async () => [...(await lines.of("ada")).lines.values()].map(({ entry }) => entry.content);
    await store.put("memory/ada/MEMORY.md", "# Memory\n\n- Likes tea\n");
    await store.put("memory/ada/daily/2026-02-09.md", "# 2026-02-09\n\n- Asked about Oslo\n");
    await store.put("memory/ada/daily/2026-02-10.md", "# 2026-02-10\n\n- Asked about Bergen\n");
    expect((await contents()).toSorted()).toEqual(["Asked about Bergen", "Asked about Oslo", "Likes tea"]);
    expect(read.toSorted()).toEqual(["MEMORY.md", "daily/2026-02-09.md", "daily/2026-02-10.md"]);

    read.length = 0;
    await store.put("memory/ada/daily/2026-02-10.md", "# 2026-02-10\n\n- Asked about Narvik\n");
    await store.remove("memory/ada/daily/2026-02-09.md");
    await clock.advance(3000);
    expect((await contents()).toSorted()).toEqual(["Asked about Narvik", "Likes tea"]);
    expect(read).toEqual(["daily/2026-02-10.md"]);
  });
});
