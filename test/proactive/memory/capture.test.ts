import { describe, expect, it } from "vitest";
import { calendarOf } from "../../../src/calendar.ts";
import { idOf } from "../../../src/ids.ts";
import type { MemoryApi } from "../../../src/memory/index.ts";
import { captureCursorKey, createMemoryCapture, endCapture } from "../../../src/proactive/memory/capture.ts";
import { dayIn } from "../../../src/schedule/index.ts";
import { QUEUE_FULL } from "../../../src/session/index.ts";
import { beginLife } from "../../support/life.ts";
import { WAKE, plain, withCapture } from "./capturing.ts";
import { KEY, type SetUp, call, replied, said, setUp, stepped } from "./support.ts";

describe("the hook of createMemoryCapture()", () => {
  it("wakes the engine for a turn with tool calls or a statement, and for no other", async () => {
    const { turn, complete, wakes } = await withCapture();
    const turns = ["How are you?", "Thanks!", "你好", "What is the weather like?"];
    for (const [index, text] of turns.entries()) {
      await turn(`p${index}`, text);
      await complete(`turn-p${index}`);
    }
    expect(wakes).toEqual([]);
    await turn("1", "I live in Oslo.");
    await complete("turn-1");
    expect(wakes).toEqual([WAKE]);
    await turn("2", "Look it up", { toolCalls: [call("look")] });
    await complete("turn-2", 1);
    expect(wakes).toEqual([WAKE, WAKE]);
  });

  it("wakes it again with the session's next turn when a crash came before the wake", async () => {
    const first = await withCapture();
    await first.turn("1", "I live in Oslo.");
    const { store, clock } = first;
    const second = await withCapture({ store, clock });
    await second.turn("2", "How are you?");
    await second.complete("turn-2");
    expect(second.wakes).toEqual([WAKE]);
    await second.capture.handle(WAKE);
    expect(await second.texts()).toEqual(["I live in Oslo."]);
    const third = await withCapture({ store, clock });
    await third.turn("3", "How are you?");
    await third.complete("turn-3");
    expect(third.wakes).toEqual([]);
  });

  it("asks again when the engine could not be woken", async () => {
    let isAway = true;
    const wakes: string[] = [];
    const wake = async (key: string) => {
      if (isAway) throw new Error("away");
      wakes.push(key);
    };
    const { turn, complete, failures } = await withCapture({ engine: { wake } });
    await turn("1", "I live in Oslo.");
    await complete("turn-1");
    expect(failures).toHaveLength(1);
    isAway = false;
    await turn("2", "How are you?");
    await complete("turn-2");
    expect(wakes).toEqual([WAKE]);
  });
});

