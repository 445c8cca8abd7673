import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { AssistantError } from "../../src/errors.ts";
import { ReplyJson } from "../../src/http/wire.ts";
import { SessionListJson, TranscriptJson } from "../../src/http/wire-sessions.ts";
import { ADA, METRICS, NAMELESS, OWNER, bodyOf, call, fakeAssistant, replyOf, milestone } from "./support.ts";

describe("POST /api/v1/messages", () => {
  it("answers the reply in snake_case", async () => {
    const reply = replyOf({
      text: "It is noon",
      toolCalls: [
        { name: "time", input: { timezone: "UTC" }, output: { hour: 12 }, durationMs: 3 },
        { name: "file_read", input: { path: "x" }, error: { code: "NOT_FOUND", message: "No file x" }, durationMs: 1 },
      ],
      usage: { inputTokens: 5, outputTokens: 6, cachedInputTokens: 4 },
      steps: 2,
    });
    const { app } = fakeAssistant({ script: () => [{ type: "reply", reply }] });
    const response = await app.request(call("/api/v1/messages", { body: { text: "What time is it?" } }));
    expect(response.status).toBe(200);
    expect(v.parse(ReplyJson, await response.json())).toEqual({
      turn_id: "turn-1",
      session_key: "agent:main:sdk:direct:sdk",
      text: "It is noon",
      silent: false,
      tool_calls: [
        { name: "time", input: { timezone: "UTC" }, output: { hour: 12 }, duration_ms: 3 },
        { name: "file_read", input: { path: "x" }, error: { code: "NOT_FOUND", message: "No file x" }, duration_ms: 1 },
      ],
      approvals: [],
      usage: { input_tokens: 5, output_tokens: 6, cached_input_tokens: 4 },
      steps: 2,
    });
  });

  it("answers 200 with the error when no model could answer, as the person was told", async () => {
    const error = { code: "MODEL_UNAVAILABLE", message: "All models failed" };
    const { app } = fakeAssistant({
      script: () => [{ type: "reply", reply: replyOf({ text: "I cannot answer", error }) }],
    });
    const response = await app.request(call("/api/v1/messages", { body: { text: "hi" } }));
    expect([response.status, await bodyOf(response)]).toMatchObject([200, { text: "I cannot answer", error }]);
  });

  it("answers 202 as soon as the message is durable with wait: false", async () => {
    const { app, turns } = fakeAssistant();
    const response = await app.request(call("/api/v1/messages", { body: { text: "hi", wait: false } }));
    expect(response.status).toBe(202);
    expect(await response.json()).toEqual({ turn_id: "turn-1", session_key: "agent:main:sdk:direct:sdk" });
    expect(turns()).toBe(1);
  });

  it("gives the first reply again for a repeated id", async () => {
    const { app, turns } = fakeAssistant();
    const body = { text: "hi", session: "s", id: "once" };
    const [first, second] = [
      await bodyOf(await app.request(call("/api/v1/messages", { body }))),
      await bodyOf(await app.request(call("/api/v1/messages", { body }))),
    ];
    expect(second).toEqual(first);
    expect(turns()).toBe(1);
  });

  it.each([
    { title: "an owner's token is the owner", token: OWNER, body: {}, input: { asOwner: true, channel: "sdk" } },
    {
      title: "an owner's token that names a user has only that user's roles",
      token: OWNER,
      body: { user: "telegram:7", session: "s" },
      input: { user: "telegram:7", session: "s" },
    },
    { title: "a user's token speaks as its user", token: ADA, body: {}, input: { user: "app:Ada" } },
    {
      title: "a user's token has conversations of its own",
      token: ADA,
      body: { user: "app:Ada", session: "s" },
      input: { user: "app:Ada", session: "app:%41da/s" },
    },
  ])("$title", async ({ token, body, input }) => {
    const { app, inputs } = fakeAssistant();
    const response = await app.request(call("/api/v1/messages", { token, body: { text: "hi", ...body } }));
    expect(response.status).toBe(200);
    expect(inputs[0]).toMatchObject(input);
    expect(inputs[0]?.asOwner).toBe(input.asOwner);
  });

  it.each([
    { title: "another user's name", token: ADA, body: { user: "app:bob" }, detail: /app:Ada only/ },
    { title: "a user's token without a user", token: NAMELESS, body: {}, detail: /has no user/ },
    { title: "a token that only reads metrics", token: METRICS, body: {}, detail: /role owner or user/ },
  ])("refuses $title", async ({ token, body, detail }) => {
    const { app, turns } = fakeAssistant();
    const response = await app.request(call("/api/v1/messages", { token, body: { text: "hi", ...body } }));
    expect([response.status, await bodyOf(response)]).toMatchObject([
      403,
      { code: "FORBIDDEN", detail: expect.stringMatching(detail) as string },
    ]);
    expect(turns()).toBe(0);
  });

  it.each([
    { title: "no text", body: {}, field: "text" },
    { title: "a blank text", body: { text: " \n" }, field: "text" },
    { title: "a text that is a number", body: { text: 5 }, field: "text" },
    { title: "an unknown field", body: { text: "hi", sesion: "s" }, field: "sesion" },
    { title: "a wait that is no boolean", body: { text: "hi", wait: "no" }, field: "wait" },
    { title: "a blank session", body: { text: "hi", session: "" }, field: "session" },
    { title: "an id without end", body: { text: "hi", id: "x".repeat(513) }, field: "id" },
    { title: "a list", body: [], field: "(body)" },
  ])("names the field of $title", async ({ body, field }) => {
    const { app } = fakeAssistant();
    const response = await app.request(call("/api/v1/messages", { body }));
    const problem = await bodyOf(response);
    expect([response.status, problem]).toMatchObject([
      400,
      { code: "OPTION_INVALID", detail: expect.stringContaining(field) as string },
    ]);
    expect((problem["errors"] as { field: string }[]).map((error) => error.field)).toContain(field);
  });

  it("says where a body stops being JSON", async () => {
    const { app } = fakeAssistant();
    const response = await app.request(call("/api/v1/messages", { body: '{\n  "text": "hi",\n}' }));
    expect([response.status, await bodyOf(response)]).toMatchObject([
      400,
      {
        code: "OPTION_INVALID",
        position: { line: 3, column: 1 },
        detail: expect.stringContaining("line 3, column 1") as string,
      },
    ]);
  });

  it.each([
    { title: "an empty body", body: "", detail: /empty/ },
    { title: "bytes that are not UTF-8", body: new Uint8Array([0x22, 0xff, 0x22]), detail: /UTF-8/ },
  ])("refuses $title", async ({ body, detail }) => {
    const { app } = fakeAssistant();
    const request = new Request(call("/api/v1/messages", { method: "POST" }), { method: "POST", body });
    const response = await app.request(request);
    expect([response.status, (await bodyOf(response))["detail"]]).toEqual([400, expect.stringMatching(detail)]);
  });

  it("stops waiting after ten minutes and says how to get the reply, while the turn goes on", async () => {
    const { reached: gate, reach: finish } = milestone();
    const { reached: begun, reach: begin } = milestone();
    const { app, clock, turns } = fakeAssistant({
      async *script() {
        begin();
        await gate;
        yield { type: "text-delta", text: "late" };
      },
    });
    const body = { text: "hi", id: "slow" };
    const waiting = app.request(call("/api/v1/messages", { body }));
    await begun;
    await clock.advance(600_000);
    const response = await waiting;
    expect([response.status, await bodyOf(response)]).toMatchObject([504, { code: "TURN_TIMEOUT", id: "slow" }]);
    expect(clock.pending).toBe(0);
    finish();
    expect(await bodyOf(await app.request(call("/api/v1/messages", { body })))).toMatchObject({ text: "late" });
    expect(turns()).toBe(1);
  });
});

