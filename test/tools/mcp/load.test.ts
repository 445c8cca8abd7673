import { describe, expect, it } from "vitest";
import { mcpClient } from "../../../adapters/mcp/index.ts";
import { loadMcpManager } from "../../../src/tools/index.ts";
import { connectorDeps, managerDeps, startArguments } from "./support.ts";

const servers = { docs: { url: "https://mcp.example/mcp" } };

describe("loadMcpManager()", () => {
  it("loads nothing without servers, and then there is nothing to accept", async () => {
    const manager = await loadMcpManager({}, connectorDeps(), managerDeps());
    manager.start(...startArguments());
    expect(manager.status()).toEqual([]);
    await expect(manager.accept({ server: "docs", tool: "a", fingerprint: "f" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await manager.close();
  });

  it("takes a yes of the owner before it is started, and keeps it", async () => {
    const deps = managerDeps();
    const manager = await loadMcpManager(servers, connectorDeps({ client: mcpClient }), deps);
    expect(await manager.accept({ server: "docs", tool: "a", fingerprint: "f" })).toEqual({ offered: false });
    expect((await deps.store.get("mcp/docs"))?.value).toMatchObject({ pins: [{ name: "a", fingerprint: "f" }] });
    await manager.close();
  });

  it("takes what the client brings", async () => {
    const manager = await loadMcpManager(servers, connectorDeps({ client: mcpClient }), managerDeps());
    expect(manager.status()).toMatchObject([{ name: "docs" }]);
    await manager.close();
  });
});
