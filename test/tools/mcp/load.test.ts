import { describe, expect, it } from "vitest";
import { mcpClient } from "../../../adapters/mcp/index.ts";
import { loadMcpManager } from "../../../src/tools/index.ts";
import { managerParts } from "./support.ts";

const servers = { docs: { url: "https://mcp.example/mcp" } };

describe("loadMcpManager()", () => {
  it("loads nothing without servers, and then there is nothing to accept", async () => {
    const manager = await loadMcpManager(managerParts({}, {}));
    manager.start();
    expect(manager.status()).toEqual([]);
    await expect(manager.accept({ server: "docs", tool: "a", fingerprint: "f" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await manager.close();
  });

  it("takes what the client brings", async () => {
    const manager = await loadMcpManager(managerParts(servers, { client: mcpClient }));
    expect(manager.status()).toMatchObject([{ name: "docs" }]);
    await manager.close();
  });
});