describe("the body limit", () => {
  const tooMuch = "x".repeat(1_048_577);

  it("counts what arrives, whatever length is declared", async () => {
    const { app } = fakeAssistant();
    const chunks = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let sent = 0; sent < 5; sent++) controller.enqueue(new Uint8Array(262_144).fill(0x20));
        controller.close();
      },
    });
    const init: RequestInit & { duplex: "half" } = { body: chunks, duplex: "half" };
    const response = await app.request(new Request(call("/api/v1/messages", { method: "POST" }), init));
    expect([response.status, await bodyOf(response)]).toMatchObject([413, { code: "BODY_TOO_LARGE" }]);
  });

  it("refuses a declared length before it looks at the token", async () => {
    const { app } = fakeAssistant();
    const headers = { "content-length": String(tooMuch.length) };
    const response = await app.request(call("/api/v1/messages", { token: "wrong", body: tooMuch, headers }));
    expect(response.status).toBe(413);
  });

  it("gives up on a body that does not arrive", async () => {
    const { app, clock } = fakeAssistant();
    const init: RequestInit & { duplex: "half" } = { body: new ReadableStream({}), duplex: "half" };
    const waiting = app.request(new Request(call("/api/v1/messages", { method: "POST" }), init));
    while (clock.pending < 1) await clock.advance(0);
    await clock.advance(10_000);
    const response = await waiting;
    expect([response.status, await bodyOf(response)]).toMatchObject([408, { code: "REQUEST_TIMEOUT" }]);
  });
});

