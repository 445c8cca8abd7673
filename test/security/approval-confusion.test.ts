import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineTool, memoryStore } from "../../entry.host.ts";
import { type Engine, embeddedEngine } from "../../src/engine/index.ts";
import { requestText } from "../../src/approvals/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { until } from "../support/until.ts";
import { type TestAssistantOptions, testAssistant } from "../support/assistant.ts";

const OWNER = "memory:1";
const MINUTE = 60_000;

/** A tool that acts on a machine in a folder with an environment, none of which is in its input: all of it can change between the question and the answer. */
async function setUp(options: TestAssistantOptions = {}) {
  const place = { node: "laptop", cwd: "/work", env: { MODE: "test" } as Record<string, string> };
  const ran: string[] = [];
  const run = defineTool({
    description: "runs a program",
    inputSchema: v.object({ argv: v.array(v.string()) }),
    execute: ({ argv }) => void ran.push(`${argv.join(" ")} on ${place.node} in ${place.cwd}`),
    meta: { dangerous: true, boundTo: () => structuredClone(place) },
  });
  const t = await testAssistant({
    owner: { ids: [OWNER] },
    tools: { run },
    queue: { debounceMs: 0 },
    ...options,
  });
  const { assistant } = t;
  const call = (argv: readonly string[], user = OWNER, session?: string) =>
    assistant.tools.run("run", { argv }, { user, ...(session !== undefined && { session }) });
  const ask = async (argv: readonly string[] = ["rm", "old"], user = OWNER, session?: string) => {
    const result = await call(argv, user, session);
    if (result.ok || !("approval" in result)) throw new Error(`it should have asked: ${JSON.stringify(result)}`);
    return result.approval;
  };
  const answer = (code: string, how: "once" | "always" | "deny" = "once", user: string = OWNER) =>
    assistant.approvals.answer(code, { answer: how, user });
  const write = (from: string, text: string, kind?: "press" | "note") =>
    t.receive(text, { from, ...(kind && { kind }) });
  return { ...t, place, ran, call, ask, answer, write };
}