describe("the handler of memory:capture: keys", () => {
  it("goes on where it stopped: what a person removed does not come back with their next statement", async () => {
    const { turn, capture, saved, memory, texts } = await withCapture();
    await turn("1", "I live in Oslo.");
    await capture.handle(WAKE);
    const ids = (await saved()).map(({ id }) => id);
    expect(await memory.remove("telegram:42", ids)).toBe(1);
    await turn("2", "I like tea.");
    await capture.handle(WAKE);
    expect(await texts()).toEqual(["I like tea."]);
  });

  it("keeps what a turn did, the way it went, and what was stated in it", async () => {
    const { turn, capture, saved, clock, eventsOf, events } = await withCapture();
    const toolCalls = [call("web_search", { query: "trains" }), call("web_fetch", { url: "https://example.com" })];
    await turn("1", "I live in Oslo. Find me a train to Bergen.", { toolCalls, text: "The 9:40." });
    await capture.handle(WAKE);
    const entries = await saved();
    expect(entries.map(plain)).toEqual(
      expect.arrayContaining([
        {
          id: await idOf(clock.now(), `${KEY} turn-1 auto_capture`),
          content:
            "Goal: I live in Oslo. Find me a train to Bergen.\nTools: web_search, web_fetch\nOutcome: success: The 9:40.",
          slots: {
            type: "auto_capture",
            source: "turn",
            task_type: "lookup",
            outcome: "success",
            session_id: KEY,
            turn: "turn-1",
          },
          at: clock.now(),
        },
        expect.objectContaining({
          slots: expect.objectContaining({ type: "workflow_trace", tool_seq: "web_search→web_fetch" }),
        }),
        expect.objectContaining({
          content: "I live in Oslo.",
          slots: {
            type: "statement",
            source: "conversation",
            kind: "fact",
            lasting: true,
            session_id: KEY,
            turn: "turn-1",
          },
        }),
      ]),
    );
    expect(entries).toHaveLength(3);
    await events.drain();
    expect(eventsOf("proactive.memory.captured")).toHaveLength(3);
    expect(eventsOf("proactive.memory.captured")[0]).toEqual({
      userId: "telegram:42",
      id: await idOf(clock.now(), `${KEY} turn-1 auto_capture`),
      type: "auto_capture",
      merged: false,
    });
  });

  it("captures every turn since it last ran, once, also messages that came while another was answered", async () => {
    const { turn, sessions, capture, texts, store } = await withCapture();
    await turn("1", "I live in Oslo.");
    await capture.handle(WAKE);
    await sessions.append(KEY, said("2", "I prefer tea."));
    await sessions.append(KEY, said("3", "I have two cats."));
    await sessions.append(KEY, [stepped("turn-2", 0), replied("2")]);
    await capture.handle(WAKE);
    await sessions.append(KEY, [stepped("turn-3", 0), replied("3")]);
    await turn("4", "My birthday is on 3 May.");
    await capture.handle(WAKE);
    const all = ["I live in Oslo.", "I prefer tea.", "I have two cats.", "My birthday is on 3 May."];
    expect((await texts()).sort()).toEqual(all.sort());
    await store.remove(captureCursorKey(KEY));
    await capture.handle(WAKE);
    expect(await texts()).toHaveLength(4);
  });

  it("misses nothing of a conversation that began anew before it ran", async () => {
    const { turn, sessions, capture, texts, complete, wakes } = await withCapture();
    await turn("1", "I live in Oslo.");
    await sessions.append(KEY, { type: "reset", by: "telegram:42" });
    await complete("turn-1");
    expect(wakes).toEqual([WAKE]);
    await capture.handle(WAKE);
    expect(await texts()).toEqual(["I live in Oslo."]);
  });

  it("keeps what anybody says in a group for the group, and says who said it", async () => {
    const { turn, capture, texts } = await withCapture();
    const stranger = {
      user: "telegram:7",
      peer: { kind: "group", id: "-100" } as const,
      sender: { id: "7", name: "Bob\n:Eve" },
    };
    await turn("1", "I live in Rome.", { toolCalls: [call("look")] }, stranger);
    await capture.handle(WAKE);
    expect((await texts("group:telegram:-100")).sort()).toEqual([
      "Bob Eve (7): I live in Rome.",
      "Goal: I live in Rome.\nTools: look\nOutcome: success: All right.",
    ]);
    expect(await texts("telegram:7")).toEqual([]);
    expect(await texts("telegram:42")).toEqual([]);
  });

  it("keeps what two people say in one shared chat apart", async () => {
    const { sessions, capture, texts } = await withCapture();
    await sessions.append(KEY, said("1", "I live in Oslo."));
    await sessions.append(KEY, said("2", "I live in Rome.", { user: "telegram:7" }));
    const answer = replied(["1", "2"], { toolCalls: [call("look")] });
    await sessions.append(KEY, [stepped("turn-1", 0, { of: ["1", "2"] }), answer]);
    await capture.handle(WAKE);
    expect(await texts()).toEqual(["I live in Oslo."]);
    expect((await texts("telegram:7")).sort()).toEqual([
      "Goal: I live in Rome.\nTools: look\nOutcome: success: All right.",
      "I live in Rome.",
    ]);
  });

  it("replaces secrets before anything is kept", async () => {
    const secret = "hunter2-the-long-secret";
    const { turn, capture, saved } = await withCapture();
    const toolCalls = [call("login", { key: secret, password: "tulips" }), call("look")];
    await turn("1", `I use ${secret} for the door. Log in with ${secret}.`, { toolCalls, text: `Used ${secret}` });
    await capture.handle(WAKE);
    const text = JSON.stringify(await saved());
    expect(text).not.toContain(secret);
    expect(text).not.toContain("tulips");
    expect(text).toContain("[redacted]");
  });

  it("joins what says the same into one of the last five, and never what differs in a number", async () => {
    const { turn, capture, saved, eventsOf, events, clock } = await withCapture();
    await turn("1", "My rent for the small flat near the harbour is 900 euros.");
    await clock.advance(1000);
    await turn("2", "My rent for the small flat near the harbour is 900 euros!");
    await clock.advance(1000);
    await turn("3", "My rent for the small flat near the harbour is 950 euros.");
    await capture.handle(WAKE);
    const entries = await saved();
    expect(entries.map(({ content }) => content)).toEqual([
      "My rent for the small flat near the harbour is 900 euros!",
      "My rent for the small flat near the harbour is 950 euros.",
    ]);
    expect(entries[0]?.slots["merged_ids"]).toHaveLength(2);
    await events.drain();
    expect(eventsOf("proactive.memory.captured").map(({ merged }) => merged)).toEqual([false, true, false]);
  });

  it("joins by meaning only when it is told how alike the texts are", async () => {
    const texts = [
      "I love spending holidays hiking with friends around lakes.",
      "I love holidays spent hiking with my friends near lakes.",
    ];
    for (const likeness of [undefined, 0.9, 0.99]) {
      const more = likeness === undefined ? {} : { likeness: async () => ({ of: () => likeness, least: 0.95 }) };
      const { turn, capture, saved } = await withCapture(more);
      await turn("1", texts[0]!);
      await turn("2", texts[1]!);
      await capture.handle(WAKE);
      expect(await saved()).toHaveLength(likeness === 0.99 ? 1 : 2);
    }
  });

  it("passes over commands, refusals, questions asked again, and what the runtime put into a session", async () => {
    const { turn, sessions, capture, texts } = await withCapture();
    await turn("1", "I live in Oslo.", {}, { command: "compact" });
    await turn("2", "I live in Rome.", {}, { retries: "turn-0" });
    await turn("3", "I live in Lima.", {}, { source: "approval K7QD2M" });
    await sessions.append(KEY, said("4", "I live in Kyiv."));
    await sessions.append(
      KEY,
      replied("4", { turn: "turn-x", steps: 0, error: { code: QUEUE_FULL, message: "full" } }),
    );
    await turn("5", "I live in Bonn.", { error: { code: "FAILED", message: "no" }, text: "" });
    await capture.handle(WAKE);
    expect(await texts()).toEqual(["I live in Bonn."]);
  });

  it.each([
    ["ran for who asked", ["2", "3", "1"], ["Bob (7): I prefer green tea in the morning."]],
    ["ran for one who repeats it", ["1", "2", "3"], ["Bob (7): I prefer green tea in the morning."]],
    ["may have been asked by the last", ["1", "3", "2"], []],
  ])("keeps what the others in a group said of a turn that forgot something and %s", async (_, order, kept) => {
    const { sessions, capture, texts } = await withCapture();
    const peer = { kind: "group", id: "-100" } as const;
    const from = (id: string, name: string) => ({ user: `telegram:${id}`, peer, sender: { id, name } });
    const messages: Record<string, Parameters<typeof said>> = {
      "1": ["1", "Forget my gate code 4711. I live in Oslo.", from("42", "Ada")],
      "2": ["2", "I prefer green tea in the morning.", from("7", "Bob")],
      "3": ["3", "I remember that the code of Ada is 4711.", from("8", "Eve")],
    };
    for (const id of order) await sessions.append(KEY, said(...messages[id]!));
    const toolCalls = [{ ...call("memory_forget"), input: { query: "gate code" } }, call("look")];
    await sessions.append(KEY, [stepped("turn-1", 0, { of: order }), replied(order, { toolCalls })]);
    await capture.handle(WAKE);
    expect(await texts("group:telegram:-100")).toEqual(kept);
  });

  it("keeps nothing of a turn that asked to forget, whatever else it did", async () => {
    const { turn, capture, texts } = await withCapture();
    const toolCalls = [call("memory_forget"), call("clarify"), call("look")];
    await turn("1", "I prefer oat milk. Forget that I am allergic to nuts", { toolCalls, text: "1. allergic to nuts" });
    await turn("2", "I live in Oslo.");
    await capture.handle(WAKE);
    expect(await texts()).toEqual(["I live in Oslo."]);
  });

  it("begins with a log that was removed and written anew, however long it became", async () => {
    const { turn, sessions, capture, texts } = await withCapture();
    await turn("1", "I live in Oslo.");
    await turn("2", "I have two cats.");
    await capture.handle(WAKE);
    sessions.release(KEY);
    await sessions.remove(KEY);
    await sessions.open(KEY);
    await turn("3", "I prefer tea.");
    await capture.handle(WAKE);
    expect(await texts()).toContain("I prefer tea.");
    sessions.release(KEY);
    await sessions.remove(KEY);
    await sessions.open(KEY);
    for (const id of ["4", "5", "6"]) await turn(id, `I own a house in ${["Rome", "Lima", "Kyiv"][Number(id) - 4]}.`);
    await capture.handle(WAKE);
    expect(await texts()).toHaveLength(6);
  });

  it("does not capture afterwards what was said while capture was off", async () => {
    const first = await withCapture();
    const { store, clock } = first;
    await first.turn("1", "I live in Oslo.");
    await first.capture.handle(WAKE);
    await endCapture(store);
    await clock.advance(1000);
    await first.turn("2", "I have two cats.");
    await clock.advance(1000);
    const second = await withCapture({ store, clock });
    await second.turn("3", "I prefer tea.");
    await second.capture.handle(WAKE);
    expect((await second.texts()).sort()).toEqual(["I live in Oslo.", "I prefer tea."]);
  });

  it("captures what is said while the clock is set back", async () => {
    const { turn, capture, texts, clock } = await withCapture();
    await turn("1", "I live in Oslo.");
    await capture.handle(WAKE);
    clock.step(-3_600_000);
    await turn("2", "I prefer tea.");
    await capture.handle(WAKE);
    expect(await texts()).toEqual(expect.arrayContaining(["I live in Oslo.", "I prefer tea."]));
  });

  it("captures what is answered first after the clock was set back", async () => {
    const { turn, sessions, capture, texts, clock } = await withCapture();
    await clock.advance(1000);
    await sessions.append(KEY, said("1", "I live in Oslo."));
    clock.step(-3_600_000);
    await sessions.append(KEY, [stepped("turn-1", 0), replied("1")]);
    await turn("2", "I prefer tea.");
    await capture.handle(WAKE);
    expect((await texts()).sort()).toEqual(["I live in Oslo.", "I prefer tea."]);
  });

  it("captures a conversation that begins while the clock is set back, and not what was said before while capture was off", async () => {
    const first = await withCapture();
    const { store, clock } = first;
    await endCapture(store);
    await first.turn("1", "I have two cats.");
    await clock.advance(1000);
    const { turn, complete, capture, texts } = await withCapture({ store, clock });
    clock.step(-3_600_000);
    for (const [id, text] of [
      ["2", "I live in Oslo."],
      ["3", "I prefer tea."],
    ] as const) {
      await turn(id, text);
      await complete(`turn-${id}`);
    }
    await capture.handle(WAKE);
    expect((await texts()).sort()).toEqual(["I live in Oslo.", "I prefer tea."]);
  });

  it("is tried again when memory fails, and goes on past what memory refuses", async () => {
    let isFull = true;
    const save: MemoryApi["save"] = (entry) => {
      if (isFull) return Promise.reject(new Error("full"));
      return at.memory.save(entry.content.includes("cats") ? { ...entry, content: "" } : entry);
    };
    const at = await withCapture({ memory: { save } });
    const { turn, capture, texts, warnings } = at;
    await turn("1", "I live in Oslo.");
    await turn("2", "I have two cats.");
    await turn("3", "I prefer tea.");
    await expect(capture.handle(WAKE)).rejects.toThrow("full");
    isFull = false;
    await capture.handle(WAKE);
    expect((await texts()).sort()).toEqual(["I live in Oslo.", "I prefer tea."]);
    expect(warnings).toEqual(["Something of a turn could not be kept in memory"]);
  });
});

