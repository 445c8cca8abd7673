import { describe, expect, it } from "vitest";
import { memoryStore, storeKey } from "../../src/store/index.ts";
import { createAudit } from "../../src/telemetry/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { fakeMemory } from "../support/fake-memory.ts";
import { ADA, METRICS, NAMELESS, OWNER, bodyOf, call, fakeAssistant } from "./support.ts";

const M = "/api/v1/memory";
const ADAS = "app:ada";

function setUp() {
  const clock = fakeClock();
  const store = memoryStore();
  const memory = fakeMemory({
    clock,
    store,
    canonicalUser: (userId) => (userId === "telegram:9" ? "@lin" : userId.toLowerCase()),
    problems: [{ userId: "@owner", file: "entries/x.md", line: 3, problem: "not a text" }],
  });
  const audit = createAudit({ store, clock });
  const { app } = fakeAssistant({ clock, parts: { memory, audit } });
  const ask = async (path: string, options: Parameters<typeof call>[1] = {}) => {
    const response = await app.request(call(`${M}${path}`, options));
    const text = await response.text();
    return { status: response.status, body: (text === "" ? {} : JSON.parse(text)) as Record<string, unknown> };
  };
  const keep = (userId: string, content: string, id: string) => memory.save({ userId, content, id });
  const lines = async () => {
    await audit.settled();
    return (await audit.read()).map(({ who, what, target }) => `${who} ${what} ${target}`);
  };
  return { app, ask, keep, memory, clock, store, lines };
}

