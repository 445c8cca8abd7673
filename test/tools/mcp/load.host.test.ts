import { createMCPClient } from "@ai-sdk/mcp";
import { expect, it } from "vitest";
import { loadMcpManager } from "../../../src/tools/index.ts";
import { managerParts } from "./support.ts";

it("what keeps connections is loaded by itself, also for a client that brings the library only", async () => {
  const servers = { docs: { url: "https://mcp.example/mcp" } };
  const manager = await loadMcpManager(managerParts(servers, { client: { createMCPClient } }));
  expect(manager.status()).toMatchObject([{ name: "docs" }]);
  await manager.close();
});
