import type { CommandOptions, CommandResult, CommandRunner, Workspace } from "../tools/index.ts";
import { AssistantError } from "../errors.ts";
import type { TestApi } from "./test-api.ts";

/** A workspace with a runner, created for one test. `dispose` removes what it left. */
export interface OpenedCommands {
  /** Empty, with the runner under test as `exec`. */
  readonly workspace: Workspace & { readonly exec: CommandRunner };
  /** Called after each test. */
  dispose(): Promise<void>;
}

/** Options of `commandContract`. */
export interface CommandContractOptions {
  /** The runner's name in the titles of the tests. */
  readonly name: string;
  /** Creates an empty workspace. Called once for each test. */
  open(): Promise<OpenedCommands>;
}

/** Commands that any shell runs, with their output. */
const EVERYDAY: readonly (readonly [command: string, stdout: string])[] = [
  ["echo hello", "hello\n"],
  ["echo one; echo two && echo three || echo four", "one\ntwo\nthree\n"],
  ["false || echo no", "no\n"],
  ["printf 'b\\na\\nc\\na\\n' | sort | uniq -c | sort -rn | head -1 | tr -s ' '", " 2 a\n"],
  ["for n in 1 2 3; do echo $((n * n)); done", "1\n4\n9\n"],
  ["x=5; if [ $x -gt 3 ]; then echo more; else echo less; fi", "more\n"],
  ['greet() { echo "hi $1"; }; greet Ada', "hi Ada\n"],
  ["echo a > f.txt && echo b >> f.txt && cat f.txt", "a\nb\n"],
  ["mkdir -p deep/er && echo x > deep/er/f && ls deep/er && cat deep/er/f", "f\nx\n"],
  ["mkdir empty && ls -d empty && rmdir empty && ls", "empty\n"],
  ["echo 1 > a; cp a b; mv b c; ls; rm a c; ls", "a\nc\n"],
  ["mkdir -p d/e; touch d/e/1 d/2; rm -r d; ls", ""],
  ["mkdir d; touch d/1; cp -r d e; find e -type f", "e/1\n"],
  ["printf 'x=1\\ny=2\\n' > c; grep -n y c; sed -i 's/1/9/' c; cat c", "2:y=2\nx=9\ny=2\n"],
  ["printf '1 2\\n3 4\\n' | awk '{ sum += $2 } END { print sum }'", "6\n"],
  ["cat <<'END'\n  a $HOME\nEND", "  a $HOME\n"],
  ["echo $(echo inner) `echo ticks`", "inner ticks\n"],
  ["touch a.txt b.txt c.md; echo *.txt", "a.txt b.txt\n"],
  ["echo out; echo err >&2", "out\n"],
  ["ls none 2>/dev/null || echo gone", "gone\n"],
  ["echo quiet > /dev/null; echo loud", "loud\n"],
  ["seq 3 | xargs -n 1 echo n", "n 1\nn 2\nn 3\n"],
  ["echo 你好 ä > 笔记.txt; cat 笔记.txt; wc -c < 笔记.txt | tr -d ' '", "你好 ä\n10\n"],
  ["printf 'echo \"from $1\"\\n' > s.sh; bash s.sh script", "from script\n"],
  ["test -t 0 && echo terminal; cat", ""],
];

/**
 * Registers the contract of the `CommandRunner` port as tests.
 *
 * Source: the Contract lines of `CommandRunner`; docs/exec.md, "Write a runner of your own".
 */
