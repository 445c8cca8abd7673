import { describe, expect, it } from "vitest";
import { createArtifacts } from "../../src/artifacts/index.ts";
import { editedSummary } from "../../src/context/index.ts";
import { createEventBus } from "../../src/events/index.ts";
import {
  type NewRecord,
  createSessionLife,
  createSessions,
  createSessionsApi,
  createSummaries,
  namedSessionKey,
} from "../../src/session/index.ts";
import { type Store, memoryStore, storeKey } from "../../src/store/index.ts";
import { createRedactor } from "../../src/telemetry/index.ts";
import { type FakeClock, fakeClock } from "../../src/testing/fake-clock.ts";
import { createPlans } from "../../src/tools/index.ts";
import { compact, message, out } from "./support.ts";

const KEY = "agent:main:telegram:direct:42";

function setUp({ store = memoryStore(), clock = fakeClock() }: { store?: Store; clock?: FakeClock } = {}) {
  const sessions = createSessions({ store, clock });
  const artifacts = createArtifacts({ store, clock });
  const summaries = createSummaries({ store });
  const api = createSessionsApi({
    sessions,
    summaries,
    life: createSessionLife({
      sessions,
      events: createEventBus({ clock }),
      clock,
      leavings: [artifacts, createPlans({ store })],
    }),
    redact: createRedactor(["hunter2-secret"]),
    defaultAgentId: "main",
    modelNames: (agentId) => (agentId === "main" ? ["openai/small", "openai/large"] : ["other/one"]),
    readEdited: editedSummary,
  });
  const say = (key: string, ...records: NewRecord[]) => sessions.append(key, records);
  return { store, clock, sessions, artifacts, summaries, api, say };
}

async function textOf(pieces: AsyncIterable<string> | null): Promise<string | null> {
  if (!pieces) return null;
  let text = "";
  for await (const piece of pieces) text += piece;
  return text;
}
const refused = (code: string) => expect.objectContaining({ code });

describe("assistant.sessions", () => {
  it("lists sessions with their last change and their first words", async () => {
    const { api, say, clock } = setUp();
    await say(KEY, message("a", { text: "Plan the\n trip to Oslo" }));
    const began = clock.now();
    await clock.advance(5000);
    await say(KEY, out("turn-a", ["a"]));
    await say("agent:main:main", { type: "note", text: "joined", source: "telegram" });
    expect(await api.list()).toEqual([
      { key: "agent:main:main", agentId: "main", records: 1, lastAtMs: began + 5000, title: "" },
      { key: KEY, agentId: "main", records: 2, lastAtMs: began + 5000, title: "Plan the trip to Oslo" },
    ]);
    await clock.advance(1000);
    await say(KEY, message("b"));
    expect((await api.list({ after: "agent:main:main" })).map(({ lastAtMs }) => lastAtMs)).toEqual([began + 6000]);
  });

  it("shows as many of the newest entries as are asked for, however many parts a reply was sent in", async () => {
    const { api, say, sessions } = setUp();
    for (const id of ["a", "b"]) {
      await say(KEY, message(id, { text: id }));
      const { seq } = await say(
        KEY,
        out(`turn-${id}`, [id], { parts: Array.from({ length: 20 }, (_, part) => `${part}`) }),
      );
      for (let part = 0; part < 20; part += 1) await sessions.mark(KEY, { of: seq, part, delivery: "sent" });
    }
    const shown = async (limit?: number) => (await api.show(KEY, limit === undefined ? {} : { limit }))?.entries;
    const all = (await shown()) ?? [];
    expect(all.map(({ type }) => type)).toEqual(["user", "assistant", "user", "assistant"]);
    for (const limit of [1, 2, 3, 4, 5]) expect(await shown(limit)).toEqual(all.slice(-limit));
  });

  it("exports all of a session in either form, without secrets", async () => {
    const { api, say } = setUp();
    for (let id = 0; id < 300; id += 1) await say(KEY, message(`m${id}`, { text: `my key is hunter2-secret ${id}` }));
    const markdown = await textOf(await api.export(KEY));
    expect(markdown?.match(/> my key is \[redacted\] \d+/g)).toHaveLength(300);
    const lines = (await textOf(await api.export(KEY, { format: "jsonl" })))?.trimEnd().split("\n") ?? [];
    expect(lines).toHaveLength(300);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ seq: 1, type: "in", text: "my key is [redacted] 0" });
    expect(lines.join("")).not.toContain("hunter2");
    expect(await api.export("agent:main:nobody")).toBeNull();
  });

  it("removes all that there is of a session, and nothing of others", async () => {
    const { api, say, store, artifacts } = setUp();
    const other = "agent:main:telegram:direct:421";
    for (const key of [KEY, other]) {
      await say(key, message("a"), compact(2));
      await api.summaries(key);
      await store.put(storeKey("plans", key), { v: 1, steps: [] });
      await artifacts.write(key, { name: "a.txt", mediaType: "text/plain", content: "x", user: "u", origin: "result" });
    }
    expect([await api.remove(KEY), await api.remove(KEY)]).toEqual([true, false]);
    const left: string[] = [];
    for await (const { key } of store.list("")) left.push(key);
    expect(left.filter((key) => key.includes("telegram:direct:42/"))).toEqual([]);
    expect(left.filter((key) => key.includes("telegram:direct:421/"))).toHaveLength(4);
    expect(left.filter((key) => key.startsWith("plans/"))).toEqual([storeKey("plans", other)]);
  });
});

