import { estimateTokenCount } from "tokenx";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../entry.host.ts";
import { messageTokens } from "../../src/context/tokens.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { calls, says, scriptedModel } from "../../src/testing/scripted-model.ts";
import * as v from "valibot";
import { defineTool } from "../../mod.ts";
import { type TestAssistantOptions, testAssistant } from "../support/assistant.ts";

const WINDOW = 16_000;

/** What people say between the things that matter. */
const SMALL_TALK = [
  "Nice weather today, the sun came out after lunch and we sat on the balcony for a while.",
  "I had coffee with a colleague and we laughed about the printer again, it was fun.",
  "今天中午吃了面条，味道还不错，下午又喝了一杯茶。",
  "How are you doing? The cat slept on the keyboard all morning.",
  "The film was long, but the music in the second half was lovely.",
  "昨晚下雨了，路上有点堵，不过还好没有迟到。",
];

interface Planted {
  readonly turn: number;
  readonly text: string;
  /** What must be found word for word at the end; not set for what was closed. */
  readonly keeps?: string;
}

/** Decisions, open tasks, preferences and identifiers at places that a generator chose. */
function planted(turns: number): readonly Planted[] {
  const items: Planted[] = [];
  let count = 0;
  // Spread over the whole conversation, each at a turn of its own.
  const place = () => 3 + ((count++ * 787) % (turns - 80));
  const add = (text: string, keeps: string) => items.push({ turn: place(), text, keeps });
  add("We decided to go with the blue logo for the spring campaign.", "blue logo");
  add("Let's go with Hetzner for the servers, that is settled.", "Hetzner");
  add("Decision: the release train leaves on Thursdays.", "Thursdays");
  add("我们决定用桦木做厨房的台面。", "桦木");
  add("定了，五月份去京都。", "京都");
  add("Please remind me to renew the passport before June.", "passport");
  add("TODO: send the signed lease to Marta.", "lease to Marta");
  add("I still need to book the dentist for Oskar.", "dentist for Oskar");
  add("记得帮我给房东打电话，谈暖气的事。", "房东");
  add("Next step: compare the two insurance offers.", "insurance offers");
  add("My order number is ORD-48213, it should arrive soon.", "ORD-48213");
  add("The ticket is INC-77120 if anybody asks.", "INC-77120");
  add("You reach the plumber at +46 70 123 45 67.", "+46 70 123 45 67");
  add("The contract lies under /srv/contracts/2026/lease-final.pdf.", "/srv/contracts/2026/lease-final.pdf");
  add("Our staging machine is 10.20.30.40:8443.", "10.20.30.40:8443");
  add("The invoice 2026-0042 is for 1,480.50 EUR.", "1,480.50 EUR");
  add("合同编号是 HT-2026-0815，请记住。", "HT-2026-0815");
  add("The commit that broke it is 9f8e7d6c5b4a.", "9f8e7d6c5b4a");
  add("Write to anna.lind@example.com about the keys.", "anna.lind@example.com");
  add("I prefer trains over planes, always.", "trains over planes");
  add("My daughter's name is Elvira, she is allergic to nuts.", "allergic to nuts");
  add("以后都用中文写周报。", "周报");
  items.push({ turn: 41, text: "TODO: buy a ladder for the attic." });
  items.push({ turn: Math.floor(turns * 0.45) + 2, text: "Done: I bought the ladder for the attic." });
  return items;
}

const PROSE = {
  silent: "",
  constant: "ok",
  forgetful: "The two talked about many small things, the weather and the cat among them, and were content with that.",
};

describe("a conversation that does not end", () => {
  it.each([
    ["constant", 300],
    ["forgetful", 300],
    ["silent", 2000],
  ] as const)(
    "stays within its window and keeps what was planted, with a %s summariser, over %d turns",
    { timeout: 120_000 },
    async (kind, count) => {
      const clock = fakeClock();
      const items = planted(count);
      const byTurn = new Map(items.map((item) => [item.turn, item]));
      let summaries = 0;
      let flushes = 0;
      /** The longest prompt between two compactions, and the tools that it was sent with. */
      let longest: { readonly prompt: readonly unknown[]; readonly tools: unknown } | undefined;
      const longests: (typeof longest)[] = [];
      let sent = "";
      let changed = 0;
      const model = scriptedModel((prompt, _call, { tools = [] }) => {
        const isSummary = tools.length === 0;
        if (isSummary) {
          summaries += 1;
          longests.push(longest);
          return says(PROSE[kind]);
        }
        const said = JSON.stringify(prompt).slice(0, -1);
        if (said.includes("Keep now what will matter later.")) {
          flushes += 1;
          return says("NO_REPLY");
        }
        if (sent !== "" && !said.startsWith(sent)) changed += 1;
        sent = said;
        longest = { prompt, tools };
        const last = prompt.at(-1);
        const text = JSON.stringify(last);
        if (last?.role === "user" && text.includes("look")) return calls(["look", {}]);
        return says("I see. Thank you for telling me, that is good to know for later on.");
      });
      const options: TestAssistantOptions = {
        model,
        clock,
        store: memoryStore(),
        context: { contextWindow: WINDOW },
        // One that comes and goes changes what stands before the newest message.
        skills: { autoActivation: { enabled: false } },
        tools: {
          look: defineTool({
            description: "Looks",
            inputSchema: v.object({}),
            execute: () => `a long report: ${"line after line of it, ".repeat(60)}`,
          }),
        },
      };
      const { assistant } = await testAssistant(options);
      const session = "long";
      for (let turn = 0; turn < count; turn += 1) {
        const item = byTurn.get(turn);
        const talk = `${turn % 97} things. ${SMALL_TALK[turn % SMALL_TALK.length]}`;
        const text = item ? `${talk} ${item.text}` : turn % 50 === 49 ? `${talk} look it up` : talk;
        await assistant.send({ text, session });
      }
      const key = "agent:main:sdk:direct:long";
      const { parts } = await assistant.explainContext({ session: key });
      const listed = await assistant.sessions.summaries(key);
      const newest = listed?.at(-1);
      expect(summaries).toBeGreaterThanOrEqual(count === 2000 ? 15 : 3);
      expect(flushes).toBe(summaries);
      // Between two compactions each prompt begins with all of the one before it.
      expect(changed).toBeLessThanOrEqual(summaries);
      // By the runtime's own estimate, which leaves room for the answer.
      for (const one of [...longests, longest]) {
        const { prompt, tools } = one!;
        const tokens = (prompt as Parameters<typeof messageTokens>[0][]).reduce(
          (sum, message) => sum + messageTokens(message),
          0,
        );
        expect(tokens + estimateTokenCount(JSON.stringify(tools))).toBeLessThan(WINDOW - 2000);
      }
      expect(parts.find(({ name }) => name === "summary")!.tokens).toBeLessThan(2300);
      // What the model was last shown: the summary, and the turns after it.
      const lost = items.filter(({ keeps }) => keeps !== undefined && !sent.includes(keeps)).map(({ text }) => text);
      expect(lost).toEqual([]);
      expect(newest?.summary, "a closed task is not open").not.toMatch(/buy a ladder/);
      await assistant.stop();
    },
  );
});
