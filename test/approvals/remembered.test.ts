import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineTool } from "../../entry.host.ts";
import { type Script, calls, says } from "../../src/testing/scripted-model.ts";
import { until } from "../support/until.ts";
import { testAssistant } from "../support/assistant.ts";

const OWNER = "app:1";
const DAY_MS = 86_400_000;

async function setUp() {
  const prompts: string[] = [];
  const script: Script = (prompt) => {
    const last = prompt.at(-1);
    const text = JSON.stringify(last?.content ?? "");
    prompts.push(JSON.stringify(prompt));
    const wanted = /wipe the disk (\w+)/.exec(text);
    const isAsked = last?.role === "user" && wanted && !text.includes("wakeful-note") && !text.includes("Did you");
    if (isAsked) return calls(["wipe", { disk: wanted[1] ?? "" }]);
    return says(last?.role === "tool" ? "I asked the owner about the disk." : "Understood about the disk.");
  };
  const t = await testAssistant({
    script,
    channels: [],
    owner: { ids: [OWNER] },
    queue: { debounceMs: 0 },
    tools: {
      wipe: defineTool({
        description: "wipes",
        inputSchema: v.object({ disk: v.string() }),
        execute({ disk }) {
          if (disk === "broken") throw new Error("no such disk");
          return "wiped";
        },
        meta: { dangerous: true },
      }),
    },
  });
  const { assistant, clock } = t;
  /** What a model that is asked a day later, in another conversation, is shown of it. */
  const shownLater = async () => {
    await clock.advance(DAY_MS);
    await assistant.send({ text: "Did you wipe the disk?", user: OWNER, session: "later" });
    return prompts.at(-1) ?? "";
  };
  const captured = async () => {
    const found: string[] = [];
    for await (const { content, slots } of assistant.memory.list("@owner"))
      if (slots["type"] === "auto_capture") found.push(content);
    return found;
  };
  return { ...t, prompts, shownLater, captured };
}

describe("what is remembered of a call that waited", () => {
  it.each([
    {
      what: "denied",
      disk: "sda",
      answer: { answer: "deny", reason: "not on a Sunday" },
      says: "denied (wipe: not on a Sunday)",
    },
    { what: "approved, and done", disk: "sda", answer: { answer: "once" }, says: "success" },
    { what: "approved, and failed", disk: "broken", answer: { answer: "once" }, says: "failure (wipe: FAILED)" },
    { what: "never answered", disk: "sda", answer: null, says: "expired (wipe: no one answered in time)" },
  ] as const)("is how it ended, once: $what", async ({ disk, answer, says: outcome }) => {
    const t = await setUp();
    const { approvals } = await t.assistant.send({ text: `wipe the disk ${disk}`, user: OWNER });
    await t.clock.advance(60_000);
    expect(await t.captured()).toEqual([]);
    const code = approvals[0]?.code ?? "";
    if (answer) await t.assistant.approvals.answer(code, { ...answer, user: OWNER });
    else await t.clock.advance(60 * 60_000);
    await until(t.clock, async () => (await t.captured()).length > 0);
    expect(await t.captured()).toEqual([
      `Goal: wipe the disk ${disk}\nTools: wipe\nOutcome: ${outcome}: Understood about the disk.`,
    ]);
    const shown = await t.shownLater();
    expect(shown).toContain(`Outcome: ${outcome}:`);
    // The digest of the day stands above what is recalled.
    const [digest = "", recalled = ""] = shown.split("# From memory");
    expect(digest).toContain(`Outcome: ${outcome}:`);
    for (const text of [digest, recalled]) expect(text.split("success").length - 1).toBe(outcome === "success" ? 1 : 0);
    expect(shown).not.toContain("I asked the owner");
  });

  it("is no success in what a summary keeps either", async () => {
    const t = await setUp();
    const { approvals } = await t.assistant.send({ text: "wipe the disk sda", user: OWNER });
    await t.assistant.approvals.answer(approvals[0]?.code ?? "", { answer: "deny", user: OWNER });
    await until(t.clock, async () => (await t.captured()).length > 0);
    await t.assistant.send({ text: "/compact", user: OWNER });
    for await (const { content } of t.assistant.memory.list("@owner")) {
      expect(content).not.toContain("success");
      expect(content).not.toContain("I asked the owner");
    }
  });
});