describe("what is left when the engine has stopped", () => {
  const OTHER = "agent:main:telegram:direct:43";

  /** Two sessions whose wake the engine has not begun. */
  async function twoLeft(save: MemoryApi["save"]) {
    const at = await withCapture({ memory: { save } });
    await at.turn("1", "I live in Oslo. I prefer tea.");
    await at.complete("turn-1");
    await at.sessions.open(OTHER);
    await at.sessions.append(OTHER, said("2", "I have two cats."));
    await at.sessions.append(OTHER, [stepped("turn-2", 0), replied("2")]);
    await at.complete("turn-2", 0, undefined, OTHER);
    expect(at.wakes).toEqual([WAKE, `memory:capture:${OTHER}`]);
    return at;
  }

  it("is kept, and of one session what another cannot keep does not matter", async () => {
    const refuses: MemoryApi["save"] = (entry, given) =>
      entry.content.includes("Oslo") ? Promise.reject(new Error("full")) : at.memory.save(entry, given);
    const at = await twoLeft(refuses);
    await at.capture.finish(new AbortController().signal);
    expect(await at.texts()).toEqual(["I have two cats."]);
  });

  it("begins nothing once it was waited for long enough, and is done later", async () => {
    const over = new AbortController();
    const slow: MemoryApi["save"] = (entry, given) => {
      over.abort();
      return at.memory.save(entry, given);
    };
    const at = await twoLeft(slow);
    await at.capture.finish(over.signal);
    expect(await at.texts()).toEqual(["I live in Oslo."]);
    for (const key of [KEY, OTHER]) expect(await at.store.get(captureCursorKey(key))).toBeNull();
    for (const key of at.wakes) await at.capture.handle(key);
    expect((await at.texts()).sort()).toEqual(["I have two cats.", "I live in Oslo.", "I prefer tea."]);
  });
});

