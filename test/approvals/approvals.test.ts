import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineTool, embeddedEngine, memoryStore } from "../../entry.host.ts";
import type { Engine, Store } from "../../kit.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { type Script, calls, says } from "../../src/testing/scripted-model.ts";
import { failingOnce } from "../support/failing-once.ts";
import { beginLife } from "../support/life.ts";
import { until } from "../support/until.ts";
import { stride } from "../support/thorough.ts";
import { type TestAssistantOptions, testAssistant } from "../support/assistant.ts";

const OWNER = "memory:1";
const MINUTE = 60_000;

async function setUp(
  options: TestAssistantOptions & {
    readonly saved?: Store;
    readonly seen?: string[];
    readonly mode?: string;
  } = {},
) {
  const { saved, seen = [], mode = "v1", ...rest } = options;
  const ran: string[] = [];
  const script: Script = (prompt) => {
    const last = prompt.at(-1);
    const text = JSON.stringify(last?.content ?? "");
    seen.push(text);
    const wanted = /wipe (\w+)/.exec(text);
    if (last?.role === "user" && wanted && !text.includes("wakeful-note")) return calls(["wipe", { disk: wanted[1] }]);
    return says(last?.role === "tool" ? "I asked" : "ok");
  };
  const wipe = defineTool({
    description: `wipes a disk ${mode}`,
    inputSchema: v.object({ disk: v.string() }),
    execute({ disk }) {
      ran.push(disk);
      if (disk === "broken") throw new Error("no such disk");
      return { wiped: disk };
    },
    meta: { dangerous: true, boundTo: () => ({ machine: "here" }) },
  });
  const t = await testAssistant({
    script,
    from: "1",
    ...(saved && { store: saved }),
    owner: { ids: [OWNER] },
    tools: { wipe },
    queue: { debounceMs: 0 },
    ...rest,
  });
  const receive = (text: string, from = "1", kind?: "press") => t.receive(text, { from, ...(kind && { kind }) });
  const textsTo = (chat = "1") => t.channel.textsTo(chat);
  const open = async () => (await t.assistant.approvals.list())[0];
  return { ...t, ran, seen, receive, textsTo, open };
}

type Setup = Awaited<ReturnType<typeof setUp>>;

async function asked(t: Setup, disk = "sda", from = "1") {
  await t.receive(`wipe ${disk}`, from);
  await until(t.clock, async () =>
    (await t.assistant.approvals.list()).some(({ input }) => JSON.stringify(input).includes(disk)),
  );
  await until(
    t.clock,
    () => t.textsTo(from).some((text) => text.includes("Approval ")) && t.textsTo(from).includes("I asked"),
  );
  const found = (await t.assistant.approvals.list()).find(({ input }) => JSON.stringify(input).includes(disk));
  if (!found) throw new Error("nothing was asked");
  return found;
}