describe("/api/v1/sessions", () => {
  async function talked() {
    const fake = fakeAssistant();
    const say = (token: string, session: string, text: string) =>
      fake.app.request(call("/api/v1/messages", { token, body: { text, session } }));
    await say(OWNER, "work", "plans");
    await say(OWNER, "a/b 100%", "odd");
    await say(ADA, "work", "secret of Ada");
    return fake;
  }

  it("lists page by page in the order of keys", async () => {
    const { app } = await talked();
    const first = v.parse(SessionListJson, await (await app.request(call("/api/v1/sessions?limit=2"))).json());
    expect(first.sessions.map(({ key }) => key)).toEqual([
      "agent:main:sdk:direct:a/b 100%",
      "agent:main:sdk:direct:app%3a%41da/work",
    ]);
    expect(first.next_after).toBe("agent:main:sdk:direct:app%3a%41da/work");
    const after = encodeURIComponent(first.next_after ?? "");
    const rest = v.parse(
      SessionListJson,
      await (await app.request(call(`/api/v1/sessions?limit=2&after=${after}`))).json(),
    );
    expect(rest).toEqual({
      sessions: [{ key: "agent:main:sdk:direct:work", agent_id: "main", records: 2, last_at_ms: 1767600000000 }],
    });
  });

  it("shows a transcript by its key, whatever characters the key holds", async () => {
    const { app } = await talked();
    const key = "agent:main:sdk:direct:a/b 100%";
    const response = await app.request(call(`/api/v1/sessions/${encodeURIComponent(key)}`));
    const { entries } = v.parse(TranscriptJson, await response.json());
    expect(entries.map(({ type }) => type)).toEqual(["user", "assistant"]);
    expect(entries[0]).toEqual({ type: "user", seq: 1, at_ms: 1767600000000, text: "odd", user: "sdk" });
  });

  it("shows tool calls and notes", async () => {
    const { app, transcripts } = await talked();
    const at = { atMs: 5 };
    transcripts.set("agent:main:x", [
      { type: "note", seq: 1, ...at, text: "joined", source: "telegram edit" },
      { type: "tool", seq: 2, ...at, callId: "t.0.0", name: "time", input: {}, output: "noon" },
      { type: "tool", seq: 3, ...at, callId: "t.0.1", name: "time", input: {}, error: { code: "X", message: "no" } },
      { type: "assistant", seq: 4, ...at, text: "", turnId: "t", delivery: "sent" },
    ]);
    const response = await app.request(call("/api/v1/sessions/agent:main:x?limit=3"));
    expect(v.parse(TranscriptJson, await response.json()).entries).toEqual([
      { type: "tool", seq: 2, at_ms: 5, call_id: "t.0.0", name: "time", input: {}, output: "noon" },
      {
        type: "tool",
        seq: 3,
        at_ms: 5,
        call_id: "t.0.1",
        name: "time",
        input: {},
        error: { code: "X", message: "no" },
      },
      { type: "assistant", seq: 4, at_ms: 5, text: "", turn_id: "t", delivery: "sent" },
    ]);
  });

  it.each([
    { title: "the owner by name", token: OWNER, key: "sdk:work", status: 200, text: "plans" },
    {
      title: "a user the conversation that is theirs",
      token: ADA,
      key: "sdk:work",
      status: 200,
      text: "secret of Ada",
    },
    {
      title: "a user no full key, not even of their own",
      token: ADA,
      key: "agent:main:sdk:direct:app%3a%41da/work",
      status: 403,
      text: undefined,
    },
    { title: "nobody a conversation that does not exist", token: OWNER, key: "web:work", status: 404, text: undefined },
  ])("shows $title", async ({ token, key, status, text }) => {
    const { app } = await talked();
    const response = await app.request(call(`/api/v1/sessions/${encodeURIComponent(key)}`, { token }));
    expect(response.status).toBe(status);
    if (text !== undefined) expect(await bodyOf(response)).toMatchObject({ entries: [{ type: "user", text }, {}] });
  });

  it("removes a session for the owner, and for a user one of their own", async () => {
    const { app, transcripts } = await talked();
    const remove = (token: string, key = "sdk:work") =>
      app.request(call(`/api/v1/sessions/${encodeURIComponent(key)}`, { method: "DELETE", token }));
    expect((await remove(ADA, "agent:main:sdk:direct:app%3a%41da/work")).status).toBe(403);
    expect((await remove(ADA)).status).toBe(204);
    expect([...transcripts.keys()]).toContain("agent:main:sdk:direct:work");
    expect((await remove(ADA)).status).toBe(404);
    expect((await remove(OWNER)).status).toBe(204);
    expect((await remove(OWNER)).status).toBe(404);
    expect([...transcripts.keys()]).toEqual(["agent:main:sdk:direct:a/b 100%"]);
  });

  it.each(["limit=0", "limit=1001", "limit=ten", "limit=-1"])("refuses %s", async (query) => {
    const { app } = await talked();
    const response = await app.request(call(`/api/v1/sessions?${query}`));
    expect([response.status, await bodyOf(response)]).toMatchObject([400, { errors: [{ field: "limit" }] }]);
  });

  it("lets no user's token list them", async () => {
    const { app } = await talked();
    expect((await app.request(call("/api/v1/sessions", { token: ADA }))).status).toBe(403);
  });
});

