import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { polled } from "../support/within.ts";
import { runProgram } from "../../adapters/cli/program.ts";
import { fsStore } from "../../adapters/storage/fs/index.ts";
import { type StubServer, stubServer } from "../models/stub-server.ts";
import { type FakeTerminal, fakeTerminal, run, temporaryFolder } from "./fake-terminal.ts";

const WINDOWS = process.platform === "win32";

let folder: ReturnType<typeof temporaryFolder>;
let endings: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  folder = temporaryFolder();
  configure("models: [{ provider: offline }]");
});
afterEach(async () => {
  for (const end of endings.toReversed()) await end();
  endings = [];
  folder.remove();
});

function configure(models: string): void {
  writeFileSync(
    join(folder.path, "wakeful.yaml"),
    `${models}\ntimezone: UTC\nworkspace: { root: ./workspace, exec: { mode: host } }\n`,
  );
}

const here = (...argv: string[]) => run(argv, { cwd: folder.path });

/** `wakeful serve` in this process, until the test has ended. */
async function serving(env: Record<string, string> = {}, atPort = "0") {
  const terminal = fakeTerminal({ cwd: folder.path, env });
  const ended = runProgram(["serve", "--port", atPort, "--json"], terminal);
  endings.push(async () => {
    terminal.signal("SIGTERM");
    await ended;
  });
  await terminal.until("\n");
  const { url, token } = JSON.parse(terminal.output()) as { url: string; token: string };
  return {
    url,
    token,
    port: new URL(url).port,
    async api(path: string, body?: object) {
      const response = await fetch(`${url}/api/v1${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return (await response.json()) as Record<string, unknown>;
    },
  };
}

/** `wakeful chat` on a terminal, until the test has ended. */
async function chatting(token?: string): Promise<FakeTerminal & { readonly ended: Promise<number> }> {
  const terminal = fakeTerminal({ cwd: folder.path, interactive: true });
  const ended = runProgram(["chat", ...(token === undefined ? [] : ["--token", token])], terminal);
  endings.push(async () => {
    terminal.stdin.end("/exit\n");
    await ended;
  });
  await terminal.until("/exit leaves");
  return { ...terminal, ended };
}

async function stubbed(answer: Parameters<typeof stubServer>[0]): Promise<StubServer> {
  const stub = await stubServer(answer);
  endings.push(async () => stub[Symbol.asyncDispose]());
  return stub;
}

describe("wakeful chat, while a server has the data open", () => {
  it("answers over a pipe, wherever the server listens, in the conversation that it has without one", async () => {
    const { token } = await serving();
    const piped = await run(["chat", "--token", token], { cwd: folder.path, input: "hello\nand again\n" });
    expect([piped.code, piped.stderr]).toEqual([0, ""]);
    expect(piped.stdout).toContain("offline model");
    const shown = await here("sessions", "show", "agent:main:main", "--token", token);
    expect(shown.stdout).toMatch(/cli: hello\n[^]*cli: and again\n/);

    // Whoever comes back to it on a terminal reads where it stands.
    const terminal = await chatting(token);
    expect(terminal.output()).toMatch(/server: http:[^]*cli: hello\n[^]*cli: and again\n/);

    const named = ["chat", "--token", token, "--session", "work", "--json"];
    const reply = JSON.parse((await run(named, { cwd: folder.path, input: "hello\n" })).stdout) as object;
    expect(reply).toMatchObject({
      sessionKey: "agent:main:cli:direct:work",
      text: expect.stringContaining("offline model") as string,
      silent: false,
      toolCalls: [],
      approvals: [],
      usage: { inputTokens: expect.any(Number) as number, outputTokens: expect.any(Number) as number },
    });
  });

  it("needs no token on the machine of the server, which keeps its own for whoever may read the data, while it runs", async () => {
    const kept = join(folder.path, ".wakeful", "token");
    mkdirSync(join(folder.path, ".wakeful"));
    writeFileSync(kept, "left-by-a-killed-server", { mode: 0o644 });
    const { url } = await serving();
    if (!WINDOWS) expect(statSync(kept).mode & 0o777).toBe(0o600);
    const piped = await run(["chat"], { cwd: folder.path, input: "hello\n" });
    expect([piped.code, piped.stderr]).toEqual([0, ""]);
    expect(piped.stdout).toContain("offline model");
    expect((await here("status")).stdout).toMatch(/server: +http:\/\/127\.0\.0\.1:\d+\n/);
    expect((await here("doctor")).stdout).toContain("which is ready");
    // It goes to the address that the lock names, and to no other.
    expect((await here("status", "--url", url)).stderr).toContain("wants the owner's token");
    await endings.pop()?.();
    expect(existsSync(kept)).toBe(false);
  });

  it("says when the server has gone, and goes on with the next one, which has another token", async () => {
    const { port } = await serving();
    const end = endings.pop()!;
    const terminal = await chatting();
    await end();
    terminal.stdin.write("is anybody there\n");
    await polled(terminal.errors).toMatch(/^error: The server at http:\/\/127\.0\.0\.1:\d+ no longer answers \(/);
    await serving({}, port);
    terminal.stdin.write("hello\n");
    await terminal.until("offline model");
    expect(terminal.errors().match(/^error:/gm)).toHaveLength(1);
  });

  it("begins with what jobs said, and not with what they were told", async () => {
    await serving();
    await run(["chat"], { cwd: folder.path, input: "every day at 9 am remind me to drink water\n" });
    const [job] = (JSON.parse((await here("jobs", "--json")).stdout) as { jobs: { id: string }[] }).jobs;
    await here("jobs", "run", job!.id);
    await polled(async () => (await here("sessions", "show", "agent:main:main")).stdout).toMatch(
      /\(job .+\) The job ".+" is due now[^]*assistant: Reminder/,
    );
    const terminal = await chatting();
    expect(terminal.output()).toMatch(/cli: every day [^]*assistant: Reminder: drink water/);
    expect(terminal.output()).not.toContain("is due now");
  });

  it("begins with what automations had done for them meanwhile, until they have spoken", async () => {
    const { url, token, api } = await serving();
    await run(["chat"], { cwd: folder.path, input: "hello\n" });
    const waits = async () => ((await api("/notifications"))["notifications"] as unknown[]).length;
    const call = async (task: string, count: number) => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const body = JSON.stringify({ task, user: "cli" });
      expect((await fetch(`${url}/hooks/agent`, { method: "POST", headers, body })).status).toBe(202);
      // Gently: the server answers a token 120 times a minute.
      await polled(waits, { interval: 50, timeout: 20_000 }).toBe(count);
    };
    const said = /cli: hello\n[^]*\d\d:\d\d:\d\d ● I did not understand that/;
    await call("why did build 7 fail?", 1);
    const terminal = await chatting();
    expect(terminal.output()).toMatch(said);
    terminal.stdin.write("hello\n");
    await polled(() => terminal.output().match(/offline model and answer/g)?.length).toBe(2);
    terminal.stdin.end("/exit\n");
    await terminal.ended;
    expect((await chatting()).output()).not.toContain("●");
    // The page has it until it is put away.
    expect(await waits()).toBe(1);

    await call("why did build 8 fail?", 2);
    for (const end of endings.splice(0).toReversed()) await end();
    const alone = (await chatting()).output();
    expect(alone).toMatch(said);
    expect(alone.match(/●/g)).toHaveLength(1);
  });

  it("goes on with the next server where that one listens at another port", async () => {
    const first = await serving();
    const end = endings.pop()!;
    const terminal = await chatting();
    await end();
    // Another program has that port meanwhile.
    const other = createServer((_, response) => response.writeHead(404).end("not here"));
    await new Promise<void>((resolve) => other.listen(Number(first.port), "127.0.0.1", resolve));
    endings.push(() => new Promise((resolve) => other.close(resolve)));
    await serving();
    terminal.stdin.write("hello\n");
    await terminal.until("offline model");
    expect(terminal.errors()).toBe("");
  });

  it("needs no token either when the server has another, and takes none that is wrong", async () => {
    configure("models: [{ provider: offline }]\nserver: { token: { env: SECRET } }");
    await serving({ SECRET: "configured-token-0123456789" });
    configure("models: [{ provider: offline }]");
    expect((await run(["chat"], { cwd: folder.path, input: "hello\n" })).stdout).toContain("offline model");
    expect((await here("chat", "--token", "wrong")).stderr).toContain("wants the owner's token");
  });

  it("says that it needs the token before anything is typed, and the other commands find the server too", async () => {
    const { token, api, port } = await serving();
    rmSync(join(folder.path, ".wakeful", "token"));
    const refused = await here("chat");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      /^error: The server at http:\/\/127\.0\.0\.1:\d+ .* wants the owner's token: .*--token/,
    );
    expect((await here("jobs", "--token", token)).stdout).toContain("No jobs yet");
    expect((await here("status", "--token", token)).stdout).toMatch(/server: +http:\/\/127\.0\.0\.1:\d+\n/);

    await api("/messages", { text: "hello" });
    const withPort = { cwd: folder.path, env: { PORT: port } };
    const refusedToo = await run(["sessions"], withPort);
    expect(refusedToo.code).toBe(1);
    expect(refusedToo.stderr).toContain("wants the owner's token");
    const listed = await run(["sessions", "--token", token], withPort);
    expect(listed.code).toBe(0);
    expect(listed.stdout).toContain("agent:main:");
  });

  it("signs in with an owner's token of the configuration, if there is no other", async () => {
    configure(`models: [{ provider: offline }]
server: { tokens: [{ token: ada-token-0123456789, role: user, user: "app:ada" }, { token: owner-token-0123456789, role: owner }] }`);
    await serving();
    const piped = await run(["chat"], { cwd: folder.path, input: "hello\n" });
    expect([piped.code, piped.stderr]).toEqual([0, ""]);
    expect((await here("chat", "--token", "ada-token-0123456789")).stderr).toContain("wants the owner's token");
  });

  it.skipIf(WINDOWS)(
    "shows tools, asks about calls that wait, and shows those of other conversations — needs a POSIX shell",
    async () => {
      const { token, api } = await serving();
      const terminal = await chatting(token);
      terminal.stdin.write("run echo from here\n");
      await terminal.until("Enter later: ");
      expect(terminal.output()).toContain('· bash {"command":"echo from here"');
      expect(terminal.output()).toMatch(/bash wants to run \(\w+\):\n {4}input\n {6}command: echo from here/);
      terminal.stdin.write("y\n");
      await terminal.until("· bash: done");
      expect(terminal.output()).not.toContain("In another conversation");

      await api("/messages", { text: "run echo elsewhere", session: "other" });
      await terminal.until("command: echo elsewhere");
      await terminal.until("In another conversation");
      const code = /bash wants to run \((\w+)\):\n {4}input\n {6}command: echo elsewhere/.exec(terminal.output())?.[1];
      await terminal.until(`It waits: /approve ${code}`);
      terminal.stdin.write(`/deny ${code} not now\n`);
      await terminal.until("· bash: denied");
    },
  );

  it("says what is said unasked, and not again what had waited", async () => {
    const { token, api } = await serving();
    const remind = async (text: string) => {
      const { id } = await api("/jobs", { schedule: "in 2 hours", task: `Remind me to ${text}`, user: "cli" });
      await api(`/jobs/${String(id)}/run`, {});
    };
    await remind("sleep");
    const waits = async () => JSON.stringify(await api("/notifications")).includes("sleep");
    // Gently: the server answers a token 120 times a minute.
    await polled(waits, { interval: 50, timeout: 20_000 }).toBe(true);
    const terminal = await chatting(token);
    await remind("drink water");
    await terminal.until("drink water");
    expect(terminal.output()).toContain("● ");
    // It stands in the conversation, once.
    expect(terminal.output().match(/.*sleep/g)).toEqual([expect.stringContaining("assistant: Reminder: ")]);
  });

  it("ends the turn at the server with Ctrl-C", async () => {
    const stub = await stubbed(() => undefined);
    configure(`models: [{ provider: openai-compatible, model: slow, base_url: "${stub.url}", api_key: none }]`);
    const { token } = await serving();
    const terminal = await chatting(token);
    terminal.stdin.write("think\n");
    while (stub.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    terminal.signal("SIGINT");
    while (!terminal.errors().includes("Stopped by Ctrl-C")) await new Promise((resolve) => setImmediate(resolve));
    const told = async () => (await here("sessions", "show", "agent:main:main", "--token", token)).stdout;
    while (!(await told()).includes("Stopped by a person")) await new Promise((resolve) => setImmediate(resolve));
    // The prompt is there again.
    terminal.stdin.write("/exit\n");
    expect(await terminal.ended).toBe(1);
  });
});

describe("the token of the command line", () => {
  it.each([
    { announced: "http://192.0.2.7:8787", title: "another machine" },
    { announced: "http://127.0.0.1.example:8787", title: "a name that begins like this machine" },
    { announced: "http://127.0.0.1:8787@192.0.2.7", title: "an address that begins like this machine" },
    { announced: "http://127.0.0.1:8787/elsewhere", title: "a part of an address" },
    { announced: "https://127.0.0.1:8787", title: "what no server of ours announces" },
  ])("goes not to $title that the lock of the data names", async ({ announced }) => {
    const store = await fsStore({ root: join(folder.path, ".wakeful") });
    endings.push(() => store.close());
    store.announce(announced);
    for (const command of ["chat", "jobs"]) {
      const refused = await here(command, "--token", "a-secret-token");
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain(
        `says that it is at ${announced}, which is neither this machine nor server.host`,
      );
    }
  });

  it("goes not to this machine when another one has the data open", async () => {
    const stub = await stubbed(() => ({ json: { approvals: [] } }));
    const owner = { v: 1, pid: 1, host: "elsewhere", started: "", token: "t", url: stub.url };
    mkdirSync(join(folder.path, ".wakeful"));
    writeFileSync(join(folder.path, ".wakeful", "lock"), JSON.stringify(owner));
    const refused = await run(["chat", "--token", "a-secret-token"], { cwd: folder.path, env: { PORT: "1" } });
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain("no server answers at http://127.0.0.1:1");
    expect(stub.requests).toEqual([]);
  });

  it("does not follow a server that sends it elsewhere", async () => {
    const other = await stubbed(() => ({ json: {} }));
    const first = await stubbed(() => ({ status: 307, headers: { location: `${other.url}/taken` }, json: {} }));
    for (const command of ["chat", "jobs"]) {
      const refused = await here(command, "--url", first.url, "--token", "a-secret-token");
      expect(refused.code).toBe(1);
    }
    expect(first.requests.map(({ authorization }) => authorization)).toContain("Bearer a-secret-token");
    expect(other.requests).toEqual([]);
  });
});
