import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  lstatSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo, Server } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCommandRunner } from "../../adapters/workspaces/host/command-runner.ts";
import { findSandbox, hostWorkspace } from "../../adapters/workspaces/host/index.ts";
import type { CommandRunner } from "../../kit.ts";
import { commandContract } from "../../src/testing/command-contract.ts";
import { temporaryFolder } from "../workspaces/temporary-folder.ts";
import { WHOLE, sampled, wholeOnNode } from "../support/thorough.ts";
import { hostileCommands } from "./hostile-commands.ts";
import type { Surroundings } from "./hostile-commands.ts";

const found = findSandbox();
const needs = found.ok ? "" : ` — needs a sandbox: ${found.problem}`;
const inSandbox = describe.skipIf(!found.ok);
/** What is judged here is the sandbox, so nothing is held back before it. */
const noGuard = async () => ({ ok: true });

commandContract(
  { describe: inSandbox, it, expect },
  {
    name: `the sandboxed runner${needs}`,
    async open() {
      const folder = await temporaryFolder();
      const root = join(folder.path, "root");
      const workspace = hostWorkspace({ root, exec: { mode: "off" } });
      const exec = createCommandRunner(root, { mode: "sandboxed" }, { guard: noGuard });
      return { workspace: { ...workspace, exec }, dispose: folder.remove };
    },
  },
);

inSandbox(`the sandboxed runner, asked for what is not its own${needs}`, () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let around: Surroundings;
  let server: Server;
  let connections = 0;
  let victim: ReturnType<typeof spawn>;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const [root, outside] = [join(folder.path, "root"), join(folder.path, "outside")];
    for (const path of [join(root, ".data"), join(outside, "store")]) mkdirSync(path, { recursive: true });
    server = createServer((socket) => {
      connections++;
      socket.end("canary-of-the-server");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    victim = spawn("sleep", ["300"], { stdio: "ignore" });
    process.env["EXEC_CANARY"] = "canary-of-the-environment";
    around = {
      root,
      outside,
      inner: join(root, ".data"),
      port: (server.address() as AddressInfo).port,
      pid: victim.pid as number,
      self: process.pid,
    };
  });
  afterAll(async () => {
    delete process.env["EXEC_CANARY"];
    victim.kill("SIGKILL");
    await new Promise((resolve) => server.close(resolve));
    await folder.remove();
  });

  /** Puts everything back as it was, as a command may have thrown away all of its own. */
  function layOut(): void {
    mkdirSync(around.inner, { recursive: true });
    for (const [path, text] of [
      [join(around.outside, "secret.txt"), "canary-of-a-file"],
      [join(around.outside, "store/wakeful.log"), "canary-of-the-store"],
      [join(around.inner, "token"), "canary-of-the-data"],
    ] as const)
      if (!existsSync(path)) writeFileSync(path, text, { mode: 0o600 });
  }

  it.each(
    sampled(
      hostileCommands({ root: "R", outside: "O", inner: "I", port: 1, pid: 2, self: 3 }).map(([title], index) => ({
        title,
        index,
      })),
      4, // what holds them is the system's, and the same whoever starts it
    ),
  )(
    "has no effect and shows nothing when a command $title",
    async ({ index }) => {
      layOut();
      const [, command] = hostileCommands(around)[index] as readonly [string, string];
      const runner = createCommandRunner(
        around.root,
        { mode: "sandboxed", hidden: [around.inner] },
        { guard: noGuard },
      );
      const before = outsideState(folder.path, around);
      const { stdout, stderr } = await runner.run(command, { timeoutMs: 5000 });
      expect(outsideState(folder.path, around)).toEqual(before);
      expect(stdout + stderr).not.toMatch(/canary-|CHANGED-THE-KERNEL|RESOLVED-A-NAME/u);
      expect(filesWithCanary(around)).toEqual([]);
      expect(connections).toBe(0);
      expect([victim.exitCode, victim.signalCode]).toEqual([null, null]);
    },
    15_000,
  );

  it("would see each of these effects: the same commands without the sandbox", async () => {
    layOut();
    const open = createCommandRunner(around.root, { mode: "host", sandbox: "none" }, { guard: noGuard });
    const before = outsideState(folder.path, around);
    expect((await open.run(`cat ${around.outside}/secret.txt`)).stdout).toBe("canary-of-a-file");
    expect((await open.run(`exec 5<>/dev/tcp/127.0.0.1/${around.port}; cat <&5`)).stdout).toBe("canary-of-the-server");
    await open.run(`echo x > ${around.outside}/planted`);
    expect(outsideState(folder.path, around)).not.toEqual(before);
    await open.run(`cp ${around.outside}/secret.txt stolen; rm ${around.outside}/planted`);
    expect(filesWithCanary(around)).toEqual(["stolen"]);
    expect((await open.run(`cat /proc/${around.self}/environ > environ; echo $EXEC_CANARY`)).stdout).toBe("\n");
    await open.run("rm stolen environ");
    connections = 0;
  });

  it("shows the system's programs, read-only, and what it was told to show", async () => {
    const runner = createCommandRunner(
      around.root,
      { mode: "sandboxed", readable: [around.outside], hidden: [join(around.outside, "store")], env: { GIVEN: "yes" } },
      { guard: noGuard },
    );
    layOut();
    const result = await runner.run(
      `cat ${around.outside}/secret.txt; echo; cat ${around.outside}/store/*; echo x > ${around.outside}/planted; echo $GIVEN; test -w /usr || echo read-only; id -u; whoami >/dev/null; cat /proc/sys/kernel/hostname`,
    );
    const own = process.getuid?.() === 0 ? 1000 : process.getuid?.();
    expect(result.stdout).toBe(`canary-of-a-file\nyes\nread-only\n${own}\nsandbox\n`);
    expect(existsSync(join(around.outside, "planted"))).toBe(false);
  });

  it("reaches the network only when it may", async () => {
    const command = `exec 5<>/dev/tcp/127.0.0.1/${around.port}; cat <&5`;
    const runner = createCommandRunner(around.root, { mode: "sandboxed", network: true }, { guard: noGuard });
    expect((await runner.run(command)).stdout).toBe("canary-of-the-server");
    expect(runner.warnings.join()).toContain("exec.network is true");
    connections = 0;
  });
});