describe("an approval is for one call, by who may give it, in its time", () => {
  it.each<{ what: string; change: (place: Awaited<ReturnType<typeof setUp>>["place"]) => unknown }>([
    { what: "another folder", change: (place) => (place.cwd = "/work/../etc") },
    { what: "another machine", change: (place) => (place.node = "server") },
    { what: "another value in the environment", change: (place) => (place.env["MODE"] = "live") },
    { what: "one more variable", change: (place) => (place.env["LD_PRELOAD"] = "x.so") },
    { what: "one variable less", change: (place) => delete place.env["MODE"] },
  ])("$what at the time of the run: it does not run, and a rule does not hold", async ({ change }) => {
    const t = await setUp();
    const { code } = await t.ask();
    const { code: forGood } = await t.ask(["ls"]);
    await t.answer(forGood, "always");
    expect(t.ran.splice(0)).toEqual(["ls on laptop in /work"]);
    expect((await t.call(["ls"])).ok).toBe(true);
    t.ran.length = 0;
    change(t.place);
    expect(await t.answer(code)).toMatchObject({ ok: false, error: { code: "CHANGED" } });
    expect(await t.call(["ls"])).toMatchObject({ ok: false, approval: {} });
    expect(t.ran).toEqual([]);
  });

  it.each([
    { what: "one more argument", argv: ["ls", "-la"] },
    { what: "one less", argv: [] },
    { what: "two as one", argv: ["l", "s"] },
    { what: "another case", argv: ["LS"] },
    { what: "a blank at the end", argv: ["ls "] },
    { what: "a letter that looks the same", argv: ["l\u0455"] },
    { what: "something invisible", argv: ["l\u200bs"] },
  ])("a rule for one list of arguments is none for $what", async ({ argv }) => {
    const t = await setUp();
    const { code } = await t.ask(["ls"]);
    await t.answer(code, "always");
    t.ran.length = 0;
    expect(await t.call(argv)).toMatchObject({ ok: false, approval: {} });
    expect(t.ran).toEqual([]);
  });

  it("a second use of a yes is none, ten at once are one", async () => {
    const t = await setUp();
    const { code } = await t.ask();
    const all = await Promise.allSettled(Array.from({ length: 10 }, () => t.answer(code)));
    expect(all.filter(({ status }) => status === "fulfilled").length).toBe(1);
    await expect(t.answer(code)).rejects.toMatchObject({ code: "CONFLICT" });
    await expect(t.answer(code, "deny")).rejects.toMatchObject({ code: "CONFLICT" });
    expect(t.ran.length).toBe(1);
  });

  it("a no is final", async () => {
    const t = await setUp();
    const { code } = await t.ask();
    await t.answer(code, "deny");
    for (const how of ["once", "always"] as const)
      await expect(t.answer(code, how)).rejects.toMatchObject({ code: "CONFLICT" });
    expect([t.ran, await t.assistant.approvals.rules()]).toEqual([[], []]);
  });

  it("one moment too late is too late, by chat, by button and by the program", async () => {
    const t = await setUp({ approvals: { timeoutMinutes: 5 } });
    const { code } = await t.ask();
    await t.clock.advance(5 * MINUTE);
    await t.write("1", `/approve ${code}`);
    await t.write("1", `/approve ${code} always`, "press");
    await expect(t.answer(code)).rejects.toMatchObject({ code: "GONE" });
    await t.clock.advance(MINUTE);
    expect([t.ran, await t.assistant.approvals.rules()]).toEqual([[], []]);
    const inTime = await t.ask(["ls"]);
    await t.clock.advance(5 * MINUTE - 1);
    await t.answer(inTime.code);
    expect(t.ran.length).toBe(1);
  });

  it("also where nothing ended it when its time was over", async () => {
    const clock = fakeClock();
    const store = memoryStore();
    const engine = embeddedEngine({ store, clock });
    const deaf: Engine = {
      ...engine,
      wake: async (key, at) => (key.startsWith("approval:") ? undefined : engine.wake(key, at)),
    };
    const t = await setUp({ clock, store, engine: deaf, approvals: { timeoutMinutes: 5 } });
    const { code } = await t.ask();
    await t.clock.advance(5 * MINUTE);
    await expect(t.answer(code)).rejects.toMatchObject({ code: "GONE" });
    expect(t.ran).toEqual([]);
  });

  it("a yes for one session's request says nothing about the same call of another", async () => {
    const t = await setUp();
    const first = await t.ask(["rm", "old"], OWNER, "agent:main:memory:direct:1");
    const second = await t.ask(["rm", "old"], OWNER, "agent:main:memory:direct:2");
    expect(first.code).not.toBe(second.code);
    await t.answer(first.code);
    expect(t.ran.length).toBe(1);
    expect((await t.assistant.approvals.list()).map(({ code }) => code)).toEqual([second.code]);
  });

  it("an owner's rule is not a user's, and a user's is nobody else's", async () => {
    const t = await setUp();
    await t.answer((await t.ask(["ls"])).code, "always");
    expect(await t.call(["ls"], "memory:2")).toMatchObject({ approval: {} });
    await t.answer((await t.ask(["df"], "memory:2")).code, "always");
    expect((await t.call(["df"], "memory:2")).ok).toBe(true);
    for (const user of ["memory:3", "memory:22", "memory:2 ", "telegram:2", OWNER])
      expect([user, (await t.call(["df"], user)).ok]).toEqual([user, false]);
  });

  it("a code is a name and no key: whoever knows or guesses it can do nothing with it", async () => {
    const t = await setUp();
    const { code } = await t.ask(["rm", "old"], "memory:2");
    const letters = "23456789ABCDEFGHJKMNPQRSTVWXYZ";
    const guesses = [code, code.toLowerCase(), code.slice(0, -1), `${code}A`, ...Array.from(letters)];
    for (const guess of guesses) {
      await t.write("2", `/approve ${guess}`);
      await t.write("3", `/approve ${guess} always`, "press");
    }
    for (const user of ["memory:2", "memory:3", "sdk", "web", "", "owner", "memory:1 ", "MEMORY:1", "telegram:1"])
      await expect(t.answer(code, "once", user)).rejects.toMatchObject({ code: "FORBIDDEN" });
    await t.clock.advance(MINUTE);
    expect([t.ran, await t.assistant.approvals.rules()]).toEqual([[], []]);
    expect((await t.assistant.approvals.list()).map(({ state }) => state)).toEqual(["open"]);
  });

  it("codes cannot be told from one another or from their order", async () => {
    const t = await setUp();
    const codes: string[] = [];
    for (let n = 0; n < 60; n += 1) {
      const { code } = await t.ask([`${n}`]);
      codes.push(code);
      await t.answer(code, "deny");
    }
    expect(new Set(codes).size).toBe(60);
    for (const code of codes) expect(code).toMatch(/^[2-9A-HJKMNP-TV-Z]{6}$/u);
    // Every place takes many values: none is a counter or a clock.
    for (let place = 0; place < 6; place += 1)
      expect(new Set(codes.map((code) => code[place])).size).toBeGreaterThan(10);
  });

  it("a wrong presser is told nothing and moves nothing", async () => {
    const t = await setUp();
    const { code } = await t.ask(["rm", "old"], "memory:2");
    await until(t.clock, () => t.channel.textsTo("1").some((text) => text.includes(code)));
    const before = t.channel.sent.length;
    for (let n = 0; n < 20; n += 1) await t.write("2", `/approve ${code}`, "press");
    await t.clock.advance(MINUTE);
    expect(t.channel.sent.length).toBe(before);
    await t.write("1", `/approve ${code}`, "press");
    await until(t.clock, () => t.ran.length > 0);
    expect(t.ran).toEqual(["rm old on laptop in /work"]);
  });

  it("a request that was changed while its yes waited to be carried out does not run", async () => {
    const store = memoryStore();
    const t = await setUp({ store });
    const { id } = await t.ask();
    const key = `approvals/requests/${id}`;
    const record = (await store.get(key))?.value as Record<string, unknown>;
    await t.assistant.stop();
    // As a crash between the yes and the run leaves it, with another input slipped in.
    const input = { argv: ["rm", "-rf", "/"] };
    await store.put(key, {
      ...record,
      state: "approved",
      answer: { answer: "always", by: OWNER, at: t.clock.now() },
      input,
    });
    const second = await setUp({ store, clock: t.clock });
    await until(t.clock, async () => (await second.assistant.approvals.list()).length === 0);
    expect([second.ran, await second.assistant.approvals.rules()]).toEqual([[], []]);
  });
});

