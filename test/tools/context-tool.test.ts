import { describe, expect, it } from "vitest";
import { createPeopleNotes } from "../../src/people/index.ts";
import { createMemoryUsers } from "../../src/session/index.ts";
import { type Store, memoryStore } from "../../src/store/index.ts";
import { type ModelRedactor, createModelRedactor } from "../../src/telemetry/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { contextTool } from "../../src/tools/index.ts";
import { toolJsonSchema } from "../../src/tools/schema.ts";
import { type Overrides, callTool, contextOf } from "./call-tool.ts";

const ADA = { user: "telegram:42", channel: "telegram", chatId: "42", sessionKey: "agent:main:telegram:direct:42" };
const OWNER = {
  user: "telegram:1",
  channel: "telegram",
  chatId: "1",
  sessionKey: "agent:main:main",
  userRoles: ["owner", "user"],
};
const GROUP = { ...ADA, chatId: "-100", peerKind: "group", sessionKey: "agent:main:telegram:group:-100" } as const;
const OWNER_IN_GROUP = { ...GROUP, user: "telegram:1", userRoles: ["owner", "user"] };
const DENIED = { ok: false, error: "permission denied" };

function setUp(store: Store = memoryStore(), redact: ModelRedactor = (value) => value) {
  const clock = fakeClock();
  const lines: Record<string, unknown>[] = [];
  const warnings: unknown[] = [];
  const people = createMemoryUsers({
    session: { identityLinks: { bea: ["telegram:8", "slack:U8"] } },
    ownerIds: () => ["telegram:1"],
    keepsCapitals: (channel) => channel === "wechat",
  });
  const tools = contextTool({
    ...people,
    notes: createPeopleNotes({ store, clock, redact }),
    clock,
    redact,
    audit: { write: (line) => void lines.push({ ...line }) },
    logger: { warn: (...told: unknown[]) => void warnings.push(told) },
    today: () => new Date(clock.now()).toISOString().slice(0, 10),
  });
  let count = 0;
  /** Each in a turn of its own, and a minute after the last. */
  async function call(who: Overrides, input: object, more: Overrides = {}) {
    await clock.advance(61_000);
    return inTurn(who, input, { taskId: `turn-${count}`, ...more });
  }
  const inTurn = (who: Overrides, input: object, more: Overrides = {}) =>
    callTool(
      tools,
      "acp_context",
      { aid: "main", ...input },
      contextOf({ ...who, callId: `call-${(count += 1)}`, ...more }),
    );
  const keys = async () => {
    const all: string[] = [];
    for await (const { key } of store.list("")) all.push(key);
    return all;
  };
  return { tools, clock, store, lines, warnings, call, inTurn, keys };
}