describe("a turn whose call waits for the owner", () => {
  const DENIED = { verdict: "denied", reason: "not on a Sunday" } as const;
  const waits = (code = "K7QD2M") => ({
    name: "wipe",
    input: { disk: "sda" },
    durationMs: 1,
    output: `awaiting approval ${code}: the owner has been asked and nothing ran yet`,
  });
  const asks = (id = "call-1", code = "K7QD2M") => ({ id, code, name: "wipe", input: { disk: "sda" } });
  type End = Partial<NonNullable<Extract<Parameters<typeof said>[2], object>["approval"]>>;

  async function withAsking(given: SetUp = {}) {
    const t = await withCapture(given);
    const outcome = async (name: string, end: End, out: Parameters<typeof replied>[1] = {}) => {
      const approval = { id: "call-1", verdict: "done", ...end } as const;
      await t.turn(name, `Outcome of ${name}`, { text: "So be it.", ...out }, { source: "approval K7QD2M", approval });
    };
    return { ...t, outcome };
  }

  it.each([
    { end: { verdict: "done" }, says: "success: So be it." },
    { end: DENIED, says: "denied (wipe: not on a Sunday): So be it." },
    { end: { verdict: "expired" }, says: "expired (wipe: expired): So be it." },
    { end: { verdict: "failed", reason: "FAILED" }, says: "failure (wipe: FAILED): So be it." },
    { end: { verdict: "interrupted" }, says: "failure (wipe: interrupted): So be it." },
  ] as const)("is captured once it ended, as it ended: $end.verdict", async ({ end, says }) => {
    const t = await withAsking();
    await t.turn("1", "I live in Oslo. Wipe sda.", {
      toolCalls: [call("look"), waits()],
      approvals: [asks()],
      text: "I asked.",
    });
    await t.capture.handle(WAKE);
    expect(await t.texts()).toEqual(["I live in Oslo."]);
    await t.complete("turn-1", 2);
    await t.clock.advance(60_000);
    await t.outcome("2", end);
    t.wakes.length = 0;
    await t.complete("turn-2");
    expect(t.wakes).toEqual([WAKE]);
    for (let time = 0; time < 2; time += 1) await t.capture.handle(WAKE);
    const entries = await t.saved();
    const [entry, ...more] = entries.filter(({ slots }) => slots["type"] === "auto_capture");
    expect(more).toEqual([]);
    expect(entry?.content).toBe(`Goal: I live in Oslo. Wipe sda.\nTools: look, wipe\nOutcome: ${says}`);
    expect(entry?.slots).toMatchObject({ outcome: says.split(/[ :]/)[0], turn: "turn-1" });
    const trace = entries.find(({ slots }) => slots["type"] === "workflow_trace");
    expect(trace?.slots["steps"]).toMatchObject([{ success: true }, { name: "wipe", success: end.verdict === "done" }]);
    expect(entries).toHaveLength(3);
  });

  it("waits for all of its calls, also for those that an outcome led to", async () => {
    const t = await withAsking();
    await t.turn("1", "Wipe both.", {
      toolCalls: [waits(), waits("AAAAAA")],
      approvals: [asks(), asks("call-2", "AAAAAA")],
    });
    await t.outcome("2", {}, { toolCalls: [call("look"), waits("BBBBBB")], approvals: [asks("call-3", "BBBBBB")] });
    await t.turn("3", "How are you?", { toolCalls: [call("time")], text: "Fine." });
    await t.outcome("4", { id: "call-2" });
    await t.capture.handle(WAKE);
    const captured = async () =>
      (await t.saved()).filter(({ slots }) => slots["type"] === "auto_capture").map(({ content }) => content);
    expect(await captured()).toEqual(["Goal: How are you?\nTools: time\nOutcome: success: Fine."]);
    await t.outcome("5", { id: "call-3", ...DENIED });
    await t.capture.handle(WAKE);
    expect(await captured()).toContain(
      "Goal: Wipe both.\nTools: wipe × 3, look\nOutcome: denied (wipe: not on a Sunday): So be it.",
    );
    expect(await captured()).toHaveLength(2);
  });

  it("is captured as it ended when its outcome came while it ran, or with what a person said", async () => {
    const t = await withAsking();
    const approval = { id: "call-1", ...DENIED };
    await t.sessions.append(KEY, said("1", "Wipe sda."));
    await t.sessions.append(KEY, said("2", "Denied", { source: "approval K7QD2M", approval }));
    const asked = { toolCalls: [waits()], approvals: [asks()] };
    await t.sessions.append(KEY, [stepped("turn-1", 0), replied(["1", "2"], { ...asked, text: "As you wish." })]);
    await t.turn("3", "Wipe sda again.", { ...asked, approvals: [asks("call-9")] });
    await t.sessions.append(KEY, said("4", "What time is it?"));
    await t.sessions.append(
      KEY,
      said("5", "Denied", { source: "approval K7QD2M", approval: { ...approval, id: "call-9" } }),
    );
    await t.sessions.append(KEY, [
      stepped("turn-4", 0),
      replied(["4", "5"], { toolCalls: [call("time")], text: "Noon." }),
    ]);
    await t.capture.handle(WAKE);
    const texts = (await t.saved())
      .filter(({ slots }) => slots["type"] === "auto_capture")
      .map(({ content }) => content);
    expect(texts.toSorted()).toEqual([
      "Goal: What time is it?\nTools: time\nOutcome: success: Noon.",
      "Goal: Wipe sda again.\nTools: wipe\nOutcome: denied (wipe: not on a Sunday): Noon.",
      "Goal: Wipe sda.\nTools: wipe\nOutcome: denied (wipe: not on a Sunday): As you wish.",
    ]);
  });

  it("is not joined to an entry of the same words that went another way", async () => {
    const text = `Please wipe the disk of the old server in the small room behind the kitchen, as nothing on it is of any use to us, and tell me when that is over so that we can give the machine away`;
    const t = await withAsking();
    for (const [index, end] of [{ verdict: "done" } as const, { ...DENIED, reason: "later" }].entries()) {
      const id = `call-${index}`;
      await t.turn(`a${index}`, text, {
        toolCalls: [waits()],
        approvals: [asks(id)],
      });
      await t.outcome(`b${index}`, { ...end, id }, { text: "" });
    }
    await t.capture.handle(WAKE);
    const outcomes = (await t.saved()).map(({ slots }) => slots["outcome"]);
    expect(outcomes).toEqual(["success", "denied"]);
  });

  it("is kept nothing of when something was forgotten meanwhile", async () => {
    const t = await withAsking();
    await t.turn("1", "Wipe sda.", { toolCalls: [waits()], approvals: [asks()] });
    await t.turn("2", "Forget sda.", { toolCalls: [call("memory_forget", { query: "sda" })] });
    await t.outcome("3", {});
    await t.capture.handle(WAKE);
    expect(await t.texts()).toEqual([]);
  });

  it("holds up nothing for ever when its call never ends", async () => {
    const t = await withAsking();
    await t.turn("1", "Wipe sda.", { toolCalls: [waits()], approvals: [asks()] });
    await t.turn("2", "I live in Oslo.");
    await t.capture.handle(WAKE);
    const fromOf = async () =>
      ((await t.store.get(captureCursorKey(KEY)))?.value as { from: number } | undefined)?.from;
    expect(await fromOf()).toBe(1);
    await t.clock.advance(31 * 86_400_000);
    await t.turn("3", "I prefer tea.");
    await t.capture.handle(WAKE);
    expect(await fromOf()).toBeGreaterThan(6);
    expect(await t.texts()).toEqual(["I live in Oslo.", "I prefer tea."]);
  });

  it("is captured as denied when another conversation had asked", async () => {
    const t = await withAsking();
    await t.outcome("1", DENIED, { toolCalls: [call("time")] });
    await t.capture.handle(WAKE);
    expect((await t.texts())[0]).toMatch(/Outcome: denied \(approval K7QD2M: not on a Sunday\): So be it\.$/);
  });

  it("is captured once, whatever write a crash comes at", async () => {
    for (let writes = 0, survived = false; !survived; writes += 1) {
      const first = await withAsking();
      await first.turn("1", "Wipe sda.", { toolCalls: [waits()], approvals: [asks()] });
      await first.capture.handle(WAKE);
      await first.outcome("2", DENIED);
      const life = beginLife(first.store, first.clock, writes);
      const dying = await withCapture({ store: life.store, clock: first.clock });
      await Promise.race([dying.capture.handle(WAKE), until(() => life.killed)]);
      survived = !life.killed;
      life.kill();
      const after = await withCapture({ store: first.store, clock: first.clock });
      await after.capture.handle(WAKE);
      expect(await after.texts(), `after ${writes} writes`).toEqual([
        "Goal: Wipe sda.\nTools: wipe\nOutcome: denied (wipe: not on a Sunday): So be it.",
      ]);
    }
  });
});

