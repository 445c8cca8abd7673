import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { programFile } from "../support/programs.ts";
import { WHOLE } from "../support/thorough.ts";
import { temporaryFolder } from "./fake-terminal.ts";

const main = programFile("adapters/cli/main.ts");
const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
const deno = "Deno" in globalThis ? ["run", "-A", "--unstable-kv", "--node-modules-dir=manual"] : [];

let folder: ReturnType<typeof temporaryFolder>;
let running: ChildProcess[] = [];
beforeEach(() => (folder = temporaryFolder()));
afterEach(() => {
  for (const child of running) child.kill("SIGKILL");
  running = [];
  folder.remove();
});

/** The program in a process of its own, on the runtime that runs this test. */
function start(argv: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [...deno, main, ...argv], {
    cwd: folder.path,
    env: { PATH, HOME, NODE_COMPILE_CACHE, NO_COLOR: "1", ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  running.push(child);
  const texts = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (texts.stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (texts.stderr += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  return {
    child,
    ended,
    texts,
    /** Deno's `child.kill()` reports no exit code. */
    signal(name: "SIGINT" | "SIGTERM") {
      if (child.pid === undefined) throw new Error("It was not started");
      process.kill(child.pid, name);
    },
    /** What standard output says once it matches. */
    async said(pattern: RegExp): Promise<string> {
      for (;;) {
        const found = pattern.exec(texts.stdout)?.[1];
        if (found !== undefined) return found;
        if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}: ${texts.stderr}`);
        await sleep(20);
      }
    },
  };
}

describe("a command whose reader leaves", () => {
  it("ends well, without a word about pipes", async () => {
    const command = start(["--help"]);
    command.child.stdout.destroy();
    expect(await command.ended).toBe(0);
    expect(command.texts.stderr).toBe("");
  });
});

describe("a machine whose TZ names no zone", () => {
  it.each(["", "Foo/Bar"])("has UTC: TZ=%j", async (TZ) => {
    const doctor = start(["doctor"], { TZ });
    const job = start(["jobs", "add", "2099-01-02T09:00", "Water the plants", "--data", "other"], { TZ });
    await doctor.ended;
    expect(doctor.texts.stdout).toMatch(/zone UTC$/m);
    expect(await job.ended).toBe(0);
    expect(job.texts.stdout).toContain("2099-01-02T09:00:00.000Z");
  });
});

describe("wakeful serve, as a process", () => {
  async function served() {
    const server = start(["serve", "--port", "0"]);
    const url = await server.said(/on (http:\S+)/);
    return { server, url, token: await server.said(/^token: (\S+)$/m) };
  }

  it("serves with a printed token, and ends at SIGTERM", async () => {
    const { server, url, token } = await served();
    expect(await (await fetch(`${url}/healthz`)).text()).toBe("ok\n");
    const ask = (headers: Record<string, string>) =>
      fetch(`${url}/api/v1/messages`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ text: "hello" }),
      });
    expect((await ask({})).status).toBe(401);
    expect(await (await ask({ authorization: `Bearer ${token}` })).json()).toMatchObject({
      text: expect.stringContaining("offline model"),
    });
    if (WHOLE) {
      const third = start(["chat", "--token", token]);
      third.child.stdin.end("hello\n");
      expect(await third.ended).toBe(0);
      expect(third.texts.stdout).toContain("offline model");
      const status = start(["status", "--json"], { PORT: new URL(url).port, WAKEFUL_TOKEN: token });
      expect(await status.ended).toBe(0);
      expect(JSON.parse(status.texts.stdout)).toMatchObject({ running: true, sessions: 2 });
    }
    server.signal("SIGTERM");
    expect(await server.ended).toBe(0);
  }, 60_000);

  it("keeps others out of its data and its port, and answers a chat beside it", async () => {
    const { url } = await served();
    const second = start(["chat"]);
    second.child.stdin.end("hello\n");
    expect(await second.ended).toBe(0);
    expect(second.texts.stdout).toContain("offline model");
    const alike = start(["chat", "--token", "wrong"]);
    alike.child.stdin.end("hello\n");
    expect(await alike.ended).toBe(1);
    expect(alike.texts.stderr).toMatch(
      /^error: The server at http:\S+ has the data open and wants the owner's token: .*\n$/,
    );
    const { port } = new URL(url);
    const taken = start(["serve", "--port", port, "--data", "other"]);
    expect(await taken.ended).toBe(2);
    expect(taken.texts.stderr).toContain(`error: Cannot listen on port ${port}: another program uses it`);
  }, 60_000);

  it("takes WAKEFUL_TOKEN and PORT, and then prints no token", async () => {
    const server = start(["serve", "--json"], { PORT: "0", WAKEFUL_TOKEN: "a-token-of-mine" });
    const said = JSON.parse(await server.said(/^(\{.*\})$/m)) as { url: string; token?: string };
    expect(said.token).toBeUndefined();
    const response = await fetch(`${said.url}/api/v1/sessions`, {
      headers: { authorization: "Bearer a-token-of-mine" },
    });
    expect(response.status).toBe(200);
    server.signal("SIGINT");
    expect(await server.ended).toBe(0);
  }, 60_000);

  it("ends at once at a second Ctrl-C, while a turn is waited for at the first", async () => {
    const asked = Promise.withResolvers<void>();
    const model = createServer(() => asked.resolve()).listen(0, "127.0.0.1"); // never answers
    await once(model, "listening");
    try {
      const { port } = model.address() as AddressInfo;
      const server = start(["serve", "--port", "0"], {
        OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
        OPENAI_API_KEY: "none",
        WAKEFUL_TOKEN: "a-token-of-mine",
      });
      const url = await server.said(/on (http:\S+)/);
      const response = await fetch(`${url}/api/v1/messages`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: "Bearer a-token-of-mine" },
        body: JSON.stringify({ text: "hello", wait: false }),
      });
      expect(response.status).toBe(202);
      await asked.promise;
      server.signal("SIGINT");
      // It takes no more requests as soon as it has heard the first.
      while (
        await fetch(`${url}/healthz`).then(
          ({ ok }) => ok,
          () => false,
        )
      )
        await sleep(20);
      server.signal("SIGINT");
      expect(await server.ended).not.toBe(0);
    } finally {
      model.closeAllConnections();
      model.close();
    }
  }, 60_000);
});

describe("wakeful chat, as a process", () => {
  it("answers over a pipe and remembers after a restart", async () => {
    const first = start(["chat"]);
    first.child.stdin.end("hello\n");
    expect(await first.ended).toBe(0);
    expect(first.texts.stdout).toContain("offline model");
    const shown = start(["sessions", "show", "agent:main:main"]);
    expect(await shown.ended).toBe(0);
    expect(shown.texts.stdout).toContain("cli: hello");
    expect(shown.texts.stdout).not.toContain("\u001B");
  }, 60_000);
});
