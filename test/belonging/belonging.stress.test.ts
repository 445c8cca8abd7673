import { describe, expect, it } from "vitest";
import { memoryStore } from "../../entry.host.ts";
import type { MemoryStore } from "../../kit.ts";
import { createLayeredStore } from "../../src/memory/layered-store.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { beginLife } from "../support/life.ts";
import { testAssistant } from "../support/assistant.ts";
import { platform } from "../support/this-platform.ts";
import { until } from "../support/until.ts";
import { ANNA, setUp } from "./support.ts";

describe("a store of one's own", () => {
  it("is asked through its port, and loses and doubles nothing when it is killed at each write", async () => {
    const clock = fakeClock();
    const filled = async () => {
      const host = memoryStore();
      const own = createLayeredStore({ store: host, clock }, platform.yaml);
      const at = new Date(clock.now());
      const entry = (userId: string, id: string, content: string) => {
        return { userId, id, content, keywords: [], slots: {}, createdAt: at, updatedAt: at };
      };
      await own.save([
        entry("telegram:42", "a", "one"),
        entry("telegram:42", "b", "two"),
        entry("telegram:42", "c", "old"),
      ]);
      await own.save([entry("@anna", "b", "another"), entry("telegram:4", "a", "a stranger's")]);
      await own.archive("telegram:42", ["c"]);
      await own.close();
      return host;
    };
    for (let writes = 0; ; writes += 1) {
      const host = await filled();
      const store = memoryStore();
      await store.put("memory/telegram:42/MEMORY.md", "- tea\n");
      const life = beginLife(store, clock);
      const hosts = beginLife(host, clock, writes);
      const port: MemoryStore = createLayeredStore({ store: hosts.store, clock }, platform.yaml);
      const dying = await testAssistant({ life, clock, memory: { store: port }, session: ANNA, start: false });
      let isDone = false;
      void dying.assistant.start().then(() => (isDone = true));
      await until(clock, () => isDone || hosts.killed, { stepMs: 0 });
      const survived = !hosts.killed;
      for (const one of [hosts, life]) one.kill();
      const next = createLayeredStore({ store: host, clock }, platform.yaml);
      const t = await setUp({ store, clock, memory: { store: next }, session: ANNA });
      expect(await t.contents("@anna"), `after ${writes} writes`).toEqual(["another", "one", "two"]);
      expect(await t.contents("telegram:42", true)).toEqual(["old"]);
      expect(await t.contents("telegram:4")).toEqual(["a stranger's"]);
      expect(await t.assistant.memory.read("@anna", "MEMORY.md")).toBe("- tea\n");
      await t.during(t.assistant.stop());
      if (survived) break;
    }
  });
});
