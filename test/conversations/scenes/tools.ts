import * as v from "valibot";
import { defineTool, toolOutcome } from "../../../mod.ts";
import { calls, says } from "../../../src/testing/index.ts";
import { OWNER, openWorld } from "../world.ts";

const NO_INPUT = v.object({});

export const tools = {
  async "files in a workspace"() {
    const t = await openWorld({
      script: [
        calls(["file_write", { path: "notes/a.md", content: "one\ntwo\nthree\n" }], ["list_files", { path: "notes" }]),
        calls(["file_edit", { path: "notes/a.md", old_text: "two", new_text: "zwei" }]),
        calls(["file_read", { path: "notes/a.md" }], ["grep", { pattern: "zwei" }], ["find", { pattern: "*.md" }]),
        says("Written, changed and found"),
        calls(["file_read", { path: "../outside" }], ["file_read", { path: "missing.md" }], ["file_read", {}]),
        says("None of them"),
      ],
    });
    await t.say("Write notes", { from: OWNER });
    await t.say("Read what is not there", { from: OWNER });
    await t.outcome("listed", async () => t.assistant.tools.list());
    return t.close();
  },

  async "tools that fail, wait and say much"() {
    const t = await openWorld({
      tools: {
        good: defineTool({ description: "Adds", inputSchema: v.object({ a: v.number() }), execute: ({ a }) => a + 1 }),
        bad: defineTool({
          description: "Fails",
          inputSchema: NO_INPUT,
          execute: () => Promise.reject(new Error("broken")),
        }),
        big: defineTool({
          description: "Says much",
          inputSchema: NO_INPUT,
          execute: () => "line of text\n".repeat(3000),
        }),
        parts: defineTool({
          description: "Shows one thing and tells another",
          inputSchema: NO_INPUT,
          execute: () => toolOutcome({ forModel: { rows: 3 }, forUser: "three rows" }),
        }),
      },
      script: [
        calls(["good", { a: 1 }], ["bad", {}], ["good", { a: "x" }], ["nope", {}], ["good", "{ not JSON"]),
        calls(["big", {}], ["parts", {}]),
        calls("One moment.", ["artifact_list", {}]),
        says("That is all"),
      ],
    });
    await t.say("Try them");
    await t.http("GET", "/api/v1/sessions/agent%3Amain%3Amemory%3Adirect%3A42/artifacts");
    return t.close();
  },

  async "a result that comes later"() {
    const t = await openWorld({
      tools: {
        build: defineTool({
          description: "Builds",
          inputSchema: NO_INPUT,
          execute: () => toolOutcome({ forModel: "under way", pending: "elsewhere" }),
        }),
      },
      script: (_, index) =>
        index === 0 ? calls(["build", {}]) : says(["It builds", "It is built"][index - 1] ?? "Yes"),
    });
    let callId = "";
    t.assistant.events.subscribe("tool.started", ({ payload }) => void (callId = payload.callId), { name: "test" });
    await t.say("Build it");
    await t.restart();
    await t.outcome("completed", () => t.assistant.tools.complete(callId, { output: "built in 5 s" }));
    await t.settle(60_000);
    await t.say("And?");
    return t.close();
  },

  async "a plan, a question and a message"() {
    const t = await openWorld({
      script: [
        calls(["plan", { steps: [{ title: "Look", status: "done" }, "Write"] }], ["time", {}]),
        calls(["message", { text: "I am on it" }]),
        calls(["message", { text: "For Bob", to: "memory:43" }]),
        calls(["clarify", { question: "Which one?", options: ["red", "blue"] }]),
        says("Red it is"),
      ],
    });
    await t.say("Do it", { from: OWNER });
    await t.say("red", { from: OWNER });
    return t.close();
  },

  async "what a policy refuses"() {
    const t = await openWorld({
      policy: {
        version: 1,
        profiles: [
          { name: "owners", match: { roles: ["owner"] }, policy: { deny: [], allow: [] } },
          { name: "default", match: {}, policy: { deny: [{ group: "fs" }], allow: [] } },
        ],
      },
      script: (_, index) => (index % 2 === 0 ? calls(["file_write", { path: "a.txt", content: "a" }]) : says("Tried")),
    });
    await t.say("Write");
    await t.say("Write", { from: OWNER });
    await t.outcome("run", () => t.assistant.tools.run("file_read", { path: "a.txt" }, { user: "memory:42" }));
    await t.outcome("run", () => t.assistant.tools.run("file_read", { path: "a.txt" }, { user: `memory:${OWNER}` }));
    return t.close();
  },

  async "hooks and context parts"() {
    const t = await openWorld({
      hooks: [{ name: "weather", beforeTurn: () => [{ content: "It rains in Bergen.", ttl: "turn" }] } as never],
      context: { parts: [{ id: "house", text: () => "The house is blue." }] } as never,
    });
    await t.say("What do you know?");
    await t.outcome("explained", () =>
      t.assistant.explainContext({ session: "agent:main:memory:direct:42", text: "Why?" }),
    );
    return t.close();
  },

  async "a budget that is used up"() {
    const t = await openWorld({ budget: { daily: { tokens: 30 } } });
    await t.say("one");
    await t.say("two");
    await t.say("three");
    await t.http("GET", "/api/v1/usage");
    return t.close();
  },
};
