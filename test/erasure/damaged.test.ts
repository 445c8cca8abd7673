import { describe, expect, it } from "vitest";
import { AssistantError, memoryStore } from "../../mod.ts";
import type { JsonValue, Store } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { OWNER_TOKEN, testAssistant } from "../support/assistant.ts";
import { silentLogger } from "../../src/telemetry/index.ts";
import { rooms } from "./support.ts";

const [ADA, BOB, OWNER] = ["memory:ada-7001", "memory:bob-8002", "memory:1"];
const HERS = "agent:main:memory:direct:ada-7001";
const RULES = "approvals/rules";

const notice = (user: string) => ({
  v: 1,
  id: `n of ${user}`,
  user,
  sessionKey: "s",
  kind: "notice",
  text: "hi",
  at: 1,
});
const attention = { v: 1, sent: [], held: [], leaving: [], decisions: [], less: {} };
const offer = (user: string) => ({
  v: 1,
  id: "0123456789AB",
  kind: "x",
  people: [user],
  choices: [{ id: "yes", label: "Yes" }],
  data: {},
  createdAt: 1,
  expiresAt: 2,
});
const rule = (user: string) => ({
  v: 1,
  id: user,
  tool: "t",
  input: {},
  boundTo: null,
  definition: "d",
  for: user,
  by: "cli",
  at: 1,
  hash: "h",
});

/** What is hers, and what has become of it. */
const DAMAGED: readonly (readonly [key: string, value: JsonValue])[] = [
  ...[
    null,
    [],
    {},
    "oops",
    7,
    { ...attention, sent: null },
    { ...attention, held: [{}] },
    { ...attention, less: 7 },
  ].map((value) => [`attention/${ADA}`, value] as const),
  [`attention/${ADA}`, { ...attention, decisions: [{ id: "d", at: 9e15 }] }],
  ...[null, [], {}, "oops", { ...notice(ADA), text: 7 }, { ...notice(ADA), at: "soon" }].map(
    (value) => [`notifications/${ADA}/n`, value] as const,
  ),
  ...[null, [], {}, "oops", { ...offer(ADA), people: null }, { ...offer(ADA), people: [null] }].map(
    (value) => ["buttons/0123456789AB", value] as const,
  ),
  ...[null, [], { v: 1, rules: 7 }, { v: 1, rules: [null, rule(BOB)] }].map((value) => [RULES, value] as const),
  ...[null, [], { id: 7, caller: null }, { id: "r", caller: { user: 7, speakers: 7 } }].map(
    (value) => ["approvals/requests/r", value] as const,
  ),
  [
    "approvals/requests/r",
    {
      v: 1,
      id: "r",
      code: "C",
      state: "open",
      tool: "t",
      definition: "d",
      caller: null,
      approvers: [],
      expiresAt: 1,
      hash: "h",
    },
  ],
  ["subagents/sa-01.json", { v: 1, id: "sa-01", state: "done", person: 7, limits: {} }],
  ["workflows/run-01.json", { v: 1, id: "run-01", status: "done", definition: { steps: [] } }],
];

const said = (user: string) => ({
  v: 1,
  type: "in",
  id: "m",
  text: "hi",
  at: 1,
  user,
  channel: "memory",
  account: "default",
  peer: { kind: "direct", id: user.slice("memory:".length) },
  roles: [],
  sender: { id: user.slice("memory:".length) },
});

/** One that is no JSON any more on a disk. */
const UNREADABLE = DAMAGED.map(([key]) => key).filter((key, at, keys) => keys.indexOf(key) === at);

function unreadable(base: Store, bad: string): Store {
  const get: Store["get"] = async (key) => {
    if (key === bad && (await base.get(key)))
      throw new AssistantError("STORE_UNSUITABLE", `Cannot read "${key}": fix the JSON by hand`);
    return base.get(key);
  };
  return Object.assign(Object.create(base) as Store, { get });
}

async function seeded(key: string, value: JsonValue): Promise<Store> {
  const store = memoryStore();
  await store.put(`attention/${BOB}`, attention);
  await store.put(`notifications/${BOB}/n`, notice(BOB));
  await store.put("buttons/ZZZZZZZZZZZZ", { ...offer(BOB), id: "ZZZZZZZZZZZZ" });
  await store.put(`goals/${BOB}.yaml`, "goals:\n  - objective: rain\n");
  await store.put(`plans/${HERS}`, { v: 1, steps: [] });
  await store.put(key, value);
  return store;
}

