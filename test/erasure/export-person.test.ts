import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineTool } from "../../entry.host.ts";
import { calls, says } from "../../src/testing/scripted-model.ts";
import { type TestAssistant, OWNER_TOKEN, testAssistant } from "../support/assistant.ts";
import { until } from "../support/until.ts";

const OWNER = "memory:42";
/** Begin alike: who is like another is another. */
const [ADA, BOB] = ["memory:7", "memory:77"];
const ADAS = "ada-token-01234567890";
const SECRET = "hush-hush-value";

interface Line {
  readonly type: string;
  readonly user_id: string;
  readonly room?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** An assistant that keeps something of Ada and of Bob in each room; the marks say whose it is. */
async function setUp() {
  const wipe = defineTool({
    description: "wipes a disk",
    inputSchema: v.object({ disk: v.string() }),
    execute: () => "wiped",
    meta: { dangerous: true },
  });
  const t = await testAssistant({
    owner: { ids: [OWNER] },
    queue: { debounceMs: 0 },
    tools: { wipe },
    secrets: [SECRET],
    session: { identityLinks: { eve: ["memory:5", "memory:6"] } },
    channel: { access: { dm: "open", groups: "always" } },
    server: {
      tokens: [
        { token: OWNER_TOKEN, role: "owner" },
        { token: ADAS, role: "user", user: ADA },
      ],
    },
    script(prompt) {
      const [, disk] = /wipe (\S+?)"/.exec(JSON.stringify(prompt.at(-1)?.content ?? "")) ?? [];
      return prompt.at(-1)?.role === "user" && disk !== undefined ? calls(["wipe", { disk }]) : says("done");
    },
  });
  for (const [user, mark] of [
    [ADA, "of-ada"],
    [BOB, "of-bob"],
  ] as const) {
    const from = user.slice("memory:".length);
    const decided = { id: "n", type: "note", channel: "memory", text: `${mark}-attention`, priority: 0.7, at: 1 };
    const decisions = [{ ...decided, sessionKey: "s", verdict: "drop", rule: "threshold" }];
    await t.store.put(`attention/${user}`, { v: 1, sent: [], held: [], leaving: [], decisions, less: {} });
    await t.say(`wipe ${mark}-approvals`, { from });
    await t.assistant.memory.save({ userId: user, content: `likes ${mark}-memory` });
    await t.assistant.goals.write({
      user,
      goals: { goals: [{ objective: `be ${mark}-goals`, keyResults: [] }] },
    });
    const { job } = await t.assistant.jobs.create({ schedule: "every day at 3am", task: `do ${mark}-jobs`, user });
    await t.assistant.jobs.run(job.id);
    await until(t.clock, async () => (await t.assistant.jobs.runs(job.id))[0]?.ended !== undefined);
    await t.store.put(`contexts/main/peers/${user}/PEER.md`, `is ${mark}-notes, knows ${SECRET}\n`);
    const waiting = { v: 1, id: mark, user, sessionKey: "s", kind: "notice", text: `${mark}-notifications`, at: 1 };
    await t.store.put(`notifications/${user}/${mark}`, waiting);
    const session = `agent:main:memory:direct:${from}`;
    const skill = `---\nname: ${mark}-skills\ndescription: Tea\nmetadata: { wakeful: { people: ["${user}"] } }\n---\nBoil.\n`;
    await t.assistant.skills.write(skill);
    const text = `${mark}-evidence`;
    await t.store.put(`.index/pattern-evidence/${user}`, { v: 1, said: [{ id: mark, at: 1, text }], cursors: [] });
    await t.store.put(`patterns/${user}`, { v: 1, answers: {}, findings: [{ id: mark, key: `${mark}-findings` }] });
    await t.store.put(`plans/${session}`, { v: 1, steps: [{ title: `${mark}-plans`, status: "pending" }] });
    await t.assistant.artifacts.write({ session, name: `${mark}.txt`, content: `${mark}-artifacts` });
  }
  await t.say("what Bob says among others, of-bob-group", { from: "77", group: "g" });
  await t.say("what Ada says among others", { from: "7", group: "g" });
  await t.store.put("persona/USER.md", "of-owner-persona");
  return t;
}

async function linesOf({ assistant }: TestAssistant, of: { userId?: string; everything?: boolean }): Promise<Line[]> {
  let text = "";
  for await (const piece of await assistant.memory.export(of)) text += piece;
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
}

const ROOMS = [
  ...[
    "attention",
    "goals",
    "jobs",
    "notes",
    "notifications",
    "approvals",
    "plans",
    "conversations",
    "artifacts",
    "skills",
  ],
  ...["evidence", "findings"],
];

describe("everything of a person", () => {
  it("is given out from each room, and nothing of another person", async () => {
    const t = await setUp();
    const lines = await linesOf(t, { userId: ADA, everything: true });
    expect(new Set(lines.map(({ user_id: user }) => user))).toEqual(new Set([ADA]));
    expect([...new Set(lines.flatMap(({ room }) => room ?? []))].sort()).toEqual([...ROOMS].sort());
    for (const room of ROOMS.filter((name) => name !== "conversations"))
      expect(JSON.stringify(lines.filter((line) => line.room === room)), room).toContain(`of-ada-${room}`);
    const text = JSON.stringify(lines);
    expect(text).toContain("likes of-ada-memory");
    expect(text).toContain('"run_id"');
    for (const others of ["of-bob", "of-owner", OWNER, SECRET, "among others"]) expect(text).not.toContain(others);
  });

  it("says that they were let in or ask to be, without the code that lets them in", async () => {
    const t = await testAssistant({ owner: { ids: [OWNER] }, channel: { access: { dm: "pairing" } } });
    for (const from of ["7", "77"]) await t.say("may I?", { from });
    const codes = (await t.assistant.access.list()).pending.map(({ code }) => code);
    const asked = await linesOf(t, { userId: ADA, everything: true });
    expect(asked.filter(({ room }) => room === "access")).toMatchObject([{ data: { user: ADA } }]);
    for (const code of codes) expect(JSON.stringify(asked)).not.toContain(code);
    for (const code of codes) await t.assistant.access.approve(code, { user: OWNER });
    const inside = await linesOf(t, { userId: ADA, everything: true });
    expect(inside.filter(({ room }) => room === "access")).toMatchObject([{ data: { id: "7" } }]);
    expect(JSON.stringify(inside)).not.toContain(OWNER);
  });

  it("of the owner has what they wrote of themselves", async () => {
    const t = await setUp();
    const lines = await linesOf(t, { userId: "@owner", everything: true });
    expect(lines.filter(({ room }) => room === "persona")).toMatchObject([{ data: { text: "of-owner-persona" } }]);
    expect(JSON.stringify(lines)).not.toMatch(/of-(?:ada|bob)/);
  });

  it.each(["", "agent:main:memory:group:g"])("of the owner has what waits on the page, of session %j", async (key) => {
    const t = await testAssistant({ owner: { ids: [OWNER] } });
    const waiting = { v: 1, id: "n", user: "web", sessionKey: key, kind: "notice", text: "A digest", at: 1 };
    await t.store.put("notifications/web/n", waiting);
    const rooms = async (userId: string) =>
      (await linesOf(t, { userId, everything: true })).flatMap(({ room, data }) =>
        room === "notifications" ? [data] : [],
      );
    expect(await rooms("@owner")).toEqual([{ file: "notifications/web/n", value: waiting }]);
    expect(await rooms(ADA)).toEqual([]);
    await t.during(t.assistant.memory.forget({ userId: ADA }));
    expect(await t.store.get("notifications/web/n")).not.toBeNull();
    await t.during(t.assistant.memory.forget({ userId: "@owner" }));
    expect(await t.store.get("notifications/web/n")).toBeNull();
  });

  it("means a linked person by any of their ids", async () => {
    const t = await setUp();
    await t.assistant.jobs.create({ schedule: "every day at 3am", task: "of-eve", user: "memory:6" });
    const lines = await linesOf(t, { userId: "memory:5", everything: true });
    expect(lines.map(({ user_id: user, room }) => `${user} ${room}`)).toEqual(["@eve jobs"]);
  });

  it("changes nothing, and is asked for of one person", async () => {
    const t = await setUp();
    const keysOf = async () => {
      const keys: string[] = [];
      for await (const { key, version } of t.store.list("")) keys.push(`${key} ${version}`);
      return keys;
    };
    const before = await keysOf();
    await linesOf(t, { userId: ADA, everything: true });
    expect(await keysOf()).toEqual(before);
    await expect(t.assistant.memory.export({ everything: true })).rejects.toMatchObject({ code: "OPTION_INVALID" });
    expect((await linesOf(t, { userId: ADA })).every(({ type }) => type === "entry" || type === "file")).toBe(true);
  });

  it("gives the memory to an import, which passes over the rest", async () => {
    const t = await setUp();
    const lines = await linesOf(t, { userId: ADA, everything: true });
    const remembered = await linesOf(t, { userId: ADA });
    const other = await testAssistant();
    const given = lines.map((line) => JSON.stringify(line));
    const entries = remembered.filter(({ type }) => type === "entry").length;
    for (const counts of [{ entries }, { entries: 0, unchanged: remembered.length }])
      expect(await other.assistant.memory.import(given, {})).toMatchObject({
        ...counts,
        others: lines.length - remembered.length,
        kept: [],
      });
    expect(await linesOf(other, { userId: ADA })).toEqual(remembered);
  });

  it("is for the owner, and over HTTP for the person alone", async () => {
    const t = await setUp();
    const ask = (query: string, token?: string) =>
      t.call(`/memory/export?everything=true${query}`, token === undefined ? {} : { token });
    const own = await ask("", ADAS);
    expect(own.headers.get("content-disposition")).toContain("everything.jsonl");
    const text = await own.text();
    expect(text).toContain("of-ada-jobs");
    expect(text).not.toContain("of-bob");
    expect((await ask(`&user=${BOB}`, ADAS)).status).toBe(403);
    expect(await (await ask(`&user=${BOB}`)).text()).toContain("of-bob-jobs");
    expect((await ask("")).status).toBe(400);
    expect(await (await t.call(`/memory/export?user=${ADA}`)).text()).not.toContain("of-ada-jobs");
    const audit = JSON.stringify(await t.records("audit/"));
    expect(audit).toContain("memory.export_everything");
  });
});

describe("what an owner began with their token", () => {
  it("is given out to them and goes with them, and what the program began stays", async () => {
    const t = await testAssistant({ owner: { ids: [OWNER] }, server: { token: OWNER_TOKEN } });
    const schedule = "every day at 9";
    await t.call("/jobs", { body: { schedule, task: "the-owner-s-job" } });
    await t.assistant.jobs.create({ schedule, task: "the-program-s-job" });
    const waiting = (event: string) => ({ name: "wait", steps: [{ id: "w", run: "wait", with: { event } }] }) as const;
    await t.call("/workflows", { body: { definition: waiting("the-owner-s-run") } });
    await t.assistant.workflows.run(waiting("the-program-s-run"));
    const given = await (await t.call("/memory/export?everything=true&user=@owner")).text();
    expect(given.match(/the-\w+-s-(?:job|run)/g)).toEqual(
      expect.arrayContaining(["the-owner-s-job", "the-owner-s-run"]),
    );
    expect(given).not.toContain("the-program");
    await t.assistant.memory.forget({ userId: "@owner" });
    expect((await t.assistant.jobs.list()).map(({ job }) => job.task)).toEqual(["the-program-s-job"]);
    expect((await t.assistant.workflows.list()).flatMap(({ steps }) => steps[0]?.waitsFor?.event)).toEqual([
      "the-program-s-run",
    ]);
  });
});
