import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createArtifacts } from "../../src/artifacts/index.ts";
import { bindingHash } from "../../src/approvals/binding.ts";
import { canonicalJson } from "../../src/store/index.ts";
import { createSharedRateCounter } from "../../src/guard/index.ts";
import type { InboundMessage } from "../../src/message.ts";
import { createOutbox } from "../../src/outbox/index.ts";
import { namedSessionKey, resolveRoute } from "../../src/session/index.ts";
import { keySegments, memoryStore, storeKey } from "../../src/store/index.ts";
import { silentLogger } from "../../src/telemetry/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { createLateResults } from "../../src/tools/index.ts";
import { runs } from "../support/thorough.ts";

/** Ids of people who want to be taken for others: made of what keys are made of. */
const id = fc.string({
  minLength: 1,
  maxLength: 6,
  unit: fc.constantFrom("a", "B", ":", "%", "/", "2", "F", "@", ".", "-"),
});
const different = fc.tuple(id, id).filter(([a, b]) => a !== b);

describe("whose something is cannot be confused", () => {
  it("in keys of the store: other segments, another key", () => {
    const segments = fc.array(id, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(segments, segments, (a, b) => {
        expect(storeKey(...a) === storeKey(...b)).toBe(JSON.stringify(a) === JSON.stringify(b));
        expect(keySegments(storeKey(...a))).toEqual(a);
      }),
    );
    expect(() => storeKey("a", "")).toThrow(RangeError);
    expect(new Set([storeKey("a/b"), storeKey("a%2Fb"), storeKey("a", "b"), storeKey("a%252Fb")]).size).toBe(4);
  });

  it("in sessions: every kind of chat, account, thread and named conversation has its own", () => {
    const session = { dmScope: "per-account-channel-peer" } as const;
    const place = fc.record({
      channel: fc.constantFrom("telegram", "slack", "agent", "main", "direct"),
      account: fc.constantFrom("default", "a", "a:direct"),
      kind: fc.constantFrom("direct", "group", "channel" as const),
      id,
      thread: fc.option(id, { nil: undefined }),
    });
    type Place = ReturnType<typeof fc.sample<typeof place extends fc.Arbitrary<infer P> ? P : never>>[number];
    const keyOf = ({ channel, account, kind, id, thread }: Place) =>
      resolveRoute(
        {
          channel,
          account,
          id: "1",
          peer: { kind: kind, id },
          sender: { id },
          text: "",
          ...(thread !== undefined && { thread }),
        },
        { session, caseSensitiveChannels: ["telegram", "slack", "agent", "main", "direct"] },
      ).sessionKey;
    /** What may share: a group's accounts; a direct chat has no threads. */
    const same = (a: Place, b: Place) =>
      JSON.stringify(a.kind === "direct" ? { ...a, thread: undefined } : { ...a, account: "" }) ===
      JSON.stringify(b.kind === "direct" ? { ...b, thread: undefined } : { ...b, account: "" });
    fc.assert(
      fc.property(place, place, (a, b) => {
        expect([keyOf(a), keyOf(b), keyOf(a) === keyOf(b)]).toEqual([keyOf(a), keyOf(b), same(a, b)]);
        expect(keyOf(a)).not.toBe("agent:main:main");
      }),
      { numRuns: runs(500) },
    );
  });

  it.each<readonly [string, Partial<InboundMessage>, Partial<InboundMessage>]>([
    ["capitals", { peer: { kind: "group", id: "oA" } }, { peer: { kind: "group", id: "oa" } }],
    ["an escape of a capital", { peer: { kind: "group", id: "A" } }, { peer: { kind: "group", id: "%41" } }],
    ["a thread", { peer: { kind: "group", id: "a" }, thread: "b" }, { peer: { kind: "group", id: "a:thread:b" } }],
    [
      "another thread",
      { peer: { kind: "group", id: "a" }, thread: "b" },
      { peer: { kind: "group", id: "a" }, thread: "c" },
    ],
    ["another account", { account: "a" }, { account: "b" }],
    ["an account in an id", { account: "a" }, { account: "default", peer: { kind: "direct", id: "a:direct:1" } }],
    ["a kind of chat", { peer: { kind: "group", id: "1" } }, { peer: { kind: "channel", id: "1" } }],
  ])("in sessions that differ by %s", (_, one, other) => {
    const key = (rest: Partial<InboundMessage>) =>
      resolveRoute(
        { channel: "c", id: "1", peer: { kind: "direct", id: "1" }, sender: { id: "1" }, text: "", ...rest },
        { session: { dmScope: "per-account-channel-peer" }, caseSensitiveChannels: ["c"] },
      ).sessionKey;
    expect(key(one)).not.toBe(key(other));
  });

  it("in conversations that a caller names", () => {
    fc.assert(
      fc.property(different, ([a, b]) => {
        if (a.toLowerCase() === b.toLowerCase()) return;
        expect(namedSessionKey("main", "sdk", a)).not.toBe(namedSessionKey("main", "sdk", b));
        expect(namedSessionKey("main", "sdk", a)).not.toBe(namedSessionKey("main", "web", a));
        expect(namedSessionKey("main", "sdk", a).split(":")).toHaveLength(5);
      }),
    );
  });

  it("in artifacts: a session reads, lists, removes and forgets its own alone", async () => {
    await fc.assert(
      fc.asyncProperty(different, async ([a, b]) => {
        const artifacts = createArtifacts({ store: memoryStore(), clock: fakeClock() });
        const written = await artifacts.write(a, { name: "n", content: "private", user: "u" });
        if (!written.ok) throw new Error(written.reason);
        const { id: made } = written.artifact;
        await artifacts.write(b, { name: "other", content: "of b", user: "u" });
        expect(await artifacts.read(b, made)).toBeNull();
        expect(await artifacts.remove(b, made)).toBe(false);
        expect((await artifacts.list(b)).map(({ name }) => name)).toEqual(["other"]);
        await artifacts.removeSession(b);
        expect((await artifacts.read(a, made))?.content).toBe("private");
        expect(await artifacts.sessionOf(made)).toBe(a);
      }),
      { numRuns: runs(60) },
    );
  });

  it.each([
    "index",
    "content",
    "../x",
    "a/content/01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "%2F",
    "",
    "01ARZ3NDEKTSV4RRFFQ69G5FAV/..",
  ])("in artifacts: %j is no id of one", async (asked) => {
    const store = memoryStore();
    const artifacts = createArtifacts({ store, clock: fakeClock() });
    await artifacts.write("a", { name: "n", content: "private", user: "u" });
    for (const session of ["a", "a/content", "a%2Fcontent"]) {
      expect(await artifacts.read(session, asked)).toBeNull();
      expect(await artifacts.remove(session, asked)).toBe(false);
    }
    expect(await artifacts.sessionOf(asked)).toBeNull();
  });

  it("in artifacts of a session whose key another's begins with", async () => {
    const artifacts = createArtifacts({ store: memoryStore(), clock: fakeClock() });
    for (const session of ["a", "ab", "a/b", "a%2Fb"])
      await artifacts.write(session, { name: session, content: "c", user: "u" });
    await artifacts.removeSession("a");
    for (const session of ["ab", "a/b", "a%2Fb"])
      expect((await artifacts.list(session)).map(({ name }) => name)).toEqual([session]);
    expect(await artifacts.list("a")).toEqual([]);
  });

  it("in late results: a result reaches the session that waits for it", async () => {
    await fc.assert(
      fc.asyncProperty(different, async ([a, b]) => {
        const notes: { session: string; text: string }[] = [];
        const told: string[] = [];
        const late = createLateResults({
          store: memoryStore(),
          clock: fakeClock(),
          logger: silentLogger,
          redact: (value) => value,
          keepLong: async (output) => output,
          addNote: async (session, { text }) => void notes.push({ session, text }),
          notify: async ({ user, text }) => void told.push(`${user}: ${text}`),
          mayHaveEnded: async () => {},
        });
        await late.expectLater(
          { callId: a, name: "t", sessionKey: `session of ${a}`, tell: { user: "app:a" } },
          "elsewhere",
        );
        await expect(late.complete(b, { output: "for b" })).rejects.toMatchObject({ code: "NOT_FOUND" });
        await late.expectLater(
          { callId: b, name: "t", sessionKey: `session of ${b}`, tell: { user: "app:b" } },
          "elsewhere",
        );
        await late.complete(b, { output: "for b" });
        await expect(late.complete(b, { output: "again" })).rejects.toMatchObject({ code: "NOT_FOUND" });
        await late.complete(a, { output: "for a" });
        expect(notes.map(({ session }) => session)).toEqual([`session of ${b}`, `session of ${a}`]);
        expect(told).toEqual(["app:b: t: for b", "app:a: t: for a"]);
      }),
      { numRuns: runs(60) },
    );
  });

  it("in what is sent: two chats never share a queue", async () => {
    await fc.assert(
      fc.asyncProperty(different, id, async ([a, b], other) => {
        const woken: string[] = [];
        const engine = { wake: async (key: string) => void woken.push(key) };
        const outbox = createOutbox({ store: memoryStore(), engine: engine as never, clock: fakeClock() });
        const targets = [
          { channel: "c", account: "d", chat: a },
          { channel: "c", account: "d", chat: b },
          { channel: "c", account: `d${other}`, chat: a },
        ];
        for (const target of targets) await outbox.enqueue(target, { message: { id: "1", text: "hi" } });
        expect(new Set(woken).size).toBe(3);
      }),
      { numRuns: runs(60) },
    );
  });

  it("in limits: one source's calls count for nobody else", async () => {
    await fc.assert(
      fc.asyncProperty(different, async ([a, b]) => {
        const clock = fakeClock();
        const counter = createSharedRateCounter({
          store: memoryStore(),
          clock,
          name: "source",
          limit: 5,
          windowMs: 60_000,
          logger: silentLogger,
        });
        await counter.hit(a);
        await counter.hit(a);
        expect((await counter.hit(b)).hits).toBe(1);
      }),
      { numRuns: 30 },
    );
  });

  it("in approvals: anything that differs has another hash, whatever its shape", async () => {
    const json = fc.jsonValue({ maxDepth: 2 });
    await fc.assert(
      fc.asyncProperty(json, json, async (a, b) => {
        const bound = (input: unknown) => {
          const caller = { taskId: "t", user: "u" };
          return {
            id: "i",
            tool: "t",
            input,
            boundTo: null,
            definition: "d",
            caller,
            approvers: [],
            expiresAt: 1,
          } as never;
        };
        const same = canonicalJson(a) === canonicalJson(b);
        expect((await bindingHash(bound(a))) === (await bindingHash(bound(b)))).toBe(same);
        // Equal only when they are one value as JSON.
        if (same) expect(JSON.parse(JSON.stringify(a))).toEqual(JSON.parse(JSON.stringify(b)));
      }),
    );
    expect(canonicalJson({ "a:1,b": 2 })).not.toBe(canonicalJson({ a: 1, b: 2 }));
    expect(canonicalJson({ a: "1" })).not.toBe(canonicalJson({ a: 1 }));
    const parts = { id: "i", tool: "t", input: {}, boundTo: {}, definition: "d", approvers: ["a"], expiresAt: 1 };
    const caller = {
      taskId: "t",
      user: "u",
      userRoles: [],
      channel: "c",
      accountId: "d",
      chatId: "1",
      sessionKey: "s",
      agentId: "m",
    };
    const variants: object[] = [
      {},
      ...Object.keys(parts).map((name) => ({
        [name]: name === "expiresAt" ? 2 : name === "approvers" ? ["a", "b"] : "other",
      })),
      ...Object.keys(caller).map((name) => ({
        caller: { ...caller, [name]: name === "userRoles" ? ["owner"] : "other" },
      })),
      { caller: { ...caller, target: { channel: "c", account: "d", chat: "2" } } },
      { caller: { ...caller, peerKind: "group" } },
      { caller: { ...caller, startedBy: { channel: "c", roles: [], sessionKey: "s" } } },
    ];
    const hashes = await Promise.all(variants.map((variant) => bindingHash({ ...parts, caller, ...variant })));
    expect(new Set(hashes).size).toBe(variants.length);
  });
});
