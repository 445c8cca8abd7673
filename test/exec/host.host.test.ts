import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bubblewrapArguments } from "../../adapters/workspaces/host/bubblewrap.ts";
import { commandEnvironment } from "../../adapters/workspaces/host/command-environment.ts";
import { createCommandRunner } from "../../adapters/workspaces/host/command-runner.ts";
import { findSandbox, hostWorkspace } from "../../adapters/workspaces/host/index.ts";
import { sandboxExecArguments } from "../../adapters/workspaces/host/sandbox-exec.ts";
import { commandContract } from "../../src/testing/command-contract.ts";
import type { OpenedCommands } from "../../src/testing/command-contract.ts";
import { temporaryFolder } from "../workspaces/temporary-folder.ts";
import { sampled } from "../support/thorough.ts";
import { hostileCommands } from "./hostile-commands.ts";

for (const exec of [{ mode: "simulated" }, { mode: "host", sandbox: "none" }] as const) {
  commandContract(
    { describe, it, expect },
    {
      name: `hostWorkspace() with exec.mode ${exec.mode}`,
      async open() {
        const folder = await temporaryFolder();
        const workspace = hostWorkspace({ root: join(folder.path, "root"), exec: { mode: "off" } });
        const runner =
          exec.mode === "host"
            ? createCommandRunner(join(folder.path, "root"), exec, { guard: async () => ({ ok: true }) })
            : hostWorkspace({ root: join(folder.path, "root"), exec }).exec;
        return { workspace: { ...workspace, exec: runner } as OpenedCommands["workspace"], dispose: folder.remove };
      },
    },
  );
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let root: string;
let outside: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  [root, outside] = [join(folder.path, "root"), join(folder.path, "outside")];
  for (const path of [root, join(outside, "store")]) mkdirSync(path, { recursive: true });
  writeFileSync(join(outside, "secret.txt"), "canary-of-a-file");
  writeFileSync(join(outside, "store/wakeful.log"), "canary-of-the-store");
});
afterEach(() => folder.remove());

describe("the simulated shell over a folder of the host's disk", () => {
  it("leaves nothing outside and shows nothing of it, links that lead out included", async () => {
    const { exec } = hostWorkspace({ root });
    symlinkSync(outside, join(root, "leads-out"));
    symlinkSync(join(outside, "secret.txt"), join(root, "link"));
    const around = { root, outside, inner: join(root, ".data"), port: 1, pid: process.pid, self: process.pid };
    const shown: string[] = [];
    const commands = [
      ...sampled(hostileCommands(around), 4),
      [
        "uses the links",
        "cat link leads-out/secret.txt; ls leads-out/; echo x > leads-out/planted; echo x > link; cp leads-out/* .; rm -r leads-out/store; find . -exec cat {} +",
      ],
      ["uses the real paths", `cat ${root}/link; cat /proc/self/cwd/link; cat ${outside}/secret.txt`],
    ] as const;
    for (const [title, command] of commands) {
      const result = await exec?.run(command, { timeoutMs: 1000 });
      if (/canary-/u.test(`${result?.stdout}${result?.stderr}`)) shown.push(title);
    }
    expect(shown).toEqual([]);
    expect(readdirSync(outside).sort()).toEqual(["secret.txt", "store"]);
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("canary-of-a-file");
    expect(readFileSync(join(outside, "store/wakeful.log"), "utf8")).toBe("canary-of-the-store");
    expect(readdirSync(folder.path).sort()).toEqual(["outside", "root"]);
  }, 30_000);

  it("removes a link and not what it leads to", async () => {
    const { exec } = hostWorkspace({ root });
    mkdirSync(join(root, "kept"));
    writeFileSync(join(root, "kept/file"), "1");
    symlinkSync("kept", join(root, "link"));
    expect((await exec?.run("rm -r link; ls; cat kept/file"))?.stdout).toBe("kept\n1");
  });

  it("makes folders that are folders, and removes them with what is in them", async () => {
    const { exec } = hostWorkspace({ root });
    await exec?.run("mkdir -p a/b/c; echo 1 > a/f; mkdir empty");
    expect([existsSync(join(root, "a/b/c")), existsSync(join(root, "empty"))]).toEqual([true, true]);
    await exec?.run("rm -r a; rmdir empty");
    expect(readdirSync(root)).toEqual([]);
  });
});

