import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createCommandRunner } from "../../adapters/workspaces/host/command-runner.ts";
import type { ExecLimits } from "../../kit.ts";
import { temporaryFolder } from "../workspaces/temporary-folder.ts";

export const MIB = 1024 * 1024;
const noGuard = async () => ({ ok: true });

/** How commands run, as the option `exec` has it. */
export type Exec = { readonly mode: "sandboxed" | "host"; readonly sandbox?: "none" };

/** Runs one command under limits in a workspace of its own. Each command is bounded itself, and ends soon where nothing stops it. */
export async function runIn(exec: Exec, limits: Partial<ExecLimits>, command: string) {
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

/** What commands may use at most is held in each mode. */
export function limitsHold(title: string, exec: Exec): void {
  describe(`exec.limits in the mode ${title}`, () => {
    const run = (limits: Partial<ExecLimits>, command: string) => runIn(exec, limits, command);
    it(`ends a program that writes a file larger than fileBytes`, async () => {
      const result = await run({ fileBytes: MIB }, "head -c 3000000 /dev/zero > big; wc -c < big");
      expect(result.stdout.trim()).toBe(String(MIB));
      expect(result.stderr).toContain("File too large");
      expect(result.limit).toContain(
        `exec.limits.fileBytes: a file may have at most ${MIB} bytes. The owner can raise`,
      );
    });

    it(`ends a command that adds more than diskBytes in many files`, { timeout: 20_000 }, async () => {
      const result = await run(
        { diskBytes: 5 * MIB },
        "for n in $(seq 40); do head -c 1000000 /dev/zero > f$n; done; sleep 9",
      );
      expect(result).toMatchObject({ exitCode: 137, timedOut: false });
      expect(result.limit).toContain(`exec.limits.diskBytes: a command may add at most ${5 * MIB} bytes`);
    });

    it(`counts files that have no name any more`, { timeout: 20_000 }, async (context) => {
      if (process.platform !== "linux") return context.skip("needs /proc");
      const command = "exec 3> f; rm f; head -c 20000000 /dev/zero >&3; sleep 9";
      expect(await run({ diskBytes: 5 * MIB }, command)).toMatchObject({
        exitCode: 137,
        limit: expect.stringContaining("exec.limits.diskBytes"),
      });
    });

    it(`counts only what the command adds`, async () => {
      const folder = await temporaryFolder();
      try {
        const runner = createCommandRunner(
          folder.path,
          { ...exec, limits: { diskBytes: 5 * MIB } },
          { guard: noGuard },
        );
        for (const name of ["a", "b", "c"]) {
          const result = await runner.run(`head -c 3000000 /dev/zero > ${name}; sleep 0.5`);
          expect(result).toMatchObject({ exitCode: 0 });
          expect(result.limit).toBe(undefined);
        }
      } finally {
        await folder.remove();
      }
    });

    it(`ends a command whose processes use more than memoryBytes together`, { timeout: 20_000 }, async () => {
      const hog = "(head -c 60000000 /dev/zero; sleep 9) | tail -c 60000000 > /dev/null";
      const result = await run({ memoryBytes: 100 * MIB }, `${hog} & ${hog} & wait`);
      expect(result).toMatchObject({ exitCode: 137, timedOut: false });
      expect(result.limit).toContain(
        `exec.limits.memoryBytes: the processes of a command may use at most ${100 * MIB}`,
      );
    });

    it(`lets one process have no more than twice of that, at once`, async () => {
      const hog = "head -c 400000000 /dev/zero | tail -c 400000000 | wc -c";
      const result = await run({ memoryBytes: 50 * MIB }, hog);
      expect(result.stdout.trim()).not.toBe("400000000");
      expect((await run({ memoryBytes: 50 * MIB }, "ulimit -d")).stdout.trim()).toBe(String(100 * 1024));
      expect(result.limit).toContain("exec.limits.memoryBytes");
    });

    it.each([
      ["children", `for n in $(seq 80); do sleep ${SECONDS} & done; wait`],
      ["orphans", `for n in $(seq 80); do (sleep ${SECONDS} &); done; sleep 9`],
      ["those that leave the group", `for n in $(seq 80); do setsid sleep ${SECONDS} & done; wait`],
    ])(`ends a command with more than processes at once: %s`, { timeout: 20_000 }, async (_, command) => {
      const result = await run({ processes: 50 }, command);
      expect(result).toMatchObject({ exitCode: 137, timedOut: false });
      expect(result.limit).toContain("exec.limits.processes: a command may have at most 50 processes at once");
      // Killed, not only given up: in the sandbox with its first process, without one each by itself.
      for (let tries = 0; tries < 100 && sleepers().length > 0; tries++)
        await new Promise((done) => setTimeout(done, 20));
      expect(sleepers()).toEqual([]);
    });

    it(`ends a command after seconds, whatever time it asked for`, { timeout: 20_000 }, async () => {
      const result = await run({ seconds: 1 }, "sleep 9");
      expect(result).toMatchObject({ exitCode: 124, timedOut: true });
      expect(result.limit).toContain("exec.limits.seconds: a command may take at most 1 seconds");
    });

    it(`says nothing of limits when a command keeps to them, or runs into the time it asked for`, async () => {
      expect((await run({ processes: 50 }, "echo hello; false")).limit).toBe(undefined);
      const folder = await temporaryFolder();
      const runner = createCommandRunner(folder.path, exec, { guard: noGuard });
      const late = await runner.run("sleep 9", { timeoutMs: 300 });
      expect(late).toMatchObject({ exitCode: 124, timedOut: true });
      expect(late.limit).toBe(undefined);
      await folder.remove();
    });
  });
}