describe("summaries that are edited", () => {
  it("stand for the same turns, keep the facts that they name, and leave the one before in the list", async () => {
    const { api, say, sessions } = setUp();
    await say(KEY, message("a"), out("turn-a", ["a"]), compact(3));
    expect(await api.editSummary(KEY, " Ada likes tea. ", { by: "telegram:42" })).toMatchObject({
      seq: 4,
      summary: "Ada likes tea.",
      range: { from: 1, to: 3 },
      turns: 3,
      reason: "edit",
      by: "telegram:42",
    });
    expect((await sessions.load(KEY)).summary).toMatchObject({
      summary: "Ada likes tea.",
      facts: [],
      readFrom: 3,
      tokensBefore: 900,
    });
    expect((await api.summaries(KEY)).map(({ summary, reason }) => [summary, reason])).toEqual([
      ["up to 3", "history"],
      ["Ada likes tea.", "edit"],
    ]);
    expect(await api.show(KEY)).toMatchObject({
      entries: [{}, {}, { type: "summary", edited: false }, { type: "summary", edited: true, text: "Ada likes tea." }],
    });
  });

  it.each([
    { title: "all of it", text: "Mine alone", prose: "Mine alone" },
    { title: "what stands before the facts", text: "Mine\n\nKept word for word:\n- fact 3", prose: "Mine", facts: 1 },
    { title: "a fact that its words still tell", text: "Mine, with fact 3", prose: "Mine, with fact 3", facts: 1 },
  ])("are folded into the next one: $title", async ({ text, prose, facts = 0 }) => {
    const { api, say, sessions } = setUp();
    await say(KEY, compact(3, { summary: "Theirs\n\nKept word for word:\n- fact 3", prose: "Theirs" }));
    await api.editSummary(KEY, text);
    expect((await sessions.load(KEY)).summary).toMatchObject({ summary: text, prose });
    expect((await sessions.load(KEY)).summary?.facts).toHaveLength(facts);
  });

  it("need a session, a summary, and a text of a length that fits a prompt", async () => {
    const { api, say } = setUp();
    await expect(api.editSummary(KEY, "x")).rejects.toEqual(refused("NOT_FOUND"));
    await expect(api.summaries(KEY)).rejects.toEqual(refused("NOT_FOUND"));
    await say(KEY, message("a"));
    await expect(api.editSummary(KEY, "x")).rejects.toEqual(refused("NOT_FOUND"));
    expect(await api.summaries(KEY)).toEqual([]);
    await say(KEY, compact(1));
    for (const text of ["", " \n", "x".repeat(16_001)])
      await expect(api.editSummary(KEY, text)).rejects.toEqual(refused("OPTION_INVALID"));
    expect(await api.editSummary(KEY, "x".repeat(16_000))).toMatchObject({ seq: 3 });
    await say(KEY, { type: "reset", by: "telegram:42" });
    await expect(api.editSummary(KEY, "x")).rejects.toEqual(refused("NOT_FOUND"));
  });

  it("give way to a summary that another process wrote meanwhile", async () => {
    const one = setUp();
    const other = setUp(one);
    await one.say(KEY, compact(3));
    await one.sessions.load(KEY);
    await other.sessions.load(KEY);
    await other.say(KEY, compact(8));
    expect(await one.api.editSummary(KEY, "of what the other wrote")).toMatchObject({ range: { to: 8 } });
    // Between what it read and what it appends:
    const { append } = one.store;
    one.store.append = async (log, record, options) => {
      if (log.endsWith("/log.jsonl")) {
        one.store.append = append;
        await other.say(KEY, compact(20));
      }
      return append(log, record, options);
    };
    await expect(one.api.editSummary(KEY, "too late")).rejects.toEqual(refused("CONFLICT"));
    expect((await setUp(one).sessions.load(KEY)).summary?.summary).toBe("up to 20");
    expect((await one.api.summaries(KEY)).map(({ summary }) => summary)).not.toContain("too late");
  });
});