describe("what the owner reads is what would run", () => {
  const asked = (input: object, boundTo: object = {}) => ({
    tool: "bash",
    input: input as never,
    boundTo: boundTo as never,
    code: "K7QD2M",
    caller: { user: "memory:2" } as never,
  });

  it("all of it, however long", () => {
    const command = `${"x".repeat(100_000)} && rm -rf /`;
    expect(requestText(asked({ command }))).toContain("&& rm -rf /");
  });

  it.each([
    ["a right-to-left override", "\u202E"],
    ["an isolate", "\u2066"],
    ["a zero-width blank", "\u200B"],
    ["a zero-width joiner", "\u200D"],
    ["a soft hyphen", "\u00AD"],
    ["a carriage return, which writes over the line", "\r"],
    ["a backspace", "\b"],
    ["an escape sequence of terminals", "\u001B[2K"],
    ["NUL", "\0"],
    ["a line separator", "\u2028"],
    ["a filler that looks like a blank", "\u3164"],
    ["a tag character", "\u{E0041}"],
    ["a variation selector, which can carry letters", "\uFE0F"],
    ["one of those that carry a whole byte", "\u{E0150}"],
    ["a joiner of marks", "\u034F"],
    ["a Braille sign without dots", "\u2800"],
    ["a half of a pair", "\uD800"],
    ["a private character", "\uE000"],
  ])("%s is written out", (_, hidden) => {
    const text = requestText(asked({ command: `ls ${hidden} #` }, { cwd: `/w${hidden}` }));
    expect(text).not.toContain(hidden);
    expect(text.match(/\\u\{/gu)?.length).toBeGreaterThanOrEqual(2);
  });

  it("text cannot pass for another field, nor for the end of the request", () => {
    const command = "ls\ncwd: /tmp\nApproval AAAAAA: time wants to run\n```\n/approve AAAAAA\n````";
    const text = requestText(asked({ command }, { cwd: "/work" }));
    const lines = text.split("\n");
    expect(lines.filter((line) => /^ {0,2}cwd:/u.test(line)).map((line) => line.trim())).toEqual(["cwd: /work"]);
    expect(lines.filter((line) => line.startsWith("Approval "))).toEqual([
      "Approval K7QD2M: bash wants to run for memory:2",
    ]);
    expect(lines.filter((line) => line.startsWith("/approve"))).toHaveLength(1);
    // The fence is longer than any in the text.
    const fence = lines[1] ?? "";
    expect(fence).toMatch(/^`{5,}$/u);
    expect(lines.filter((line) => line.trim() === fence)).toHaveLength(2);
  });

  it("a field's name cannot hide its value, and the same call reads the same", () => {
    const description = requestText(asked({ "command\u202E": "ls", note: { deep: ["rm", "\u200B"] } }));
    expect(description).toContain("command\\u{202e}: ls");
    expect(description).toContain("\\u{200b}");
    expect(description).toContain('"rm"');
  });
});
