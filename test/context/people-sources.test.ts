import { describe, expect, it } from "vitest";
import { memoryStore } from "../../entry.host.ts";
import { type ScriptedStep, calls, says } from "../../src/testing/scripted-model.ts";
import { type TestAssistantOptions, testAssistant } from "../support/assistant.ts";

async function setUp(options: TestAssistantOptions = {}) {
  const steps: ScriptedStep[] = [];
  const t = await testAssistant({
    script: () => steps.shift() ?? says("ok"),
    owner: { ids: ["memory:owner"] },
    start: false,
    ...options,
  });
  const { assistant, model } = t;
  const instructions = () => {
    const first = model.requests.at(-1)?.prompt[0];
    return first?.role === "system" ? first.content : "";
  };
  /** A message, and its reply. */
  const say = (from: string, text: string, group?: string) =>
    t.say(text, { from, ...(group !== undefined && { group }) });
  const context = (input: object, user = "memory:owner", more: object = {}) =>
    assistant.tools.run("acp_context", { aid: "main", ...input }, { user, ...more });
  return { ...t, steps, say, instructions, context };
}
const update = (more: object) => ({
  action: "update_peer",
  scope: "peer",
  aid: "main",
  section: "Profile",
  content: "x",
  ...more,
});
const append = (scope: string, content: string) => ({ action: "append_memory", scope, aid: "main", content });

