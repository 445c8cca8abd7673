import { describe, expect, it } from "vitest";
import type { Channel } from "../../src/channel.ts";
import { inMemoryChannel } from "../../src/testing/in-memory-channel.ts";
import { bodyOf, fakeAssistant, milestone } from "./support.ts";

describe("/webhooks", () => {
  it("answers an empty 200 once every message is stored", async () => {
    const channel = inMemoryChannel();
    const { app, inputs, parts } = fakeAssistant({ channels: [channel] });
    const response = await app.request(channel.request([{ text: "one" }, { text: "two" }]));
    expect([response.status, await response.text()]).toEqual([200, ""]);
    expect(inputs.map(({ text }) => text)).toEqual(["one", "two"]);
    expect(parts.metrics.text()).toContain('webhook_ack_total{channel="memory",outcome="accepted"} 1');
    expect(parts.metrics.text()).toContain('webhook_ack_latency_seconds_count{channel="memory"} 1');
  });

  it("answers with the platform's own response when it wants one, by POST and by GET", async () => {
    const handshake: Channel = {
      ...inMemoryChannel({ name: "shake" }),
      receive: async (request) => ({
        messages: [],
        response: new Response(new URL(request.url).searchParams.get("challenge")),
      }),
    };
    const { app } = fakeAssistant({ channels: [handshake] });
    for (const method of ["GET", "POST"]) {
      const response = await app.request("/webhooks/shake?challenge=abc", { method });
      expect([response.status, await response.text()]).toEqual([200, "abc"]);
    }
  });

  it("answers 401 to what is not genuine and leaves an audit line", async () => {
    const channel = inMemoryChannel();
    const { app, inputs, parts } = fakeAssistant({ channels: [channel] });
    const response = await app.request(channel.request([{}], { secret: "guessed" }));
    expect([response.status, await bodyOf(response)]).toMatchObject([401, { code: "CHANNEL_REJECTED" }]);
    expect(inputs).toEqual([]);
    await parts.audit.settled();
    expect(await parts.audit.read()).toMatchObject([
      {
        what: "webhook.rejected",
        target: "memory:default",
        verdict: "refused",
        reason: expect.stringContaining("X-Memory-Secret") as string,
      },
    ]);
    expect(parts.metrics.text()).toContain('webhook_ack_total{channel="memory",outcome="rejected"} 1');
  });

  it.each([
    { title: "400 to what is genuine but malformed", body: "{", status: 400, code: "OPTION_INVALID" },
    { title: "413 to a body over 1 MiB", body: "x".repeat(1_048_577), status: 413, code: "BODY_TOO_LARGE" },
  ])("answers $title", async ({ body, status, code }) => {
    const channel = inMemoryChannel();
    const { app } = fakeAssistant({ channels: [channel] });
    const response = await app.request(new Request(channel.request([]), { method: "POST", body }));
    expect([response.status, await bodyOf(response)]).toMatchObject([status, { code }]);
  });

  it("answers 413 to a declared length over 1 MiB without reading", async () => {
    const channel: Channel = { ...inMemoryChannel(), receive: () => Promise.reject(new Error("must not be asked")) };
    const { app } = fakeAssistant({ channels: [channel] });
    const headers = { "content-length": "1048577" };
    expect((await app.request("/webhooks/memory", { method: "POST", headers })).status).toBe(413);
  });

  it("answers 503 with Retry-After when a message cannot be stored, so that the platform delivers it again", async () => {
    const channel = inMemoryChannel();
    const { app, parts } = fakeAssistant({ channels: [channel] });
    const response = await app.request(channel.request([{ text: "first" }, { text: "store is down" }]));
    expect([response.status, response.headers.get("retry-after"), await bodyOf(response)]).toMatchObject([
      503,
      "5",
      { code: "STORE_UNAVAILABLE" },
    ]);
    expect(parts.metrics.text()).toContain('webhook_ack_total{channel="memory",outcome="failed"} 1');
  });

  it("acknowledges a refused sender, whose message would only be sent again", async () => {
    const channel = inMemoryChannel();
    const { app, inputs } = fakeAssistant({ channels: [channel] });
    const response = await app.request(channel.request([{ sender: { id: "stranger" } }], { wait: true }));
    expect([response.status, await response.text()]).toEqual([200, ""]);
    expect(inputs).toEqual([]);
  });

  it.each([
    { title: "an unknown channel", path: "/webhooks/fax" },
    { title: "an unknown account", path: "/webhooks/memory/second" },
    { title: "a channel without webhooks", path: "/webhooks/cli" },
  ])("answers 404 for $title", async ({ path }) => {
    const { receive: _, ...cli } = inMemoryChannel({ name: "cli" });
    const { app } = fakeAssistant({ channels: [inMemoryChannel(), cli] });
    expect((await app.request(path, { method: "POST" })).status).toBe(404);
  });

  it("finds an account by its name", async () => {
    const first = inMemoryChannel({ secret: "one" });
    const second = inMemoryChannel({ secret: "two", access: { account: "second" } });
    const { app } = fakeAssistant({ channels: [first, second] });
    const to = (path: string, secret: string) =>
      app.request(new Request(`http://localhost${path}`, second.request([{}], { secret })));
    expect((await to("/webhooks/memory/second", "two")).status).toBe(200);
    expect((await to("/webhooks/memory/default", "one")).status).toBe(200);
    expect((await to("/webhooks/memory/second", "one")).status).toBe(401);
  });

  it("waits for the reply of the first message when the sender wants it in the response", async () => {
    const channel = inMemoryChannel();
    const { app, clock } = fakeAssistant({ channels: [channel] });
    const response = await app.request(channel.request([{ id: "e1", text: "hi" }], { wait: true }));
    expect([response.status, await response.json()]).toEqual([
      200,
      { id: "turn-1", in_reply_to: "e1", text: "You said: hi" },
    ]);
    expect(clock.pending).toBe(0);
  });

  it("answers 202 when the reply takes longer than a minute, and lets the turn go on", async () => {
    const channel = inMemoryChannel();
    let finished = false;
    const { reached: gate, reach: finish } = milestone();
    const { reached: begun, reach: begin } = milestone();
    const { app, clock } = fakeAssistant({
      channels: [channel],
      async *script() {
        begin();
        await gate;
        finished = true;
        yield { type: "text-delta", text: "late" };
      },
    });
    const waiting = app.request(channel.request([{}], { wait: true }));
    await begun;
    await clock.advance(60_000);
    const response = await waiting;
    expect([response.status, await bodyOf(response)]).toMatchObject([202, { turn_id: "turn-1" }]);
    finish();
    await clock.advance(0);
    expect(finished).toBe(true);
  });

  it("gives up on a channel that does not get its body", async () => {
    const channel: Channel = { ...inMemoryChannel(), receive: () => new Promise(() => {}) };
    const { app, clock } = fakeAssistant({ channels: [channel] });
    const waiting = app.request("/webhooks/memory", { method: "POST" });
    while (clock.pending < 1) await clock.advance(0);
    await clock.advance(10_000);
    expect((await waiting).status).toBe(408);
  });
});