describe("a dangerous call", () => {
  it("that the store does not take waits for nobody unseen, and is asked again", async () => {
    const { store, failed } = failingOnce("append", /wakes.*approval:/);
    const t = await setUp({ saved: store });
    await t.say("wipe sda");
    expect(failed).toHaveLength(1);
    expect(await t.open()).toBeUndefined();
    expect((await asked(t)).state).toBe("open");
  });

  it.each([
    ["is not taken", "put", /approvals\/requests/],
    ["is taken without its wake", "append", /wakes.*approval:/],
  ] as const)("whose answer %s runs once", async (_what, kind, pattern) => {
    let fits: RegExp = /^$/;
    const { store, failed } = failingOnce(kind, { test: (text: string) => fits.test(text) });
    const t = await setUp({ saved: { ...store, caps: { ...store.caps, exclusive: true } } });
    const { id } = await asked(t);
    fits = pattern;
    const answer = () => t.assistant.approvals.answer(id, { answer: "once", user: OWNER });
    await expect(answer()).rejects.toThrow("the store is down");
    expect(failed).toHaveLength(1);
    await t.during(answer().catch(String));
    await until(t.clock, () => t.ran.length > 0);
    expect(t.ran).toEqual(["sda"]);
  });

  it("does not run, leaves the session free, and shows the owner all of it with buttons", async () => {
    const t = await setUp();
    const request = await asked(t);
    expect(t.ran).toEqual([]);
    const shown = t.channel.sent.find(({ message }) => message.buttons !== undefined)?.message;
    expect(shown?.text).toContain("disk: sda");
    expect(shown?.text).toContain("machine: here");
    expect(shown?.text).toContain(request.code);
    expect(shown?.buttons?.map(({ id }) => id)).toEqual([
      `/approve ${request.code}`,
      `/approve ${request.code} always`,
      `/deny ${request.code}`,
    ]);
    expect(t.seen.at(-1)).toContain(`awaiting approval ${request.code}`);
    await t.receive("hello");
    await until(t.clock, () => t.textsTo().includes("ok"));
    expect((await t.open())?.id).toBe(request.id);
  });

  it("leaves the language of the conversation as it is, whatever came of it", async () => {
    const t = await setUp();
    await t.receive("请 wipe sda");
    await until(t.clock, () => t.textsTo().includes("I asked"));
    await t.receive(`/approve ${(await t.open())?.code}`);
    await until(t.clock, () => t.textsTo().includes("ok"));
    expect(t.ran).toEqual(["sda"]);
    await t.receive("/whoami");
    await until(t.clock, () => t.textsTo().at(-1) !== "ok");
    expect(t.textsTo().at(-1)).toMatch(/^你是 memory:1/);
  });

  it("runs once when the owner presses the button, and its result begins a turn of the session", async () => {
    const t = await setUp();
    const { code } = await asked(t);
    expect(await t.receive(`/approve ${code}`, "1", "press")).toBe(200);
    await until(t.clock, () => t.textsTo().includes("ok"));
    expect(t.ran).toEqual(["sda"]);
    expect(t.textsTo().some((text) => text.startsWith(`Approved (${code})`))).toBe(true);
    expect(t.seen.at(-1)).toContain("wakeful-note");
    expect(t.seen.at(-1)).toContain("wiped");
    await t.receive(`/approve ${code}`, "1", "press");
    await until(t.clock, () => t.textsTo().some((text) => text.includes("already answered")));
    expect(t.ran).toEqual(["sda"]);
  });

  it.each(["APPROVE", "approve", "Approve"])("takes the command /%s as a text too", async (verb) => {
    const t = await setUp();
    const { code } = await asked(t);
    await t.receive(`/${verb} ${code.toLowerCase()}`);
    await until(t.clock, () => t.ran.length === 1);
    expect(t.ran).toEqual(["sda"]);
  });

  it("is not run by anybody else, whoever presses and whatever they write", async () => {
    const t = await setUp();
    const { code } = await asked(t, "sda", "2");
    for (const text of [`/approve ${code}`, `/approve ${code} always`, `/deny ${code}`]) {
      for (const kind of ["press", undefined] as const) await t.receive(text, "2", kind);
    }
    await until(
      t.clock,
      () => t.textsTo("2").filter((text) => text.includes("Only the owner who was asked")).length === 3,
    );
    expect(t.ran).toEqual([]);
    expect((await t.open())?.state).toBe("open");
    const refused = await t.assistant.approvals
      .answer(code, { answer: "once", user: "memory:2" })
      .catch((error) => error);
    expect(refused).toMatchObject({ code: "FORBIDDEN" });
    const byNobody = await t.assistant.approvals.answer(code, { answer: "once" }).catch((error) => error);
    expect(byNobody).toMatchObject({ code: "FORBIDDEN" });
    expect(t.ran).toEqual([]);
  });

  it("of somebody else is shown to the owner too, who can answer it from their own chat", async () => {
    const t = await setUp();
    const { code } = await asked(t, "sdb", "2");
    await until(t.clock, () => t.textsTo("1").some((text) => text.includes(code)));
    await t.receive(`/approve ${code}`, "1", "press");
    await until(t.clock, () => t.textsTo("2").includes("ok"));
    expect(t.ran).toEqual(["sdb"]);
  });

  it("is denied with a reason that the model reads", async () => {
    const t = await setUp();
    const { code } = await asked(t);
    await t.receive(`/deny ${code} not on a Sunday`);
    await until(t.clock, () => t.seen.some((text) => text.includes("not on a Sunday")));
    expect(t.ran).toEqual([]);
  });

  it("is denied when nobody answers in time, and an answer afterwards is too late", async () => {
    const t = await setUp({ approvals: { timeoutMinutes: 5 } });
    const { code } = await asked(t);
    await t.clock.advance(6 * MINUTE);
    await until(t.clock, () => t.seen.some((text) => text.includes("Not answered in time")));
    expect(await t.open()).toBeUndefined();
    await expect(t.assistant.approvals.answer(code, { answer: "once", user: OWNER })).rejects.toMatchObject({
      code: "GONE",
    });
    expect(t.ran).toEqual([]);
  });

  it("that waits long is looked at less and less often", async () => {
    const [store, clock] = [memoryStore(), fakeClock()];
    const engine = embeddedEngine({ store, clock });
    const looks: number[] = [];
    const watched: Engine = {
      ...engine,
      start: (handle) =>
        engine.start((key, signal) => {
          if (key.startsWith("approval:")) looks.push(clock.now());
          return handle(key, signal);
        }),
    };
    const t = await setUp({ saved: store, clock, engine: watched, approvals: { timeoutMinutes: 24 * 60 } });
    await asked(t);
    for (let minute = 0; minute < 4 * 60; minute += 1) {
      await t.clock.advance(MINUTE);
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    const gaps = looks.slice(1).map((at, index) => at - (looks[index] ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(6 * MINUTE);
    expect(looks.length).toBeLessThan(80);
    await t.receive(`/approve ${(await t.open())?.code}`);
    await until(t.clock, () => t.ran.length > 0);
  });

  it("that fails tells so", async () => {
    const t = await setUp();
    const { code } = await asked(t, "broken");
    const result = await t.assistant.approvals.answer(code, { answer: "once", user: OWNER });
    expect(result).toMatchObject({ ok: false, error: { code: "FAILED", message: "wipe failed: no such disk" } });
    await until(t.clock, () => t.seen.some((text) => text.includes("no such disk")));
  });

  it("asks again for a second call, also with the same arguments", async () => {
    const t = await setUp();
    const { code } = await asked(t);
    await t.assistant.approvals.answer(code, { answer: "once", user: OWNER });
    expect(await t.assistant.tools.run("wipe", { disk: "sda" }, { user: OWNER })).toMatchObject({
      approval: { id: expect.any(String) },
    });
    expect(t.ran).toEqual(["sda"]);
  });

  it("tells who waits in send(), stream() and tools.run()", async () => {
    const t = await setUp();
    const reply = await t.assistant.send({ text: "wipe sda", user: OWNER });
    const [request] = await t.assistant.approvals.list();
    expect(reply.approvals).toEqual([{ id: request?.id, code: request?.code, name: "wipe", input: { disk: "sda" } }]);
    expect(reply.toolCalls[0]).toMatchObject({ name: "wipe", output: expect.stringContaining("awaiting approval") });
    const types: string[] = [];
    for await (const event of t.assistant.stream({ text: "wipe sdb", user: OWNER })) types.push(event.type);
    expect(types).toEqual(expect.arrayContaining(["tool-start", "approval", "tool-end", "reply"]));
    const ran = await t.assistant.tools.run("wipe", { disk: "sdc" }, { user: OWNER });
    if (ran.ok || !("approval" in ran)) throw new Error("it should have asked");
    expect(await t.assistant.approvals.answer(ran.approval.code, { answer: "once", user: OWNER })).toMatchObject({
      ok: true,
      output: { wiped: "sdc" },
      state: "ended",
    });
    expect(t.ran).toEqual(["sdc"]);
  });

  it("answered in the conversation that asked goes on in it", async () => {
    const t = await setUp();
    const first = await t.assistant.send({ text: "wipe sda", user: "cli", channel: "cli" });
    const reply = await t.assistant.send({ text: `/approve ${first.approvals[0]?.code}`, user: "cli", channel: "cli" });
    expect(t.ran).toEqual(["sda"]);
    expect(reply.text).toBe("ok");
    expect(reply.sessionKey).toBe(first.sessionKey);
  });

  it.each(["", "nothing", "AAAAAA", "../x", "K7QD2M"])("is not found under %j", async (code) => {
    const t = await setUp();
    await asked(t);
    await expect(t.assistant.approvals.answer(code, { answer: "once", user: OWNER })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });
});

describe("an allow rule", () => {
  async function allowed(t: Setup) {
    const { code } = await asked(t);
    await t.assistant.approvals.answer(code, { answer: "always", user: OWNER });
  }

  it("lets exactly the same call of the same person pass, and can be taken back", async () => {
    const t = await setUp();
    await allowed(t);
    expect(await t.assistant.tools.run("wipe", { disk: "sda" }, { user: OWNER })).toEqual({
      ok: true,
      output: { wiped: "sda" },
    });
    expect(await t.assistant.tools.run("wipe", { disk: "sdb" }, { user: OWNER })).toMatchObject({
      ok: false,
      approval: {},
    });
    expect(await t.assistant.tools.run("wipe", { disk: "sda" }, { user: "memory:2" })).toMatchObject({
      ok: false,
      approval: {},
    });
    const [rule] = await t.assistant.approvals.rules();
    expect(rule).toMatchObject({ tool: "wipe", input: { disk: "sda" }, for: "owner", by: OWNER });
    await t.assistant.approvals.removeRule(rule?.id ?? "");
    expect(await t.assistant.approvals.rules()).toEqual([]);
    expect(await t.assistant.tools.run("wipe", { disk: "sda" }, { user: OWNER })).toMatchObject({
      ok: false,
      approval: {},
    });
  });

  it("does not hold for a tool that became another one, nor when it was edited", async () => {
    const t = await setUp();
    await allowed(t);
    const second = await setUp({ saved: t.store, clock: t.clock, mode: "v2" });
    expect(await second.assistant.tools.run("wipe", { disk: "sda" }, { user: OWNER })).toMatchObject({ approval: {} });
    const found = await t.store.get("approvals/rules");
    const text = JSON.stringify(found?.value).replaceAll("sda", "sdz");
    await t.store.put("approvals/rules", JSON.parse(text) as never);
    expect(await t.assistant.tools.run("wipe", { disk: "sdz" }, { user: OWNER })).toMatchObject({ approval: {} });
    expect(t.ran).toEqual(["sda"]);
  });

  it("with a pattern is refused for a tool that knows none", async () => {
    const t = await setUp();
    const { code } = await asked(t);
    await expect(
      t.assistant.approvals.answer(code, { answer: "always", pattern: "sd*", user: OWNER }),
    ).rejects.toMatchObject({ code: "OPTION_INVALID" });
    expect((await t.open())?.state).toBe("open");
  });
});

describe("a request that is not what it was", () => {
  async function tampered(change: (record: Record<string, unknown>) => unknown) {
    const t = await setUp();
    const { id, code } = await asked(t);
    const key = `approvals/requests/${id}`;
    const record = (await t.store.get(key))?.value as Record<string, unknown>;
    const copy = structuredClone(record);
    change(copy);
    await t.store.put(key, copy as never);
    const answered = await t.assistant.approvals.answer(code, { answer: "once", user: OWNER }).catch((error) => error);
    return { t, answered };
  }

  type Change = (record: Record<string, unknown>) => unknown;
  it.each<readonly [string, Change]>([
    ["input", (record: Record<string, unknown>) => (record["input"] = { disk: "other" })],
    ["tool", (record: Record<string, unknown>) => (record["tool"] = "time")],
    ["working folder", (record: Record<string, unknown>) => (record["boundTo"] = { machine: "there" })],
    [
      "session",
      (record: Record<string, unknown>) =>
        Object.assign(record["caller"] as object, { sessionKey: "agent:main:memory:direct:2" }),
    ],
    [
      "roles",
      (record: Record<string, unknown>) =>
        Object.assign(record["caller"] as object, { userRoles: ["owner"], user: "memory:9" }),
    ],
    ["expiry", (record: Record<string, unknown>) => (record["expiresAt"] = 9e15)],
    ["approvers", (record: Record<string, unknown>) => (record["approvers"] = [OWNER, "memory:2"])],
  ])("does not pass: another %s", async (_, change) => {
    const { t, answered } = await tampered(change);
    expect(answered).toMatchObject({ code: "GONE" });
    await t.clock.advance(1000);
    expect(t.ran).toEqual([]);
  });

  it("does not run a tool that changed between the question and the answer", async () => {
    const t = await setUp();
    const { code } = await asked(t);
    const second = await setUp({ saved: t.store, clock: t.clock, mode: "v2" });
    expect(await second.assistant.approvals.answer(code, { answer: "once", user: OWNER })).toMatchObject({
      ok: false,
      error: { code: "CHANGED" },
    });
    expect(second.ran).toEqual([]);
    await until(second.clock, () => JSON.stringify(second.model.requests).includes("CHANGED: "));
    expect(JSON.stringify(second.model.requests)).not.toContain(" ran and ");
  });

  it("is not answered by somebody who is no owner any more", async () => {
    const t = await setUp();
    const { code } = await asked(t);
    const second = await setUp({ saved: t.store, clock: t.clock, owner: { ids: ["memory:7"] } });
    for (const user of [OWNER, "memory:7"])
      await expect(second.assistant.approvals.answer(code, { answer: "once", user })).rejects.toMatchObject({
        code: "FORBIDDEN",
        // One of them is the owner now.
        message: `${user} may not answer the request ${code}: only the owner who was asked may`,
      });
  });
});

describe("after a restart", () => {
  it("what was open waits on, and runs when it is answered", async () => {
    const t = await setUp();
    const { code } = await asked(t);
    await t.assistant.stop();
    const second = await setUp({ saved: t.store, clock: t.clock });
    expect((await second.open())?.code).toBe(code);
    await second.receive(`/approve ${code}`);
    await until(t.clock, () => second.textsTo().includes("ok"));
    expect(second.ran).toEqual(["sda"]);
  });

  it("what was running is reported as interrupted, and does not run again", async () => {
    const t = await setUp();
    const { id, code } = await asked(t);
    const key = `approvals/requests/${id}`;
    const record = (await t.store.get(key))?.value as object;
    await t.assistant.stop();
    await t.store.put(key, { ...record, state: "running" });
    const second = await setUp({ saved: t.store, clock: t.clock });
    await until(t.clock, () => second.seen.some((text) => text.includes("Interrupted")));
    expect(second.ran).toEqual([]);
    await expect(second.assistant.approvals.answer(code, { answer: "once", user: OWNER })).rejects.toMatchObject({
      code: "CONFLICT",
    });
  });

  it("a crash at any write runs the call once at most, and the session always hears of it", async () => {
    let survived = false;
    for (let writes = 0; !survived && writes < 200; writes += stride(3)) {
      const store = memoryStore();
      const clock = fakeClock();
      const before = await setUp({ saved: store, clock });
      const { code } = await asked(before);
      await before.assistant.stop();

      const life = beginLife(store, clock, writes);
      // Never awaited: a life that has ended leaves its promises open.
      let dying: Setup | undefined;
      let told = false;
      void setUp({ saved: store, clock, life })
        .then((begun) => {
          dying = begun;
          return begun.assistant.approvals.answer(code, { answer: "once", user: OWNER });
        })
        .then(() => (told = true));
      for (let step = 0; step < 400 && !life.killed && !told; step += 1) {
        await clock.advance(500);
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
      survived = !life.killed;
      life.kill();
      const ran = [...(dying?.ran ?? [])];

      const after = await setUp({ saved: store, clock });
      const again = await after.assistant.approvals
        .answer(code, { answer: "once", user: OWNER })
        .then(() => "ran")
        .catch((error: { code: string }) => error.code);
      await until(clock, async () => (await after.assistant.approvals.list()).length === 0);
      ran.push(...after.ran);
      expect(ran.length, `after ${writes} writes`).toBeLessThanOrEqual(1);
      if (told) expect(ran, `after ${writes} writes`).toEqual(["sda"]);
      if (ran.length === 0) expect(["CONFLICT", "ran"], `after ${writes} writes`).toContain(again);
      const outcome = (await after.assistant.approvals.list({ all: true }))[0]?.outcome?.verdict;
      expect(["done", "interrupted"]).toContain(outcome);
      await after.assistant.stop();
    }
    expect(survived).toBe(true);
  });
});

describe("a store whose documents take longer than its logs", () => {
  const turnsOfTheLoop = async (count: number) => {
    for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0));
  };
  const isRequest = (key: string) => key.startsWith("approvals/requests/");

  /** The wake of an answer is durable, and handled, before the answer itself can be read. */
  function slowToWrite(): Store {
    const store = memoryStore();
    return {
      ...store,
      async put(key, ...rest) {
        if (isRequest(key)) await turnsOfTheLoop(10);
        return store.put(key, ...rest);
      },
    };
  }

  it.each(["press", undefined] as const)("runs the call that a chat approved by %s", async (kind) => {
    const t = await setUp({ saved: slowToWrite() });
    const { code } = await asked(t);
    await t.receive(`/approve ${code}`, "1", kind);
    await until(t.clock, () => t.textsTo().includes("ok"), { stepMs: 50 });
    expect(t.ran).toEqual(["sda"]);
  });

  it("runs the call that a program approved", async () => {
    const t = await setUp({ saved: slowToWrite() });
    const { code } = await asked(t);
    expect(await t.assistant.approvals.answer(code, { answer: "once", user: OWNER })).toMatchObject({ ok: true });
    expect(t.ran).toEqual(["sda"]);
  });

  it("tells the session of a call that a chat denied", async () => {
    const t = await setUp({ saved: slowToWrite() });
    const { code } = await asked(t);
    await t.receive(`/deny ${code} not on a Sunday`);
    await until(t.clock, () => t.seen.some((text) => text.includes("not on a Sunday")), { stepMs: 50 });
    expect(t.ran).toEqual([]);
  });

  it("runs the call although the request was looked at while it was answered", async () => {
    const t = await setUp();
    const { code } = await asked(t);
    await t.assistant.stop();
    // The first look after a restart reads the open request, and has what it read only when the answer has been written.
    let looks = 0;
    let answered = () => {};
    const isAnswered = new Promise<void>((resolve) => (answered = resolve));
    const saved: Store = {
      ...t.store,
      async get(key) {
        const found = await t.store.get(key);
        if (isRequest(key) && (looks += 1) === 1) await isAnswered.then(() => turnsOfTheLoop(10));
        return found;
      },
      async put(key, ...rest) {
        const version = await t.store.put(key, ...rest);
        if (isRequest(key)) answered();
        return version;
      },
    };
    const second = await setUp({ saved, clock: t.clock });
    await until(t.clock, () => looks > 0);
    expect(await second.assistant.approvals.answer(code, { answer: "once", user: OWNER })).toMatchObject({ ok: true });
    expect(second.ran).toEqual(["sda"]);
  });
});
