import { describe, expect, it } from "vitest";
import { virtualWorkspace } from "../../entry.host.ts";
import { memoryStore } from "../../src/store/index.ts";
import { execTools } from "../../src/tools/index.ts";

describe("a Worker that was given no shell", () => {
  it("has no bash tool and says how to get one", async () => {
    const workspace = virtualWorkspace({ store: memoryStore() });
    const said: string[] = [];
    const logger = { warn: () => {}, debug: (message: string) => void said.push(message) };
    expect(await execTools({ workspaceFor: () => workspace, workspaces: [workspace], logger })).toEqual({});
    expect(said).toHaveLength(1);
    expect(said[0]).toContain("wakeful/shells/simulated");
    await expect(workspace.exec?.run("ls")).rejects.toMatchObject({ code: "WORKSPACE_REFUSED" });
  });
});
