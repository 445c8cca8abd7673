import { expect, it } from "vitest";
import { checkMcpServer } from "../../../entry.host.ts";
import { loadMcpManager } from "../../../src/tools/index.ts";
import { fakeClock } from "../../../src/testing/fake-clock.ts";
import { connectorDeps, managerDeps, startArguments } from "./support.ts";

const docs = { url: "https://mcp.example/mcp" };

it("a server of which the library is missing is unusable, and says which option brings it", async () => {
  const manager = await loadMcpManager({ docs }, connectorDeps(), managerDeps());
  manager.start(...startArguments());
  await expect.poll(() => manager.status()).toMatchObject([{ state: "unusable" }]);
  expect(manager.status()[0]?.detail).toContain("wakeful/mcp");
  await manager.close();
});

it("a server cannot be looked at without the library either", async () => {
  expect(await checkMcpServer("docs", docs, { clock: fakeClock(), version: "1" })).toMatchObject({
    ok: false,
    problem: expect.stringContaining("wakeful/mcp") as string,
  });
});