describe("the memory over HTTP", () => {
  it("finds what is asked for, and says why", async () => {
    const { ask, keep } = setUp();
    await keep("@owner", "Likes oat milk", "a");
    await keep(ADAS, "Likes cow milk", "b");
    const { status, body } = await ask("?query=milk");
    expect(status).toBe(200);
    expect(body).toEqual({
      user: "@owner",
      hits: [
        {
          entry: {
            id: "a",
            user_id: "@owner",
            content: "Likes oat milk",
            keywords: [],
            slots: {},
            created_at: "2026-01-05T08:00:00.000Z",
            updated_at: "2026-01-05T08:00:00.000Z",
          },
          score: 1,
          layer: "entry",
          signals: { keyword: 2 },
        },
      ],
    });
    expect((await ask(`?query=milk&user=${ADAS}`)).body).toMatchObject({ hits: [{ entry: { id: "b" } }] });
    expect((await ask("?query=milk&user=telegram:9")).body).toMatchObject({ user: "@lin", hits: [] });
  });

  it.each(["", " ", "x".repeat(513)])("refuses %j as whose memory it is, in every place", async (user) => {
    const { ask, keep } = setUp();
    await keep("@owner", "Likes oat milk", "a");
    const query = `user=${encodeURIComponent(user)}`;
    for (const path of [
      `?query=milk&${query}`,
      `/entries?${query}`,
      `/counts?${query}`,
      `/files?${query}`,
      `/export?${query}`,
    ])
      expect(await ask(path), path).toMatchObject({ status: 400, body: { code: "OPTION_INVALID" } });
    const bodies = {
      "/entries": { content: "x", user },
      "/digest": { user },
      "/tidy": { user },
      "/import": { lines: [], user },
      "/forget": { user },
    };
    for (const [path, body] of Object.entries(bodies))
      expect(await ask(path, { body }), path).toMatchObject({ status: 400, body: { code: "OPTION_INVALID" } });
  });

  it("lists in pages, without a gap between them", async () => {
    const { ask, keep, clock, memory } = setUp();
    for (const id of ["a", "b", "c"]) {
      await keep("@owner", `entry ${id}`, id);
      await clock.advance(1000);
    }
    await memory.archive("@owner", ["a"]);
    const first = await ask("/entries?limit=1");
    expect(first.body).toMatchObject({ entries: [{ id: "c" }] });
    const second = await ask(`/entries?limit=1&after=${encodeURIComponent(String(first.body["next_after"]))}`);
    expect(second.body).toMatchObject({ entries: [{ id: "b" }] });
    expect(second.body).not.toHaveProperty("next_after");
    expect((await ask("/entries?archived=true")).body).toMatchObject({ entries: [{ id: "a" }] });
  });

  it("goes on where a page ended, also when its last entry was removed or archived meanwhile", async () => {
    const { ask, keep, clock, memory } = setUp();
    // Two of one moment, which their ids put in order.
    for (const ids of [["a"], ["b", "c"], ["d"]]) {
      for (const id of ids) await keep("@owner", `entry ${id}`, id);
      await clock.advance(1000);
    }
    const after = async (limit: number, place?: string) => {
      const more = place === undefined ? "" : `&after=${encodeURIComponent(place)}`;
      return (await ask(`/entries?limit=${limit}${more}`)).body;
    };
    const first = await after(2);
    expect(first).toMatchObject({ entries: [{ id: "d" }, { id: "c" }] });
    await memory.remove("@owner", ["c"]);
    const second = await after(1, first["next_after"] as string);
    expect(second).toMatchObject({ entries: [{ id: "b" }] });
    await memory.archive("@owner", ["b"]);
    const third = await after(1, second["next_after"] as string);
    expect(third).toMatchObject({ entries: [{ id: "a" }] });
    expect(third).not.toHaveProperty("next_after");
    expect(await ask("/entries?after=c")).toMatchObject({
      status: 400,
      body: { code: "OPTION_INVALID", detail: expect.stringContaining("next_after of the previous page") as string },
    });
  });

  it("saves, changes, archives, restores and removes, with a line of each in the audit", async () => {
    const { ask, clock, lines } = setUp();
    const saved = await ask("/entries", { body: { content: "Oat milk", keywords: ["milk"] } });
    expect(saved).toMatchObject({ status: 201, body: { content: "Oat milk", slots: { type: "note", source: "api" } } });
    const id = String(saved.body["id"]);
    await clock.advance(1000);
    const before = String(saved.body["updated_at"]);
    const change = { content: "Soy milk", expires_at: "2027-01-01T00:00:00Z", if_updated_at: before };
    const changed = await ask(`/entries/${id}`, { method: "PATCH", body: change });
    expect(changed).toMatchObject({ status: 200, body: { content: "Soy milk", keywords: ["milk"] } });
    expect(changed.body["expires_at"]).toBe("2027-01-01T00:00:00.000Z");
    const stale = await ask(`/entries/${id}`, { method: "PATCH", body: change });
    expect(stale).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
    expect((await ask(`/entries/${id}/archive`, { method: "POST" })).status).toBe(200);
    expect((await ask("/counts")).body).toMatchObject({ entries: 0, archived: 1 });
    expect((await ask(`/entries/${id}/restore`, { method: "POST" })).status).toBe(200);
    expect((await ask(`/entries/${id}`)).body).toMatchObject({ content: "Soy milk" });
    expect((await ask(`/entries/${id}`, { method: "DELETE" })).status).toBe(204);
    expect((await ask(`/entries/${id}`)).status).toBe(404);
    expect(await lines()).toEqual(
      ["save", "edit", "archive", "restore", "remove"].map((act) => `owner memory.${act} @owner ${id}`),
    );
  });

  it("keeps a text once, however often it is posted, and says that it was there", async () => {
    const { ask, memory } = setUp();
    const first = { content: "Prefers oat milk", keywords: ["milk"] };
    const posts = [
      first,
      first,
      { content: "  prefers\u00a0OAT milk " },
      { content: "Prefers oat milk", user: "@ann" },
    ];
    const answers = await Promise.all(posts.map((body) => ask("/entries", { body })));
    const others = answers.pop();
    // Which of calls at one time comes first is anybody's guess.
    const [one, ...again] = answers.toSorted((left, right) => right.status - left.status);
    expect(one).toMatchObject({ status: 201 });
    expect(one?.body).not.toHaveProperty("already_there");
    expect(again.map(({ status }) => status)).toEqual([200, 200]);
    for (const { body } of again) expect(body).toEqual({ ...one?.body, already_there: true });
    expect(others).toMatchObject({ status: 201, body: { user_id: "@ann" } });
    // What is archived is not in recall: the text is kept anew.
    await memory.archive("@owner", [String(one?.body["id"])]);
    expect((await ask("/entries", { body: first })).status).toBe(201);
  });

  it("takes an entry as long as memory takes one, so that whatever is shown can be edited", async () => {
    const { ask, keep } = setUp();
    const content = "x".repeat(32_768);
    await keep("@owner", content, "long");
    expect((await ask("/entries/long", { method: "PATCH", body: { content } })).status).toBe(200);
    expect((await ask("/entries/long", { method: "PATCH", body: { content: `${content}x` } })).status).toBe(400);
  });

  it("takes the short paths as those below /entries, but for names of other routes", async () => {
    const { ask, keep } = setUp();
    const { status, body } = await ask("", { body: { content: "Oat milk" } });
    expect(status).toBe(201);
    const id = String(body["id"]);
    await keep("@owner", "an entry with the name of a route", "users");
    expect((await ask(`/${id}`, { method: "PATCH", body: { content: "Soy milk" } })).status).toBe(200);
    expect((await ask(`/${id}`)).body).toEqual((await ask(`/entries/${id}`)).body);
    expect((await ask("?limit=2")).body).toEqual((await ask("/entries?limit=2")).body);
    expect((await ask("/users")).body).toHaveProperty("users");
    expect((await ask("/entries/users")).body).toMatchObject({ id: "users" });
    expect((await ask(`/${id}`, { method: "DELETE" })).status).toBe(204);
    expect((await ask(`/${id}`)).status).toBe(404);
  });

  it("takes user_id as another name of user, wherever it stands", async () => {
    const { ask } = setUp();
    expect((await ask("", { body: { content: "Oat milk", user_id: ADAS } })).body).toMatchObject({ user_id: ADAS });
    expect((await ask(`?query=milk&user_id=${ADAS}`)).body).toMatchObject({ user: ADAS, hits: [{}] });
    expect((await ask(`/counts?user_id=${ADAS}`)).body).toMatchObject({ user: ADAS, entries: 1 });
    const others = { content: "x", user_id: "app:bob" };
    expect((await ask("", { body: others, token: ADA })).status).toBe(403);
    expect((await ask("/counts?user_id=app:bob", { token: ADA })).status).toBe(403);
    expect((await ask("", { body: { ...others, user: ADAS } })).status).toBe(400);
  });

  it("writes a file only over the version that was read", async () => {
    const { ask, store } = setUp();
    expect((await ask("/files/MEMORY.md")).status).toBe(404);
    expect((await ask("/files")).body).toEqual({ user: "@owner", files: [] });
    const put = (file: string, body: object) => ask(`/files/${file}`, { method: "PUT", body });
    const first = await put("MEMORY.md", { text: "# Memory\n", version: null });
    expect(first.status).toBe(200);
    const read = await ask("/files/MEMORY.md");
    expect(read.body).toEqual({
      user: "@owner",
      file: "MEMORY.md",
      text: "# Memory\n",
      version: first.body["version"],
    });
    // By hand, meanwhile.
    await store.put(storeKey("memory", "@owner", "MEMORY.md"), "# Mine\n");
    expect(await put("MEMORY.md", { text: "x", version: read.body["version"] })).toMatchObject({
      status: 409,
      body: { code: "CONFLICT" },
    });
    expect((await put("MEMORY.md", { text: "x", version: null })).status).toBe(409);
    expect((await ask("/files/MEMORY.md")).body).toMatchObject({ text: "# Mine\n" });
    expect((await put("2026-01-04", { text: "- a day", version: null })).status).toBe(200);
    expect((await put("2026-01-05", { text: "- another", version: null })).status).toBe(200);
    expect((await ask("/files")).body["files"]).toEqual(["MEMORY.md", "2026-01-05", "2026-01-04"]);
  });

  it.each(["../../audit", "2026-02-30", "2026-1-1", "memory.md", "MEMORY.md/x"])("knows no file %s", async (file) => {
    const { ask, store } = setUp();
    const path = `/files/${encodeURIComponent(file)}`;
    expect((await ask(path)).status).toBe(400);
    expect((await ask(path, { method: "PUT", body: { text: "x", version: null } })).status).toBe(400);
    const keys: string[] = [];
    for await (const { key } of store.list("")) keys.push(key);
    expect(keys.filter((key) => !key.startsWith("audit/"))).toEqual([]);
  });

  it("gives all of a memory as lines that another one takes in as they were", async () => {
    const one = setUp();
    await one.keep(ADAS, "Likes milk", "a");
    await one.keep("@lin", "喜欢茶", "b");
    await one.memory.archive("@lin", ["b"]);
    await one.ask(`/files/MEMORY.md?user=@lin`, { method: "PUT", body: { text: "- 茶\n", version: null } });
    const response = await one.app.request(call(`${M}/export`));
    expect(response.headers.get("content-type")).toBe("application/x-ndjson");
    const text = await response.text();
    const lines = text.split("\n").filter(Boolean);
    const other = setUp();
    expect((await other.ask("/import", { body: { lines } })).body).toEqual({
      entries: 2,
      files: 1,
      unchanged: 0,
      kept: [],
      users: ["@lin", ADAS],
    });
    expect(await (await other.app.request(call(`${M}/export`))).text()).toBe(text);
    const own = await one.app.request(call(`${M}/export`, { token: ADA }));
    expect((await own.text()).split("\n").filter(Boolean)).toEqual(lines.filter((line) => line.includes(ADAS)));
    const torn = await other.ask("/import", { body: { lines: [lines[0], '{"v":1,"type":"entry"}'] } });
    expect(torn).toMatchObject({ status: 400, body: { code: "OPTION_INVALID" } });
    expect(torn.body["detail"]).toContain("line 2");
  });

  it("forgets, digests, tidies and names what it cannot read", async () => {
    const { ask, memory, keep } = setUp();
    await keep("app:bob", "x", "a");
    expect((await ask("/users")).body).toEqual({
      users: [{ user: "app:bob", entries: 1, archived: 0, days: 0, facts: 0 }],
    });
    expect((await ask("/digest", { body: { user: "app:bob", day: "2026-01-04" } })).body).toEqual({
      user: "app:bob",
      day: "2026-01-04",
      entry_count: 1,
      text: "- x\n",
      added: ["- a fact"],
    });
    expect((await ask("/tidy", { body: {} })).body).toMatchObject({ users: [{ archived: 1, merged: 0, kept: 2 }] });
    expect((await ask("/problems")).body).toEqual({
      problems: [{ user: "@owner", file: "entries/x.md", line: 3, problem: "not a text" }],
    });
    expect((await ask("/forget", { body: { user: "app:bob" } })).body).toEqual({
      user: "app:bob",
      entries: 1,
      sessions: 0,
    });
    expect(memory.forgotten).toEqual(["app:bob"]);
  });

  it.each([
    { title: "a search for too much", path: `?query=${"x".repeat(2001)}`, status: 400 },
    { title: "too many hits", path: "?query=x&limit=101", status: 400 },
    { title: "a time that is none", path: "?query=x&since=yesterday", status: 400 },
    { title: "an empty text", path: "/entries", body: { content: "  " }, status: 400 },
    { title: "a field of no entry", path: "/entries", body: { content: "x", id: "mine" }, status: 400 },
    { title: "a file without its version", path: "/files/MEMORY.md", method: "PUT", body: { text: "x" }, status: 400 },
    { title: "an entry that is not there", path: "/entries/none", method: "DELETE", status: 404 },
    { title: "a user of half a character", path: "", body: { content: "x", user: "app:a\ud800" }, status: 400 },
    { title: "a user without an id", path: "?user=:", status: 400 },
    { title: "nobody to forget", path: "/forget", body: {}, status: 400 },
  ])("refuses $title", async ({ path, status, method, body }) => {
    const options = { ...(method && { method }), ...(body && { body }) };
    expect((await setUp().ask(path, options)).status).toBe(status);
  });
});

