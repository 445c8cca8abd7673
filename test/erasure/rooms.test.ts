import { describe, expect, it } from "vitest";
import { memoryStore } from "../../mod.ts";
import { type LogRecord } from "../../kit.ts";
import { createRuns } from "../../src/schedule/index.ts";
import type { JsonValue } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { rooms } from "./support.ts";

const ADA = "telegram:ada-7001";
const HERS = `agent:main:${ADA.replace(":", ":direct:")}`;
const BOBS = "sessions/main/telegram:direct:bob/log.jsonl";
const said = { channel: "telegram", account: "default", peer: { kind: "direct", id: "bob" }, roles: ["user"] };

type Seed = readonly [room: string, key: string, value: JsonValue | { readonly log: LogRecord }];

/** What each room keeps that is hers by its key, or names her. */
const SEEDS: readonly Seed[] = [
  ["approvals", "approvals/requests/r1", { id: "r1", code: "ABC", caller: { user: ADA } }],
  ["usage", "usage/2026-01-05.jsonl", { log: { v: 1, at: "2026-01-05T08:00:00.000Z", user: ADA, session: HERS } }],
  [
    "session",
    BOBS,
    {
      log: {
        ...said,
        v: 1,
        at: 1,
        type: "in",
        id: "1",
        turn: "t",
        text: `ask ${ADA}`,
        user: "telegram:bob",
        sender: {},
      },
    },
  ],
  ["memory", `memory/${ADA}/MEMORY.md`, "- likes rain\n"],
  ["captures", `.index/capture/${HERS}`, { seq: 1, turn: "t", from: 1 }],
  ["people", `contexts/main/peers/${ADA}/PEER.md`, "likes rain\n"],
  ["artifacts", `artifacts/${HERS}/index`, { v: 1, artifacts: [] }],
  ["outbox", "outbox/telegram/default/ada-7001.jsonl", { log: { v: 1, type: "message", id: "m", at: 1, text: "hi" } }],
  [
    "outbox: letters that were given up",
    "outbox/dead.jsonl",
    {
      log: {
        v: 1,
        at: 1,
        id: "t1",
        part: 0,
        text: "hi",
        error: "blocked",
        attempts: 1,
        target: { channel: "telegram", account: "default", chat: "ada-7001" },
      },
    },
  ],
  ["goals", `goals/${ADA}.yaml`, "goals:\n  - objective: like rain\n"],
  ["jobs", "jobs/j1.yaml", `schedule: "0 9 * * *"\ntask: x\nuser_id: "${ADA}"\nchannel: telegram\n`],
  [
    "skills: those of theirs alone",
    "skills/tea/SKILL.md",
    `---\nname: tea\ndescription: Tea\nmetadata:\n  wakeful:\n    people: ["${ADA}"]\n---\nBoil.\n`,
  ],
  [
    "skills: one of theirs whose folder has another name",
    "skills/brewing/SKILL.md",
    `---\nname: tea\ndescription: Tea\npeople: ["${ADA}"]\n---\nBoil.\n`,
  ],
  [
    "skills: one of theirs with a mistake",
    "skills/tea/SKILL.md",
    `---\nname: tea\ndescription: Tea\npriority: 77\npeople: ["${ADA}"]\n---\nBoil.\n`,
  ],
  [
    "skills: one of theirs whose YAML cannot be read",
    "skills/tea/SKILL.md",
    `---\nname: tea\npeople: ["${ADA}"]\ntriggers: [\n---\nBoil.\n`,
  ],
  [
    "skills: activations",
    `skill-activations/${ADA}/000001.jsonl`,
    { log: { v: 1, type: "activation", id: "a", skill: "tea", turn: "t", session: HERS, user: ADA, at: 1 } },
  ],
  ["skills: suggestions", `skill-suggestions/${ADA}`, { v: 1, suggestions: [] }],
  ["skills: how far was learnt", `.index/skill-learning/${ADA}`, "01J"],
  [
    "patterns: findings",
    `patterns/${ADA}`,
    { v: 1, answers: {}, findings: [{ id: "f1", detector: "time_routine", key: "time_routine:rain", state: "open" }] },
  ],
  [
    "patterns: evidence",
    `.index/pattern-evidence/${ADA}`,
    { v: 1, said: [{ id: "m1", at: 1, turn: "t1", session: HERS, text: "does it rain?" }], cursors: [] },
  ],
  [
    "buttons",
    "buttons/b1",
    { v: 1, id: "b1", kind: "x", people: [ADA], choices: [], data: {}, createdAt: 1, expiresAt: 2 },
  ],
  ["buttons: which was the newest", `.index/offers/${ADA}`, "b1"],
  ["tools: plans", `plans/${HERS}`, { v: 1, steps: [] }],
  ["tools: late results", "late-results/c1", { v: 1, sessionKey: HERS, tell: ADA }],
  ["tools: a folder of a host's tool", `users/${ADA}/settings`, { colour: "green" }],
  [
    "attention",
    `attention/${ADA}`,
    { v: 1, sent: [{ id: "n", type: "note", at: 1 }], held: [], leaving: [], decisions: [], less: {} },
  ],
  ["notifications", `notifications/${ADA}/n1`, { v: 1, id: "n1", user: ADA, sessionKey: HERS, text: "hi", at: 1 }],
  [
    "audit",
    "audit/2026-01-05.jsonl",
    { log: { v: 1, at: "2026-01-05T08:00:00.000Z", who: ADA, what: "tool.call", verdict: "ok" } },
  ],
];

async function keep(key: string, value: Seed[2]) {
  const store = memoryStore();
  if (typeof value === "object" && value !== null && "log" in value) await store.append(key, value.log as LogRecord);
  else await store.put(key, value);
  return store;
}

