import { describe, expect, it } from "vitest";
import { bodyOf, call, fakeAssistant } from "./support.ts";

describe("POST /mcp where no library is loaded on demand", () => {
  it("says which option is missing", async () => {
    const { app } = fakeAssistant();
    const response = await app.request(call("/mcp", { body: { jsonrpc: "2.0", id: 1, method: "tools/list" } }));
    const problem = await bodyOf(response);
    expect([response.status, problem["code"]]).toEqual([501, "NOT_INSTALLED"]);
    expect(problem["detail"]).toContain("wakeful/mcp/server");
  });
});
