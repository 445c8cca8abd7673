import * as v from "valibot";
import { describe, expect, it } from "vitest";
import type { createAssistant } from "../../entry.host.ts";
import { type HostMessage, defineTool, memoryStore, toolOutcome } from "../../entry.host.ts";
import { calls, inMemoryChannel, says, scriptedModel } from "../../src/testing/index.ts";
import { until } from "../support/until.ts";
import { type TestAssistantOptions, testAssistant } from "../support/assistant.ts";

const danger = defineTool({
  description: "Does something that asks first",
  inputSchema: v.object({}),
  execute: () => "done it",
  meta: { dangerous: true },
});
const slow = defineTool({
  description: "Begins something",
  inputSchema: v.object({}),
  execute: () => toolOutcome({ forModel: "under way", pending: "elsewhere" }),
});

const TOKENS = [
  { token: "owner-token-0123456789", role: "owner" },
  { token: "ada-token-01234567890", role: "user", user: "app:ada" },
] as const;

/** Calls the tool that a message names, and then says so. */
function obedient() {
  return scriptedModel((prompt) => {
    const last = JSON.stringify(prompt.at(-1));
    const name = /^.*call (danger|slow)/.exec(last)?.[1];
    return name === undefined ? says(last.includes("approval") ? "It was done" : "Well") : calls([name, {}]);
  });
}

async function setUp(options: TestAssistantOptions = {}) {
  const t = await testAssistant({
    model: obedient(),
    tools: { danger, slow },
    owner: { ids: ["memory:own"] },
    server: { tokens: TOKENS },
    channels: [],
    start: false,
    ...options,
  });
  const ask = t.call;
  const waiting = async (path = "/notifications", token: string = TOKENS[0].token) =>
    ((await (await ask(path, { token })).json()) as { notifications: { id: string; text: string; user: string }[] })
      .notifications;
  return { ...t, ask, waiting };
}

async function approve(assistant: Awaited<ReturnType<typeof createAssistant>>): Promise<void> {
  const [request] = await assistant.approvals.list();
  await assistant.approvals.answer(request!.code, { answer: "once", user: "memory:own" });
}

