import { createMCPClient } from "@ai-sdk/mcp";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { mcpEndpoint } from "../../adapters/mcp/server/index.ts";
import { AssistantError } from "../../src/errors.ts";
import { ADA, METRICS, NAMELESS, OWNER, bodyOf, call, fakeAssistant, replyOf } from "./support.ts";

const ADDRESS = "http://localhost:8787/mcp";

/** A fetch that ends in the assistant's own app. */
function fetchOf(app: ReturnType<typeof fakeAssistant>["app"]) {
  return async (input: string | URL | Request, init?: RequestInit) => {
    // workerd does not know `redirect: "error"`.
    const { redirect: _, ...rest } = init ?? {};
    return app.request(new Request(input, rest));
  };
}

function assistant(options: Parameters<typeof fakeAssistant>[0] = {}) {
  return fakeAssistant({ ...options, parts: { loadMcpServer: async () => mcpEndpoint, ...options.parts } });
}

async function official(app: ReturnType<typeof fakeAssistant>["app"], token: string) {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(ADDRESS), {
      fetch: fetchOf(app),
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  return client;
}

async function ofTheAiSdk(app: ReturnType<typeof fakeAssistant>["app"], token: string, discovery = true) {
  return createMCPClient({
    transport: { type: "http", url: ADDRESS, headers: { authorization: `Bearer ${token}` }, fetch: fetchOf(app) },
    protocolVersionDiscovery: discovery,
  });
}

const rpc = (method: string, params: Record<string, unknown> = {}) => ({ jsonrpc: "2.0", id: 1, method, params });
const accept = { accept: "application/json, text/event-stream" };
const textOf = (result: unknown) =>
  (result as { content: { text: string }[] }).content.map(({ text }) => text).join("\n");

describe("POST /mcp", () => {
  it("offers send to the official client, and answers it", async () => {
    const { app, inputs } = assistant();
    const client = await official(app, OWNER);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["send"]);
    expect(tools[0]?.inputSchema).toMatchObject({ type: "object", required: ["text"], additionalProperties: false });
    const result = await client.callTool({ name: "send", arguments: { text: "hello", session: "work", id: "m1" } });
    expect(textOf(result)).toBe("You said: hello");
    expect(result.structuredContent).toMatchObject({ text: "You said: hello", turn_id: "turn-1", approvals: [] });
    const spoken = { session: "work", channel: "sdk", asOwner: true, isProgram: true };
    expect(inputs).toEqual([{ text: "hello", id: "m1", ...spoken }]);
    await client.close();
  });

  it.each([
    { title: "in today's protocol", discovery: true },
    { title: "in the one from before", discovery: false },
  ])("answers the client of the AI SDK $title", async ({ discovery }) => {
    const { app } = assistant();
    const client = await ofTheAiSdk(app, OWNER, discovery);
    const result = await client.callTool({ name: "send", arguments: { text: "hello" } });
    expect(textOf(result)).toBe("You said: hello");
    await client.close();
  });

  it("speaks as the token's user, in conversations of that user's own", async () => {
    const { app, inputs } = assistant();
    const client = await ofTheAiSdk(app, ADA);
    await client.callTool({ name: "send", arguments: { text: "hi", session: "work" } });
    expect(inputs).toMatchObject([{ text: "hi", user: "app:Ada", session: "app:%41da/work" }]);
    expect(inputs[0]).not.toHaveProperty("asOwner");
    await client.close();
  });

  it("takes no user, channel or right from the call", async () => {
    const { app, inputs } = assistant();
    const client = await ofTheAiSdk(app, ADA);
    for (const more of [{ user: "telegram:42" }, { asOwner: true }, { channel: "sdk" }]) {
      const result = await client.callTool({ name: "send", arguments: { text: "hi", ...more } });
      expect(result).toMatchObject({ isError: true });
    }
    expect(inputs).toEqual([]);
    await client.close();
  });

  it("says nothing twice for the same id", async () => {
    const { app, turns } = assistant();
    const client = await ofTheAiSdk(app, OWNER);
    for (let time = 0; time < 2; time++) {
      const result = await client.callTool({ name: "send", arguments: { text: "once", id: "m1" } });
      expect(textOf(result)).toBe("You said: once");
    }
    expect(turns()).toBe(1);
    await client.close();
  });

  it("tells errors as the tool's, without what is inside", async () => {
    const cases = [
      { error: new AssistantError("QUEUE_FULL", "Too many messages wait"), text: "Too many messages wait" },
      { error: new Error("secret path"), text: "An internal error occurred: see the server's log" },
    ];
    for (const { error, text } of cases) {
      const { app } = assistant({ parts: { send: () => Promise.reject(error) } });
      const client = await ofTheAiSdk(app, OWNER);
      const result = await client.callTool({ name: "send", arguments: { text: "hi" } });
      expect([result["isError"], textOf(result)]).toEqual([true, text]);
      await client.close();
    }
    const failing = replyOf({ error: { code: "MODEL_UNAVAILABLE", message: "No model answered" } });
    const { app } = assistant({ parts: { send: async () => failing } });
    const client = await ofTheAiSdk(app, OWNER);
    const result = await client.callTool({ name: "send", arguments: { text: "hi" } });
    expect([result["isError"], textOf(result)]).toEqual([true, "No model answered"]);
    expect(await client.callTool({ name: "approve", arguments: {} })).toMatchObject({ isError: true });
    const nameless = await ofTheAiSdk(app, NAMELESS);
    expect(textOf(await nameless.callTool({ name: "send", arguments: { text: "hi" } }))).toMatch(/has no user/);
    await Promise.all([client.close(), nameless.close()]);
  });

  it.each([
    { title: "without a token", token: null, status: 401, code: "UNAUTHORIZED" },
    { title: "with a wrong token", token: "wrong-token-0123456789", status: 401, code: "UNAUTHORIZED" },
    { title: "with a token for metrics", token: METRICS, status: 403, code: "FORBIDDEN" },
    {
      title: "from another site's page",
      token: OWNER,
      headers: { origin: "https://evil.example" },
      status: 403,
      code: "FORBIDDEN",
    },
    {
      title: "from a page of another site, as the browser says",
      token: OWNER,
      headers: { "sec-fetch-site": "cross-site" },
      status: 403,
      code: "FORBIDDEN",
    },
  ])("refuses a call $title", async ({ token, headers = {}, status, code }) => {
    const { app, inputs } = assistant();
    const body = rpc("tools/call", { name: "send", arguments: { text: "hi" } });
    const response = await app.request(call("/mcp", { token, body, headers: { ...accept, ...headers } }));
    expect([response.status, await bodyOf(response), inputs.length]).toMatchObject([status, { code }, 0]);
  });

  it("refuses the page's cookie, also from the page itself", async () => {
    const { app, inputs } = assistant();
    const signIn = await app.request(
      new Request("http://localhost:8787/login", {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" },
        body: `token=${OWNER}`,
      }),
    );
    const cookie = signIn.headers.get("set-cookie")?.split(";")[0] ?? "";
    expect(cookie).toMatch(/^wakeful_session=./);
    const headers = { ...accept, cookie, "sec-fetch-site": "same-origin" };
    const body = rpc("tools/call", { name: "send", arguments: { text: "hi" } });
    const response = await app.request(call("/mcp", { token: null, body, headers }));
    expect([response.status, await bodyOf(response), inputs.length]).toMatchObject([403, { code: "FORBIDDEN" }, 0]);
  });

  it("answers to its own host names only", async () => {
    const { app } = assistant({ parts: { hosts: ["assistant.example"] } });
    const response = await app.request(call("/mcp", { body: rpc("tools/list"), headers: accept }));
    expect([response.status, await bodyOf(response)]).toMatchObject([421, { code: "MISDIRECTED" }]);
  });

  it("limits the body, declared or not", async () => {
    const { app } = assistant();
    const body = JSON.stringify(rpc("tools/call", { name: "send", arguments: { text: "x".repeat(1_100_000) } }));
    const declared = await app.request(
      call("/mcp", { body, headers: { ...accept, "content-length": String(body.length) } }),
    );
    const init: RequestInit & { duplex: "half" } = { body: new Blob([body]).stream(), duplex: "half" };
    const streamed = await app.request(new Request(call("/mcp", { method: "POST", headers: accept }), init));
    expect([declared.status, streamed.status]).toEqual([413, 413]);
  });

  it("keeps no session and no stream open", async () => {
    const { app } = assistant();
    for (const method of ["GET", "DELETE"])
      expect((await app.request(call("/mcp", { method, headers: { accept: "text/event-stream" } }))).status).toBe(405);
  });
});
