import { describe, expect, it } from "vitest";
import { memoryStore } from "../../src/store/index.ts";
import { workspaceContract } from "../../src/testing/workspace-contract.ts";
import { virtualWorkspace } from "../../adapters/workspaces/virtual/index.ts";
import { THOROUGH } from "../support/thorough.ts";

workspaceContract(
  { describe, it, expect },
  {
    name: "virtualWorkspace()",
    open: async ({ maxFileBytes }) => ({
      workspace: virtualWorkspace({ store: memoryStore(), maxFileBytes }),
      dispose: async () => {},
    }),
  },
);

describe("virtualWorkspace()", () => {
  it("stores a text as the text it is, and anything else as bytes", async () => {
    const store = memoryStore();
    const workspace = virtualWorkspace({ store });
    await workspace.write("notes/a%b.md", "你好");
    await workspace.write("image.png", Uint8Array.of(0x89, 0x50));
    expect((await store.get("workspace/main/notes/a%25b.md"))?.value).toBe("你好");
    expect((await store.get("workspace/main/image.png"))?.value).toEqual(Uint8Array.of(0x89, 0x50));
  });

  it("keeps workspaces of different names apart, whatever the names", async () => {
    const store = memoryStore();
    const [one, other, below] = ["one", "one/two", "one%2Ftwo"].map((name) => virtualWorkspace({ store, name }));
    await one?.write("two/a", "1");
    await other?.write("a", "2");
    await below?.write("a", "3");
    expect((await one?.list("."))?.map(({ path }) => path)).toEqual(["two"]);
    expect((await one?.list("two"))?.map(({ path }) => path)).toEqual(["two/a"]);
    expect(new TextDecoder().decode((await other?.read("a"))?.bytes)).toBe("2");
    expect(new TextDecoder().decode((await below?.read("a"))?.bytes)).toBe("3");
  });

  it("takes /workspace in front of a path as its root, and no other absolute path", async () => {
    const workspace = virtualWorkspace({ store: memoryStore() });
    await workspace.write("/workspace/a", "1");
    expect((await workspace.list("/workspace"))?.map(({ path }) => path)).toEqual(["a"]);
    await expect(workspace.write("/workspaces/a", "1")).rejects.toMatchObject({ code: "WORKSPACE_REFUSED" });
  });

  it("lists a folder without walking through the folders in it", async () => {
    const store = memoryStore();
    const workspace = virtualWorkspace({ store });
    for (let index = 0; index < (THOROUGH ? 200 : 40); index++) await workspace.write(`big/${index}`, "");
    await workspace.write("small", "");
    let looked = 0;
    const counting = {
      ...store,
      async *list(prefix: string, options?: { after?: string; limit?: number }) {
        for await (const entry of store.list(prefix, options)) {
          looked++;
          yield entry;
        }
      },
    };
    expect(await virtualWorkspace({ store: counting }).list(".")).toHaveLength(2);
    expect(looked).toBeLessThan(5);
  });
});
