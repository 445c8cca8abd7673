import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { AssistantError, ToolError, createAssistant, defineTool, memoryStore, toolOutcome } from "../../mod.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { inMemoryChannel } from "../../src/testing/in-memory-channel.ts";
import { calls, fails, says, scriptedModel } from "../../src/testing/scripted-model.ts";

const CANARY = 'canary/7Q+z&"secret=4711';
const BASE64 = btoa(`user:${CANARY}`);
/** The canary as it may stand somewhere, and the middle of it in base64. */
const FORMS = [CANARY, JSON.stringify(CANARY).slice(1, -1), encodeURIComponent(CANARY), BASE64.slice(8, -4)];

/** An assistant of which everything that it writes and says is collected. */
async function setUp(script: Parameters<typeof scriptedModel>[0]) {
  const logged: unknown[] = [];
  const events: unknown[] = [];
  const streamed: unknown[] = [];
  const keep = (message: string, fields?: unknown) => void logged.push([message, fields]);
  const clock = fakeClock();
  const store = memoryStore();
  const channel = inMemoryChannel();
  const model = scriptedModel(script, { record: true });
  const throwing = (error: () => Error) =>
    defineTool({
      description: "fails",
      inputSchema: v.object({}),
      execute() {
        throw error();
      },
    });
  const giving = (output: () => unknown) =>
    defineTool({ description: "gives", inputSchema: v.object({}), execute: output });
  const assistant = await createAssistant({
    model,
    store,
    clock,
    channels: [channel],
    secrets: [CANARY],
    logger: { debug: keep, info: keep, warn: keep, error: keep },
    server: { token: "owner-token-0123456789" },
    tools: {
      text: giving(() => `a ${CANARY} b`),
      object: giving(() => ({ deep: [{ [CANARY]: CANARY, url: `https://x.org/?k=${encodeURIComponent(CANARY)}` }] })),
      header: giving(() => ({ headers: { authorization: `Basic ${BASE64}` }, body: JSON.stringify({ k: CANARY }) })),
      long: giving(() => `${"x".repeat(30_000)}${CANARY}`),
      reply: giving(() =>
        toolOutcome({ forModel: CANARY, forUser: { shown: CANARY }, reply: `your key is ${CANARY}` }),
      ),
      failing: throwing(
        () => new Error(`refused by https://user:${encodeURIComponent(CANARY)}@x.org`, { cause: CANARY }),
      ),
      refusing: throwing(() => new ToolError("NO", `not with ${CANARY}`)),
    },
  });
  assistant.events.subscribe("*", ({ type, payload }) => void events.push([type, payload]), { name: "canary" });
  await assistant.start();
  return {
    assistant,
    channel,
    clock,
    streamed,
    /** Everything there is to be seen from outside. */
    async seen(): Promise<string> {
      const kept: unknown[] = [];
      for await (const { key } of store.list("")) {
        const records: unknown[] = [];
        try {
          kept.push([key, (await store.get(key))?.value]);
        } catch {
          for await (const { record } of store.read(key)) records.push(record);
        }
        kept.push([key, records]);
      }
      const metrics = await assistant.fetch(
        new Request("http://localhost/metrics", { headers: { authorization: "Bearer owner-token-0123456789" } }),
      );
      return JSON.stringify([
        logged,
        events,
        streamed,
        kept,
        channel.sent,
        model.requests.map(({ prompt }) => prompt),
        await metrics.text(),
      ]);
    },
  };
}

function expectNoCanary(seen: string, ...more: unknown[]) {
  const all = [seen, ...more.map((one) => JSON.stringify(one))].join("\n");
  for (const form of FORMS) {
    // Once more as JSON, since all is.
    expect(all).not.toContain(form);
    expect(all).not.toContain(JSON.stringify(form).slice(1, -1));
  }
}

describe("a configured secret", () => {
  it.each(["text", "object", "header", "long", "failing", "refusing"])(
    "that a tool brings in as %s is in no log, event, journal, prompt or reply",
    async (tool) => {
      const t = await setUp(({ length }) => (length <= 2 ? calls([tool, {}]) : says("done")));
      const reply = await t.assistant.send({ text: "go" });
      expect(reply.text).toBe("done");
      const seen = await t.seen();
      expect(seen).toContain("[redacted]");
      expectNoCanary(seen, reply);
    },
  );

  it("that a tool makes its reply is in no reply and in no stream", async () => {
    const t = await setUp(() => calls(["reply", {}]));
    for await (const event of t.assistant.stream({ text: "go" })) t.streamed.push(event);
    expect(JSON.stringify(t.streamed)).toContain("your key is [redacted]");
    expectNoCanary(await t.seen());
  });

  it("that the host gets from a tool that it runs is not there", async () => {
    const t = await setUp(() => says("done"));
    const results = [await t.assistant.tools.run("object", {}), await t.assistant.tools.run("failing", {})];
    expect(JSON.stringify(results)).toContain("[redacted]");
    expectNoCanary(await t.seen(), results);
  });

  it("that a model's failure names is in no log, journal, reply or problem document", async () => {
    const failure = Object.assign(new Error(`Incorrect API key provided: ${CANARY}`), {
      stack: `Error: ${CANARY}\n at x`,
    });
    const t = await setUp(() => fails(failure));
    const reply = await t.assistant.send({ text: "go" });
    expect(reply.error?.message).toContain("[redacted]");
    const response = await t.assistant.fetch(
      new Request("http://localhost/api/v1/messages", {
        method: "POST",
        headers: { authorization: "Bearer owner-token-0123456789", "content-type": "application/json" },
        body: JSON.stringify({ text: "go" }),
      }),
    );
    expectNoCanary(await t.seen(), reply, await response.text());
  });

  it("that a store's failure names is in no problem document", async () => {
    const store = memoryStore();
    const failing = async () =>
      Promise.reject(new AssistantError("STORE_UNAVAILABLE", `no answer from redis, ${CANARY}`));
    const assistant = await createAssistant({
      model: scriptedModel(() => says("hello")),
      store: { ...store, append: failing },
      clock: fakeClock(),
      secrets: [CANARY],
      server: { token: "owner-token-0123456789" },
    });
    const response = await assistant.fetch(
      new Request("http://localhost/api/v1/messages", {
        method: "POST",
        headers: { authorization: "Bearer owner-token-0123456789", "content-type": "application/json" },
        body: JSON.stringify({ text: "go" }),
      }),
    );
    expect(response.headers.get("content-type")).toContain("problem+json");
    const text = await response.text();
    expect(text).toContain("no answer from redis, [redacted]");
    expectNoCanary(text);
  });

  it("that a channel's failure names is in no log, audit line or journal", async () => {
    const t = await setUp(() => says("hello"));
    const message = `401 for https://api.example/bot${CANARY}/send`;
    t.channel.script([new Error(message), { retryable: true, message }, { retryable: false, message }]);
    const signed = t.channel.request([
      { id: "e1", text: "hi", peer: { kind: "direct", id: "42" }, sender: { id: "42" }, mentioned: true },
    ]);
    await t.assistant.fetch(new Request("http://localhost/webhooks/memory", signed));
    for (let minute = 0; minute < 10; minute += 1) await t.clock.advance(60_000);
    const seen = await t.seen();
    expect(seen).toContain("[redacted]");
    expectNoCanary(seen);
  });
});