inSandbox(`the sandboxed runner ends what it began${needs}`, () => {
  const sandboxed = async (work: (runner: CommandRunner, root: string) => Promise<void>) => {
    const folder = await temporaryFolder();
    try {
      await work(createCommandRunner(folder.path, { mode: "sandboxed" }, { guard: noGuard }), folder.path);
    } finally {
      await folder.remove();
    }
  };

  const ways = [
    { title: "after its time", seconds: "1201", timeoutMs: 400, how: "time" },
    { title: "when it is aborted", seconds: "1202", timeoutMs: 20_000, how: "abort" },
    { title: "when the command itself is done", seconds: "1203", timeoutMs: 20_000, how: "done" },
    { title: "after far too much output", seconds: "1204", timeoutMs: 20_000, how: "overflow" },
  ] as const;
  it.each(wholeOnNode(ways, 2))("leaves no process behind $title", async ({ seconds, timeoutMs, how }) => {
    await sandboxed(async (runner) => {
      const controller = new AbortController();
      const last = { time: `sleep ${seconds}`, abort: `sleep ${seconds}`, done: "true", overflow: "yes" }[how];
      const running = runner
        .run(
          `sleep ${seconds} & setsid sleep ${seconds} & (setsid nohup sleep ${seconds} >/dev/null 2>&1 &); ${last}`,
          {
            timeoutMs,
            maxOutputBytes: 1000,
            signal: controller.signal,
          },
        )
        .catch((error: unknown) => error);
      if (how === "abort") {
        await soon(() => processesWith(seconds).length > 0);
        controller.abort(new Error("enough"));
      }
      const result = await running;
      if (how === "overflow") expect(result).toMatchObject({ truncated: true, exitCode: 137 });
      if (how === "abort") expect(result).toMatchObject({ message: "enough" });
      if (how === "time") expect(result).toMatchObject({ timedOut: true, exitCode: 124 });
      await soon(() => processesWith(seconds).length === 0);
    });
  });

  it("leaves no process behind when its own process is killed", async () => {
    const folder = await temporaryFolder();
    const script = join(dirname(fileURLToPath(import.meta.url)), "wait-in-sandbox.ts");
    const runtime = "Deno" in globalThis ? ["run", "-A", script] : [script];
    const parent = spawn(process.execPath, [...runtime, folder.path, "1205"], { stdio: ["ignore", "pipe", "inherit"] });
    // How long it takes to start is the machine's matter.
    await once(parent.stdout, "data");
    await soon(() => processesWith("1205").length > 0);
    parent.kill("SIGKILL");
    await soon(() => processesWith("1205").length === 0);
    await folder.remove();
  });

  // The system's limits are the same whoever starts a command.
  if (WHOLE)
    it("survives a burst of processes, and limits their number, files and memory", async () => {
      await sandboxed(async (runner) => {
        const limits = await runner.run("ulimit -u; ulimit -n; ulimit -d; ulimit -c");
        expect(limits.stdout).toBe("2048\n4096\n4194304\n0\n");
        // Each waits in the shell that it is forked from: starting a program 700 times would ask how fast the machine is.
        // So does a time of day: the shell has 10 seconds of a processor.
        const burst = await runner.run(
          "mkfifo hold; sh -c 'ulimit -t 10; n=0; while [ $n -lt 700 ]; do read line < hold & n=$((n+1)); done; wait' burst 1206",
        );
        expect(burst.limit).toContain("exec.limits.processes");
        await soon(() => processesWith("1206").length === 0);
        expect((await runner.run("echo still")).stdout).toBe("still\n");
        const memory = await runner.run(
          "head -c 400000000 /dev/zero > /tmp/big; wc -c < /tmp/big; head -c 100000000 /dev/zero > /dev/shm/big; wc -c < /dev/shm/big",
        );
        expect(memory.stdout.trim().split("\n").map(Number)).toEqual([268_435_456, 67_108_864]);
      });
    });
});

