import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runProgram } from "../../adapters/cli/program.ts";
import { fakeTerminal, run, temporaryFolder, type Run } from "./fake-terminal.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => (folder = temporaryFolder()));
afterEach(() => folder.remove());

function here(argv: readonly string[], yaml: string, input?: string): Promise<Run> {
  writeFileSync(join(folder.path, "wakeful.yaml"), yaml);
  return run(argv, { cwd: folder.path, ...(input !== undefined && { input }) });
}

/** A server that speaks chat completions and answers everything with one text. */
async function completions(text: string) {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      bodies.push(body);
      const usage = { prompt_tokens: 700, completion_tokens: 50, total_tokens: 750 };
      const chunk = { id: "1", object: "chat.completion.chunk", created: 1, model: "m" };
      if (JSON.parse(body).stream === true) {
        response.writeHead(200, { "content-type": "text/event-stream" });
        const delta = { ...chunk, choices: [{ index: 0, delta: { role: "assistant", content: text } }] };
        const end = { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage };
        response.end(`data: ${JSON.stringify(delta)}\n\ndata: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`);
        return;
      }
      const message = { role: "assistant", content: text };
      response.writeHead(200, { "content-type": "application/json" });
      response.end(
        JSON.stringify({
          ...chunk,
          object: "chat.completion",
          choices: [{ index: 0, message, finish_reason: "stop" }],
          usage,
        }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    bodies,
    close() {
      const closed = new Promise((resolve) => server.close(resolve));
      // Whoever asked may keep a connection for later.
      server.closeAllConnections();
      return closed;
    },
  };
}

const OFFLINE = "models: [{ provider: offline }]\ntimezone: UTC\n";

describe("wakeful status", () => {
  it("tells what the models used, and how far budgets are", async () => {
    const yaml = `${OFFLINE}budget: { daily: { tokens: 1000000 }, monthly: { cost: 5 } }\n`;
    await here(["chat"], yaml, "hello\n");
    const { stdout, stderr } = await here(["status"], yaml);
    expect(stderr).toBe("");
    expect(stdout).toMatch(/usage: +[1-9][\d,]* tokens today, [1-9][\d,]* tokens this month\n/);
    expect(stdout).toMatch(/usage: +daily budget: [1-9][\d,]* of 1,000,000 tokens \(\d %\)\n/);
    expect(stdout).toMatch(/usage: +monthly budget: 0 of 5 \(0 %\)\n/);
    const none = await here(["status"], `${OFFLINE}budget: { monthly: { cost: 0 } }\n`);
    expect(none.stdout).toMatch(/usage: +monthly budget: 0 of 0 \(100 %\)\n/);
    const json = JSON.parse((await here(["status", "--json"], yaml)).stdout) as { usage: unknown };
    expect(json.usage).toMatchObject({
      today: { calls: 1, cost: 0 },
      budgets: [{ budget: "daily" }, { budget: "monthly" }],
    });
  });

  it("says the same when a server has the data", async () => {
    const yaml = `${OFFLINE}budget: { daily: { tokens: 1000000 } }\n`;
    await here(["chat"], yaml, "hello\n");
    const alone = (await here(["status"], yaml)).stdout;
    const terminal = fakeTerminal({ cwd: folder.path, env: { WAKEFUL_TOKEN: "an-owners-token" } });
    const ended = runProgram(["serve", "--port", "0"], terminal);
    await terminal.until("data: ");
    const url = /http:\/\/[^\s"]+/.exec(terminal.output())?.[0] ?? "";
    const asked = await here(["status", "--url", url, "--token", "an-owners-token"], yaml);
    const json = await here(["status", "--json", "--url", url, "--token", "an-owners-token"], yaml);
    terminal.signal("SIGTERM");
    expect(await ended).toBe(0);
    const usage = (text: string) => text.split("\n").filter((line) => line.startsWith("usage:"));
    expect(usage(asked.stdout)).toEqual(usage(alone));
    expect(usage(alone)).toHaveLength(2);
    const usageOf = ({ stdout }: { stdout: string }) => (JSON.parse(stdout) as { usage: unknown }).usage;
    expect(usageOf(json)).toEqual(usageOf(await here(["status", "--json"], yaml)));
  });

  it("says when no model is asked any more", async () => {
    const yaml = `${OFFLINE}budget: { daily: { tokens: 1 } }\n`;
    await here(["chat"], yaml, "hello\n");
    const second = await here(["chat"], yaml, "hello\n");
    expect(second.stderr).toContain("the daily budget of 1 tokens is used up");
    expect((await here(["status"], yaml)).stdout).toMatch(/no model is asked before \d{4}-\d\d-\d\dT00:00:00.000Z\n/);
  });
});

describe("the models of the configuration", () => {
  it("need a price when there is a budget in money", async () => {
    const yaml = `models: [{ provider: openai-compatible, base_url: "http://127.0.0.1:9/v1", model: qwen3 }]\nbudget: { daily: { cost: 1 } }\n`;
    const { code, stderr } = await here(["chat"], yaml, "hello\n");
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/openai-compatible[^ ]*\/qwen3 has no price/);
  });

  it("are told of tools in words, and counted at their price, when the file says so", async () => {
    const server = await completions('Let me see.\n<tool_call>\n{"name": "time", "arguments": {}\n</tool_call>');
    try {
      const yaml = `timezone: UTC
models: [{ provider: openai-compatible, base_url: "${server.url}", model: qwen3, price: { input: 1000, output: 2000 } }]
tools: { protocol: text }
agent: { max_steps: 2 }
budget: { daily: { cost: 100 } }
`;
      await here(["chat"], yaml, "hello\n");
      const [first = "", second = ""] = server.bodies;
      expect(JSON.parse(first)).not.toHaveProperty("tools");
      expect(first).toContain("<tool_call>");
      expect(second, "the broken call comes back as an error").toContain("<tool_result>");
      const { usage } = JSON.parse((await here(["status", "--json"], yaml)).stdout) as { usage: { today: unknown } };
      expect(usage.today).toEqual({ calls: 2, inputTokens: 1400, outputTokens: 100, cachedInputTokens: 0, cost: 1.6 });
    } finally {
      await server.close();
    }
  });

  it("may not contradict each other under one name", async () => {
    const entry = (window: number) =>
      `{ provider: openai-compatible, base_url: "http://127.0.0.1:9/v1", model: qwen3, context_window: ${window} }`;
    const { code, stderr } = await here(["chat"], `models: [${entry(4096)}, ${entry(8192)}]\n`, "hello\n");
    expect(code).toBe(2);
    expect(stderr).toContain("Two entries of models");
  });
});
