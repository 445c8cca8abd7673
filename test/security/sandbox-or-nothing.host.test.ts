import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCommandRunner } from "../../adapters/workspaces/host/command-runner.ts";
import { runProcess } from "../../adapters/workspaces/host/run-process.ts";
import { temporaryFolder } from "../workspaces/temporary-folder.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
  mkdirSync(join(folder.path, "root"));
});
afterEach(() => folder.remove());

const none = { find: () => ({ ok: false as const, problem: "there is none", remedy: "get one" }) };

describe("a command that shall run in a sandbox", () => {
  it("does not run without one", () => {
    const root = join(folder.path, "root");
    expect(() => createCommandRunner(root, { mode: "sandboxed" }, none)).toThrow("there is none");
    expect(() => createCommandRunner(root, { mode: "sandboxed", sandbox: "none" }, none)).toThrow("there is none");
  });

  it("says so when it was asked to run without", async () => {
    const runner = createCommandRunner(join(folder.path, "root"), { mode: "host" }, none);
    expect(runner.warnings.join(" ")).toContain("with all rights of this process");
    await expect(runner.runCode("python", "open('x', 'w')")).rejects.toMatchObject({ code: "WORKSPACE_REFUSED" });
    expect(readdirSync(join(folder.path, "root"))).toEqual([]);
  });

  it("is killed when it writes without end, long before its time is over", async () => {
    const options = { cwd: folder.path, env: { PATH: "/usr/bin:/bin" }, timeoutMs: 20_000, maxOutputBytes: 1000 };
    const result = await runProcess(["/bin/sh", "-c", "head -c 40000000 /dev/zero; sleep 30"], options);
    expect(result).toMatchObject({ timedOut: false, truncated: true });
    expect(result.stdout.length).toBeLessThan(2000);
  }, 15_000);
});
