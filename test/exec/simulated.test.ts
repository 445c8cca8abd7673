import { describe, expect, it } from "vitest";
import { hostileCommands } from "./hostile-commands.ts";
import { THOROUGH, sampled, wholeOnNode } from "../support/thorough.ts";
import { simulatedShell } from "../../adapters/shells/simulated/index.ts";
import { memoryStore } from "../../src/store/index.ts";
import { simulatedRunner, virtualWorkspace } from "../../entry.host.ts";
import { commandContract } from "../../src/testing/command-contract.ts";
import type { OpenedCommands } from "../../src/testing/command-contract.ts";

const shell = simulatedShell();

function opened(store = memoryStore()): OpenedCommands["workspace"] {
  return virtualWorkspace({ store, exec: { mode: "simulated", shell } }) as OpenedCommands["workspace"];
}

commandContract(
  { describe, it, expect },
  {
    name: "simulatedRunner() over virtualWorkspace()",
    open: async () => ({ workspace: opened(), dispose: async () => {} }),
  },
);

/** Each runs into its time: what ends it is the same code everywhere. */
const ENDLESS = [
  ["an endless loop", "while true; do :; done"],
  ["an endless recursion", "f() { f; }; f"],
  ["a fork bomb", "bomb() { bomb | bomb & }; bomb"],
  ["a sequence without end", "seq 1 100000000000"],
  ["braces that multiply", "echo {1..1000}{1..1000}{1..1000}"],
  ["a text that doubles", 'x=xxxxxxxxxx; while true; do x="$x$x"; done'],
  ["substitutions in substitutions", "f() { echo $(f); }; f"],
  ["an awk without end", "awk 'BEGIN { while (1) x++ }'"],
  ["a sed without end", "echo a | sed ':a; b a'"],
  ["a jq without end", "jq -n 'def f: f; f'"],
  ["yes", "yes | head -c 100000000 > big"],
  [
    "files without end",
    "for i in $(seq 1 5000); do cat big >> big2; echo xxxxxxxxxxxxxxxxxxxxxx >> big; cat big >> big; done",
  ],
  ["a sleep", "sleep 1000000"],
  ["a wait", "tail -f /dev/null; read x; cat"],
] as const;

