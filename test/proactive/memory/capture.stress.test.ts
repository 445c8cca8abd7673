import { describe, expect, it } from "vitest";
import { createMemoryCapture } from "../../../src/proactive/memory/capture.ts";
import { memoryStore } from "../../../src/store/index.ts";
import { beginLife } from "../../support/life.ts";
import { WAKE, plain, withCapture } from "./capturing.ts";
import { call, setUp } from "./support.ts";

describe("the handler of memory:capture: keys", () => {
  it.each([
    ["", 0],
    [", though much else was kept before the second run", 20],
  ])("has the same in the end wherever a crash comes, and after any second run%s", async (_title, others) => {
    const story = async (store = memoryStore()) => {
      const at = await withCapture({ store });
      await at.turn("1", "My rent for the small flat near the harbour is 900 euros. I have two cats.");
      await at.turn("2", "Find a train", { toolCalls: [call("web_search"), call("look")] });
      await at.turn("3", "How are you?");
      await at.turn("4", "My rent for the small flat near the harbour is 900 euros!");
      await at.turn("5", "I live in Oslo. I prefer tea.");
      return at;
    };
    const whole = await story();
    await whole.capture.handle(WAKE);
    const wanted = (await whole.saved()).map(plain);
    expect(wanted).toHaveLength(6);

    let crashes = 0;
    for (let writes = 0; ; writes += 1) {
      const { store, clock } = await story();
      const life = beginLife(store, clock, writes);
      const killed = setUp({ store: life.store, clock });
      let isOver = false;
      void createMemoryCapture(killed.parts)
        .handle(WAKE)
        .then(() => (isOver = true));
      for (let turns = 0; turns < 200 && !isOver && !life.killed; turns += 1)
        await new Promise((resolve) => setTimeout(resolve, 0));
      const survived = setUp({ store, clock });
      for (let other = 0; other < others; other += 1)
        await survived.memory.save({
          id: `other-${other}`,
          userId: "telegram:42",
          content: `Plan number ${other} is another one`,
          createdAt: clock.now() + 1 + other,
        });
      const capture = createMemoryCapture(survived.parts);
      await capture.handle(WAKE);
      await capture.handle(WAKE);
      const saved = (await survived.saved()).filter(({ id }) => !id.startsWith("other-"));
      expect(saved.map(plain)).toEqual(wanted);
      if (isOver) break;
      expect(life.killed).toBe(true);
      crashes += 1;
    }
    expect(crashes).toBeGreaterThan(8);
  });
});
