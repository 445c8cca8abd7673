import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createCommandRunner } from "../../adapters/workspaces/host/command-runner.ts";
import { familyOf, parseProcessList, processesOf } from "../../adapters/workspaces/host/processes.ts";
import { findSandbox, hostWorkspace } from "../../adapters/workspaces/host/index.ts";
import type { ExecLimits } from "../../kit.ts";
import { wholeOnNode } from "../support/thorough.ts";
import { temporaryFolder } from "../workspaces/temporary-folder.ts";

const MIB = 1024 * 1024;
const found = findSandbox();
const noGuard = async () => ({ ok: true });

/** Runs one command under limits in a workspace of its own. Each command is bounded itself, and ends soon where nothing stops it. */
async function runIn(
  exec: { mode: "sandboxed" | "host"; sandbox?: "none" },
  limits: Partial<ExecLimits>,
  command: string,
) {
  const folder = await temporaryFolder();
  try {
    const runner = createCommandRunner(folder.path, { ...exec, limits }, { guard: noGuard });
    return { ...(await runner.run(command, { timeoutMs: 10_000 })), files: readdirSync(folder.path) };
  } finally {
    await folder.remove();
  }
}

/** A time to sleep that only the processes of these tests have. */
const SECONDS = `9.0${process.pid}`;

/** Processes that a test started and that are still there, on Linux. */
function sleepers(): readonly string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/u.test(name) && readFileSync(`/proc/${name}/cmdline`, "utf8").startsWith(`sleep\0${SECONDS}`);
    } catch {
      return false;
    }
  });
}

const modes = [
  { title: "host without a sandbox", exec: { mode: "host", sandbox: "none" } },
  { title: "sandboxed", exec: { mode: "sandboxed" } },
] as const;

