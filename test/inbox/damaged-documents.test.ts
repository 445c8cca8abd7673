import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { defineTool, AssistantError, memoryStore } from "../../entry.host.ts";
import type { Store } from "../../src/store/index.ts";
import { calls, says } from "../../src/testing/scripted-model.ts";
import { silentLogger } from "../../src/telemetry/index.ts";
import { testAssistant } from "../support/assistant.ts";
import { until } from "../support/until.ts";

const DAMAGED = "I cannot read the data for this: see the log.";

/** A store in which some documents are no JSON, until they are removed. */
function damagedStore(...damaged: readonly string[]) {
  const bad = new Set(damaged);
  const inner = memoryStore();
  const store: Store = {
    ...inner,
    async get(key) {
      if (bad.has(key)) throw new AssistantError("STORE_UNSUITABLE", `Cannot read ${key}`);
      return inner.get(key);
    },
    async remove(key) {
      bad.delete(key);
      return inner.remove(key);
    },
  };
  return { store, bad };
}

async function withDamaged(...damaged: readonly string[]) {
  const { store, bad } = damagedStore(...damaged);
  const errors: string[] = [];
  const ignore = () => {};
  const logger = { debug: ignore, info: ignore, warn: ignore, error: (message: string) => void errors.push(message) };
  return { ...(await testAssistant({ store, logger, script: () => says("Hello") })), bad, errors };
}

describe("a document that cannot be read", () => {
  it.each([
    ["/mute", "attention/memory:42"],
    ["/skills", "skill-suggestions/memory:42"],
  ])("does not keep %s from being acknowledged, and says so", async (command, key) => {
    const t = await withDamaged(key);
    expect(await t.receive(command)).toBe(200);
    await t.sent(1);
    expect(t.channel.textsTo("42")).toEqual(["I cannot read the data for this: see the log."]);
    expect(t.errors).toEqual(["A document cannot be read and is left out"]);
    expect(t.bad.has(key)).toBe(true);
  });

  it("does not keep a word from being a message", async () => {
    const t = await withDamaged(".index/offers/memory:42");
    expect(await t.say("yes")).toBe("Hello");
    expect(t.bad.size).toBe(0);
  });

  it("is made again when it can be, and what needs it goes on", async () => {
    const session = "agent:main:memory:direct:42";
    const t = await withDamaged(
      ...[`.index/capture/${session}`, ".index/pattern-evidence/memory:42", ".index/skill-learning/memory:42"],
    );
    await t.say("My name is Ada");
    await until(t.clock, () => t.bad.size === 0);
    await until(t.clock, async () => (await t.assistant.memory.counts("memory:42")).entries === 1);
    expect(t.errors).toEqual([]);
  });

  it("does not keep the answer to a request from being acknowledged, and says so", async () => {
    const { store, bad } = damagedStore();
    const wipe = defineTool({
      description: "wipes",
      inputSchema: v.looseObject({}),
      execute: () => expect.fail("it ran"),
      meta: { dangerous: true },
    });
    const t = await testAssistant({
      store,
      owner: { ids: ["memory:42"] },
      tools: { wipe },
      script: (prompt) => (prompt.at(-1)?.role === "tool" ? says("I asked") : calls(["wipe", {}])),
      logger: silentLogger,
    });
    await t.say("wipe it");
    const [request] = await t.assistant.approvals.list();
    bad.add(`approvals/requests/${request!.id}`);
    expect(await t.receive(`/approve ${request!.code}`)).toBe(200);
    await until(t.clock, () => t.channel.textsTo("42").at(-1) === DAMAGED);
    expect(bad.size).toBe(1);
  });
});
