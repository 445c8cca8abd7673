import { spawn } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../cli/fake-terminal.ts";
import { programFile } from "../support/programs.ts";
import { redisMissing, startRedis } from "../support/redis.ts";
import { wholeOnNode } from "../support/thorough.ts";

const child = programFile("test/runtimes/embed-child.ts");
const mcpServer = fileURLToPath(new URL("../tools/mcp/stdio-server.ts", import.meta.url));
const node = fileURLToPath(new URL("../../node_modules/node/bin/node", import.meta.url));
const runtimeArguments = "Deno" in globalThis ? ["run", "-A", "--unstable-kv", "--node-modules-dir=manual"] : [];
/** Far more than any of these programs takes: one that does not end by itself is ended, and says so. */
const LIMIT_MS = 40_000;

async function inFolder(body: (data: string) => Promise<void>): Promise<void> {
  const folder = temporaryFolder();
  await body(join(folder.path, "data")).finally(() => folder.remove());
}

/** Runs a program of embed-child.ts until it ends by itself. */
function run(program: string, store = "memory", place = "") {
  const started = spawn(process.execPath, [...runtimeArguments, child, program, store, place], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const texts = { stdout: "", stderr: "" };
  started.stdout.on("data", (chunk: Buffer) => (texts.stdout += chunk.toString()));
  started.stderr.on("data", (chunk: Buffer) => (texts.stderr += chunk.toString()));
  const limit = setTimeout(() => started.kill("SIGKILL"), LIMIT_MS);
  return new Promise<{ code: number | null; said: unknown; stderr: string }>((resolve) =>
    started.once("close", (code) => {
      clearTimeout(limit);
      const said: unknown = texts.stdout === "" ? undefined : JSON.parse(texts.stdout);
      resolve({ code, said, stderr: texts.stderr });
    }),
  );
}

const HELLO = expect.stringContaining("offline model");

describe("a program that embeds the assistant", { timeout: 3 * LIMIT_MS }, () => {
  const programs = [
    ["stream, fetch and a tool", "memory", ["end", "ok\n", true]],
    ["send", "memory", HELLO],
    ["send", "sqlite", HELLO],
  ] as const;
  it.each(wholeOnNode(programs, 3))("ends by itself after %s, on the %s store", (program, store, said) =>
    inFolder(async (data) => expect(await run(program, store, data)).toMatchObject({ code: 0, said })),
  );

  it("ends by itself after send, with its logs in their own files and the folder left to the next process", () =>
    inFolder(async (root) => {
      expect(await run("send", "fs", root)).toMatchObject({ code: 0, said: HELLO });
      expect(readdirSync(join(root, "wal"))).toEqual([]);
      expect(existsSync(join(root, "lock"))).toBe(false);
      const logs = readdirSync(join(root, "sessions"), { recursive: true, encoding: "utf8" }).filter((name) =>
        name.endsWith(".jsonl"),
      );
      expect(logs.map((name) => readFileSync(join(root, "sessions", name), "utf8")).join("")).toContain('"out"');
    }));

  const missing = redisMissing();
  it(`ends by itself after send, on the redis store${missing === undefined ? "" : ` — needs ${missing}`}`, async (context) => {
    if (missing !== undefined) return context.skip(missing);
    const server = await startRedis();
    try {
      expect(await run("send", "redis", server.url)).toMatchObject({ code: 0, said: HELLO });
    } finally {
      await server.stop();
    }
  });

  it("ends by itself although a program that it speaks MCP with still runs", async () => {
    const place = JSON.stringify([node, mcpServer]);
    expect(await run("mcp server", "memory", place)).toMatchObject({ code: 0, said: "connected" });
  });

  it("ends by itself although an MCP server that is not there is tried again later", async () => {
    expect(await run("mcp server that is not there")).toMatchObject({ code: 0, said: "sent" });
  });

  it("lives until it has the answer that it waits for, also when that is tried again later", async () => {
    expect(await run("retried")).toMatchObject({ code: 0, said: HELLO });
  });

  it("lives after start() until stop()", async () => {
    expect(await run("start and wait")).toMatchObject({ code: 0, said: "stopped" });
  });

  it("leaves what is still owed to the next start", () =>
    inFolder(async (data) => {
      expect(await run("owe", "fs", data)).toMatchObject({ code: 0, said: true });
      expect(await run("pay", "fs", data)).toMatchObject({ code: 0, said: ["later"] });
    }));
});
