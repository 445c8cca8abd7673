import { createMCPClient } from "@ai-sdk/mcp";
import { describe, expect, it } from "vitest";
import { checkMcpServer, loadMcpManager } from "../../../src/tools/index.ts";
import { fakeClock } from "../../../src/testing/fake-clock.ts";
import { managerParts } from "./support.ts";

describe("MCP servers where nothing is loaded on demand", () => {
  const docs = { url: "https://mcp.example/mcp" };

  it.each([{ client: undefined }, { client: { createMCPClient } }])(
    "are refused with the option that is missing",
    async ({ client }) => {
      const loading = loadMcpManager(managerParts({ docs }, client && { client }));
      await expect(loading).rejects.toMatchObject({
        code: "OPTION_INVALID",
        message: expect.stringContaining("wakeful/mcp") as string,
      });
    },
  );

  it("cannot be looked at either", async () => {
    expect(await checkMcpServer("docs", docs, { clock: fakeClock(), version: "1" })).toMatchObject({
      ok: false,
      remedy: expect.stringContaining("wakeful/mcp") as string,
    });
  });
});