describe("settings of a session", () => {
  it("are set, shown and taken back", async () => {
    const { api, say, store } = setUp();
    await say(KEY, message("a"));
    expect(await api.settings(KEY)).toEqual({});
    expect(await api.configure(KEY, { queueMode: "steer", model: "openai/large" }, { by: "telegram:42" })).toEqual({
      queueMode: "steer",
      model: "openai/large",
    });
    expect(await api.configure(KEY, { queueMode: null })).toEqual({ model: "openai/large" });
    expect(await api.configure(KEY, {})).toEqual({ model: "openai/large" });
    expect(await setUp({ store }).api.settings(KEY)).toEqual({ model: "openai/large" });
    expect(await store.lastSeq("sessions/main/telegram:direct:42/log.jsonl")).toBe(3);
  });

  it("know their modes and the agent's own models", async () => {
    const { api, say } = setUp();
    const work = "agent:work:main";
    await expect(api.configure(KEY, { queueMode: "steer" })).rejects.toEqual(refused("NOT_FOUND"));
    await expect(api.settings(KEY)).rejects.toEqual(refused("NOT_FOUND"));
    await say(KEY, message("a"));
    await say(work, message("a"));
    await expect(api.configure(KEY, { queueMode: "random" as "steer" })).rejects.toThrow(
      'Invalid queueMode "random": expected one of collect, followup, steer, interrupt, or null for the configured value',
    );
    await expect(api.configure(work, { model: "openai/large" })).rejects.toThrow("expected one of other/one");
    expect(await api.settings(work)).toEqual({});
  });
});

