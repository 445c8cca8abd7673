import { describe, expect, it } from "vitest";
import { DAY_MS, remembering } from "../assistant.ts";
import { textOf } from "./support.ts";

const USER = "telegram:1";
const MINUTE = 60_000;

describe("days of an assistant", () => {
  it("are written down while people talk, and what recurs lasts until they delete it", async () => {
    const t = await remembering({});
    const first = new Date(t.clock.now()).toISOString().slice(0, 10);
    for (let day = 0; day < 4; day += 1) {
      await t.say(`I prefer window seats on trains${".".repeat(day)}`, USER);
      await t.clock.advance(11 * MINUTE);
      await t.say("Thanks", USER);
      await t.clock.advance(DAY_MS - 11 * MINUTE);
    }
    expect(await textOf(t.store, `memory/${USER}/daily/${first}.md`)).toContain("window seats");
    const key = `memory/${USER}/MEMORY.md`;
    expect(await textOf(t.store, key)).toMatch(
      /## User Preferences\n\n- I prefer window seats on trains\W* \(\d{4}-\d{2}-\d{2}\)\n/,
    );

    await t.store.put(key, "# Mine\n");
    await t.say("I prefer window seats on trains", USER);
    await t.clock.advance(DAY_MS);
    await t.say("Hello again", USER);
    await t.clock.advance(2 * 60 * MINUTE);
    expect(await textOf(t.store, key)).toBe("# Mine\n");
    await t.assistant.stop();
  });
});
