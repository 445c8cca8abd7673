import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { ConversationListJson, SettingsJson, SummaryListJson, TranscriptJson } from "../../src/http/wire-sessions.ts";
import { editedSummary } from "../../src/context/index.ts";
import {
  type NewRecord,
  createSessions,
  createSessionsApi,
  createSummaries,
  namedSessionKey,
} from "../../src/session/index.ts";
import { memoryStore } from "../../src/store/index.ts";
import { createRedactor } from "../../src/telemetry/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { compact, message, out } from "../session/support.ts";
import { ADA, METRICS, NAMELESS, OWNER, bodyOf, call, fakeAssistant } from "./support.ts";

const ADAS = "app:%41da/";

/** The door over real sessions. */
function setUp() {
  const clock = fakeClock();
  const store = memoryStore();
  const sessions = createSessions({ store, clock });
  const api = createSessionsApi({
    sessions,
    summaries: createSummaries({ store }),
    life: sessions,
    redact: createRedactor(["hunter2-secret"]),
    defaultAgentId: "main",
    modelNames: () => ["openai/small"],
    readEdited: editedSummary,
  });
  const { app } = fakeAssistant({
    clock,
    parts: { sessions: api, sessionKeyOf: (channel, name) => namedSessionKey("main", channel, name) },
  });
  const say = async (name: string, ...records: NewRecord[]) => {
    await clock.advance(1000);
    await sessions.append(namedSessionKey("main", "web", name), records);
  };
  const ask = (path: string, options: Parameters<typeof call>[1] = {}) => app.request(call(`/api/v1${path}`, options));
  return { app, sessions, say, ask };
}

describe("/api/v1/conversations", () => {
  it("lists the caller's own and no others, newest first", async () => {
    const { say, ask } = setUp();
    await say("mine", message("a", { text: "My plan" }));
    await say(`${ADAS}hers`, message("a", { text: "Her plan" }));
    await say("app:adam/his", message("a", { text: "His plan" }));
    await say("mine too", message("a", { text: "Another" }));
    const of = async (token: string) =>
      v.parse(ConversationListJson, await (await ask("/conversations", { token })).json()).conversations;
    expect(await of(OWNER)).toEqual([
      { id: "mine too", title: "Another", last_at: "2026-01-05T08:00:04.000Z", entries: 1 },
      { id: "mine", title: "My plan", last_at: "2026-01-05T08:00:01.000Z", entries: 1 },
    ]);
    expect(await of(ADA)).toEqual([{ id: "hers", title: "Her plan", last_at: "2026-01-05T08:00:02.000Z", entries: 1 }]);
    const [first] = await of(ADA);
    const shown = await ask(`/sessions/web:${first?.id}`, { token: ADA });
    expect(v.parse(TranscriptJson, await shown.json()).entries).toMatchObject([{ text: "Her plan" }]);
  });

  it("comes in pages", async () => {
    const { say, ask } = setUp();
    for (const id of ["a", "b c", "d"]) await say(id, message(id));
    const first = v.parse(ConversationListJson, await (await ask("/conversations?limit=2")).json());
    expect(first.conversations.map(({ id }) => id)).toEqual(["d", "b c"]);
    const next = `/conversations?limit=2&before=${encodeURIComponent(first.next_before ?? "")}`;
    const second = v.parse(ConversationListJson, await (await ask(next)).json());
    expect(second).toMatchObject({ conversations: [{ id: "a" }] });
    expect(second.next_before).toBeUndefined();
    expect((await ask("/conversations?before=soon")).status).toBe(400);
    expect((await ask("/conversations?limit=201")).status).toBe(400);
  });

  it("is for those who talk", async () => {
    const { ask } = setUp();
    const status = async (token: string) => (await ask("/conversations", { token })).status;
    expect([await status(ADA), await status(NAMELESS), await status(METRICS)]).toEqual([200, 403, 403]);
  });
});

describe("GET /api/v1/sessions", () => {
  it("goes on behind a key, and says that it expects one", async () => {
    const { say, ask } = setUp();
    await say("one", message("a", { text: "One" }));
    await say("two", message("a", { text: "Two" }));
    const first = await bodyOf(await ask("/sessions?limit=1"));
    expect(first["next_after"]).toBe(namedSessionKey("main", "web", "one"));
    expect(await bodyOf(await ask(`/sessions?after=${String(first["next_after"])}`))).toMatchObject({
      sessions: [{ key: namedSessionKey("main", "web", "two") }],
    });
    for (const after of ["", "nothing", "web:one"])
      expect(await bodyOf(await ask(`/sessions?after=${after}`))).toMatchObject({
        status: 400,
        errors: [{ field: "after", message: "Expected next_after of the previous page" }],
      });
  });
});