describe("conversations", () => {
  async function talked(count: number) {
    const made = setUp();
    for (let index = 0; index < count; index += 1) {
      await made.clock.advance(1000);
      await made.say(namedSessionKey("main", "web", `c${index}`), message(`m${index}`, { text: `about ${index}` }));
    }
    return made;
  }
  const ids = async (api: ReturnType<typeof setUp>["api"], options?: Parameters<typeof api.conversations>[0]) =>
    (await api.conversations(options)).conversations.map(({ id }) => id);

  it("come newest first, and move up when something is said", async () => {
    const { api, say, clock } = await talked(3);
    expect(await api.conversations({ limit: 1 })).toMatchObject({
      conversations: [{ id: "c2", title: "about 2", lastAt: new Date(clock.now()), entries: 1 }],
    });
    await clock.advance(1000);
    await say(namedSessionKey("main", "web", "c0"), out("turn-m0", ["m0"]));
    expect(await api.conversations()).toMatchObject({
      conversations: [{ id: "c0", title: "about 0", entries: 2 }, { id: "c2" }, { id: "c1" }],
    });
  });

  it("come page by page, each once, also those of one moment", async () => {
    const { api, say } = await talked(3);
    for (const id of ["x", "y b", "z"]) await say(namedSessionKey("main", "web", id), message(id));
    const seen: string[] = [];
    let before: string | undefined;
    do {
      const page = await api.conversations({ limit: 2, ...(before !== undefined && { before }) });
      seen.push(...page.conversations.map(({ id }) => id));
      before = page.nextBefore;
    } while (before !== undefined);
    expect(seen).toEqual(["c2", "x", "y b", "z", "c1", "c0"]);
    const at = new Date((await api.conversations({ limit: 5 })).conversations[4]?.lastAt ?? 0).toISOString();
    expect(await ids(api, { before: at })).toEqual(["c0"]);
    await expect(api.conversations({ before: "yesterday" })).rejects.toEqual(refused("OPTION_INVALID"));
  });

  it("are those of one speaker, by the names that the speaker gave", async () => {
    const { api, say } = setUp();
    const names = [
      "plain",
      "@home: 100%",
      "%40 é 中",
      "app:ada/own",
      "app:ada/a/b: @x",
      "app:adam/his",
      "app:%41da/hers",
    ];
    for (const name of names) await say(namedSessionKey("main", "web", name), message("a"));
    await say(namedSessionKey("main", "sdk", "job"), message("a"));
    await say(namedSessionKey("work", "web", "elsewhere"), message("a"));
    expect((await ids(api)).toSorted()).toEqual(["%40 é 中", "@home: 100%", "plain"]);
    expect((await ids(api, { prefix: "app:ada/" })).toSorted()).toEqual(["a/b: @x", "own"]);
    expect(await ids(api, { prefix: "app:%41da/" })).toEqual(["hers"]);
    for (const id of await ids(api)) expect(await api.show(namedSessionKey("main", "web", id))).not.toBeNull();
  });

  it("are gone when they were removed, and new when they come back as long as before", async () => {
    const { api, say, sessions, store } = await talked(2);
    const key = namedSessionKey("main", "web", "c0");
    expect(await ids(api)).toEqual(["c1", "c0"]);
    await api.remove(key);
    expect(await ids(api)).toEqual(["c1"]);
    await say(key, message("n", { text: "something else" }));
    expect((await api.conversations()).conversations).toMatchObject([
      { id: "c0", title: "something else" },
      { id: "c1" },
    ]);
    // By another process, which this one hears nothing of:
    await store.remove("sessions/main/web:direct:c0/log.jsonl");
    await setUp({ store }).sessions.append(key, message("n", { text: "by another" }));
    expect((await api.conversations()).conversations.map(({ title }) => title)).toContain("by another");
    expect(await sessions.size(key)).toBe(1);
  });

  it.each([
    { title: "cut at a word", text: "word ".repeat(30), shown: `${"word ".repeat(11)}word…` },
    { title: "a long word cut whole characters", text: "😀".repeat(40), shown: `${"😀".repeat(29)}…` },
    { title: "blanks and control characters once", text: "a\t\n\u0007 b", shown: "a b" },
  ])("have a title of at most 60 characters: $title", async ({ text, shown }) => {
    const { api, say } = setUp();
    await say(
      namedSessionKey("main", "web", "t"),
      { type: "setting", settings: { queueMode: "steer" }, by: "web" },
      message("s", { source: "approval K" }),
      message("c", { command: "compact", text: "/compact" }),
      message("e", { text: " " }),
      message("a", { text }),
    );
    const [{ title } = { title: "" }] = (await api.conversations()).conversations;
    expect([title, title.length <= 60]).toEqual([shown, true]);
  });

  it("take their title from a file when nothing was written", async () => {
    const { api, say } = setUp();
    const attachments = [{ name: "plan.pdf", mediaType: "application/pdf" }];
    await say(namedSessionKey("main", "web", "t"), message("a", { text: "", attachments }));
    expect((await api.conversations()).conversations).toMatchObject([{ title: "plan.pdf" }]);
  });
});
