import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { defineTool, memoryStore } from "../../entry.host.ts";
import type { Store } from "../../kit.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { calls, says, scriptedModel } from "../../src/testing/scripted-model.ts";
import { withRoot } from "../store/fs-root.ts";
import { THOROUGH, WHOLE } from "../support/thorough.ts";
import { testAssistant } from "../support/assistant.ts";

const TURNS = THOROUGH ? 300 : WHOLE ? 110 : 60;

/** What the model is sent over a conversation; the process ends after every so many turns. */
async function promptsOf(open: () => Promise<Store>, restartEach: number) {
  const clock = fakeClock();
  const prompts: string[] = [];
  const model = scriptedModel((prompt) => {
    const text = JSON.stringify(prompt);
    if (text.includes("You write the summary")) {
      const said = text.match(/ticket ORD-\d+/g) ?? [];
      return says(`They spoke about the sun and the balcony, up to ${said.at(-1)}, and were content with that.`);
    }
    prompts.push(text);
    const last = JSON.stringify(prompt.at(-1));
    return last.includes("look it up")
      ? calls(["look", {}, `call-${prompts.length}`])
      : says(`Good, ${prompts.length}.`);
  });
  const begin = async () =>
    testAssistant({
      model,
      clock,
      store: await open(),
      start: false,
      // What memory recalls depends on when it was captured.
      memory: { enabled: false },
      context: { historyTokens: 1000 },
      compaction: { summaryTokens: 800 },
      tools: {
        look: defineTool({ description: "Looks", inputSchema: v.object({}), execute: () => ({ seen: "a cat" }) }),
      },
    });
  let { assistant } = await begin();
  for (let turn = 0; turn < TURNS; turn += 1) {
    if (turn > 0 && turn % restartEach === 0) {
      await assistant.stop();
      ({ assistant } = await begin());
    }
    const what = turn % 9 === 4 ? "Please look it up." : "We sat on the balcony for a while.";
    await assistant.send({ text: `The ticket ORD-${10_000 + turn} is new. ${what}`, session: "long" });
    clock.step(30_000);
  }
  const summaries = await assistant.sessions.summaries("agent:main:sdk:direct:long");
  await assistant.stop();
  return { prompts, summaries };
}

describe("a long conversation on a disk", () => {
  it("that is restarted every 50 turns sends the same prompts as one that never was", { timeout: 60_000 }, async () => {
    const kept = memoryStore();
    const one = await promptsOf(async () => kept, Infinity);
    await withRoot(async (root) => {
      const other = await promptsOf(() => root.open(), 50);
      expect(one.summaries.length).toBeGreaterThanOrEqual(TURNS / 20);
      expect(other.prompts).toEqual(one.prompts);
      expect(other.summaries.map(({ summary }) => summary)).toEqual(one.summaries.map(({ summary }) => summary));
    });
  });
});
