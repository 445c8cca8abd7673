import { expect, it } from "vitest";
import { mcpClient } from "../../../adapters/mcp/index.ts";
import { memoryStore } from "../../../entry.host.ts";
import { calls, fakeClock, inMemoryChannel, says } from "../../../src/testing/index.ts";
import { type TestAssistantOptions, testAssistant } from "../../support/assistant.ts";
import { beginLife } from "../../support/life.ts";
import { until } from "../../support/until.ts";
import { PUBLIC, served } from "./support.ts";

function paying(server: ReturnType<typeof served>): TestAssistantOptions {
  return {
    mcp: {
      client: mcpClient,
      servers: { docs: { url: "https://mcp.example/mcp", dangerous: false, trustAnnotations: true } },
    },
    owner: { ids: ["memory:42"] },
    fetch: server.fetch,
    lookup: async () => [PUBLIC],
  };
}

it("work that a crash cut off in a server's tool goes on at the next start, which finds the tool", async () => {
  let cutOff = 0;
  const never = () => new Promise(() => void cutOff++);
  const pay = { name: "pay", annotations: { idempotentHint: true }, run: never as () => unknown };
  const server = served([pay]);
  const [store, clock, channel] = [memoryStore(), fakeClock(), inMemoryChannel()];
  const options: TestAssistantOptions = {
    clock,
    channel,
    script: (prompt) =>
      prompt.at(-1)?.role === "tool" ? says(JSON.stringify(prompt.at(-1))) : calls(["mcp__docs__pay", {}]),
    ...paying(server),
  };
  const life = beginLife(store, clock);
  const before = await testAssistant({ ...options, life });
  await until(clock, () => before.assistant.tools.list().some(({ name }) => name === "mcp__docs__pay"));
  const steps = [{ id: "pay", run: "tool" as const, tool: "mcp__docs__pay" }];
  const { runId } = await before.assistant.workflows.run({ name: "paying", steps });
  await before.receive("pay");
  await until(clock, () => cutOff === 2);
  life.kill();

  server.tools = [{ ...pay, run: () => "paid" }];
  const after = await testAssistant({ ...options, store });
  await after.sent(1);
  expect(channel.textsTo("42")).toEqual([expect.stringContaining("paid")]);
  expect(await after.during(after.assistant.workflows.finished(runId))).toMatchObject({ status: "done" });
});

it.each([
  ["was there before", true],
  ["was never there", false],
])("a step whose server is away, which %s, fails as that, and is tried again by its retry", async (_, wasThere) => {
  const server = served([{ name: "pay", run: () => "paid" }]);
  const away = () => Promise.reject(new TypeError("connection refused"));
  if (!wasThere) server.intercept = away;
  const first = await testAssistant(paying(server));
  if (wasThere) await until(first.clock, () => first.assistant.tools.list().some(({ name }) => name.includes("docs")));
  server.intercept = away;
  const { assistant, during, clock } = await first.restart();
  const pay = { id: "pay", run: "tool" as const, tool: "mcp__docs__pay" };
  const { runId } = await assistant.workflows.run({ name: "once", steps: [pay] });
  expect((await during(assistant.workflows.finished(runId))).error?.message).toContain(
    "The MCP server docs is not connected",
  );
  const retry = { max: 3, backoffSeconds: 60 };
  const again = await assistant.workflows.run({ name: "again", steps: [{ ...pay, retry }] });
  await until(clock, async () => (await assistant.workflows.get(again.runId)).steps[0]?.error !== undefined);
  server.intercept = () => undefined;
  await until(clock, async () => (await assistant.workflows.get(again.runId)).status === "done");
});

it("a call to a server that was never reached connects at once, and tells no address", async () => {
  const server = served([{ name: "pay", run: () => "paid" }]);
  let attempts = 0;
  server.intercept = () => {
    attempts += 1;
    return Promise.reject(new TypeError("connection refused"));
  };
  const { assistant, clock } = await testAssistant(paying(server));
  // By itself it is tried again in four minutes.
  await until(clock, () => attempts === 9, { stepMs: 1000 });
  expect(await assistant.tools.run("mcp__docs__pay", {})).toMatchObject({
    error: {
      code: "MCP_UNAVAILABLE",
      message: "The MCP server docs is not connected",
    },
  });
  await until(clock, () => attempts === 10);
  server.intercept = () => undefined;
  const retry = { max: 3, backoffSeconds: 10 };
  const steps = [{ id: "pay", run: "tool" as const, tool: "mcp__docs__pay", retry }];
  const { runId } = await assistant.workflows.run({ name: "paying", steps });
  const status = async () => (await assistant.workflows.get(runId)).status;
  await until(clock, async () => ["done", "failed"].includes(await status()));
  expect(await status()).toBe("done");
});

it("a tool that a connected server does not have is none", async () => {
  const { assistant, clock } = await testAssistant(paying(served([{ name: "pay", run: () => "paid" }])));
  await until(clock, () => assistant.tools.list().some(({ name }) => name.includes("docs")));
  expect(await assistant.tools.run("mcp__docs__refund", {})).toMatchObject({ error: { code: "UNKNOWN_TOOL" } });
});