describe("JavaScript in the simulated shell", () => {
  it("reaches nothing but the workspace, where there is JavaScript at all", async () => {
    const { exec } = hostWorkspace({ root });
    const support = await exec?.inspect();
    // Its worker runs on Node alone.
    const runs = !("Bun" in globalThis) && !("Deno" in globalThis);
    expect(support).toMatchObject({ languages: runs ? ["bash", "javascript"] : ["bash"] });
    if (!runs) return;
    process.env["EXEC_CANARY"] = "canary-of-the-environment";
    try {
      const code = `
        const tries = {
          file: async () => (await import("fs")).readFileSync(${JSON.stringify(join(outside, "secret.txt"))}, "utf8"),
          write: async () => (await import("fs")).writeFileSync(${JSON.stringify(join(outside, "planted"))}, "x"),
          environment: async () => JSON.stringify(process.env),
          constructor: async () => JSON.stringify((function () {}).constructor("return globalThis.process && globalThis.process.env")()),
          shell: async () => (await import("child_process")).execSync("cat ${join(outside, "secret.txt")}; env").toString(),
          binding: async () => String(process.binding("fs")),
          network: async () => (await fetch("http://127.0.0.1:1/")).text(),
        };
        for (const [name, attempt] of Object.entries(tries)) {
          try { console.log(name, await attempt()); } catch (error) { console.log(name, "refused"); }
        }
        (await import("fs")).writeFileSync("made.txt", "by the program");`;
      const result = await exec?.runCode("javascript", code);
      expect(`${result?.stdout}${result?.stderr}`).not.toContain("canary");
      for (const name of ["file", "binding", "network"]) expect(result?.stdout).toContain(`${name} refused`);
      expect(readFileSync(join(root, "made.txt"), "utf8")).toBe("by the program");
      expect(readdirSync(outside).sort()).toEqual(["secret.txt", "store"]);
    } finally {
      delete process.env["EXEC_CANARY"];
    }
  });
});

describe("the mode host", () => {
  it("asks the guard about every command, in restricted mode, and shows the model its reason", async () => {
    const asked: unknown[] = [];
    const runner = createCommandRunner(
      root,
      { mode: "host", sandbox: "none", hidden: [outside] },
      {
        guard: async (command, options) => {
          asked.push([command, options]);
          return { ok: false, reason: "Cannot run this: no" };
        },
      },
    );
    await expect(runner.run("touch x")).rejects.toMatchObject({
      code: "WORKSPACE_REFUSED",
      message: "Cannot run this: no",
    });
    expect(asked).toEqual([["touch x", { workspace: root, mode: "restricted", protectedPaths: [outside] }]]);
    expect(readdirSync(root)).toEqual([]);
  });

  it("runs inside the system's sandbox where there is one", async (context) => {
    const found = findSandbox();
    if (!found.ok) return context.skip(`needs a sandbox: ${found.problem}`);
    const runner = createCommandRunner(root, { mode: "host" }, { guard: async () => ({ ok: true }) });
    expect(await runner.inspect()).toMatchObject({ ok: true, boundary: found.sandbox.name });
    expect((await runner.run(`cat ${outside}/secret.txt; echo x > ${outside}/planted`)).stdout).toBe("");
    expect(existsSync(join(outside, "planted"))).toBe(false);
  });

  it("says at start that nothing keeps commands in when it is told to do without", () => {
    const { warnings } = createCommandRunner(root, { mode: "host", sandbox: "none" });
    expect(warnings).toEqual([
      expect.stringContaining("with all rights of this process, as exec.mode is host and exec.sandbox is none"),
    ]);
  });

  it("leaves no child of its group behind when the command is done", async () => {
    const runner = createCommandRunner(root, { mode: "host", sandbox: "none" }, { guard: async () => ({ ok: true }) });
    const result = await runner.run("sleep 1301 & echo $!");
    expect(existsSync(`/proc/${result.stdout.trim()}/cwd`)).toBe(false);
  });

  it.for([
    {
      title: "ends before it",
      command: "setsid sleep 1302 & echo $!",
      timeoutMs: 20_000,
      exitCode: 0,
      timedOut: false,
    },
    {
      title: "runs into its time",
      command: "setsid sleep 1302 & echo $!; sleep 1303",
      timeoutMs: 700,
      exitCode: 124,
      timedOut: true,
    },
  ])(
    "answers when a process has left the group and the command $title",
    { timeout: 15_000 },
    async ({ command, timeoutMs, exitCode, timedOut }, context) => {
      if (!existsSync("/usr/bin/setsid")) return context.skip("setsid is not there — needs util-linux");
      const runner = createCommandRunner(
        root,
        { mode: "host", sandbox: "none" },
        { guard: async () => ({ ok: true }) },
      );
      const result = await runner.run(command, { timeoutMs });
      expect(result).toMatchObject({ exitCode, timedOut });
      // It lives on, as docs/exec.md says, and its output before that is there.
      process.kill(Number(result.stdout.trim()), "SIGKILL");
    },
  );

  it.each([
    { title: "of a variable", change: { env: { TARGET: "production" } } },
    { title: "of what is hidden", change: { hidden: ["/srv/other"] } },
    { title: "of what may be read", change: { readable: ["/srv/other"] } },
  ])("binds an approval to the value $title, and shows no value of a variable", ({ change }) => {
    const boundTo = (options: object) =>
      JSON.stringify(
        createCommandRunner(root, {
          mode: "host",
          sandbox: "none",
          env: { TARGET: "staging" },
          hidden: ["/srv/data"],
          readable: ["/srv/tools"],
          ...options,
        }).boundTo,
      );
    expect(boundTo({})).toBe(boundTo({}));
    expect(boundTo(change)).not.toBe(boundTo({}));
    expect(boundTo({})).toContain("TARGET");
    expect(boundTo({}) + boundTo(change)).not.toMatch(/staging|production/u);
  });
});