/** All around the workspace, and what of the system commands reach for. */
function outsideState(base: string, { root }: Surroundings): Record<string, string> {
  const state: Record<string, string> = {};
  const walk = (path: string) => {
    const info = lstatSync(path);
    const content = info.isFile() ? readFileSync(path, "utf8") : info.isSymbolicLink() ? readlinkSync(path) : "";
    state[path] = `${info.mode.toString(8)} ${info.uid} ${info.isDirectory() ? "" : info.mtimeMs} ${content}`;
    if (info.isDirectory() && path !== root) for (const name of readdirSync(path)) walk(join(path, name));
  };
  walk(base);
  // What a command does in the root itself is its own affair, but not what the root is.
  state[root] = realpathSync(root);
  for (const path of ["/etc/passwd", "/proc/sys/kernel/printk", "/proc/sys/kernel/hostname"])
    state[path] = readFileSync(path, "utf8");
  for (const folder of [
    "/tmp",
    "/var/tmp",
    "/dev/shm",
    "/run",
    "/etc",
    "/etc/cron.d",
    "/usr/bin",
    "/usr/local/bin",
    "/sys/fs/cgroup",
  ])
    if (existsSync(folder))
      state[folder] = readdirSync(folder)
        .filter((name) => name.includes("wakeful-planted"))
        .join();
  state["token"] = readFileSync(join(root, ".data/token"), "utf8") + readdirSync(join(root, ".data")).join();
  return state;
}

/** Files of the workspace that hold what commands must not read, but for the one that is hidden there. */
function filesWithCanary({ root, inner }: Surroundings): readonly string[] {
  const holding: string[] = [];
  const walk = (path: string, name: string) => {
    const info = lstatSync(path);
    if (path === inner || info.isSymbolicLink()) return;
    if (info.isDirectory())
      for (const child of readdirSync(path)) walk(join(path, child), name === "" ? child : `${name}/${child}`);
    else if (info.isFile() && readFileSync(path).includes("canary-")) holding.push(name);
  };
  walk(root, "");
  return holding;
}

/** Processes of the host that were started with this number of seconds to sleep. */
function processesWith(seconds: string): readonly string[] {
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/u.test(name)) return false;
    try {
      const line = readFileSync(`/proc/${name}/cmdline`, "utf8");
      return (
        line.startsWith(`sleep\0${seconds}`) || (line.startsWith("sh\0-c\0") && line.endsWith(`\0burst\0${seconds}\0`))
      );
    } catch {
      return false;
    }
  });
}

async function soon(done: () => boolean): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if (done()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("Waited 8 s, and it did not come");
}
