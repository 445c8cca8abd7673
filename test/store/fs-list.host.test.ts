import { describe, expect, it } from "vitest";
import { hostFileSystem } from "../../adapters/storage/fs/file-system.ts";
import { createArtifacts } from "../../src/artifacts/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { withRoot } from "./fs-root.ts";

describe("listing files", () => {
  it("reads none of the artifacts that a sweep leaves where they are", async () => {
    await withRoot(async ({ open }) => {
      const read: string[] = [];
      const host = hostFileSystem();
      const readFile = (path: string) => {
        read.push(path);
        return host.readFile(path);
      };
      const store = await open({}, { fs: { ...host, readFile } });
      const artifacts = createArtifacts({ store, clock: fakeClock() });
      for (const name of ["a", "b"]) await artifacts.write("s", { name, content: name, user: "u" });
      read.length = 0;
      expect(await artifacts.sweep()).toEqual({ removed: 0 });
      expect(read.filter((path) => path.includes("content"))).toEqual([]);
    });
  });
});