describe("the simulated shell, asked for what is not its own", () => {
  const around = {
    root: "/srv/assistant/root",
    outside: "/srv/assistant/outside",
    inner: "/srv/assistant/root/.data",
    port: 1,
    pid: 2,
    self: 1,
  };

  it("leaves nothing outside of its workspace and shows nothing of it", async () => {
    const store = memoryStore();
    await store.put("outside/secret.txt", "canary-of-the-store");
    await store.put("workspace/other/secret.txt", "canary-of-another-workspace");
    const workspace = opened(store);
    const shown: string[] = [];
    for (const [title, command] of sampled(hostileCommands(around), 4)) {
      const { stdout, stderr } = await workspace.exec.run(command, { timeoutMs: 1000 });
      if (/canary-|RESOLVED-/u.test(stdout + stderr)) shown.push(`${title}: ${stdout}${stderr}`);
    }
    expect(shown).toEqual([]);
    const keys: string[] = [];
    for await (const { key } of store.list("")) if (!key.startsWith("workspace/main/")) keys.push(key);
    expect(keys).toEqual(["outside/secret.txt", "workspace/other/secret.txt"]);
    expect((await store.get("outside/secret.txt"))?.value).toBe("canary-of-the-store");
  });

  it.each(wholeOnNode(ENDLESS, 3))("ends %s, and in little memory", async (_title, command) => {
    const store = memoryStore();
    const workspace = opened(store);
    const result = await workspace.exec.run(command, { timeoutMs: THOROUGH ? 400 : 150 });
    expect(result.stdout.length).toBeLessThan(70_000);
    let bytes = 0;
    for (const { sizeBytes = 0 } of await Promise.all(
      ((await workspace.list(".")) ?? []).map(async ({ path }) => (await workspace.stat(path)) ?? { sizeBytes: 0 }),
    ))
      bytes += sizeBytes;
    expect(bytes).toBeLessThanOrEqual(2 * workspace.maxFileBytes);
  });

  it("knows no SQLite and no network, whose bounds are not its own", async () => {
    const { exec } = opened();
    for (const command of [
      "sqlite3 :memory: 'select 1'",
      "curl http://127.0.0.1",
      "wget x",
      "ssh x",
      "node -e 1",
      "python3 -c 1",
    ])
      expect([command, (await exec.run(command)).exitCode]).toEqual([command, 127]);
  });

  it("keeps to the size of files and to the names that the workspace takes", async () => {
    const store = memoryStore();
    const workspace = virtualWorkspace({ store, maxFileBytes: 1000, exec: { shell } }) as ReturnType<typeof opened>;
    for (const command of [
      "seq 1 1000 > long",
      "echo a > 'b%2fc'",
      "echo a | tee %2e%2e",
      "mkdir 'x%00'",
      `touch ${"x".repeat(256)}`,
    ])
      expect([command, (await workspace.exec.run(command)).exitCode]).toEqual([command, 1]);
    expect(await workspace.list(".")).toEqual([{ path: "long", kind: "file" }]);
  });

  it("keeps to exec.limits, and names the one that a command went over", async () => {
    const exec = (limits: object) =>
      (virtualWorkspace({ store: memoryStore(), exec: { shell, limits } }) as ReturnType<typeof opened>).exec;
    const small = exec({ diskBytes: 10_000 });
    const written = await small.run("for n in 1 2 3 4; do seq 1 1000 > f$n; done; ls");
    expect(written.stdout).not.toContain("f4");
    expect(written.limit).toContain("exec.limits.diskBytes: a command may add at most 10000 bytes");
    expect((await small.run("for n in 1 2 3 4; do seq 1 1000 | tee g$n > /dev/null; done")).limit).toContain(
      "diskBytes",
    );
    for (const command of ["seq 1 9000 > /tmp/x", "for n in 1 2 3 4; do seq 1 1000 > /tmp/f$n; done"]) {
      const result = await small.run(command);
      expect(result.limit).toContain("diskBytes");
      expect(result.stderr).toContain("ENOSPC");
    }
    expect((await small.run("seq 1 1000 > f")).limit).toBe(undefined);
    const brief = await exec({ seconds: 1 }).run("sleep 60");
    expect(brief).toMatchObject({ exitCode: 124, timedOut: true });
    expect(brief.limit).toContain("exec.limits.seconds: a command may take at most 1 seconds");
    expect(() => exec({ processes: 50 })).toThrow("exec.limits.processes does not apply to the simulated shell");
    expect(() => exec({ diskBytes: -1 })).toThrow("exec.limits.diskBytes must be a whole number of 4096 or more");
  });

  const names = [
    "12:30 meeting.md",
    "~x.txt",
    "notes.",
    " notes ",
    "a\\b",
    "*",
    "?",
    "[x].md",
    "{a,b}",
    'quo"te',
    "100%.md",
    "50% off.txt",
    "aux.txt",
    "two\nlines",
    "an\u0303o",
    "-rf",
  ];
  it.each(wholeOnNode(names, 4))("sees the name %j as the file tools do", async (name) => {
    const workspace = opened();
    await workspace.write(`in/${name}`, "by a tool\n");
    const quoted = `'in/${name}'`;
    const run = async (command: string) => (await workspace.exec.run(command)).stdout;
    expect(await run(`cat ${quoted}; ls in | cat`)).toBe(`by a tool\n${name}\n`);
    // The library's patterns end at a line break: docs/exec.md.
    if (!name.includes("\n")) expect(await run(`cd in; for one in *; do printf '<%s>' "$one"; done`)).toBe(`<${name}>`);
    expect(await run(`find in -type f`)).toBe(`in/${name}\n`);
    expect(await run(`grep -rl 'by a' in`)).toBe(`in/${name}\n`);
    await run(`echo by a command > ${quoted}; mkdir out; cp ${quoted} out/; mv ${quoted} moved`);
    const copied = await workspace.read(`out/${name}`);
    expect(copied && new TextDecoder().decode(copied.bytes)).toBe("by a command\n");
    expect((await workspace.list("."))?.map(({ path }) => path)).toEqual(["moved", "out"]);
    expect((await workspace.exec.run(`rm -- 'out/${name}'; ls out`)).stdout).toBe("");
  });

  it("says at the end what the folders that were listed leave out", async () => {
    const store = memoryStore();
    const plain = virtualWorkspace({ store });
    await plain.write("a", "");
    const leaving = {
      ...plain,
      list: async (path: string, options?: Parameters<typeof plain.list>[1]) => {
        options?.onLeftOut?.("linkOutside");
        return plain.list(path, options);
      },
    };
    const runner = simulatedRunner(leaving, { shell });
    expect(await runner.run("ls; ls; echo done >&2")).toMatchObject({
      stdout: "a\na\n",
      stderr: "done\nbash: of the folders that were listed, 1 left out: 1 symlink leaves the workspace\n",
      exitCode: 0,
    });
    expect(await runner.run("cat a")).toMatchObject({ stderr: "" });
  });

  it("says that a folder has more entries than commands see", async () => {
    const plain = opened();
    const many = Array.from({ length: 10_001 }, (_, index) => ({ path: `${index}`, kind: "file" as const }));
    const runner = simulatedRunner(
      { ...plain, list: async (_path, { limit = Infinity } = {}) => many.slice(0, limit) },
      { shell },
    );
    expect(await runner.run("ls | wc -l")).toMatchObject({
      stdout: expect.stringMatching(/^ *10000\n$/u) as string,
      stderr: "bash: of the folders that were listed, 1 left out: 1 folder has more entries than commands see\n",
    });
  });

  it("makes no links, also not to what is in the workspace", async () => {
    const workspace = opened();
    const result = await workspace.exec.run("echo a > f; ln -s f s; ln f h; ls");
    expect(result.stdout).toBe("f\n");
    expect(result.stderr).toContain("there are no links in the workspace");
  });

  it("appends from two commands at once without losing a line", async () => {
    const workspace = opened();
    const add = (name: string) => workspace.exec.run(`for n in 1 2 3 4 5; do echo ${name}$n >> log; done`);
    await Promise.all([add("a"), add("b"), add("c")]);
    expect((await workspace.exec.run("sort log | tr '\\n' ' '")).stdout).toBe(
      "a1 a2 a3 a4 a5 b1 b2 b3 b4 b5 c1 c2 c3 c4 c5 ",
    );
  });
});

describe("virtualWorkspace() and its ways to run commands", () => {
  it.each(["sandboxed", "host"])("has no mode %s and names the workspace that has it", (mode) => {
    expect(() => virtualWorkspace({ store: memoryStore(), exec: { mode } as never })).toThrow("use hostWorkspace");
  });

  it("refuses a mode that there is not", () => {
    expect(() => virtualWorkspace({ store: memoryStore(), exec: { mode: "on" } as never })).toThrow(
      '"simulated" or "off"',
    );
  });

  it("has no runner when it is off, and a simulated one by default", () => {
    expect(virtualWorkspace({ store: memoryStore(), exec: { mode: "off" } }).exec).toBe(undefined);
    expect(virtualWorkspace({ store: memoryStore() }).exec?.mode).toBe("simulated");
  });
});
