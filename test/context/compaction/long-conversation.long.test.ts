import { describe, expect, it } from "vitest";
import {
  type CompactionSummary,
  type SpokenText,
  composeSummary,
  extractiveProse,
  mergeLedger,
  planCompaction,
  readFacts,
  summaryPrompt,
} from "../../../src/context/compaction/index.ts";
import { messageTokens } from "../../../src/context/tokens.ts";
import type { PromptMessage } from "../../../src/context/turn-messages.ts";
import { SMALL_TALK } from "./sentences.ts";

const TURNS = 2000;
const WINDOW = 16_384;
const SUMMARY_TOKENS = 2000;

/** Said once, somewhere: what must be there at the end, letter by letter. */
const PLANTED: readonly (readonly [said: string, literal?: string])[] = [
  ["We decided to move the office to Lindholmen."],
  ["Let's go with Halden Freight for the shipping."],
  ["The decision is to skip the spring fair."],
  ["Agreed: Marta signs for the landlord."],
  ["I'll take the Thursday course in pottery."],
  ["We're going with oak for the kitchen floor."],
  ["It's settled, the party is at Brask's farm."],
  ["The root cause was the expired certificate on the proxy."],
  ["Final decision: no dogs in the cabin."],
  ["我们决定把会议改到上海办。"],
  ["那就用小王推荐的供应商。"],
  ["年会定在苏州的酒店。"],
  ["大家同意每人出两百块。"],
  ["结论是旧水管要全部换掉。"],
  ["TODO: renew the fishing licence before summer."],
  ["Remind me to water Ingrid's plants."],
  ["I need to order new tyres for the van."],
  ["Please send the floor plan to Novak by Friday."],
  ["The next step is to ask the bank about the mortgage."],
  ["Don't forget the anniversary present for Eva."],
  ["We still have to sign the insurance papers."],
  ["- [ ] clean the boat engine"],
  ["Follow up with the plumber about the leak."],
  ["提醒我给外婆寄生日卡。"],
  ["记得把相机还给老周。"],
  ["待办：给阳台装护栏。"],
  ["我需要准备签证材料。"],
  ["别忘了交物业费。"],
  ["My name is Solveig Aune."],
  ["I live in Tromsø with two huskies."],
  ["I prefer short answers without lists."],
  ["Always answer with metric units."],
  ["Never book flights before nine."],
  ["Remember that my son is allergic to peanuts."],
  ["I don't drink coffee after noon."],
  ["我喜欢靠窗的座位。"],
  ["以后都用中文写邮件。"],
  ["请记住我爸爸对青霉素过敏。"],
  ["我的车牌是浙A88K21。"],
  ["The parcel is ORD-48213, it left the depot.", "ORD-48213"],
  ["Ticket #4821 is about the boiler.", "#4821"],
  ["The invoice INV-2026-0042 came today.", "INV-2026-0042"],
  ["It crashed with id 3f2b8c9e-1d2a-4b3c-8d9e-0f1a2b3c4d5e again.", "3f2b8c9e-1d2a-4b3c-8d9e-0f1a2b3c4d5e"],
  ["The bad commit is 9f8e7d6c1.", "9f8e7d6c1"],
  ["The manual is at https://docs.example.org/pump?v=2.", "https://docs.example.org/pump?v=2"],
  ["Write to roof@example.net about it.", "roof@example.net"],
  ["The carpenter is at +47 22 85 50 50.", "+47 22 85 50 50"],
  ["The proxy runs on 10.20.0.7:8443.", "10.20.0.7:8443"],
  ["Its settings are in /etc/proxy/main.conf.", "/etc/proxy/main.conf"],
  ["The rent goes to SE45 5000 0000 0583 9825 7466.", "SE45 5000 0000 0583 9825 7466"],
  ["The flight is SK1423 from Arlanda.", "SK1423"],
  ["The gate code is 4417.", "4417"],
  ["The code name is “Blue Heron”.", "Blue Heron"],
  ["Version v2.14.1 broke the heating app.", "v2.14.1"],
  ["快递单号是SF1029384756。", "SF1029384756"],
  ["他的电话是13812345678。", "13812345678"],
  ["订单号 20931887 已经付款。", "20931887"],
  ["项目代号是「夜鹰」。", "夜鹰"],
  ["服务器地址是 172.16.4.9。", "172.16.4.9"],
];
/** Opened and closed later. */
const CLOSED: readonly (readonly [open: string, done: string])[] = [
  ["TODO: renew the passport before Lisbon.", "Done: renewed the passport."],
  ["Remind me to call the dentist on Tuesday.", "I've called the dentist, all fine."],
  ["I need to pay the electricity bill.", "The electricity bill is paid, that's done."],
  ["- [ ] cancel the gym membership", "- [x] cancel the gym membership"],
  ["I need to book a hotel in Visby.", "I no longer need to book a hotel in Visby."],
  ["记得续驾照。", "驾照已经续好了。"],
  ["提醒我给房东打电话。", "给房东打电话这件事做完了。"],
];