describe("health, readiness and metrics", () => {
  it("is alive without a token", async () => {
    const response = await fakeAssistant().app.request(call("/healthz", { token: null }));
    expect([response.status, await response.text()]).toEqual([200, "ok\n"]);
  });

  it("tells which check failed but not its details, and looks once a second", async () => {
    let looks = 0;
    const ready = async () => {
      looks++;
      return [
        { ok: true, name: "store" },
        { ok: false, name: "engine", detail: "/secret/path" },
      ];
    };
    const { app, clock } = fakeAssistant({ parts: { ready } });
    const look = () => app.request(call("/readyz", { token: null }));
    const response = await look();
    expect([response.status, await response.json()]).toEqual([
      503,
      {
        ready: false,
        checks: [
          { name: "store", ok: true },
          { name: "engine", ok: false },
        ],
      },
    ]);
    await look();
    expect(looks).toBe(1);
    await clock.advance(1000);
    await look();
    expect(looks).toBe(2);
  });

  it("is ready when every check is well", async () => {
    expect((await fakeAssistant().app.request(call("/readyz", { token: null }))).status).toBe(200);
  });

  it("gives metrics to an owner's and a metrics token, and to nobody else", async () => {
    const { app, parts } = fakeAssistant();
    parts.metrics.increment("turn.run_total", { status: "completed" });
    const statuses = await Promise.all(
      [METRICS, OWNER, ADA, null].map(async (token) => (await app.request(call("/metrics", { token }))).status),
    );
    expect(statuses).toEqual([200, 200, 403, 401]);
    const response = await app.request(call("/metrics", { token: METRICS }));
    expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(await response.text()).toContain('turn_run_total{status="completed"} 1');
  });
});