async function textIn(store: ReturnType<typeof memoryStore>): Promise<string> {
  let text = "";
  for await (const { key } of store.list("")) {
    const document = await store.get(key).catch(() => null);
    text += `${key}\n`;
    if (document) text += `${JSON.stringify(document.value)}\n`;
    else for await (const { record } of store.read(key)) text += `${JSON.stringify(record)}\n`;
  }
  return text;
}

describe("forgetting a person", () => {
  it.each(SEEDS)("leaves nothing that names them in %s", async (_room, key, value) => {
    const store = await keep(key, value);
    expect(await textIn(store)).toContain("ada-7001");
    await rooms(store).forget({ userId: ADA });
    expect(await textIn(store)).not.toContain("ada-7001");
  });

  it("a file of theirs in a group goes, though its days are over", async () => {
    const group = "agent:main:telegram:group:-7";
    const [hers, bobs] = ["01JD8XK3VQ5W8T9Y2Z4N6M7P0R", "01JD8XK3VQ5W8T9Y2Z4N6M7P0S"];
    const entries = [
      { id: hers, createdAt: 1, user: ADA },
      { id: bobs, createdAt: 1, user: "telegram:bob" },
    ];
    const store = await keep(`artifacts/${group}/index`, { v: 1, entries });
    for (const id of [hers, bobs]) await store.put(`artifacts/${group}/content/${id}`, "likes rain");
    await rooms(store).forget({ userId: ADA });
    expect(await store.get(`artifacts/${group}/content/${hers}`)).toBeNull();
    expect(await store.get(`artifacts/${group}/content/${bobs}`)).not.toBeNull();
  });

  it("a job of theirs goes as a whole, and does not go on without its name", async () => {
    const store = await keep("jobs/j1.yaml", `schedule: "0 9 * * *"\ntask: x\nuser_id: "${ADA}"\nchannel: telegram\n`);
    await rooms(store).forget({ userId: ADA });
    expect(await store.get("jobs/j1.yaml")).toBeNull();
  });

  it("a run that names them stays claimed: its time comes once", async () => {
    const store = await keep(
      "jobs/j1.yaml",
      'schedule: "0 9 * * *"\ntask: x\nuser_id: telegram:bob\nchannel: telegram\n',
    );
    const runs = createRuns({ store, clock: fakeClock() });
    await runs.claim("j1", 1);
    await runs.end("j1", 1, { status: "success", started: 1, output: `told ${ADA}` });
    await rooms(store).forget({ userId: ADA });
    expect(await textIn(store)).not.toContain("ada-7001");
    expect(await runs.claim("j1", 1)).toBe(false);
    await runs.end("j1", 1, { status: "failed", started: 1 });
    expect(await runs.find("j1", 1)).toMatchObject({ status: "success" });
  });

  it.each([
    ["workflows/run-01ke.json", { v: 99, place: { user: ADA }, inputs: { what: "canary" } }],
    ["subagents/sa-01.json", { v: 99, person: { user: ADA }, task: "canary" }],
  ])("what cannot be read of %s goes when it is theirs, and stands in no other's way", async (key, value) => {
    const store = await keep(key, value);
    await rooms(store).forget({ userId: "telegram:bob" });
    expect(await textIn(store)).toContain("canary");
    await rooms(store).forget({ userId: ADA });
    expect(await textIn(store)).not.toContain("canary");
  });

  it("what one room cannot do keeps no other from it, and is done the next time", async () => {
    const base = memoryStore();
    for (const [, key, value] of SEEDS.filter(([room]) => room === "approvals" || room === "goals"))
      await base.put(key, value);
    let isFull = true;
    const remove: typeof base.remove = async (key, options) => {
      if (isFull && key.startsWith("approvals/")) throw new Error("a full disk");
      return base.remove(key, options);
    };
    const store = Object.assign(Object.create(base) as typeof base, { remove });
    await expect(rooms(store).forget({ userId: ADA })).rejects.toThrow("a full disk");
    expect(await base.get(`goals/${ADA}.yaml`)).toBeNull();
    isFull = false;
    await rooms(store).forget({ userId: ADA });
    expect(await textIn(base)).not.toContain("ada-7001");
  });

  it.each([
    ["as its user", `task: x\nuser_id: "${ADA}"\n`, false],
    ["where it cannot be told whose it is", `task: x\nuser_id "${ADA}"\n`, false],
    ["and another as its user", `task: tell ${ADA}\nuser_id: telegram:bob\n`, true],
  ])("a job's file that was set aside goes when it names them %s", async (_how, rest, stays) => {
    const store = await keep("jobs/j1.yaml.bad", `schedule: [oops\n${rest}`);
    await rooms(store).forget({ userId: ADA });
    expect((await store.get("jobs/j1.yaml.bad")) !== null).toBe(stays);
  });

  it.each(["le", "be"])("a job's file in UTF-16 (%s) goes, and that of another stays", async (order) => {
    const store = memoryStore();
    for (const [id, user] of [
      ["j1", ADA],
      ["j2", "telegram:bob"],
    ] as const) {
      const text = `\ufeffschedule: "0 9 * * *"\r\ntask: x\r\nuser_id: "${user}"\r\n`;
      const bytes = Array.from(text, (sign) => sign.charCodeAt(0)).flatMap((code) => [code & 0xff, code >> 8]);
      const swapped = bytes.map((_, at) => bytes[at ^ 1] ?? 0);
      await store.put(`jobs/${id}.yaml`, new Uint8Array(order === "le" ? bytes : swapped));
    }
    await rooms(store).forget({ userId: ADA });
    const left: string[] = [];
    for await (const { key } of store.list("jobs/")) left.push(key);
    expect(left).toEqual(["jobs/j2.yaml.bad"]);
  });
});
