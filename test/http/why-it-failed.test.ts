import { describe, expect, it } from "vitest";
import { mcpEndpoint } from "../../adapters/mcp/server/index.ts";
import { ADA, OWNER, call, fakeAssistant, replyOf } from "./support.ts";

const WHY = "No model answered: openai/gpt-5: its key is missing: set the environment variable OPENAI_API_KEY";
const TOLD = "I cannot reach a language model right now";

function failing() {
  const error = { code: "MODEL_UNAVAILABLE", message: WHY };
  return fakeAssistant({
    parts: { loadMcpServer: async () => mcpEndpoint },
    script: () => [
      { type: "error", ...error },
      { type: "reply", reply: replyOf({ text: TOLD, error }) },
    ],
  });
}

/** Every door that tells of a turn's end, as a text. */
const DOORS: Readonly<Record<string, (app: ReturnType<typeof failing>["app"], token: string) => Promise<string>>> = {
  async "POST /messages"(app, token) {
    return (await app.request(call("/api/v1/messages", { token, body: { text: "hi" } }))).text();
  },
  async "POST /messages as a stream"(app, token) {
    const headers = { accept: "text/event-stream" };
    return (await app.request(call("/api/v1/messages", { token, headers, body: { text: "hi" } }))).text();
  },
  async "POST /chat"(app, token) {
    const messages = [{ id: "m1", role: "user", parts: [{ type: "text", text: "hi" }] }];
    return (await app.request(call("/api/v1/chat", { token, body: { id: "c", messages } }))).text();
  },
  async "GET /sessions/:key"(app, token) {
    const body = { text: "hi", session: "work" };
    await app.request(call("/api/v1/messages", { token, body }));
    return (await app.request(call("/api/v1/sessions/sdk%3Awork", { token }))).text();
  },
  async "the MCP tool send"(app, token) {
    const params = { name: "send", arguments: { text: "hi" } };
    const headers = { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18" };
    const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    return (await app.request(call("/mcp", { token, headers, body }))).text();
  },
};

describe("why a turn failed", () => {
  it.each(Object.keys(DOORS))("is for the owner's token; others read what the person was told: %s", async (door) => {
    const tell = DOORS[door]!;
    expect(await tell(failing().app, OWNER)).toContain(WHY);
    const told = await tell(failing().app, ADA);
    expect(told).toContain(TOLD);
    expect(told).not.toContain("OPENAI_API_KEY");
  });
});