async function textIn(store: Store): Promise<string> {
  let text = "";
  for await (const { key } of store.list(""))
    text += `${key} ${JSON.stringify((await store.get(key).catch(() => null))?.value)}\n`;
  return text;
}

describe("a document that was damaged", () => {
  it.each(DAMAGED)("%s: %j keeps nobody else from being forgotten or given what is theirs", async (key, value) => {
    const store = await seeded(key, value);
    const lines: string[] = [];
    for await (const line of rooms(store).exportPerson(BOB)) lines.push(line);
    expect(lines.join("")).toContain(`n of ${BOB}`);
    await rooms(store).forget({ userId: BOB });
    expect(await textIn(store)).not.toContain("bob-8002");
    for await (const line of rooms(store).exportPerson(ADA)) lines.push(line);
    await rooms(store).forget({ userId: ADA });
    expect(await textIn(store)).not.toContain("ada-7001");
  });

  it.each(UNREADABLE)("%s, which is no JSON, is named when all else of a person is gone", async (key) => {
    const base = await seeded(key, { v: 1 });
    const store = unreadable(base, key);
    const lines: string[] = [];
    for await (const line of rooms(store).exportPerson(BOB)) lines.push(line);
    expect(lines.join("")).toContain(`n of ${BOB}`);
    await expect(rooms(store).forget({ userId: BOB })).rejects.toThrow(`Cannot read "${key}"`);
    expect((await textIn(store)).replace(/^forgetting.*$/m, "")).not.toContain("bob-8002");
    await base.put(key, { v: 1 });
    await rooms(base).forget({ userId: BOB });
    expect(await textIn(base)).not.toContain("bob-8002");
  });

  it("of theirs is named in their export, when it cannot be read", async () => {
    const key = `notifications/${ADA}/n`;
    const lines: unknown[] = [];
    for await (const line of rooms(unreadable(await seeded(key, {}), key)).exportPerson(ADA))
      lines.push(JSON.parse(line));
    expect(lines).toContainEqual(
      expect.objectContaining({ room: "notifications", data: { file: key, problem: "it cannot be read" } }),
    );
  });

  it.each(["index that is no JSON", "index of nulls"])("an artifacts' %s is named in the export", async (how) => {
    const key = `artifacts/${HERS}/index`;
    const base = await seeded(key, { v: 1, entries: [null] });
    await base.append("sessions/main/memory:direct:ada-7001/log.jsonl", said(ADA));
    const lines: unknown[] = [];
    for await (const line of rooms(how.endsWith("nulls") ? base : unreadable(base, key)).exportPerson(ADA))
      lines.push(JSON.parse(line));
    expect(lines).toContainEqual(
      expect.objectContaining({ room: "artifacts", data: { file: key, problem: "it cannot be read" } }),
    );
  });

  it("artifacts' index of their group is named when all else of a person is gone", async () => {
    const group = "agent:main:memory:group:-7";
    const key = `artifacts/${group}/index`;
    const store = await seeded(key, { v: 1, entries: [null] });
    await store.append("sessions/main/memory:group:-7/log.jsonl", { ...said(BOB), peer: { kind: "group", id: "-7" } });
    await rooms(store).memory.save({ userId: BOB, content: "likes robins" });
    await expect(rooms(store).forget({ userId: BOB })).rejects.toThrow(`Cannot read ${key}`);
    expect((await textIn(store)).replace(/^forgetting.*$/m, "")).not.toMatch(/bob-8002|robins/);
    const entry = { id: "01JD8XK3VQ5W8T9Y2Z4N6M7P0R", createdAt: fakeClock().now(), user: BOB };
    await store.put(key, { v: 1, entries: [entry] });
    await store.put(`artifacts/${group}/content/${entry.id}`, "of Bob");
    await rooms(store).forget({ userId: BOB });
    expect(await textIn(store)).not.toContain("of Bob");
  });

  it.each([...UNREADABLE.map((key) => [key, []] as const), ...UNREADABLE.map((key) => [key, "unreadable"] as const)])(
    "%s: %j stands in no list's way, and is named in the log",
    async (key, value) => {
      const logged: string[] = [];
      const note = (message: string, fields?: object) => void logged.push(`${message} ${JSON.stringify(fields)}`);
      const base = await seeded(key, value);
      const t = await testAssistant({
        store: value === "unreadable" ? unreadable(base, key) : base,
        owner: { ids: [OWNER] },
        server: { token: OWNER_TOKEN },
        logger: { debug: () => {}, info: () => {}, warn: note, error: note },
      });
      for (const path of ["/attention", "/notifications", "/approvals?all=true", "/approvals/rules", "/workflows"]) {
        const answer = await t.call(path);
        expect([path, answer.status]).toEqual([path, 200]);
        if (path === "/attention" || path === "/notifications") expect(await answer.text()).toContain(BOB);
      }
      await t.assistant.attention.notify({ user: ADA, text: "for Ada" });
      await t.sent(1, "ada-7001");
      if (/^(attention|notifications|approvals)/.test(key) && !key.endsWith("requests/r"))
        expect(logged.join("\n")).toContain(key.replaceAll('"', ""));
    },
  );

  it.each([null, { links: {}, unfinished: [null] }, { links: {}, kept: 7 }, { links: {}, v: 9 }])(
    "migrations/belonging: %j is left as it is at the start, and named when a person is forgotten",
    async (value) => {
      const store = await seeded("migrations/belonging", value);
      const logged: string[] = [];
      const t = await testAssistant({
        store,
        session: { identityLinks: { ada: [ADA] } },
        logger: {
          debug: () => {},
          info: () => {},
          warn: () => {},
          error: (_, fields) => void logged.push(JSON.stringify(fields)),
        },
      });
      expect(await t.say("hello")).toBe("ok");
      expect(logged.join("\n")).toContain("Cannot read migrations/belonging");
      expect((await store.get("migrations/belonging"))?.value).toEqual(value);
      await expect(rooms(store).forget({ userId: BOB })).rejects.toThrow("Cannot read migrations/belonging");
      expect((await textIn(store)).replace(/^forgetting.*$/m, "")).not.toContain("bob-8002");
    },
  );

  it.each([
    ".index/jobs",
    ".index/capture/since",
    ".index/migration/flat-memory.json",
    ".index/skill-statistics",
    "forgetting/who",
  ])("%s, which is no JSON, keeps no assistant from starting and answering", async (key) => {
    const base = await seeded(key, "no JSON");
    const damaged = (await base.get(key))?.version;
    const get: Store["get"] = async (asked) => {
      const found = await base.get(asked);
      if (asked === key && found?.version === damaged)
        throw new AssistantError("STORE_UNSUITABLE", `Cannot read "${key}": fix the JSON by hand`);
      return found;
    };
    const t = await testAssistant({
      store: Object.assign(Object.create(base) as Store, { get }),
      logger: silentLogger,
    });
    expect(await t.say("hello")).toBe("ok");
    if (key.startsWith(".index/")) expect((await base.get(key))?.version).not.toBe(damaged);
  });

  it.each(["migrations/belonging", "jobs/j1.yaml", "usage/2026-01-05.json", "attention/@owner"])(
    "%s keeps no assistant from starting and answering, and is named in the log",
    async (key) => {
      const base = await seeded(key, { v: 1 });
      const logged: string[] = [];
      const note = (message: string, fields?: object) => void logged.push(`${message} ${JSON.stringify(fields)}`);
      const t = await testAssistant({
        store: unreadable(base, key),
        owner: { ids: [OWNER] },
        from: "1",
        server: { token: OWNER_TOKEN },
        logger: { debug: () => {}, info: () => {}, warn: note, error: note },
      });
      expect(await t.say("hello")).toBe("ok");
      for (const path of ["/attention", "/jobs", "/usage"])
        expect([path, (await t.call(path)).status]).toEqual([path, 200]);
      expect(await (await t.call("/attention")).text()).toContain(BOB);
      expect(logged.join("\n")).toContain(`Cannot read \\"${key}\\"`);
      const lines: string[] = [];
      for await (const line of await t.assistant.memory.export({ userId: BOB, everything: true })) lines.push(line);
      expect(lines.join("")).toContain(`n of ${BOB}`);
    },
  );
});