describe("what is said unasked to people whom only the host program reaches", () => {
  it("is handed to the option `deliver`, and again when that failed", async () => {
    const delivered: HostMessage[] = [];
    let tries = 0;
    const { assistant, clock, waiting } = await setUp({
      async deliver(message) {
        // The request itself.
        if (message.kind === "notice") return { id: message.id };
        tries += 1;
        if (tries === 1) throw new Error("The host is busy");
        delivered.push(message);
        return { id: "host-1" };
      },
    });
    const { sessionKey } = await assistant.send({ text: "call danger", user: "app:ada" });
    await approve(assistant);
    await until(clock, () => delivered.length > 0);
    expect(delivered).toEqual([
      {
        id: expect.stringMatching(/^told:/) as unknown,
        user: "app:ada",
        sessionKey,
        kind: "reply",
        text: "It was done",
      },
    ]);
    expect(await waiting()).toEqual([]);
    await assistant.stop();
  });

  it("is also the request that an owner has to answer whom no channel reaches", async () => {
    const delivered: HostMessage[] = [];
    const { assistant, clock } = await setUp({
      owner: { ids: ["app:boss"] },
      async deliver(message) {
        delivered.push(message);
        return { id: message.id };
      },
    });
    const { sessionKey } = await assistant.send({ text: "call danger", user: "app:ada" });
    await until(clock, () => delivered.length > 0);
    const [request] = await assistant.approvals.list();
    const { code = "", id = "" } = request ?? {};
    expect(delivered).toEqual([
      { id: `notice:ask:${id}`, user: "app:boss", sessionKey, kind: "notice", text: expect.any(String) as unknown },
    ]);
    expect(delivered[0]?.text).toContain(`Approval ${code}: danger wants to run for app:ada`);
    await assistant.send({ text: `/approve ${code}`, user: "app:boss" });
    await until(clock, () => delivered.length > 1);
    expect(delivered[1]).toMatchObject({ user: "app:ada", text: "It was done" });
    await assistant.stop();
  });

  it("waits in the API without it, for whom it is meant, until it is removed", async () => {
    const { assistant, clock, ask, waiting } = await setUp();
    await assistant.send({ text: "call danger", user: "app:ada" });
    await approve(assistant);
    await until(clock, async () => (await waiting()).length > 0);
    await assistant.send({ text: "call danger" });
    await approve(assistant);
    await until(clock, async () => (await waiting()).length > 1);
    expect((await waiting()).map(({ user }) => user)).toEqual(["app:ada", "sdk"]);
    const mine = await waiting("/notifications", TOKENS[1].token);
    expect(mine).toMatchObject([{ user: "app:ada", kind: "reply", text: "It was done" }]);
    const others = (await waiting()).find(({ user }) => user === "sdk");
    const remove = (id = "", token: string = TOKENS[1].token) =>
      ask(`/notifications/${encodeURIComponent(id)}`, { method: "DELETE", token });
    expect((await remove(others?.id)).status).toBe(404);
    expect((await ask("/notifications?user=sdk", { token: TOKENS[1].token })).status).toBe(403);
    expect((await remove(mine[0]?.id)).status).toBe(204);
    expect(await waiting("/notifications", TOKENS[1].token)).toEqual([]);
    expect(await waiting("/notifications?user=sdk")).toHaveLength(1);
    await assistant.stop();
  });

  it("is a late result too, which the next turn knows as well", async () => {
    const { assistant, clock, waiting } = await setUp();
    const reply = await assistant.send({ text: "call slow" });
    await assistant.tools.complete(`${reply.turnId}.0.0`, { output: "42 pages" });
    await until(clock, async () => (await waiting()).length > 0);
    expect(await waiting()).toMatchObject([
      { id: `late:${reply.turnId}.0.0`, user: "sdk", kind: "result", text: "slow: 42 pages" },
    ]);
    await assistant.stop();
  });

  it("is none where the channel takes it, nor a reply that somebody waited for", async () => {
    const channel = inMemoryChannel();
    const { assistant, clock, waiting } = await setUp({ channels: [channel] });
    await assistant.send({ text: "Hello" });
    const message = { peer: { kind: "direct", id: "7" }, sender: { id: "7" }, text: "call danger" } as const;
    await assistant.fetch(channel.request([message]));
    await until(clock, async () => (await assistant.approvals.list()).length > 0);
    await approve(assistant);
    await until(clock, () => channel.textsTo("7").includes("It was done"));
    expect(await waiting()).toEqual([]);
    await assistant.stop();
  });

  it("is delivered whatever the host answers", async () => {
    const store = memoryStore();
    const { assistant, clock } = await setUp({ store, deliver: async () => ({ id: 42n as unknown as string }) });
    await assistant.send({ text: "call danger", user: "app:ada" });
    await approve(assistant);
    const marks = async () => {
      const found: unknown[] = [];
      for await (const { key } of store.list("sessions/"))
        if (key.endsWith(".jsonl"))
          for await (const { record } of store.read(key))
            if (record["type"] === "mark") found.push(record["platformId"]);
      return found;
    };
    await until(clock, async () => (await marks()).length > 0);
    expect(await marks()).toEqual(["42"]);
    await assistant.stop();
  });

  it("goes with the person who is forgotten", async () => {
    const { assistant, clock, waiting } = await setUp();
    await assistant.send({ text: "call danger", user: "app:ada" });
    await approve(assistant);
    await until(clock, async () => (await waiting()).length > 0);
    await assistant.memory.forget({ userId: "app:ada" });
    expect(await waiting()).toEqual([]);
    await assistant.stop();
  });

  it("goes with a conversation that has a name and nobody in it, and no other's goes", async () => {
    const store = memoryStore();
    const { assistant, clock, waiting } = await setUp({ store });
    for (const session of ["one", "two"]) {
      const { turnId } = await assistant.send({ text: "call slow", session });
      await assistant.tools.complete(`${turnId}.0.0`, { output: `the pages of ${session}` });
    }
    await assistant.send({ text: "call slow", session: "one" });
    await until(clock, async () => (await waiting()).length > 1);
    await assistant.memory.forget({ userId: "sdk:one" });
    expect(await waiting()).toMatchObject([{ text: "slow: the pages of two" }]);
    const kept: string[] = [];
    for await (const { key } of store.list("late-results/")) kept.push(key);
    for await (const { key } of store.list("outbox/"))
      for await (const { record } of store.read(key)) kept.push(JSON.stringify(record));
    expect(kept.join("\n")).not.toContain("the pages of one");
    expect(kept.join("\n")).not.toContain("late-results/");
    await assistant.stop();
  });

  it("stays on its way to others when the person is forgotten whom the host does not name", async () => {
    let isBusy = true;
    const told: string[] = [];
    const { assistant, clock } = await setUp({
      async deliver({ id, text }) {
        if (isBusy) throw new Error("The host is busy");
        told.push(text);
        return { id };
      },
    });
    await assistant.send({ text: "Hello" });
    const { turnId } = await assistant.send({ text: "call slow", user: "app:ada" });
    await assistant.tools.complete(`${turnId}.0.0`, { output: "42 pages" });
    await assistant.memory.forget({ userId: "sdk" });
    isBusy = false;
    await until(clock, () => told.length > 0);
    expect(told).toEqual(["slow: 42 pages"]);
    await assistant.stop();
  });
});