describe("the sandboxed mode without a sandbox", () => {
  const find = () =>
    ({ ok: false, problem: "bubblewrap (bwrap) is not installed", remedy: "apt install bubblewrap" }) as const;

  it("refuses to start, with the remedy", () => {
    expect(() => createCommandRunner("/srv/x", { mode: "sandboxed" }, { find })).toThrow(
      'Cannot run commands with exec.mode "sandboxed" as bubblewrap (bwrap) is not installed: apt install bubblewrap',
    );
  });

  it("is no matter for the mode host, which warns and offers no code_execute", async () => {
    const runner = createCommandRunner("/srv/x", { mode: "host" }, { find });
    expect(runner.warnings).toHaveLength(1);
    expect(runner.warnings[0]).toContain("apt install bubblewrap");
    expect(await runner.inspect()).toMatchObject({ ok: true, languages: [] });
    await expect(runner.runCode("bash", "echo")).rejects.toMatchObject({ code: "WORKSPACE_REFUSED" });
  });
});

describe("the mode sandboxed and the guard", () => {
  it("asks it in open mode, and not at all about programs in other languages", async (context) => {
    const found = findSandbox();
    if (!found.ok) return context.skip(`needs a sandbox: ${found.problem}`);
    const asked: unknown[] = [];
    const guard = async (command: string, { mode }: { readonly mode: string }) => {
      asked.push([command, mode]);
      return { ok: true };
    };
    const runner = createCommandRunner(root, { mode: "sandboxed" }, { guard });
    await runner.run("echo 1");
    await runner.runCode("bash", "echo 2");
    await runner.runCode("python", "print(3)");
    expect(asked).toEqual([
      ["echo 1", "open"],
      ["echo 2", "open"],
    ]);
  });
});

describe("commandEnvironment()", () => {
  const options = { root: "/w", temporaryFolder: "/tmp", added: {} };

  it("passes on language and time zone and nothing else", () => {
    const parent = {
      PATH: "/usr/bin",
      LANG: "sv_SE.UTF-8",
      TZ: "UTC",
      OPENAI_API_KEY: "k",
      HOME: "/root",
      LD_PRELOAD: "x",
      BASH_ENV: "x",
    };
    expect(Object.keys(commandEnvironment({ ...options, parent })).sort()).toEqual([
      "HOME",
      "LANG",
      "LOGNAME",
      "PATH",
      "SHELL",
      "TERM",
      "TMPDIR",
      "TZ",
      "USER",
    ]);
    expect(commandEnvironment({ ...options, parent })).toMatchObject({ HOME: "/w", LANG: "sv_SE.UTF-8", USER: "user" });
  });

  it("names only the folders of programs that a sandbox shows", () => {
    const parent = { PATH: "/root/bin:/usr/games:bin:/opt/tools/bin:/usr/bin" };
    const path = (readable: readonly string[]) => commandEnvironment({ ...options, parent, readable })["PATH"];
    expect(path([])).toBe("/usr/games:/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/sbin:/bin");
    expect(path(["/opt/tools"])?.split(":")).toContain("/opt/tools/bin");
  });

  it("adds what was given", () => {
    expect(commandEnvironment({ ...options, parent: {}, added: { GIVEN: "1", HOME: "/h" } })).toMatchObject({
      GIVEN: "1",
      HOME: "/h",
    });
  });
});