describe("errors", () => {
  it.each([
    { title: "an unknown route", request: () => call("/api/v2/x"), status: 404, code: "NOT_FOUND" },
    {
      title: "a route that does not exist yet",
      request: () => call("/api/v1/nodes"),
      status: 404,
      code: "NOT_FOUND",
    },
    { title: "a wrong method", request: () => call("/api/v1/messages"), status: 405, code: "METHOD_NOT_ALLOWED" },
    {
      title: "a wrong method of the page",
      request: () => call("/", { method: "PUT" }),
      status: 405,
      code: "METHOD_NOT_ALLOWED",
    },
  ])("answers $title with a problem document", async ({ request, status, code }) => {
    const response = await fakeAssistant().app.request(request());
    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toMatchObject({ type: `urn:wakeful:error:${code}`, status, code });
  });

  it("names the methods that a route takes", async () => {
    const { app } = fakeAssistant();
    const allow = async (path: string) => (await app.request(call(path, { method: "PUT" }))).headers.get("allow");
    expect([await allow("/api/v1/messages"), await allow("/api/v1/sessions/x"), await allow("/")]).toEqual([
      "POST",
      "GET, DELETE, PATCH, HEAD",
      "GET, POST, HEAD",
    ]);
  });

  it.each([
    { thrown: new AssistantError("QUEUE_FULL", "20 messages wait"), status: 429, retryAfter: "10" },
    { thrown: new AssistantError("STOPPED", "Stopping"), status: 503, retryAfter: "5" },
    { thrown: new AssistantError("OPTION_INVALID", "user: expected channel:id"), status: 400, retryAfter: null },
  ])("answers $thrown.code with $status", async ({ thrown, status, retryAfter }) => {
    const { app } = fakeAssistant({ parts: { send: () => Promise.reject(thrown) } });
    const response = await app.request(call("/api/v1/messages", { body: { text: "hi" } }));
    expect([response.status, response.headers.get("retry-after"), await bodyOf(response)]).toMatchObject([
      status,
      retryAfter,
      { code: thrown.code, detail: thrown.message },
    ]);
  });

  it("tells nothing of where the store lies, and logs it", async () => {
    const thrown = new AssistantError("STORE_UNAVAILABLE", 'Cannot read "/srv/data/x.md": the disk reports an error');
    const { app, errors } = fakeAssistant({ parts: { send: () => Promise.reject(thrown) } });
    const response = await app.request(call("/api/v1/messages", { body: { text: "hi" } }));
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
    const document = await bodyOf(response);
    expect(document).toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect(JSON.stringify(document)).not.toContain("/srv");
    expect(errors).toEqual(["A request failed"]);
  });

  it("logs what is no known condition, and tells the caller nothing of it", async () => {
    const { app, errors } = fakeAssistant({ parts: { send: () => Promise.reject(new Error("password is hunter2")) } });
    const response = await app.request(call("/api/v1/messages", { body: { text: "hi" } }));
    const text = await response.text();
    expect([response.status, JSON.parse(text)]).toMatchObject([500, { code: "INTERNAL" }]);
    expect(text).not.toContain("hunter2");
    expect(errors).toEqual(["A request failed"]);
  });

  it("sends the same protecting headers with every answer", async () => {
    const { app } = fakeAssistant();
    for (const request of [
      call("/healthz"),
      call("/nowhere"),
      call("/api/v1/sessions"),
      call("/api/v1/sessions", { token: "x" }),
    ]) {
      const { headers } = await app.request(request);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
    }
  });
});