describe("/api/v1/sessions/:key/export", () => {
  it("streams a file of either form without secrets", async () => {
    const { say, ask } = setUp();
    for (let id = 0; id < 50; id += 1)
      await say("plan", message(`m${id}`, { text: `hunter2-secret ${"x".repeat(1000)}` }));
    const markdown = await ask("/sessions/web:plan/export");
    expect(markdown.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
    expect(markdown.headers.get("content-disposition")).toBe('attachment; filename="agent-main-web-direct-plan.md"');
    const text = await markdown.text();
    expect(text.match(/> \[redacted\] x{1000}\n/g)).toHaveLength(50);
    const lines = await ask("/sessions/web:plan/export?format=jsonl");
    expect(lines.headers.get("content-type")).toBe("application/x-ndjson");
    expect(
      (await lines.text())
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown),
    ).toHaveLength(50);
  });

  it("reads no further when nobody reads", async () => {
    const { say, ask, sessions } = setUp();
    await say("plan", ...Array.from({ length: 200 }, (_, id) => message(`m${id}`, { text: "x".repeat(5000) })));
    let read = 0;
    const { scan } = sessions;
    sessions.scan = async function* counted(...given: Parameters<typeof scan>) {
      for await (const record of scan(...given)) {
        read += 1;
        yield record;
      }
    };
    const reader = (await ask("/sessions/web:plan/export")).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThan(20);
  });

  it.each([
    { title: "404 for what is not there", path: "/sessions/web:nothing/export", token: OWNER, status: 404 },
    { title: "400 for another form", path: "/sessions/web:plan/export?format=html", token: OWNER, status: 400 },
    {
      title: "403 for a user and a full key",
      path: "/sessions/agent:main:web:direct:plan/export",
      token: ADA,
      status: 403,
    },
    {
      title: "404 for a user and the owner's conversation",
      path: "/sessions/web:plan/export",
      token: ADA,
      status: 404,
    },
  ])("answers $title", async ({ path, token, status }) => {
    const { say, ask } = setUp();
    await say("plan", message("a"));
    expect((await ask(path, { token })).status).toBe(status);
  });
});

describe("/api/v1/sessions/:key/summary", () => {
  it("lists and edits", async () => {
    const { say, ask, sessions } = setUp();
    await say(`${ADAS}plan`, message("a"), out("turn-a", ["a"]), compact(3));
    const edit = (body: unknown) => ask("/sessions/web:plan/summary", { method: "PUT", token: ADA, body });
    const edited = v.parse(SummaryListJson, await (await edit({ text: "Tea at five" })).json());
    expect(edited.summaries).toMatchObject([
      { seq: 3, summary: "up to 3", reason: "history", turns: 3, tokens_before: 900 },
      { seq: 4, summary: "Tea at five", reason: "edit", by: "app:Ada" },
    ]);
    const listed = await ask("/sessions/web:plan/summary", { token: ADA });
    expect(v.parse(SummaryListJson, await listed.json())).toEqual(edited);
    const shown = v.parse(TranscriptJson, await (await ask("/sessions/web:plan", { token: ADA })).json());
    expect(shown.entries.slice(2)).toMatchObject([
      { type: "summary", text: "up to 3", turns: 3, edited: false },
      { type: "summary", text: "Tea at five", turns: 3, edited: true, by: "app:Ada" },
    ]);
    expect((await sessions.load(namedSessionKey("main", "web", `${ADAS}plan`))).summary?.range.to).toBe(3);
    for (const body of [{ text: " " }, { text: "x".repeat(16_001) }, {}, { text: "x", by: "owner" }])
      expect((await edit(body)).status).toBe(400);
  });

  it("tells that there is none yet", async () => {
    const { say, ask } = setUp();
    const put = () => ask("/sessions/web:plan/summary", { method: "PUT", body: { text: "x" } });
    expect([(await put()).status, (await ask("/sessions/web:plan/summary")).status]).toEqual([404, 404]);
    await say("plan", message("a"));
    expect((await put()).status).toBe(404);
    expect(await bodyOf(await ask("/sessions/web:plan/summary"))).toEqual({ summaries: [] });
  });
});

describe("PATCH /api/v1/sessions/:key", () => {
  it("sets and takes back", async () => {
    const { say, ask, sessions } = setUp();
    await say("plan", message("a"));
    const patch = async (body: unknown, token = OWNER) => {
      const response = await ask("/sessions/web:plan", { method: "PATCH", token, body });
      return response.ok ? v.parse(SettingsJson, await response.json()) : response.status;
    };
    expect(await patch({ queue_mode: "steer", model: "openai/small" })).toEqual({
      queue_mode: "steer",
      model: "openai/small",
    });
    expect(await patch({ queue_mode: null })).toEqual({ model: "openai/small" });
    expect(await bodyOf(await ask("/sessions/web:plan/settings"))).toEqual({ model: "openai/small" });
    for (const body of [{ queue_mode: "random" }, { model: "openai/large" }, { model: 1 }, { mode: "steer" }])
      expect(await patch(body)).toBe(400);
    expect((await sessions.read(namedSessionKey("main", "web", "plan"), 1))[0]).toMatchObject({ by: "owner" });
  });

  it("lets a user choose how their own waits, but no model, and nothing of others", async () => {
    const { say, ask } = setUp();
    await say("plan", message("a"));
    const patch = async (body: unknown) =>
      (await ask("/sessions/web:plan", { method: "PATCH", token: ADA, body })).status;
    expect(await patch({ queue_mode: "steer" })).toBe(404);
    await say(`${ADAS}plan`, message("a"));
    expect([await patch({ queue_mode: "steer" }), await patch({ model: "openai/small" })]).toEqual([200, 403]);
    expect(await bodyOf(await ask("/sessions/web:plan/settings"))).toEqual({});
    expect(await bodyOf(await ask("/sessions/web:plan/settings", { token: ADA }))).toEqual({ queue_mode: "steer" });
  });
});