describe("acp_context", () => {
  it("is of the group memory, may run again, and gives what others wrote", () => {
    const { tools } = setUp();
    expect(tools["acp_context"]?.meta).toEqual({ category: "memory", idempotent: true, untrusted: true });
    const schema = toolJsonSchema("acp_context", tools["acp_context"]!);
    expect(schema).toMatchObject({ type: "object", required: ["action", "scope", "aid"], additionalProperties: false });
    expect(JSON.stringify(schema)).toContain("update_peer: Profile, Preferences, Relationship, Notes");
  });

  it("lets anybody in a direct chat read about themselves and add to it, with the day", async () => {
    const { call } = setUp();
    expect(await call(ADA, { action: "read_peer_memory", scope: "peer" })).toEqual({ ok: true, content: "" });
    const said = { action: "append_memory", scope: "peer", content: "Likes\n## tea" };
    expect(await call(ADA, said)).toEqual({ ok: true, changed: true });
    expect(await call(ADA, { ...said, peer_id: "42" })).toEqual({ ok: true, changed: false, note: "already recorded" });
    const content = "- 2026-01-05 Likes ## tea\n";
    expect(await call(ADA, { action: "read_peer_memory", scope: "peer" })).toEqual({ ok: true, content });
    expect(await call(OWNER, { action: "read_peer_memory", scope: "peer", peer_id: "42" })).toEqual({
      ok: true,
      content,
    });
    expect(
      await call({ ...ADA, user: "telegram:7", chatId: "7" }, { action: "read_peer_memory", scope: "peer" }),
    ).toEqual({
      ok: true,
      content: "",
    });
  });

  it("writes no secret, shows none that a person wrote by hand, and leaves that person's file as it is", async () => {
    const store = memoryStore();
    const key = "contexts/main/peers/telegram:42/MEMORY.md";
    await store.put(key, "- the door opens with hunter2-hunter2\n");
    const { call } = setUp(store, createModelRedactor(["hunter2-hunter2"]));
    const content = "the wifi is hunter2-hunter2 too";
    expect(await call(ADA, { action: "append_memory", scope: "peer", content })).toEqual({ ok: true, changed: true });
    const redacted = "- the door opens with [redacted]\n- 2026-01-05 the wifi is [redacted] too\n";
    expect(await call(ADA, { action: "read_peer_memory", scope: "peer" })).toEqual({ ok: true, content: redacted });
    expect((await store.get(key))?.value).toBe(redacted.replace("[redacted]", "hunter2-hunter2"));
  });

  it.each([
    [ADA, { action: "read_peer", scope: "peer", peer_id: "7" }],
    [ADA, { action: "read_peer", scope: "peer", peer_id: "telegram:42" }],
    [ADA, { action: "update_peer", scope: "peer", section: "Notes", content: "x" }],
    [ADA, { action: "read_group", scope: "group", group_id: "-100" }],
    [ADA, { action: "read_peer", scope: "peer", aid: "work" }],
    [GROUP, { action: "read_peer", scope: "peer", peer_id: "42" }],
    [GROUP, { action: "read_group", scope: "group", group_id: "-101" }],
    [GROUP, { action: "update_group", scope: "group", section: "Notes", content: "x" }],
    [OWNER_IN_GROUP, { action: "read_identity_memory", scope: "identity" }],
    [OWNER_IN_GROUP, { action: "promote_memory", scope: "group", entry: "x" }],
    // A group by its peer, whatever the key is; and a key alone says that it is one, too.
    [
      { ...OWNER_IN_GROUP, sessionKey: "sub:1:2" },
      { action: "read_peer", scope: "peer", peer_id: "42" },
    ],
    [
      { ...OWNER, sessionKey: GROUP.sessionKey },
      { action: "read_peer", scope: "peer", peer_id: "42" },
    ],
    [
      { ...OWNER, sessionKey: "agent:main:telegram:channel:-9" },
      { action: "read_identity_memory", scope: "identity" },
    ],
  ])("refuses what is not theirs, and writes nothing: %o, %o", async (who, input) => {
    const { call, keys, lines } = setUp();
    expect(await call(who, input)).toEqual(DENIED);
    expect(await keys()).toEqual([]);
    expect(lines).toMatchObject([{ verdict: "denied", denied_reason: "permission denied" }]);
  });

  it("lets the owner patch sections of any file from a direct chat, and of a group's from the group", async () => {
    const { call } = setUp();
    const update = (action: string, scope: string, section: string, more = {}) => ({
      action,
      scope,
      section,
      content: "x",
      ...more,
    });
    const ok = { ok: true, changed: true };
    expect(await call(OWNER, update("update_peer", "peer", "profile"))).toEqual(ok);
    expect(await call(OWNER, update("update_peer", "peer", "Preferences", { peer_id: "42" }))).toEqual(ok);
    expect(await call(OWNER, update("update_identity", "identity", "About"))).toEqual(ok);
    expect(await call(OWNER, update("update_group_role", "group", "Duties", { group_id: "-100" }))).toEqual(ok);
    expect(await call(OWNER_IN_GROUP, update("update_group_role", "group", "Limits"))).toEqual(ok);
    expect(await call(GROUP, { action: "read_group_role", scope: "group" })).toEqual({
      ok: true,
      content: "## Duties\n\nx\n\n## Limits\n\nx\n",
    });
    expect(
      await call({ ...OWNER, sessionKey: GROUP.sessionKey }, { action: "read_group_role", scope: "group" }),
    ).toMatchObject({
      content: expect.stringContaining("## Limits"),
    });
    expect(await call(OWNER, { action: "append_memory", scope: "identity", content: "y" })).toEqual(ok);
    expect(await call(OWNER, { action: "read_identity_memory", scope: "identity" })).toEqual({
      ok: true,
      content: "## About\n\nx\n\n## Memory\n\n- 2026-01-05 y\n",
    });
  });

  it("copies an entry of a person or a group to the identity", async () => {
    const { call } = setUp();
    await call(ADA, { action: "append_memory", scope: "peer", content: "Ships on Fridays" });
    await call(ADA, { action: "append_memory", scope: "peer", content: "Ships on Mondays" });
    await call(GROUP, { action: "append_memory", scope: "group", content: "Meets at noon" });
    const promote = (entry: string, more: object = { scope: "peer", peer_id: "42" }) =>
      call(OWNER, { action: "promote_memory", entry, ...more });
    expect(await promote("- 2026-01-05 Ships on Fridays")).toEqual({ ok: true, changed: true });
    expect(await promote("Ships on Fridays")).toMatchObject({ ok: true, changed: false });
    expect(await promote("at noon", { scope: "group", group_id: "-100" })).toEqual({ ok: true, changed: true });
    expect(await promote("Mondays", { scope: "identity", peer_id: "42" })).toEqual({ ok: true, changed: true });
    expect(await promote("Ships on")).toMatchObject({ error: expect.stringContaining("several entries") });
    expect(await promote("Sleeps")).toMatchObject({ error: expect.stringContaining("no such entry") });
    expect(await promote("Ships", { scope: "peer" })).toMatchObject({
      error: expect.stringContaining("no such entry"),
    });
    expect(await call(OWNER, { action: "read_identity_memory", scope: "identity" })).toMatchObject({
      content:
        "## Memory\n\n- 2026-01-05 Ships on Fridays\n- 2026-01-05 Meets at noon\n- 2026-01-05 Ships on Mondays\n",
    });
  });

  it("knows one person by all their linked ids, and keeps the same id of two channels apart", async () => {
    const { call, keys } = setUp();
    const inTelegram = { ...ADA, user: "telegram:8", chatId: "8" };
    const inSlack = { user: "slack:U8", channel: "slack", chatId: "U8", sessionKey: "agent:main:direct:@bea" };
    await call(inTelegram, { action: "append_memory", scope: "peer", content: "Likes tea" });
    const read = { action: "read_peer_memory", scope: "peer" };
    expect(await call(inSlack, read)).toMatchObject({ content: "- 2026-01-05 Likes tea\n" });
    expect(await call(OWNER, { ...read, peer_id: "@bea" })).toMatchObject({ content: "- 2026-01-05 Likes tea\n" });
    expect(await call(OWNER, { ...read, peer_id: "slack:U8" })).toMatchObject({ content: "- 2026-01-05 Likes tea\n" });
    const twin = { user: "line:8", channel: "line", chatId: "8", sessionKey: "agent:main:line:direct:8" };
    expect(await call(twin, read)).toEqual({ ok: true, content: "" });
    expect(await keys()).toEqual(["contexts/main/peers/@bea/MEMORY.md"]);
  });

  it.each([
    [{ aid: undefined, action: "append_memory", scope: "group" }, "aid is required"],
    [{ aid: " ", action: "nonsense" }, "aid is required"],
    [{ action: "append_memory", scope: "group" }, "group_id required for scope=group"],
    [{ action: "read_group", scope: "group", group_id: null }, "group_id required for scope=group"],
    [{ action: "read_group", scope: "peer" }, "read_group takes scope=group"],
    [{ action: "read_peer" }, "scope: Expected this field, but it is missing"],
    [{ action: "read_peer", scope: "all" }, 'scope: Expected "peer" or "group" or "identity"'],
    [{ action: "append_memory", scope: "peer", content: 7 }, "content: Expected a text"],
    [{ action: "append_memory", scope: "peer", text: "tea" }, "text: Expected no field of this name"],
    [{ action: "append_memory", scope: "peer" }, "content is required for append_memory"],
    [
      { action: "update_peer", scope: "peer", content: "x", section: "Secrets" },
      "section must be one of Profile, Preferences, Relationship, Notes",
    ],
    [{ action: "update_peer", scope: "peer", content: "```", section: "Notes" }, /^content must close/],
    [{ action: "promote_memory", scope: "peer" }, "entry is required for promote_memory"],
    [{ action: "delete_peer", scope: "peer" }, /action/],
    [{ action: "read_peer", scope: "peer", path: "/etc" }, /path/],
    [{ action: "append_memory", scope: "peer", content: 7 }, /content/],
  ])("tells what is wrong, and says it in the audit: %o", async (input, error) => {
    const { call, lines, keys } = setUp();
    const told = typeof error === "string" ? error : expect.stringMatching(error);
    expect(await call(OWNER, input)).toEqual({ ok: false, error: told });
    expect(lines).toMatchObject([
      { who: "telegram:1", what: expect.stringMatching(/^context\./), denied_reason: told },
    ]);
    expect(await keys()).toEqual([]);
  });

  it.each(["../../secrets", "..", ".", "a/../b", "a//b", "a\\..\\b", "a\0b", "a\nb", "\ud800", "x".repeat(201)])(
    "refuses %j as an id, once everything else is right",
    async (peer_id) => {
      const { call, keys } = setUp();
      const write = { action: "append_memory", scope: "peer", peer_id, content: "x" };
      expect(await call(OWNER, write)).toEqual({ ok: false, error: "invalid path" });
      expect(await call(OWNER, { ...write, action: "read_peer" })).toEqual({ ok: false, error: "invalid path" });
      expect(await call(OWNER, { ...write, content: "x".repeat(2049) })).toEqual({
        ok: false,
        error: "content over 2048 bytes",
      });
      expect(await call(ADA, write)).toEqual(DENIED);
      expect(await keys()).toEqual([]);
    },
  );

  it("takes 2048 bytes and no more, as UTF-8 counts them", async () => {
    const { call } = setUp();
    const write = (content: string) => call(ADA, { action: "append_memory", scope: "peer", content });
    expect(await write("é".repeat(1024))).toEqual({ ok: true, changed: true });
    expect(await write(`${"é".repeat(1024)}x`)).toEqual({ ok: false, error: "content over 2048 bytes" });
    const entry = "x".repeat(2049);
    expect(await call(OWNER, { action: "promote_memory", scope: "peer", entry })).toMatchObject({ ok: false });
  });

  it("writes 3 times a turn, reads as often as it likes, and does not count the same call twice", async () => {
    const { inTurn, lines } = setUp();
    const write = (content: string, more: Overrides = {}) =>
      inTurn(ADA, { action: "append_memory", scope: "peer", content }, { taskId: "t", ...more });
    // Side by side, as the calls of one step run.
    const first = await Promise.all(
      ["a", "b", "c", "d"].map((content, index) => write(content, { callId: `t.0.${index}` })),
    );
    const limited = { ok: false, error: "rate limit exceeded" };
    expect(first).toEqual([...Array.from({ length: 3 }, () => ({ ok: true, changed: true })), limited]);
    expect(await write("x".repeat(3000))).toEqual(limited);
    expect(lines.at(-1)).toMatchObject({ verdict: "denied", denied_reason: "rate limit exceeded", bytes: 3000 });
    expect(await write("a", { callId: "t.0.0" })).toMatchObject({ ok: true, changed: false });
    for (let count = 0; count < 5; count += 1)
      expect(await inTurn(ADA, { action: "read_peer", scope: "peer" }, { taskId: "t" })).toMatchObject({ ok: true });
    expect(await write("e", { taskId: "next" })).toMatchObject({ ok: true });
  });

  it("writes 10 times in any minute for one person, wherever they ask; what was refused does not count", async () => {
    const { inTurn, clock } = setUp();
    let turn = 0;
    const write = (who: Overrides, more: object = {}) =>
      inTurn(
        who,
        { action: "append_memory", scope: who === GROUP ? "group" : "peer", content: `n${turn}`, ...more },
        { taskId: `t${(turn += 1)}` },
      );
    for (let count = 0; count < 12; count += 1) await write(ADA, { peer_id: "7" });
    for (let count = 0; count < 10; count += 1) {
      expect(await write(count % 2 ? ADA : GROUP)).toMatchObject({ ok: true });
      await clock.advance(1000);
    }
    expect(await write(ADA)).toEqual({ ok: false, error: "rate limit exceeded" });
    expect(await write({ ...ADA, agentId: "work" }, { aid: "work" })).toMatchObject({ ok: true });
    expect(await write({ ...ADA, user: "telegram:7", chatId: "7" })).toMatchObject({ ok: true });
    await clock.advance(50_001);
    expect(await write(ADA)).toMatchObject({ ok: true });
    expect(await write(ADA)).toEqual({ ok: false, error: "rate limit exceeded" });
  });

  it.each([60_000, 3_600_000, 365 * 86_400_000])(
    "still writes 10 times a minute when the clock is set back by %i ms, and waits for a minute at most",
    async (ms) => {
      const { inTurn, clock } = setUp();
      let turn = 0;
      const write = async () => {
        const input = { action: "append_memory", scope: "peer", content: `n${turn}` };
        const { ok } = (await inTurn(ADA, input, { taskId: `t${(turn += 1)}` })) as { ok: boolean };
        return ok;
      };
      const writes = async (times: number) => {
        let written = 0;
        for (let time = 0; time < times; time += 1) if (await write()) written += 1;
        return written;
      };
      expect(await writes(4)).toBe(4);
      clock.step(-ms);
      expect(await writes(12)).toBe(6);
      clock.step(59_999);
      expect(await writes(1)).toBe(0);
      clock.step(1);
      expect(await writes(12)).toBe(10);
      // With nothing left to write too.
      clock.step(-ms);
      expect(await writes(2)).toBe(0);
      clock.step(60_000);
      expect(await writes(12)).toBe(10);
    },
  );

  it("writes down every call: who, what, on what, how much, and what became of it", async () => {
    const { call, lines } = setUp();
    await call(ADA, { action: "append_memory", scope: "peer", content: "tea" });
    await call(ADA, { action: "read_peer_memory", scope: "peer" });
    await call(OWNER, { action: "promote_memory", scope: "peer", peer_id: "42", entry: "none" });
    const common = { callId: expect.any(String), taskId: expect.any(String), sessionKey: ADA.sessionKey };
    expect(lines).toEqual([
      {
        who: "telegram:42",
        what: "context.write",
        target: "append_memory peer 42",
        bytes: 3,
        verdict: "ok",
        ...common,
      },
      {
        who: "telegram:42",
        what: "context.read",
        target: "read_peer_memory peer 42",
        bytes: 17,
        verdict: "ok",
        ...common,
      },
      expect.objectContaining({
        what: "context.write",
        verdict: "failed",
        denied_reason: expect.stringContaining("no such"),
      }),
    ]);
  });

  it("shows the end of a memory that is too long, and the beginning of anything else", async () => {
    const { call, store } = setUp();
    const text = `first ${"x".repeat(12_000)} last`;
    for (const name of ["PEER", "MEMORY"]) await store.put(`contexts/main/peers/@owner/${name}.md`, text);
    const note = "only 12000 of 12011 characters are shown";
    expect(await call(OWNER, { action: "read_peer_memory", scope: "peer" })).toEqual({
      ok: true,
      content: text.slice(-12_000),
      note,
    });
    expect(await call(OWNER, { action: "read_peer", scope: "peer" })).toEqual({
      ok: true,
      content: text.slice(0, 12_000),
      note,
    });
  });

  it("makes a result of a store that fails, without what the store said", async () => {
    const fail = () => Promise.reject(new Error("disk /var/secret/path"));
    const { call, warnings, lines } = setUp({ ...memoryStore(), get: fail, put: fail });
    const told = { ok: false, error: "the context files are not available now: go on without them" };
    expect(await call(ADA, { action: "read_peer", scope: "peer" })).toEqual(told);
    expect(await call(ADA, { action: "append_memory", scope: "peer", content: "x" })).toEqual(told);
    expect(JSON.stringify(warnings)).toContain("/var/secret");
    expect(lines).toMatchObject([{ verdict: "failed" }, { verdict: "failed", denied_reason: told.error }]);
  });
});
