import * as mcpLibrary from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import type { Channel } from "../../src/channel.ts";
import { bufferedRequest } from "../../src/http/body.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { inMemoryChannel } from "../../src/testing/in-memory-channel.ts";
import { webhook } from "../../adapters/channels/webhook/index.ts";
import type { McpServerLibrary } from "../../kit.ts";
import { HOOKS, OWNER, call, fakeAssistant, routesOf } from "../http/support.ts";
import { delivery } from "./support.ts";

const MIB = 1_048_576;

/** A body without end, and how much of it was asked for. */
function endless() {
  const sent = { bytes: 0, cancelled: false };
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent.bytes += 65_536;
      controller.enqueue(new Uint8Array(65_536).fill(0x20));
    },
    cancel() {
      sent.cancelled = true;
    },
  });
  return { sent, stream };
}

function post(path: string, body: ReadableStream, headers: Record<string, string> = {}): Request {
  const init: RequestInit & { duplex: "half" } = { method: "POST", body, headers, duplex: "half" };
  return new Request(`http://localhost:8787${path}`, init);
}

// Without it /mcp says that it is missing.
const loadMcpServer = async () => mcpLibrary as unknown as McpServerLibrary;
const withBody = routesOf(fakeAssistant().parts)
  .filter(({ method, access, body }) => method === "POST" && access !== "public" && body !== undefined)
  .map(({ path }) => path);

const WITH_FILES = ["/api/v1/chat", "/api/v1/memory/import"];

describe("before anybody is known", () => {
  it.each(withBody)("nothing of a body is read at %s", async (path) => {
    const { app } = fakeAssistant();
    for (const headers of [{}, { authorization: "Bearer wrong" }, { cookie: "wakeful_session=1.00" }]) {
      const { sent, stream } = endless();
      expect((await app.request(post(path, stream, headers))).status).toBe(401);
      expect(sent.bytes).toBeLessThanOrEqual(65_536);
    }
  });

  it.each(withBody)("a declared length over the limit is refused at %s", async (path) => {
    const { app } = fakeAssistant();
    const headers = { "content-length": String((WITH_FILES.includes(path) ? 8 : 1) * MIB + 1) };
    expect((await app.request(call(path, { method: "POST", token: null, headers }))).status).toBe(413);
  });

  it("a sign-in form is read up to 4 KiB", async () => {
    const { app } = fakeAssistant();
    const { sent, stream } = endless();
    expect((await app.request(post("/login", stream))).status).toBe(413);
    expect(sent).toMatchObject({ cancelled: true });
    expect(sent.bytes).toBeLessThan(4 * 65_536);
  });

  it("a webhook is read up to 1 MiB, and not at all without its headers", async () => {
    const clock = fakeClock();
    const { app } = fakeAssistant({ channels: [webhook({ secret: "hook-secret-0123456789", clock })] });
    const bare = endless();
    expect((await app.request(post("/webhooks/webhook", bare.stream))).status).toBe(401);
    expect(bare.sent.bytes).toBeLessThanOrEqual(65_536);
    const headers = { "x-timestamp": String(clock.now() / 1000), "x-signature": `sha256=${"0".repeat(64)}` };
    const signed = endless();
    expect((await app.request(post("/webhooks/webhook", signed.stream, headers))).status).toBe(413);
    expect(signed.sent).toMatchObject({ cancelled: true });
    expect(signed.sent.bytes).toBeLessThan(MIB + 3 * 65_536);
  });

  it("a webhook's audit lines are at most sixty a minute", async () => {
    const channel = inMemoryChannel();
    const { app, parts } = fakeAssistant({ channels: [channel] });
    for (let n = 0; n < 100; n++) await app.request(channel.request([{}], { secret: "guessed" }));
    await parts.audit.settled();
    expect(await parts.audit.read()).toHaveLength(60);
  });

  it("an audit line holds nothing that a stranger wrote", async () => {
    const { app, parts } = fakeAssistant();
    const path = `/api/v1/sessions/${"x".repeat(4000)}%0aforged`;
    await app.request(call(path, { token: "wrong" }), undefined, { remoteAddress: "203.0.113.9" });
    await parts.audit.settled();
    expect(await parts.audit.read()).toMatchObject([{ who: "203.0.113.9", target: "/api/v1/sessions/:key" }]);
  });

  it("a slow webhook is given up after ten seconds", async () => {
    const { receive } = webhook({ secret: "hook-secret-0123456789" });
    const clock = fakeClock();
    const channel: Channel = { ...inMemoryChannel({ name: "webhook" }), receive };
    const { app } = fakeAssistant({ channels: [channel], clock });
    const request = await delivery({ now: () => Date.now() }, "{}", { secret: "hook-secret-0123456789" });
    const slow = post("/webhooks/webhook", new ReadableStream({}), Object.fromEntries(request.headers));
    const waiting = app.request(slow);
    while (clock.pending < 1) await clock.advance(0);
    await clock.advance(10_000);
    expect((await waiting).status).toBe(408);
  });
});

describe("a known caller's body", () => {
  const bearerAt = (path: string) => ({ authorization: `Bearer ${path.startsWith("/hooks/") ? HOOKS : OWNER}` });

  it.each(withBody)("is read up to 1 MiB at %s, up to 8 where files may come", async (path) => {
    const { app } = fakeAssistant({ parts: { loadMcpServer } });
    const bearer = bearerAt(path);
    for (const headers of [bearer, { ...bearer, "transfer-encoding": "chunked", "content-length": "10" }]) {
      const { sent, stream } = endless();
      const response = await app.request(post(path, stream, headers));
      expect(response.status).toBe(413);
      expect(sent.bytes).toBeLessThan((WITH_FILES.includes(path) ? 8 : 1) * MIB + 3 * 65_536);
    }
  });

  it.each(["gzip", "br", "deflate", "GZIP", "identity, gzip", "x-gzip", "zstd"])(
    "is refused when it is compressed (%s), before it is read",
    async (encoding) => {
      const { app } = fakeAssistant({ parts: { loadMcpServer } });
      for (const path of withBody) {
        const { sent, stream } = endless();
        const response = await app.request(post(path, stream, { ...bearerAt(path), "content-encoding": encoding }));
        expect([response.status, response.headers.get("accept-encoding")]).toEqual([415, "identity"]);
        expect(sent.bytes).toBeLessThanOrEqual(65_536);
      }
    },
  );

  it("may say that it is not compressed", async () => {
    const { app } = fakeAssistant();
    const headers = { "content-encoding": "identity" };
    expect((await app.request(call("/api/v1/messages", { body: { text: "hi" }, headers }))).status).toBe(200);
  });

  it("is handed on whole to what reads requests itself, within the same limits", async () => {
    const clock = fakeClock();
    const given = call("/mcp", { body: { a: 1 } });
    const handed = await bufferedRequest(given, clock);
    expect([handed.method, handed.url, handed.headers.get("authorization")]).toEqual([
      given.method,
      given.url,
      `Bearer ${OWNER}`,
    ]);
    expect(await handed.json()).toEqual({ a: 1 });
    await expect(bufferedRequest(post("/mcp", endless().stream), clock)).rejects.toMatchObject({
      code: "BODY_TOO_LARGE",
    });
    const late = bufferedRequest(post("/mcp", new ReadableStream({})), clock);
    const outcome = expect(late).rejects.toMatchObject({ code: "REQUEST_TIMEOUT" });
    await clock.advance(10_000);
    await outcome;
    expect(clock.pending).toBe(0);
  });
});