/** Every route, and what an entry of somebody else is to a token: all that an owner may, a user may only to their own. */
const ROUTES = [
  { route: "?query=milk", ownerOnly: false },
  { route: "", ownerOnly: false },
  { route: "", body: { content: "x" }, ownerOnly: false },
  { route: "/a", ownerOnly: false },
  { route: "/a", method: "PATCH", body: { content: "x" }, ownerOnly: false },
  { route: "/a/archive", method: "POST", ownerOnly: false },
  { route: "/a/restore", method: "POST", ownerOnly: false },
  { route: "/a", method: "DELETE", ownerOnly: false },
  { route: "/entries", ownerOnly: false },
  { route: "/entries", body: { content: "x" }, ownerOnly: false },
  { route: "/entries/a", ownerOnly: false },
  { route: "/entries/a", method: "PATCH", body: { content: "x" }, ownerOnly: false },
  { route: "/entries/a/archive", method: "POST", ownerOnly: false },
  { route: "/entries/a/restore", method: "POST", ownerOnly: false },
  { route: "/entries/a", method: "DELETE", ownerOnly: false },
  { route: "/counts", ownerOnly: false },
  { route: "/files", ownerOnly: false },
  { route: "/files/2026-01-01", ownerOnly: false },
  { route: "/files/2026-01-01", method: "PUT", body: { text: "x", version: null }, ownerOnly: false },
  { route: "/digest", body: {}, ownerOnly: false },
  { route: "/export", ownerOnly: false },
  { route: "/users", ownerOnly: true },
  { route: "/tidy", body: {}, ownerOnly: true },
  { route: "/problems", ownerOnly: true },
  { route: "/import", body: { lines: [] }, ownerOnly: true },
  { route: "/forget", body: { user: ADAS }, ownerOnly: true },
];