export function commandContract(api: TestApi, options: CommandContractOptions): void {
  const { expect } = api;
  const it = (title: string, body: (workspace: Workspace, runner: CommandRunner) => Promise<void>) =>
    api.it(title, async () => {
      const { workspace, dispose } = await options.open();
      try {
        await body(workspace, workspace.exec);
      } finally {
        await dispose();
      }
    });

  api.describe(`${options.name} keeps the CommandRunner contract`, () => {
    it("says that it can run, and the same when it is asked again", async (_workspace, runner) => {
      const found = await runner.inspect();
      expect(found.ok).toBe(true);
      expect(await runner.inspect()).toEqual(found);
      expect(["simulated", "sandboxed", "host"].includes(runner.mode)).toBe(true);
    });

    for (const [command, stdout] of EVERYDAY) {
      it(`runs ${JSON.stringify(command)}`, async (_workspace, runner) => {
        const result = await runner.run(command);
        expect({ stdout: result.stdout, timedOut: result.timedOut, truncated: result.truncated }).toEqual({
          stdout,
          timedOut: false,
          truncated: false,
        });
      });
    }

    it("tells output, faults and the exit code apart", async (_workspace, runner) => {
      const result = await runner.run("echo out; echo fault >&2; exit 3");
      expect([result.stdout, result.stderr, result.exitCode]).toEqual(["out\n", "fault\n", 3]);
      expect((await runner.run("no-such-program-here")).exitCode).toBe(127);
    });

    it("works on the files of the workspace", async (workspace, runner) => {
      await workspace.write("notes/in.txt", "from the tool\n");
      const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
      await workspace.write("bytes", bytes);
      const result = await runner.run(
        "cat notes/in.txt; echo from the shell > notes/out.txt; cp bytes copied; cat bytes > written; mv bytes moved",
      );
      expect(result.stdout).toBe("from the tool\n");
      expect(new TextDecoder().decode((await workspace.read("notes/out.txt"))?.bytes)).toBe("from the shell\n");
      for (const path of ["copied", "written", "moved"])
        expect([...((await workspace.read(path))?.bytes ?? [])]).toEqual([...bytes]);
      expect(await workspace.read("bytes")).toBe(null);
    });

    it("starts anew each time, in the folder that is asked for", async (workspace, runner) => {
      await workspace.write("below/f", "1");
      await runner.run("cd below; export KEPT=1; alias ls=false; kept() { :; }");
      expect((await runner.run("ls; echo ${KEPT:-gone}")).stdout).toBe("below\ngone\n");
      expect((await runner.run("ls", { cwd: "below" })).stdout).toBe("f\n");
      for (const cwd of ["..", "/etc", "below/../.."])
        expect(await refusalOf(runner, "ls", { cwd })).toBe("WORKSPACE_REFUSED");
    });

    it("passes the environment that is given and no other", async (_workspace, runner) => {
      expect((await runner.run("echo $GIVEN", { env: { GIVEN: "yes" } })).stdout).toBe("yes\n");
      const names = (await runner.run("env")).stdout.split("\n").map((line) => line.split("=", 1)[0] ?? "");
      expect(names.filter((name) => /token|secret|key|password/iu.test(name))).toEqual([]);
    });

    it("stops a command at its time and says so", async (_workspace, runner) => {
      const result = await runner.run("echo begun; sleep 30", { timeoutMs: 300 });
      expect([result.timedOut, result.exitCode]).toEqual([true, 124]);
    });

    it("rejects with the reason when it is aborted, before and meanwhile", async (_workspace, runner) => {
      const reason = new Error("enough");
      const controller = new AbortController();
      const running = runner.run("sleep 30", { signal: controller.signal }).catch((error: unknown) => error);
      controller.abort(reason);
      expect(await running).toBe(reason);
      expect(await runner.run("echo", { signal: controller.signal }).catch((error: unknown) => error)).toBe(reason);
    });

    it("shows the beginning and the end of long output", async (_workspace, runner) => {
      const result = await runner.run("seq 1 3000", { maxOutputBytes: 1000 });
      expect(result.truncated).toBe(true);
      expect(result.stdout.startsWith("1\n2\n3\n")).toBe(true);
      expect(result.stdout.endsWith("2999\n3000\n")).toBe(true);
      expect(result.stdout.includes("bytes left out")).toBe(true);
      expect(result.stdout.length < 1100).toBe(true);
    });

    for (const text of ["", " \n", "echo a\0b"]) {
      it(`refuses ${JSON.stringify(text)}, which no shell can take`, async (_workspace, runner) => {
        expect(await refusalOf(runner, text)).toBe("WORKSPACE_REFUSED");
      });
    }

    it("runs code in the languages that it names and refuses others", async (_workspace, runner) => {
      const found = await runner.inspect();
      const languages = found.ok ? found.languages : [];
      const programs: Readonly<Record<string, string>> = {
        bash: "echo $((6 * 7))",
        javascript: "console.log(6 * 7)",
        python: "print(6 * 7)",
      };
      for (const language of languages) {
        const result: CommandResult = await runner.runCode(language, programs[language] ?? "");
        expect([language, result.stdout, result.exitCode]).toEqual([language, "42\n", 0]);
      }
      const refused = await runner.runCode("cobol", "x").catch((error: unknown) => error);
      expect(AssistantError.is(refused, "WORKSPACE_REFUSED")).toBe(true);
    });
  });
}

async function refusalOf(runner: CommandRunner, command: string, options?: CommandOptions): Promise<string> {
  try {
    await runner.run(command, options);
  } catch (error) {
    if (AssistantError.is(error)) return error.code;
    throw error;
  }
  return "done";
}