describe("bubblewrapArguments()", () => {
  const place = { root: "/srv/w", cwd: "/srv/w", readable: [], hidden: [], network: false };
  const abilities = { asRoot: false, sizes: true, nestedNamespaces: false };
  const textOf = (...args: Parameters<typeof bubblewrapArguments>) => bubblewrapArguments(...args).join(" ");

  it("gives up every namespace, right and device, and dies with its parent", () => {
    const text = textOf(place, abilities);
    for (const part of [
      "--unshare-user",
      "--unshare-pid",
      "--unshare-net",
      "--unshare-ipc",
      "--unshare-uts",
      "--disable-userns",
      "--die-with-parent",
      "--new-session",
      "--cap-drop ALL",
      "--remount-ro /proc",
      "--bind /srv/w /srv/w",
      "--remount-ro / --chdir /srv/w",
    ])
      expect(text).toContain(part);
    expect(text).not.toContain("--ro-bind / /");
    expect(text).not.toContain("/etc/shadow");
  });

  it("shares the network only when it may", () => {
    expect(textOf({ ...place, network: true }, abilities)).not.toContain("--unshare-net");
    expect(textOf(place, abilities)).not.toContain("/etc/resolv.conf");
  });

  it("leaves out what an older bubblewrap does not know", () => {
    const text = textOf(place, { asRoot: true, sizes: false, nestedNamespaces: true });
    expect(text).not.toContain("--size");
    expect(text).not.toContain("--disable-userns");
    expect(text).toContain("--uid 1000");
  });

  it("covers what is hidden after all that could show it, and nothing that is not shown anyway", () => {
    mkdirSync(join(root, ".data"));
    writeFileSync(join(root, "config.yaml"), "");
    const hidden = [join(root, ".data"), join(root, "config.yaml"), outside, join(root, "not-there")];
    const text = textOf({ ...place, root, hidden }, abilities);
    expect(text.indexOf(`--tmpfs ${root}/.data`)).toBeGreaterThan(text.indexOf(`--bind ${root}`));
    expect(text).toContain(`--ro-bind /dev/null ${root}/config.yaml`);
    expect(text).not.toContain(outside);
    expect(text).not.toContain("not-there");
  });
});

describe("sandboxExecArguments()", () => {
  const place = {
    root: '/w/a") (allow default) ("',
    cwd: "/",
    readable: ["/opt/tools"],
    hidden: ["/w/.data"],
    network: false,
  };
  const profileOf = (network: boolean) => sandboxExecArguments({ ...place, network }).at(-1) ?? "";

  it("hands over paths as parameters, so that a name cannot widen the profile", () => {
    const given = sandboxExecArguments(place);
    expect(profileOf(false)).not.toContain("allow default");
    const parameter = given.find((argument) => argument.endsWith(place.root))?.split("=", 1)[0] ?? "none";
    expect(profileOf(false)).toContain(`file-write* (subpath (param "${parameter}"))`);
  });

  it("denies by default, hides last, and has no network unless it may", () => {
    const lines = profileOf(false).split("\n");
    expect(lines[1]).toBe("(deny default)");
    expect(lines.at(-1)).toMatch(/^\(deny file\* /u);
    expect(profileOf(false)).not.toContain("network");
    expect(profileOf(true)).toContain("(allow network*)");
  });
});

describe("findSandbox()", () => {
  it("tries a sandbox that worked no second time: trying holds the process up", (context) => {
    const found = findSandbox();
    if (!found.ok) return context.skip(`needs a sandbox: ${found.problem}`);
    expect(findSandbox()).toBe(found);
  });

  it("names the remedy where there is none", () => {
    expect(findSandbox("win32")).toMatchObject({ ok: false, remedy: expect.stringContaining("simulated") as string });
  });
});
