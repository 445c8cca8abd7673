import { ChildProcess } from "node:child_process";
import { tmpdir } from "node:os";
import { realpathSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it, vi } from "vitest";
import { polled } from "../../support/within.ts";
import { systemClock } from "../../../src/clock.ts";
import type { McpStdioServer } from "../../../src/tools/index.ts";
import { stdioTransport } from "../../../src/tools/mcp/stdio-transport.ts";
import { WHOLE } from "../../support/thorough.ts";
import { type Managed, type ManagedOptions, managed } from "./support.ts";

const NODE = fileURLToPath(new URL("../../../node_modules/node/bin/node", import.meta.url));
const PROGRAM = fileURLToPath(new URL("./stdio-server.ts", import.meta.url));
const CANARY = "canary-secret-0123456789";

const open = new Set<Managed>();

async function connected(server: Partial<McpStdioServer> = {}, options: ManagedOptions = {}) {
  const made = managed(
    { program: { command: NODE, args: [PROGRAM], ...server } },
    { clock: systemClock(), ...options },
  );
  open.add(made);
  made.manager.start();
  await polled(() => made.status().state, { timeout: 10_000 }).toBe("connected");
  return made;
}

afterEach(async () => {
  await Promise.all([...open].map(({ manager }) => manager.close()));
  open.clear();
});

async function identity(made: Managed): Promise<{ pid: number; cwd: string; arguments: string[] }> {
  return JSON.parse(String(await made.run("mcp__program__identity"))) as Awaited<ReturnType<typeof identity>>;
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe("an MCP server that is a program", () => {
  it("gets its arguments as they are, in its folder, read by no shell", async () => {
    const made = await connected({ args: [PROGRAM, "$(touch /tmp/x); `id` && 'a b'"], cwd: tmpdir() });
    expect(await identity(made)).toMatchObject({
      cwd: realpathSync(tmpdir()),
      arguments: ["$(touch /tmp/x); `id` && 'a b'"],
    });
    expect(
      made.lines.some(({ level, fields }) => level === "debug" && String(fields?.["text"]).includes("ready")),
    ).toBe(true);
  });

  it("sees none of the assistant's environment but what every program needs, and what the configuration gives", async () => {
    process.env["WAKEFUL_CANARY"] = CANARY;
    try {
      const made = await connected({ env: { API_KEY: "given" } });
      const environment = JSON.parse(String(await made.run("mcp__program__environment"))) as Record<string, string>;
      expect(environment["API_KEY"]).toBe("given");
      expect(
        Object.keys(environment)
          .filter((name) => !name.startsWith("__"))
          .sort(),
      ).toEqual(
        ["API_KEY", "HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"].filter(
          (name) => name === "API_KEY" || process.env[name] !== undefined,
        ),
      );
      expect(JSON.stringify(environment)).not.toContain(CANARY);
    } finally {
      delete process.env["WAKEFUL_CANARY"];
    }
  });

  it("ends with the assistant", async () => {
    const made = await connected();
    const { pid } = await identity(made);
    expect(lives(pid)).toBe(true);
    await made.manager.close();
    expect(lives(pid)).toBe(false);
  });

  it("ends also when it does not want to", async () => {
    const made = await connected({ args: [PROGRAM, "stubborn"] });
    const { pid } = await identity(made);
    await made.manager.close();
    expect(lives(pid)).toBe(false);
  });

  it("is started again when it dies", async () => {
    const made = await connected();
    const { pid } = await identity(made);
    await expect(made.run("mcp__program__die")).rejects.toMatchObject({ code: "MCP_ERROR" });
    expect((await identity(made)).pid).not.toBe(pid);
  });

  it("that is not there is said so", async () => {
    const made = managed({ program: { command: "/nonexistent/mcp-server" } }, { clock: systemClock() });
    open.add(made);
    made.manager.start();
    await polled(() => made.status().state, { timeout: 10_000 }).toBe("waiting");
    expect(made.status().detail).toMatch(/ENOENT|not found|no such/i);
  });

  // Node has no number of a process that it could not start, and signals whatever stands there: 0 is this whole process group.
  it("that is not there is sent no signal when it is closed while it starts", async () => {
    const signalled: unknown[] = [];
    const kill = vi.spyOn(ChildProcess.prototype, "kill").mockImplementation(function (this: ChildProcess) {
      signalled.push(this.spawnfile);
      return false;
    });
    const transport = stdioTransport({
      library: await import("@ai-sdk/mcp/mcp-stdio"),
      server: { command: "/nonexistent/mcp-server" },
      clock: systemClock(),
      maxBytes: 1000,
      onListChanged() {},
      onClosed() {},
      onWords() {},
    });
    const started = transport.start();
    const closed = transport.close();
    const [outcome] = await Promise.allSettled([started, closed]);
    kill.mockRestore();
    expect(outcome).toMatchObject({
      status: "rejected",
      reason: { message: expect.stringMatching(/ENOENT|not found|no such/i) },
    });
    expect(signalled).toEqual([]);
  });
});

if (WHOLE)
  describe("an MCP server that is a program, whatever runs the assistant", () => {
    it("is ended when a message is longer than it may be", async () => {
      const made = await connected({}, { maxMessageBytes: 1_000_000 });
      const { pid } = await identity(made);
      await expect(made.run("mcp__program__flood")).rejects.toMatchObject({ code: "MCP_ERROR" });
      await polled(() => lives(pid), { timeout: 5000 }).toBe(false);
      expect(made.lines.some(({ fields }) => String(fields?.["error"]).includes("longer than 1000000 bytes"))).toBe(
        true,
      );
    });

    it("is told when a call is cancelled", async () => {
      const made = await connected();
      const stop = new AbortController();
      const call = made.run("mcp__program__hang", {}, stop.signal).catch((error: unknown) => error);
      await made.run("mcp__program__identity"); // The program reads its messages in order: it has the call now.
      stop.abort(new Error("the turn ended"));
      expect(await call).toMatchObject({ message: "the turn ended" });
      await polled(async () => await made.run("mcp__program__cancelled"), { timeout: 5000 }).toBe("hang");
    });

    it("that adds a tool while it runs does not get it offered", async () => {
      const made = await connected();
      await made.run("mcp__program__grow");
      await polled(() => made.approvals, { timeout: 5000 }).toMatchObject([{ server: "program", tool: "grown" }]);
      expect(made.registry.find("mcp__program__grown")).toBeUndefined();
    });

    it("that says nothing holds nobody up", async () => {
      const made = managed(
        { program: { command: NODE, args: [PROGRAM, "silent"], timeoutMs: 300 } },
        { clock: systemClock() },
      );
      open.add(made);
      made.manager.start();
      await polled(() => made.status().state, { timeout: 10_000 }).toBe("waiting");
      expect(made.status().detail).toContain("300 ms");
    });
  });
