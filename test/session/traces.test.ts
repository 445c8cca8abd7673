import { describe, expect, it } from "vitest";
import { quotesOf } from "../../src/erasable/index.ts";
import { wordsOf } from "../../src/erasure/person-words.ts";
import type { Sequenced } from "../../src/session/index.ts";
import { findTraces } from "../../src/session/traces.ts";
import type { LogRecord } from "../../src/store/index.ts";

const ADA = "telegram:ada-7001";
const GROUP = { kind: "group", id: "-5" };
const base = { v: 1, at: 1 };
const usage = { inputTokens: 1, outputTokens: 1 };
const said = (id: string, user: string, text: string, turn: string) => ({
  ...base,
  ...{ type: "in", id, turn, text, user, channel: "telegram", account: "default", peer: GROUP, roles: [] },
  sender: { id: user.split(":")[1], name: user === ADA ? "Ada Lovelace" : "Bob" },
});
const step = (turn: string, of: string[], text: string, more: object = {}) => ({
  ...base,
  ...{ type: "step", turn, step: 0, of, text, message: { role: "assistant", content: text }, calls: [], usage },
  ...{ finish: "stop", model: "m", ...more },
});
const out = (turn: string, of: string[], text: string) => ({
  ...base,
  ...{ type: "out", turn, of, text, silent: false, parts: [text], toolCalls: [], usage, steps: 1 },
});

const LOG: LogRecord[] = [
  said("1", "telegram:bob", "Who brings what?", "t1"),
  step("t1", ["1"], "Let us see", { block: "Monday" }),
  out("t1", ["1"], "Let us see"),
  said("2", ADA, "I bring the cake to the party", "t2"),
  step("t2", ["2"], "Noted", { calls: [{ toolCallId: "c", name: "keep", input: { what: "her cake" } }] }),
  { ...base, type: "tool", turn: "t2", step: 0, index: 0, name: "keep", state: "done", output: "kept her cake" },
  out("t2", ["2"], "She has the cake"),
  said("3", "telegram:bob", "And you?", "t3"),
  step("t3", ["3"], "Ada Lovelace said: I bring the cake to the party. I bring tea", {
    block: "somebody has the cake",
  }),
  out("t3", ["3"], "I bring tea"),
  {
    ...base,
    type: "compact",
    summary: "A cake comes",
    prose: "A cake comes",
    facts: ["cake"],
    range: { from: 1, to: 9 },
  },
  { ...base, type: "note", source: "telegram edit", text: "two cakes" },
  {
    ...said("4", ADA, "I bring three cakes", ""),
    ...{ type: "change", messageId: "m2", change: "edited" },
  },
];

async function cleaned(log: readonly LogRecord[], isTheirs = (user: string) => user === ADA) {
  async function* records() {
    for (const [index, record] of log.entries()) yield { ...record, seq: index + 1 } as unknown as Sequenced;
  }
  const traces = await findTraces(
    records(),
    ({ user }) => isTheirs(user),
    isTheirs,
    wordsOf([ADA]),
    new Set(["sub:sa-1", "workflow:run-1:"]),
  );
  return log.map(traces.without);
}

