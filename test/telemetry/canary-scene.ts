import * as v from "valibot";
import { expect } from "vitest";
import { ToolError, defineTool, toolOutcome } from "../../entry.host.ts";
import { inMemoryChannel } from "../../src/testing/in-memory-channel.ts";
import type { scriptedModel } from "../../src/testing/scripted-model.ts";
import { type TestAssistantOptions, testAssistant } from "../support/assistant.ts";

export const TOKEN = "owner-token-0123456789";
export const CANARY = 'canary/7Q+z&"secret=4711';
const BASE64 = btoa(`user:${CANARY}`);
/** The canary as it may stand somewhere, and the middle of it in base64. */
const FORMS = [CANARY, JSON.stringify(CANARY).slice(1, -1), encodeURIComponent(CANARY), BASE64.slice(8, -4)];

/** An assistant of which everything that it writes and says is collected. */
export async function setUp(
  script: Parameters<typeof scriptedModel>[0],
  given: TestAssistantOptions = { secrets: [CANARY] },
) {
  const logged: unknown[] = [];
  const events: unknown[] = [];
  const streamed: unknown[] = [];
  const keep = (message: string, fields?: unknown) => void logged.push([message, fields]);
  const channel = inMemoryChannel();
  const throwing = (error: () => Error) =>
    defineTool({
      description: "fails",
      inputSchema: v.object({}),
      execute() {
        throw error();
      },
    });
  const giving = (output: () => unknown) =>
    defineTool({ description: "gives", inputSchema: v.object({}), execute: output });
  const { assistant, store, clock, model } = await testAssistant({
    script,
    start: false,
    ...given,
    channels: [channel, ...(given.channels ?? [])],
    logger: { debug: keep, info: keep, warn: keep, error: keep },
    server: { ...given.server, tokens: [{ token: TOKEN, role: "owner" }, ...(given.server?.tokens ?? [])] },
    tools: {
      ...given.tools,
      text: giving(() => `a ${CANARY} b`),
      object: giving(() => ({ deep: [{ [CANARY]: CANARY, url: `https://x.org/?k=${encodeURIComponent(CANARY)}` }] })),
      header: giving(() => ({ headers: { authorization: `Basic ${BASE64}` }, body: JSON.stringify({ k: CANARY }) })),
      long: giving(() => `${"x".repeat(30_000)}${CANARY}`),
      reply: giving(() =>
        toolOutcome({ forModel: CANARY, forUser: { shown: CANARY }, reply: `your key is ${CANARY}` }),
      ),
      failing: throwing(
        () => new Error(`refused by https://user:${encodeURIComponent(CANARY)}@x.org`, { cause: CANARY }),
      ),
      refusing: throwing(() => new ToolError("NO", `not with ${CANARY}`)),
    },
  });
  assistant.events.subscribe("*", ({ type, payload }) => void events.push([type, payload]), { name: "canary" });
  await assistant.start();
  return {
    assistant,
    channel,
    clock,
    streamed,
    /** Everything there is to be seen from outside. */
    async seen(): Promise<string> {
      const kept: unknown[] = [];
      for await (const { key } of store.list("")) {
        const records: unknown[] = [];
        try {
          kept.push([key, (await store.get(key))?.value]);
        } catch {
          for await (const { record } of store.read(key)) records.push(record);
        }
        kept.push([key, records]);
      }
      const metrics = await assistant.fetch(
        new Request("http://localhost/metrics", { headers: { authorization: `Bearer ${TOKEN}` } }),
      );
      return JSON.stringify([
        logged,
        events,
        streamed,
        kept,
        channel.sent,
        model.requests.map(({ prompt }) => prompt),
        await metrics.text(),
      ]);
    },
  };
}

export function expectNoCanary(seen: string, ...more: unknown[]) {
  const all = [seen, ...more.map((one) => JSON.stringify(one))].join("\n");
  for (const form of FORMS) {
    // Once more as JSON, since all is.
    expect(all).not.toContain(form);
    expect(all).not.toContain(JSON.stringify(form).slice(1, -1));
  }
}