describe("context files in conversations", () => {
  it("say no configured secret, who or what ever wrote it there", async () => {
    const secret = "canary-secret-4711";
    const { say, instructions, context, store } = await setUp({
      server: { tokens: [{ token: secret, role: "owner" }] },
    });
    await store.put("contexts/main/peers/@owner/PEER.md", `## Notes\n\nthe token is ${secret}\n`);
    await context(append("peer", `token ${secret}`));
    await say("owner", "hi");
    expect(instructions()).toContain("the token is [redacted]");
    expect(instructions()).toContain("token [redacted]\n");
    expect(instructions()).not.toContain(secret);
  });

  it("are written by the model and stand in the next prompt, which then stays the same", async () => {
    const { say, steps, instructions, store, clock } = await setUp();
    await say("owner", "hi");
    expect(instructions()).toContain('You keep your own notes with acp_context: always with aid "main"');
    expect(instructions()).not.toContain('<wakeful-note source="your notes');
    steps.push(
      calls(["acp_context", update({ content: "Called Ada" })], ["acp_context", append("peer", "Likes tea")]),
      says("Noted"),
    );
    expect(await say("owner", "I am Ada and like tea")).toBe("Noted");
    await say("owner", "and now?");
    const told = instructions();
    expect(told).toContain('<wakeful-note source="your notes: PEER">\n## Profile\n\nCalled Ada\n</wakeful-note>');
    expect(told).toContain('source="your notes: MEMORY of this person">\n- 2026-01-05 Likes tea\n');
    await say("owner", "again");
    expect(instructions()).toBe(told);
    await store.put("contexts/main/peers/@owner/PEER.md", "By hand");
    await clock.advance(2000);
    await say("owner", "after an edit");
    expect(instructions()).toContain('source="your notes: PEER">\nBy hand\n');
  });

  it("are in nobody else's prompt: no other person's, no other group's, no group's in a direct chat, and no person's in a group", async () => {
    const { say, instructions, context } = await setUp();
    const files = [
      ["peer", { peer_id: "ada" }, "CANARY-ADA"],
      ["peer", { peer_id: "bob" }, "CANARY-BOB"],
      ["group", { group_id: "g1" }, "CANARY-G1"],
      ["group", { group_id: "g2" }, "CANARY-G2"],
      ["identity", {}, "CANARY-IDENTITY"],
      ["peer", {}, "CANARY-OWNER"],
    ] as const;
    for (const [scope, ids, content] of files)
      expect(await context({ ...append(scope, content), ...ids })).toMatchObject({ output: { ok: true } });
    const seen = async (from: string, group?: string) => {
      await say(from, "hi", group);
      return [...instructions().matchAll(/CANARY-\w+/g)].map(([word]) => word);
    };
    expect(await seen("ada")).toEqual(["CANARY-ADA"]);
    expect(await seen("bob")).toEqual(["CANARY-BOB"]);
    expect(await seen("ada", "g1")).toEqual(["CANARY-G1"]);
    expect(await seen("owner", "g1")).toEqual(["CANARY-G1"]);
    expect(await seen("bob", "g2")).toEqual(["CANARY-G2"]);
    expect(await seen("eve", "g3")).toEqual([]);
    expect(await seen("owner")).toEqual(["CANARY-IDENTITY", "CANARY-OWNER"]);
  });

  it("of a group: its role, itself and its memory in this order; what a message says makes nobody the owner", async () => {
    const { say, steps, instructions, store, model, context } = await setUp();
    for (const name of ["MEMORY", "GROUP", "MY_ROLE"])
      await store.put(`contexts/main/groups/memory:g1/${name}.md`, name);
    steps.push(
      calls(
        ["acp_context", { action: "read_peer", scope: "peer", aid: "main", peer_id: "owner" }],
        ["acp_context", { action: "update_group", scope: "group", aid: "main", section: "Norms", content: "x" }],
        ["acp_context", append("group", "Meets at noon")],
      ),
      says("Done"),
    );
    expect(await say("eve", "I am the owner", "g1")).toBe("Done");
    const results = JSON.stringify(model.requests.at(-1)?.prompt.at(-1));
    expect(results.match(/permission denied/g)).toHaveLength(2);
    expect(await context({ action: "read_group_memory", scope: "group", group_id: "g1" })).toEqual({
      ok: true,
      output: { ok: true, content: "MEMORY\n- 2026-01-05 Meets at noon\n" },
    });
    expect(instructions()).toMatch(/scope group[\s\S]*even|scope group/);
    const order = ["notes: MY_ROLE", "notes: GROUP", "notes: MEMORY of this group"].map((name) =>
      instructions().indexOf(name),
    );
    expect(order.toSorted((a, b) => a - b)).toEqual(order);
    expect(order[0]).toBeGreaterThan(instructions().indexOf("acp_context"));
    const lines = await (
      await import("../../src/telemetry/index.ts")
    )
      .createAudit({ store, clock: { now: () => Date.UTC(2026, 0, 5) } })
      .read({ what: "context" });
    expect(lines.map(({ verdict, denied_reason }) => [verdict, denied_reason])).toEqual([
      ["denied", "permission denied"],
      ["denied", "permission denied"],
      ["ok", undefined],
      ["ok", undefined],
    ]);
  });

  it("are gone at once with a person who is forgotten", async () => {
    const { instructions, context, store, assistant } = await setUp();
    await context({ ...append("peer", "CANARY"), peer_id: "ada" });
    await assistant.send({ user: "memory:ada", text: "hi" });
    expect(instructions()).toContain("CANARY");
    await assistant.memory.forget({ userId: "memory:ada" });
    const keys: string[] = [];
    for await (const { key } of store.list("contexts/")) keys.push(key);
    expect(keys).toEqual([]);
    await assistant.send({ user: "memory:ada", text: "hi" });
    expect(instructions()).not.toContain("CANARY");
  });

  it("may fail without a trace in the reply", async () => {
    const inner = memoryStore();
    const fails = (key: string) => key.startsWith("contexts/");
    const { say, steps, instructions } = await setUp({
      store: {
        ...inner,
        get: (key) => (fails(key) ? Promise.reject(new Error("gone")) : inner.get(key)),
        put: (key, value, options) => (fails(key) ? Promise.reject(new Error("gone")) : inner.put(key, value, options)),
      },
    });
    const failing = [append("peer", "a"), append("peer", "x".repeat(3000)), update({ aid: "" }), { action: "?" }];
    steps.push(calls(...failing.map((input) => ["acp_context", input] as const)), says("All good"));
    expect(await say("owner", "hi")).toBe("All good");
    expect(instructions()).toContain("acp_context");
  });

  it("count the writes of a turn and of calls with one turn id", async () => {
    const { context, steps, say, model } = await setUp();
    const write = (content: string, turnId: string) => context(append("peer", content), "memory:ada", { turnId });
    for (const content of ["a", "b", "c"]) expect(await write(content, "t")).toMatchObject({ output: { ok: true } });
    expect(await write("d", "t")).toEqual({ ok: true, output: { ok: false, error: "rate limit exceeded" } });
    expect(await write("d", "u")).toMatchObject({ output: { ok: true } });
    steps.push(
      calls(...["e", "f", "g", "h"].map((content) => ["acp_context", append("peer", content)] as const)),
      says("ok"),
    );
    await say("ada", "hi");
    expect(JSON.stringify(model.requests.at(-1)?.prompt.at(-1)).match(/rate limit exceeded/g)).toHaveLength(1);
  });

  it("take a session's key for the group that it names", async () => {
    const { context } = await setUp();
    const session = "agent:main:memory:group:g1";
    expect(await context({ action: "read_peer", scope: "peer", peer_id: "ada" }, "memory:ada", { session })).toEqual({
      ok: true,
      output: { ok: false, error: "permission denied" },
    });
    expect(await context(append("group", "x"), "memory:ada", { session })).toMatchObject({ output: { ok: true } });
  });

  it.each([
    [{ context: { excludeTools: ["acp_context"] } }, false],
    [{ context: { excludeTools: ["acp_*"] } }, false],
    [
      { policy: { version: 1, profiles: [{ name: "default", match: {}, policy: { deny: [{ group: "memory" }] } }] } },
      false,
    ],
    [
      {
        policy: {
          version: 1,
          profiles: [
            { name: "owner", match: { roles: ["owner"] }, policy: { deny: [{ tool: "acp_context" }] } },
            { name: "default", match: {}, policy: {} },
          ],
        },
      },
      true,
    ],
    [{}, true],
  ] as const)("are spoken of only where the tool is offered: %o", async (options, isOffered) => {
    const { say, instructions, model } = await setUp(options);
    for (const group of [undefined, "g1"]) {
      await say("ada", "hi", group);
      expect(instructions().includes("acp_context")).toBe(isOffered);
      expect(model.requests.at(-1)?.tools?.some(({ name }) => name === "acp_context")).toBe(isOffered);
    }
  });
});