describe("findTraces()", () => {
  it("leaves nothing of theirs, and every record in its place", async () => {
    const now = await cleaned(LOG);
    expect(JSON.stringify(now)).not.toMatch(/cake|ada/i);
    expect(now.map(({ type }) => type)).toEqual(LOG.map(({ type }) => type));
    expect(now[4]).toMatchObject({ of: ["2"], calls: [{ toolCallId: "c", name: "keep", input: {} }] });
    expect(now[4]?.["message"]).toEqual({
      role: "assistant",
      content: [
        { type: "text", text: "[forgotten]" },
        { type: "tool-call", toolCallId: "c", toolName: "keep", input: {} },
      ],
    });
  });

  it("leaves nothing of what others reply to, also where they wrote it before the log begins", async () => {
    const quoted = { text: "the cake is a lie", sender: { id: "ada-7001", name: "Ada Lovelace" } };
    const mine = { text: "who brings what?", sender: { id: "bob", name: "Bob" } };
    const log = [
      { ...said("1", "telegram:bob", "Is that so?", "t1"), quoted },
      step("t1", ["1"], "Ada Lovelace wrote: the cake is a lie"),
      out("t1", ["1"], "It is"),
    ];
    const now = await cleaned(log);
    expect(JSON.stringify(now)).not.toMatch(/cake|ada/i);
    expect(now[0]).toEqual(said("1", "telegram:bob", "Is that so?", "t1"));
    const own = await cleaned([{ ...said("1", ADA, "Me", "t1"), quoted: mine }]);
    expect(JSON.stringify(own)).not.toContain("who brings what");
    const others = [{ ...said("1", "telegram:bob", "Me", "t1"), quoted: mine }];
    expect(await cleaned(others)).toEqual(others);
  });

  it("keeps what others said, and what was answered to them", async () => {
    const now = await cleaned(LOG);
    expect(now[0]).toBe(LOG[0]);
    expect(now[2]).toBe(LOG[2]);
    expect(now[7]).toBe(LOG[7]);
    expect(now[9]).toBe(LOG[9]);
    expect(now[8]).toMatchObject({ text: "[forgotten] said: [forgotten]. I bring tea" });
  });

  it("leaves nothing of notes of what worked for them, and others' notes as they are", async () => {
    const note = (id: string) => ({ ...base, type: "note", id, source: "sub-agent", text: "cake" });
    const theirs = ["sub:sa-1", "workflow:run-1:1700", "late:t2.0.0"].map(note);
    const others = ["sub:sa-12", "workflow:run-12:1700", "late:t3.0.0", "notice:n1"].map(note);
    const now = await cleaned([...LOG, ...theirs, ...others]);
    expect(now.slice(LOG.length, -others.length)).toEqual(theirs.map((one) => ({ ...one, text: "[forgotten]" })));
    expect(now.slice(-others.length)).toEqual(others);
  });

  it("changes nothing where they did not speak, and nothing a second time", async () => {
    const others = LOG.filter((_, index) => ![3, 4, 5, 6, 12].includes(index));
    expect((await cleaned(others)).every((record, index) => record === others[index])).toBe(true);
    const once = await cleaned(LOG);
    expect(await cleaned(once)).toEqual(once);
  });
});

describe("wordsOf()", () => {
  const { scrub, isNamed } = wordsOf(["telegram:42", "telegram:ada-7001", "@lin", "sdk", "@owner"]);

  it.each([
    ["telegram:42 asked", "[forgotten] asked"],
    ["agent:main:telegram:direct:42", "agent:main:[forgotten]"],
    ["id telegram%3a42, TELEGRAM:42", "id [forgotten], [forgotten]"],
    ["for ada-7001.", "for [forgotten]."],
    ["direct:@lin", "direct:[forgotten]"],
  ])("takes the id out of %j", (text, bare) => {
    expect(scrub(text)).toBe(bare);
    expect(scrub({ [text]: [text] })).toEqual({ [bare]: [bare] });
  });

  it.each(["telegram:421", "42 apples", "xtelegram:42", "the sdk of @owner", "@linda", "ada-70012"])(
    "leaves %j",
    (text) => {
      expect(isNamed(text)).toBe(false);
      const value = { text };
      expect(scrub(value)).toBe(value);
    },
  );
});

describe("quotesOf()", () => {
  it("finds sentences word for word, line by line, and no short words", () => {
    const { scrub } = quotesOf(["yes", "I bring the (whole) cake\nand the tea pot"]);
    expect(scrub("yes: “I bring the (whole) cake”, and the tea pot")).toBe("yes: “[forgotten]”, [forgotten]");
  });
});
