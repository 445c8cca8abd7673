import { describe, expect, it } from "vitest";
import { AssistantError, memoryStore } from "../../entry.host.ts";
import { calls, fails, says } from "../../src/testing/scripted-model.ts";
import { CANARY, expectNoCanary, setUp } from "./canary-scene.ts";
import { testAssistant } from "../support/assistant.ts";

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
    const { assistant } = await testAssistant({
      script: () => says("hello"),
      store: { ...store, append: failing },
      start: false,
      channels: [],
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
    expect(text).toContain("STORE_UNAVAILABLE");
    expect(text).not.toContain("redis");
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
