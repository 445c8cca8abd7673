import { describe, expect, it } from "vitest";
import { createCommandRunner } from "../../adapters/workspaces/host/command-runner.ts";
import { familyOf, parseProcessList, processesOf } from "../../adapters/workspaces/host/processes.ts";
import { hostWorkspace } from "../../adapters/workspaces/host/index.ts";
import { temporaryFolder } from "../workspaces/temporary-folder.ts";
import { MIB, limitsHold } from "./limits-hold.ts";

limitsHold("host without a sandbox", { mode: "host", sandbox: "none" });

describe("exec.limits as options", () => {
  const root = "/srv/none";
  it.each([
    [{ fileBytes: 0 }, "exec.limits.fileBytes must be a whole number of 4096 or more: current value is 0"],
    [{ diskBytes: 1.5 }, "exec.limits.diskBytes must be a whole number"],
    [
      { memoryBytes: "2 GB" },
      "exec.limits.memoryBytes must be a whole number of 16777216 or more: current value is 2 GB",
    ],
    [{ processes: 1 }, "exec.limits.processes must be a whole number of 8 or more"],
    [{ seconds: 601 }, "exec.limits.seconds must be a whole number from 1 to 600: current value is 601"],
    [{ files: 3 }, "exec.limits.files is not a limit: there are fileBytes, diskBytes, memoryBytes, processes, seconds"],
  ])("are refused when they make no sense: %j", (limits, message) => {
    const exec = { mode: "host", sandbox: "none", limits: limits as object } as const;
    expect(() => hostWorkspace({ root, exec })).toThrow(message);
    expect(() => hostWorkspace({ root, exec })).toThrow(expect.objectContaining({ code: "OPTION_INVALID" }));
  });

  it("are refused in the mode simulated where they would have no effect", () => {
    const exec = { mode: "simulated", limits: { memoryBytes: 64 * MIB } as object } as const;
    expect(() => hostWorkspace({ root, exec })).toThrow(
      "exec.limits.memoryBytes does not apply to the simulated shell: there are diskBytes, seconds",
    );
  });

  it("are shown to people by inspect()", async () => {
    const folder = await temporaryFolder();
    const runner = createCommandRunner(folder.path, { mode: "host", sandbox: "none", limits: { processes: 50 } });
    expect(await runner.inspect()).toMatchObject({
      limits: "256 MiB a file, 1024 MiB written, 2048 MiB of memory, 50 processes, 600 s",
    });
    await folder.remove();
  });
});

describe("the processes of a command", () => {
  it("are its first one, all of its group and all that these started, wherever they went", () => {
    const row = (pid: number, parent: number, group: number) => ({ pid, parent, group });
    const rows = [
      row(1, 0, 1),
      row(10, 1, 10),
      row(11, 10, 10),
      row(12, 11, 12),
      row(13, 1, 10),
      row(14, 13, 14),
      row(20, 1, 20),
    ];
    expect(
      familyOf(10, rows)
        .map(({ pid }) => pid)
        .toSorted((one, other) => one - other),
    ).toEqual([10, 11, 12, 13, 14]);
  });

  it("are found on this machine, this one among them", async () => {
    const own = (await processesOf().list()).find(({ pid }) => pid === process.pid);
    expect(own).toMatchObject({ parent: process.ppid });
    expect(processesOf().residentBytes(own!)).toBeGreaterThan(MIB);
    expect(processesOf().proportionalBytes(own!)).toBeGreaterThan(MIB);
  });

  it("are read from the list of ps where there is no /proc", () => {
    expect(parseProcessList("    1     0     1   9000\n  512     1   512     16\nno line\n")).toEqual([
      { pid: 1, parent: 0, group: 1, residentBytes: 9_216_000 },
      { pid: 512, parent: 1, group: 512, residentBytes: 16_384 },
    ]);
  });
});
