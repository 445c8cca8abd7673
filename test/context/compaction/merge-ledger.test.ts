import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type SpokenText, mergeLedger, readFacts } from "../../../src/context/compaction/index.ts";
import { showLedger } from "../../../src/context/compaction/ledger.ts";
import { runs } from "../../support/thorough.ts";

const user = (text: string): SpokenText => ({ role: "user", text });
/** One compaction a text. */
function ledgerOf(...texts: readonly string[]) {
  return texts.reduce(
    (ledger, text, seq) => mergeLedger(ledger, readFacts([{ ...user(text), seq }])).facts,
    mergeLedger([], []).facts,
  );
}
const textsOf = (kind: string, ...texts: readonly string[]) =>
  ledgerOf(...texts).flatMap((fact) => (fact.kind === kind ? [fact.text] : []));

describe("mergeLedger()", () => {
  it.each([
    ["TODO: renew the passport before March.", "Done: renewed the passport."],
    ["Remind me to call the dentist on Tuesday.", "TODO call the dentist is done."],
    ["- [ ] cancel the gym membership", "- [x] cancel the gym membership"],
    ["I need to pay invoice INV-2041.", "I've paid invoice INV-2041."],
    ["Please send the revised offer to Ingrid by Friday.", "We sent the revised offer to Ingrid this morning."],
    ["I need to book a hotel near the station.", "I no longer need to book a hotel near the station."],
    ["记得续护照。", "护照已经续好了。"],
    ["待办：更新简历并发给李雷。", "简历更新好发给李雷了，已完成。"],
    ["提醒我给房东打电话。", "给房东打电话这件事做完了。"],
  ])("closes %j with %j", (task, done) => {
    expect(textsOf("task", task)).toHaveLength(1);
    expect(textsOf("task", task, done)).toEqual([]);
    expect(textsOf("task", `${task}\n${done}`)).toEqual([]);
  });

  it.each([
    ["TODO: renew the passport before March.", "Done: watered the plants."],
    ["I need to pay invoice INV-2041.", "I've paid invoice INV-2042."],
    ["TODO: call the bank.", "I walked along the bank of the river and met an old friend there."],
    ["Remind me to call the dentist on Tuesday.", "I have not called the dentist yet."],
    ["Remind me to call the dentist on Tuesday.", "Tell me when the call with the dentist is done."],
    ["记得续护照。", "护照还没续好。"],
    ["我需要去买牛奶。", "已经买了鸡蛋。"],
  ])("leaves %j open after %j", (task, other) => {
    expect(textsOf("task", task, other)).toContain(task);
  });

  it("opens a task again that is named after it was closed", () => {
    expect(
      textsOf("task", "TODO: water the plants.", "Done: watered the plants.", "TODO: water the plants."),
    ).toHaveLength(1);
  });

  it.each([
    ["My phone number is 555-0142.", "My phone number is 555-0199.", "555-0142", "555-0199"],
    ["The gate code is 4411.", "The gate code is now 5522.", "4411", "5522"],
    ["I live in Bergen near the harbour.", "I now live in Oslo.", "Bergen", "Oslo"],
    ["我住在杭州西湖区。", "我现在住在上海。", "杭州", "上海"],
    ["我的电话是13812345678。", "我的电话改成13900001111了。", "13812345678", "13900001111"],
  ])("replaces %j by %j", (older, newer, gone, kept) => {
    const text = JSON.stringify(ledgerOf(older, newer));
    expect(text).toContain(kept);
    expect(text).not.toContain(gone);
  });

  it.each([
    ["I prefer tea in the morning.", "I prefer trains to planes."],
    ["My sister's name is Ingrid.", "My brother's name is Olav."],
    ["The gate code is 4411.", "The invoice is INV-2041 now."],
    ["We decided to use PostgreSQL.", "We decided to use blue paper."],
    ["Send ticket ORD-1001 to Eva by Friday, please.", "Please send ticket ORD-1002 to Eva by Friday."],
  ])("keeps both %j and %j", (one, other) => {
    const text = JSON.stringify(ledgerOf(one, other));
    for (const sentence of [one, other]) expect(text).toContain(sentence);
  });

  it("keeps once what is said twice, and a person's words before the assistant's echo", () => {
    const facts = mergeLedger(
      [],
      readFacts([
        user("We decided to use Halden Freight for the move."),
        { role: "assistant", text: "Understood: we decided to use Halden Freight for the move, wonderful." },
        user("As I said, we decided to use Halden Freight."),
      ]),
    ).facts;
    expect(facts.filter(({ kind }) => kind === "decision").map(({ text }) => text)).toContain(
      "We decided to use Halden Freight for the move.",
    );
    expect(facts.filter(({ text }) => text.startsWith("As I said"))).toEqual([]);
  });

  it("tells an identifier of a closed task without the task", () => {
    const facts = ledgerOf("TODO: return parcel ORD-48213 to the shop.", "Done: returned the parcel to the shop.");
    expect(facts).toMatchObject([{ kind: "identifier", value: "ORD-48213", text: "ORD-48213" }]);
  });

  it("drops identifiers first, the least valuable first, and says how many", () => {
    const wanted = ["We decided to use Halden Freight.", "TODO: call the harbour office.", "The case is ABC-4711."];
    const noise = Array.from({ length: 300 }, (_, index) => ({
      role: "tool" as const,
      text: `row ${index} has ref ZZ-${90_000 + index}`,
      seq: index + 10,
    }));
    const all = readFacts([...wanted.map(user), ...noise]);
    const { facts, dropped } = mergeLedger([], all, { ledgerTokens: 300 });
    expect(dropped).toBe(all.length - facts.length);
    expect(dropped).toBeGreaterThan(100);
    for (const sentence of wanted) expect(facts.some(({ text }) => text === sentence)).toBe(true);
    expect(facts.at(-1)?.kind).toBe("identifier");
  });

  it("drops decisions and tasks only when nothing else is left, the oldest first", () => {
    const texts = Array.from(
      { length: 80 },
      (_, index) => `We decided that room ${1000 + index} gets colour ${index}.`,
    );
    const { facts } = mergeLedger([], readFacts(texts.map(user)), { ledgerTokens: 300 });
    expect(facts.every(({ kind }) => kind === "decision")).toBe(true);
    expect(facts.some(({ text }) => text === texts.at(-1))).toBe(true);
    expect(facts.some(({ text }) => text === texts[0])).toBe(false);
  });

  it("gives what only counts up no place before what was said once", () => {
    const said = "The boiler has ticket #4821.";
    const counting = Array.from(
      { length: 400 },
      (_, index) => `Message #${100 + index}: I need to know about river ${index}.`,
    );
    const { facts } = mergeLedger([], readFacts([said, ...counting].map(user)), { ledgerTokens: 200 });
    expect(facts.some(({ value }) => value === "#4821")).toBe(true);
    expect(facts.some(({ value }) => value === "#499")).toBe(true);
    expect(facts.some(({ value }) => value === "#100")).toBe(false);
  });

  it("is a fixed point: merging a ledger with nothing gives the ledger", () => {
    const sentence = fc.constantFrom(
      "We decided to use PostgreSQL.",
      "TODO: pay INV-2041.",
      "Done: paid INV-2041.",
      "My name is Ada.",
      "My name is Eva now.",
      "See ORD-48213 and ORD-48214.",
      "记得续护照。",
      "护照已经续好了。",
    );
    fc.assert(
      fc.property(fc.array(sentence, { maxLength: 30 }), fc.integer({ min: 20, max: 400 }), (texts, ledgerTokens) => {
        const { facts } = mergeLedger([], readFacts(texts.map(user)), { ledgerTokens });
        const again = mergeLedger(facts, [], { ledgerTokens });
        expect(again.dropped).toBe(0);
        expect(new Set(again.facts.map(({ text }) => text))).toEqual(new Set(facts.map(({ text }) => text)));
        expect(showLedger(facts, ledgerTokens).tokens).toBeLessThanOrEqual(ledgerTokens);
      }),
      { numRuns: runs(200) },
    );
  });
});
