import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { telegram } from "../../adapters/channels/telegram/index.ts";
import { mcpClient } from "../../adapters/mcp/index.ts";
import { webhook } from "../../adapters/channels/webhook/index.ts";
import { defineTool } from "../../mod.ts";
import { brave, createRedactor, perplexity } from "../../kit.ts";
import { calls, fails, says } from "../../src/testing/scripted-model.ts";
import { inMemoryChannel } from "../../src/testing/in-memory-channel.ts";
import { CANARY, TOKEN, expectNoCanary, setUp } from "./canary-scene.ts";
import { wholeOnNode } from "../support/thorough.ts";
import type { TestAssistantOptions } from "../support/assistant.ts";

const refuse = async () => Promise.reject(new Error("no network here"));
/** Needed on Workers, where nothing is loaded on demand. */
const mcp = { client: mcpClient };
const nothing = { description: "does nothing", inputSchema: v.object({}), execute: () => null };

/** Where a program gives a secret to an assistant, but for the option `secrets`. */
const PLACES: readonly { readonly title: string; readonly given: TestAssistantOptions }[] = [
  {
    title: "the token of telegram()",
    given: { channels: [telegram({ token: CANARY, secret: "x".repeat(20), fetch: refuse })] },
  },
  {
    title: "the secret of telegram()",
    given: { channels: [telegram({ token: "1:x", secret: CANARY, fetch: refuse })] },
  },
  { title: "the secret of webhook()", given: { channels: [webhook({ secret: CANARY, fetch: refuse })] } },
  {
    title: "the secrets of a channel of its own",
    given: { channels: [{ ...inMemoryChannel({ name: "own" }), secrets: ["another one", CANARY] }] },
  },
  { title: "a search key", given: { search: { perplexity: { apiKey: CANARY } } } },
  { title: "the key of an engine that is off", given: { search: { brave: { apiKey: CANARY, enabled: false } } } },
  { title: "the key of perplexity()", given: { search: { providers: [perplexity({ apiKey: CANARY })] } } },
  { title: "the key of brave()", given: { search: { providers: [brave({ apiKey: CANARY })] } } },
  {
    title: "the secrets of a search engine of its own",
    given: { search: { providers: [{ name: "own", secrets: [CANARY], search: async () => [] }] } },
  },
  {
    title: "a header of an MCP server",
    given: { mcp: { ...mcp, servers: { notes: { url: "https://mcp.example/mcp", headers: { "x-key": CANARY } } } } },
  },
  {
    title: "the bearer token of an MCP server",
    given: {
      mcp: {
        ...mcp,
        servers: { notes: { url: "https://mcp.example/mcp", headers: { authorization: `Bearer ${CANARY}` } } },
      },
    },
  },
  {
    title: "a variable of an MCP server",
    given: { mcp: { ...mcp, servers: { notes: { command: "/nowhere/wakeful-test", env: { NOTES_KEY: CANARY } } } } },
  },
  { title: "server.token", given: { server: { token: CANARY } } },
  { title: "server.tokens", given: { server: { tokens: [{ token: CANARY, role: "user", user: "app:ada" }] } } },
  { title: "a tool's meta", given: { tools: { own: defineTool({ ...nothing, meta: { secrets: [CANARY] } }) } } },
];

describe.each(wholeOnNode(PLACES, 4))("a secret that is given in code as $title", ({ given }) => {
  const options = { fetch: refuse, lookup: async () => ["93.184.216.34"], ...given };

  it.each(["text", "object", "header", "long", "failing", "refusing"])(
    "and that a tool brings in as %s is in no log, event, journal, prompt or reply",
    async (tool) => {
      const t = await setUp(({ length }) => (length <= 2 ? calls([tool, {}]) : says("done")), options);
      const reply = await t.assistant.send({ text: "go" });
      expect(reply.text).toBe("done");
      const results = [await t.assistant.tools.run(tool, {})];
      const seen = await t.seen();
      expect(seen).toContain("[redacted]");
      expectNoCanary(seen, reply, results);
      await t.assistant.stop();
    },
  );

  it("is in no stream, model's failure, channel's failure or problem document", async () => {
    const t = await setUp(({ length }) => (length <= 2 ? calls(["reply", {}]) : says("done")), options);
    for await (const event of t.assistant.stream({ text: "go" })) t.streamed.push(event);
    const message = `401 for https://api.example/bot${CANARY}/send`;
    t.channel.script([new Error(message), { retryable: false, message }]);
    const signed = t.channel.request([
      { id: "e1", text: "hi", peer: { kind: "direct", id: "42" }, sender: { id: "42" }, mentioned: true },
    ]);
    await t.assistant.fetch(new Request("http://localhost/webhooks/memory", signed));
    for (let minute = 0; minute < 10; minute += 1) await t.clock.advance(60_000);
    expectNoCanary(await t.seen());
    await t.assistant.stop();

    const failing = await setUp(() => fails(new Error(`Incorrect API key provided: ${CANARY}`)), options);
    const reply = await failing.assistant.send({ text: "go" });
    const response = await failing.assistant.fetch(
      new Request("http://localhost/api/v1/messages", {
        method: "POST",
        headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
        body: JSON.stringify({ text: "go" }),
      }),
    );
    expect(reply.error?.message).toContain("[redacted]");
    expectNoCanary(await failing.seen(), reply, await response.text());
    await failing.assistant.stop();
  });
});

describe("a secret of a tool that is added while the program runs", () => {
  it("is taken out from then on, also of what other tools give, and stays so when the tool is gone", async () => {
    const t = await setUp(({ length }) => (length <= 2 ? calls(["text", {}]) : says("done")), {});
    const remove = t.assistant.tools.register("own", defineTool({ ...nothing, meta: { secrets: [CANARY] } }));
    await t.assistant.send({ text: "go" });
    remove();
    const results = [await t.assistant.tools.run("object", {})];
    const seen = await t.seen();
    expect(seen).toContain("[redacted]");
    expectNoCanary(seen, results);
    await t.assistant.stop();
  });
});

describe("objects that hold secrets", () => {
  it("say which they are, also as a copy", () => {
    const bot = telegram({ token: "1:bot-token", secret: "bot-secret" });
    expect(bot.secrets).toEqual(["1:bot-token", "bot-secret"]);
    expect({ ...bot, name: "other" }.secrets).toEqual(["1:bot-token", "bot-secret"]);
    expect(webhook({ secret: "hook-secret" }).secrets).toEqual(["hook-secret"]);
    expect([perplexity({ apiKey: "p-key" }).secrets, brave({ apiKey: "b-key" }).secrets]).toEqual([
      ["p-key"],
      ["b-key"],
    ]);
  });

  it("may hold short ones, which are in too many words to be looked for", async () => {
    const own = defineTool({ ...nothing, execute: () => "a short word", meta: { secrets: ["short"] } });
    const t = await setUp(() => says("done"), { tools: { own }, channels: [webhook({ secret: "short" })] });
    expect(await t.assistant.tools.run("own", {})).toEqual({ ok: true, output: "a short word" });
    await t.assistant.stop();
  });
});

describe("the value of an authorization header", () => {
  it.each(["Bearer 9f3a77c1-token", "bearer  9f3a77c1-token", "Basic 9f3a77c1-token", "Token 9f3a77c1-token"])(
    "%s is looked for without its scheme too",
    (value) => {
      const redact = createRedactor([value]);
      expect(redact(`{"key":"9f3a77c1-token"}`)).not.toContain("9f3a77c1");
      expect(redact(`sent ${value}`)).not.toContain("9f3a77c1");
    },
  );
});