/** Resolves when it holds, between turns of the event loop. */
async function until(done: () => boolean): Promise<void> {
  while (!done()) await new Promise((resolve) => setTimeout(resolve, 0));
}

describe("a turn whose tools failed", () => {
  it.each([
    {
      title: "the only one",
      toolCalls: [call("bash", {}, { code: "DENIED", message: "by policy" })],
      says: "failure (bash: DENIED): All right.",
    },
    {
      title: "one of several",
      toolCalls: [call("look"), call("bash", {}, { code: "FAILED", message: "no" })],
      says: "partial (bash: FAILED): All right.",
    },
    {
      title: "one that was tried again",
      toolCalls: [call("bash", {}, { code: "FAILED", message: "no" }), call("bash")],
      says: "success: All right.",
    },
    {
      title: "memory's own",
      toolCalls: [call("look"), call("memory_recall", {}, { code: "FAILED", message: "no" })],
      says: "success: All right.",
    },
  ])("is no success: $title", async ({ toolCalls, says }) => {
    const { turn, capture, saved } = await withCapture();
    await turn("1", "Do it", { toolCalls });
    await capture.handle(WAKE);
    const entry = (await saved()).find(({ slots }) => slots["type"] === "auto_capture");
    expect(entry?.content.split("\n").at(-1)).toBe(`Outcome: ${says}`);
    expect(entry?.slots["outcome"]).toBe(says.split(/[ :]/)[0]);
  });
});

describe("a commitment", () => {
  it("has the day that it names, where its person is", async () => {
    const at = setUp();
    const dueOf = (said: string, { userId, atMs }: { userId: string; atMs: number }) => {
      expect(userId).toBe("telegram:42");
      return dayIn(said, { tz: "Asia/Tokyo", now: atMs });
    };
    const capture = createMemoryCapture(at.parts, { dueOf });
    await capture.recover();
    await at.sessions.open(KEY);
    const texts = [
      "I'll send the forms to Anna tomorrow",
      "I promised to review the thesis",
      "I live in Oslo since Friday",
    ];
    for (const [index, text] of texts.entries()) {
      await at.sessions.append(KEY, said(`d${index}`, text));
      await at.sessions.append(KEY, [stepped(`turn-d${index}`, 0), replied(`d${index}`, {})]);
    }
    await capture.handle(WAKE);
    const due = Object.fromEntries((await at.saved()).map(({ content, slots }) => [content, slots["due"]]));
    const tomorrow = calendarOf("Asia/Tokyo").dayOf(at.clock.now() + 86_400_000);
    expect(due).toEqual({ [texts[0]!]: tomorrow, [texts[1]!]: undefined, [texts[2]!]: undefined });
  });
});