/** The same numbers each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function conversation(seed: number): readonly (readonly SpokenText[])[] {
  const next = numbers(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  const extra: string[][] = Array.from({ length: TURNS }, () => []);
  for (const [said] of PLANTED) extra[Math.floor(next() * (TURNS - 1))]!.push(said);
  for (const [open, done] of CLOSED) {
    const at = Math.floor(next() * (TURNS - 300));
    extra[at]!.push(open);
    extra[at + 1 + Math.floor(next() * 250)]!.push(done);
  }
  return extra.map((planted, index) => {
    const talk = Array.from({ length: 2 + Math.floor(next() * 4) }, () => pick(SMALL_TALK));
    const turn: SpokenText[] = [{ role: "user", text: [...planted, ...talk].sort(() => next() - 0.5).join("\n") }];
    if (index % 23 === 5) {
      const rows = Array.from({ length: 40 }, (_, row) => ({
        row,
        ref: `LOG-${index}${100 + row}`,
        price: `${row}.50 EUR`,
      }));
      turn.push({ role: "tool", text: JSON.stringify(rows) });
    }
    const answer = Array.from({ length: 2 + Math.floor(next() * 5) }, () => pick(SMALL_TALK));
    const aside = index % 11 === 3 ? `It will be ready at ${10 + (index % 12)}:${10 + (index % 50)}.` : "";
    turn.push({ role: "assistant", text: `${answer.join(" ")} ${aside}` });
    return turn.map((spoken) => ({ ...spoken, seq: index }));
  });
}

const MODELS: readonly { readonly name: string; write(prompt: string, round: number): string }[] = [
  { name: "one that always says ok", write: () => "ok" },
  { name: "forgetful", write: () => "They talked about this and that, mostly about the weather and about animals." },
  {
    name: "one that tells everything",
    write: (prompt) => PLANTED.flatMap(([said]) => (prompt.includes(said) ? [said] : [])).join(" "),
  },
];

/** The same message for the same text, so that it is counted once. */
function asMessage({ role, text }: SpokenText): PromptMessage {
  return { role: role === "tool" ? "assistant" : role, content: text };
}

interface Outcome {
  readonly summary: CompactionSummary;
  readonly kept: string;
  /** Of each compaction: characters of facts and prompt that it began with. */
  readonly work: readonly number[];
  readonly most: { readonly summary: number; readonly prompt: number };
}

/** As a driver does it: before each turn whatever is too much goes into the summary. */
function live(model: (typeof MODELS)[number], turns: readonly (readonly SpokenText[])[]): Outcome {
  let summary: CompactionSummary = { text: "", prose: "", facts: [], tokens: 0 };
  let history: { readonly spoken: SpokenText; readonly message: PromptMessage }[] = [];
  const work: number[] = [];
  const most = { summary: 0, prompt: 0 };
  for (const turn of turns) {
    history.push(...turn.map((spoken) => ({ spoken, message: asMessage(spoken) })));
    const plan = planCompaction(
      history.map(({ message }) => message),
      { contextWindow: WINDOW - summary.tokens },
    );
    if (plan) {
      const gone = history.slice(plan.summarise.from, plan.summarise.to).map(({ spoken }) => spoken);
      history = history.slice(plan.keep.from);
      const closedSince = readFacts(history.map(({ spoken }) => spoken)).filter(({ kind }) => kind === "done");
      const ledger = mergeLedger(summary.facts, [...readFacts(gone), ...closedSince]).facts;
      const { instructions, messages } = summaryPrompt({ previous: summary.prose, turns: gone, ledger });
      const prompt = instructions + messages[0].content;
      summary = composeSummary({
        prose: model.write(prompt, work.length),
        fallback: extractiveProse(gone, 400),
        previous: summary,
        ledger,
        budgetTokens: SUMMARY_TOKENS,
      });
      work.push(prompt.length + JSON.stringify(summary.facts).length);
      most.summary = Math.max(most.summary, summary.tokens);
    }
    const prompt = history.reduce((sum, { message }) => sum + messageTokens(message), summary.tokens);
    most.prompt = Math.max(most.prompt, prompt);
  }
  return { summary, kept: history.map(({ spoken }) => spoken.text).join("\n"), work, most };
}

describe("2,000 turns in a window of 16k", () => {
  const turns = conversation(20_261_122);

  it.each(MODELS)("keep what was planted, summarised by a model that is $name", (model) => {
    const { summary, kept, work, most } = live(model, turns);
    const shown = `${summary.text}\n${kept}`;
    expect(work.length).toBeGreaterThan(10);
    const lost = PLANTED.filter(([said, literal = said.replace(/^- /, "")]) => !shown.includes(literal));
    expect(lost).toEqual([]);
    const stillOpen = summary.facts.filter(
      ({ kind, text }) => kind === "task" && CLOSED.some(([open]) => open.includes(text)),
    );
    expect(stillOpen.map(({ text }) => text)).toEqual([]);
    expect(most.summary).toBeLessThanOrEqual(SUMMARY_TOKENS);
    expect(most.prompt).toBeLessThanOrEqual(WINDOW - 2000);
    // The last compactions have no more to do than the first ones that found a full ledger.
    const third = Math.floor(work.length / 3);
    const averageOf = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / list.length;
    expect(averageOf(work.slice(-third))).toBeLessThan(1.25 * averageOf(work.slice(third, 2 * third)));
  });
});