describe("who may what with memories", () => {
  const named = ROUTES.map((one) => ({ ...one, title: `${one.method ?? (one.body ? "POST" : "GET")} ${one.route}` }));
  async function statusOf(
    one: (typeof named)[number],
    { token, user, owner }: { token: string | null; user?: string; owner: string },
  ) {
    const { app, keep, memory } = setUp();
    await keep(owner, "milk", "a");
    await memory.files.write(owner, "2026-01-01", "- x");
    const inBody = one.body !== undefined && one.method === undefined;
    const query = user === undefined || inBody ? "" : `${one.route.includes("?") ? "&" : "?"}user=${user}`;
    const body = inBody && user !== undefined ? { ...one.body, user } : one.body;
    const how = { token, ...(body && { body }), ...(one.method && { method: one.method }) };
    const response = await app.request(call(`${M}${one.route}${query}`, how));
    return { status: response.status, text: await response.text(), entry: await memory.get(owner, "a") };
  }
  const well = [200, 201, 204, 409]; // 409: a file that stands there already.

  it.each(named)("$title: the owner, to anybody's", async (one) => {
    expect(well).toContain((await statusOf(one, { token: OWNER, user: "app:bob", owner: "app:bob" })).status);
  });

  it.each(named)("$title: a user, to their own", async (one) => {
    const { status } = await statusOf(one, { token: ADA, owner: ADAS });
    if (one.ownerOnly) expect(status).toBe(403);
    else expect(well).toContain(status);
  });

  it.each(named)("$title: a user, to another's by name", async (one) => {
    const { status, text, entry } = await statusOf(one, { token: ADA, user: "app:bob", owner: "app:bob" });
    expect(status).toBe(403);
    expect(text).not.toContain("milk");
    expect(entry).toMatchObject({ content: "milk" });
  });

  it.each(named)("$title: a user, to another's by id", async (one) => {
    const { status, text, entry } = await statusOf(one, { token: ADA, owner: "app:bob" });
    if (one.route.includes("/a") || one.route.includes("/files/")) expect([404, 200]).toContain(status);
    if (one.route.includes("/a")) expect(status).toBe(404);
    expect(text).not.toContain("milk");
    expect(entry).toMatchObject({ content: "milk" });
  });

  it.each(named)("$title: nobody else", async (one) => {
    expect((await statusOf(one, { token: null, owner: ADAS })).status).toBe(401);
    expect((await statusOf(one, { token: METRICS, owner: ADAS })).status).toBe(403);
    expect((await statusOf(one, { token: NAMELESS, owner: ADAS })).status).toBe(403);
  });

  it("is the owner who asks as a person: a token that is given to them alone", async () => {
    const { app } = setUp();
    expect(await bodyOf(await app.request(call(`${M}/counts`, { token: ADA })))).toMatchObject({ user: ADAS });
  });
});