describe.each(wholeOnNode(modes, 2))("exec.limits in the mode $title", ({ exec }) => {
  const run = (limits: Partial<ExecLimits>, command: string) => runIn(exec, limits, command);
  const here = exec.mode === "host" || found.ok ? it : it.skip;
  const needs = exec.mode === "host" || found.ok ? "" : " — needs a sandbox";

  here(`ends a program that writes a file larger than fileBytes${needs}`, async () => {
    const result = await run({ fileBytes: MIB }, "head -c 3000000 /dev/zero > big; wc -c < big");
    expect(result.stdout.trim()).toBe(String(MIB));
    expect(result.stderr).toContain("File too large");
    expect(result.limit).toContain(`exec.limits.fileBytes: a file may have at most ${MIB} bytes. The owner can raise`);
  });

  here(`ends a command that adds more than diskBytes in many files${needs}`, { timeout: 20_000 }, async () => {
    const result = await run(
      { diskBytes: 5 * MIB },
      "for n in $(seq 40); do head -c 1000000 /dev/zero > f$n; done; sleep 9",
    );
    expect(result).toMatchObject({ exitCode: 137, timedOut: false });
    expect(result.limit).toContain(`exec.limits.diskBytes: a command may add at most ${5 * MIB} bytes`);
  });

  here(`counts files that have no name any more${needs}`, { timeout: 20_000 }, async (context) => {
    if (process.platform !== "linux") return context.skip("needs /proc");
    const command = "exec 3> f; rm f; head -c 20000000 /dev/zero >&3; sleep 9";
    expect(await run({ diskBytes: 5 * MIB }, command)).toMatchObject({
      exitCode: 137,
      limit: expect.stringContaining("exec.limits.diskBytes"),
    });
  });

  here(`counts only what the command adds${needs}`, async () => {
    const folder = await temporaryFolder();
    try {
      const runner = createCommandRunner(folder.path, { ...exec, limits: { diskBytes: 5 * MIB } }, { guard: noGuard });
      for (const name of ["a", "b", "c"]) {
        const result = await runner.run(`head -c 3000000 /dev/zero > ${name}; sleep 0.5`);
        expect(result).toMatchObject({ exitCode: 0 });
        expect(result.limit).toBe(undefined);
      }
    } finally {
      await folder.remove();
    }
  });

  here(`ends a command whose processes use more than memoryBytes together${needs}`, { timeout: 20_000 }, async () => {
    const hog = "(head -c 60000000 /dev/zero; sleep 9) | tail -c 60000000 > /dev/null";
    const result = await run({ memoryBytes: 100 * MIB }, `${hog} & ${hog} & wait`);
    expect(result).toMatchObject({ exitCode: 137, timedOut: false });
    expect(result.limit).toContain(`exec.limits.memoryBytes: the processes of a command may use at most ${100 * MIB}`);
  });

  here(`lets one process have no more than twice of that, at once${needs}`, async () => {
    const hog = "head -c 400000000 /dev/zero | tail -c 400000000 | wc -c";
    const result = await run({ memoryBytes: 50 * MIB }, hog);
    expect(result.stdout.trim()).not.toBe("400000000");
    expect((await run({ memoryBytes: 50 * MIB }, "ulimit -d")).stdout.trim()).toBe(String(100 * 1024));
    expect(result.limit).toContain("exec.limits.memoryBytes");
  });

  here.each([
    ["children", `for n in $(seq 80); do sleep ${SECONDS} & done; wait`],
    ["orphans", `for n in $(seq 80); do (sleep ${SECONDS} &); done; sleep 9`],
    ["those that leave the group", `for n in $(seq 80); do setsid sleep ${SECONDS} & done; wait`],
  ])(`ends a command with more than processes at once: %s${needs}`, { timeout: 20_000 }, async (_, command) => {
    const result = await run({ processes: 50 }, command);
    expect(result).toMatchObject({ exitCode: 137, timedOut: false });
    expect(result.limit).toContain("exec.limits.processes: a command may have at most 50 processes at once");
    // Killed, not only given up: in the sandbox with its first process, without one each by itself.
    for (let tries = 0; tries < 100 && sleepers().length > 0; tries++)
      await new Promise((done) => setTimeout(done, 20));
    expect(sleepers()).toEqual([]);
  });

  here(`ends a command after seconds, whatever time it asked for${needs}`, { timeout: 20_000 }, async () => {
    const result = await run({ seconds: 1 }, "sleep 9");
    expect(result).toMatchObject({ exitCode: 124, timedOut: true });
    expect(result.limit).toContain("exec.limits.seconds: a command may take at most 1 seconds");
  });

  here(`says nothing of limits when a command keeps to them, or runs into the time it asked for${needs}`, async () => {
    expect((await run({ processes: 50 }, "echo hello; false")).limit).toBe(undefined);
    const folder = await temporaryFolder();
    const runner = createCommandRunner(folder.path, exec, { guard: noGuard });
    const late = await runner.run("sleep 9", { timeoutMs: 300 });
    expect(late).toMatchObject({ exitCode: 124, timedOut: true });
    expect(late.limit).toBe(undefined);
    await folder.remove();
  });
});

describe("exec.limits in the mode sandboxed", () => {
  it.skipIf(!found.ok)(`bounds the folder for temporary files${found.ok ? "" : " — needs a sandbox"}`, async () => {
    const command =
      "head -c 20000000 /dev/zero > /tmp/x; head -c 20000000 /dev/zero > /dev/shm/x; cat /tmp/x /dev/shm/x | wc -c";
    const result = await runIn({ mode: "sandboxed" }, { diskBytes: 4 * MIB }, command);
    expect(result.stdout.trim()).toBe(String(8 * MIB));
    expect(result.limit).toContain("exec.limits.diskBytes");
  });
});

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
    [{ files: 3 }, "exec.limits.files is no limit: there are fileBytes, diskBytes, memoryBytes, processes, seconds"],
  ])("are refused when they make no sense: %j", (limits, message) => {
    const exec = { mode: "host", sandbox: "none", limits: limits as object } as const;
    expect(() => hostWorkspace({ root, exec })).toThrow(message);
    expect(() => hostWorkspace({ root, exec })).toThrow(expect.objectContaining({ code: "OPTION_INVALID" }));
  });

  it("are refused in the mode simulated where they would have no effect", () => {
    const exec = { mode: "simulated", limits: { memoryBytes: 64 * MIB } as object } as const;
    expect(() => hostWorkspace({ root, exec })).toThrow(
      "exec.limits.memoryBytes does not hold in the simulated shell: there are diskBytes, seconds",
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
