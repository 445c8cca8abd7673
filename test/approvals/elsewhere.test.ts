import { describe, expect, it } from "vitest";
import { until } from "../support/until.ts";
import { OWNER, askedAndStopped, entriesOf, processOf, wipeTool } from "./programs.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe("a call that is approved where its tool is not", () => {
  it("stays approved: nothing runs, nothing is said in its conversation, and no model is asked", async () => {
    const { code, store, clock } = await askedAndStopped();
    const other = await processOf({ store, clock, has: false });
    const before = await entriesOf(other);
    const answered = await other.assistant.approvals.answer(code, { answer: "once", user: OWNER });
    expect(answered).toMatchObject({ ok: false, state: "approved", error: { code: "WAITS_FOR_TOOL" } });
    expect(answered.ok ? "" : answered.error.message).toMatch(
      /^This program does not have wipe as it was .* within 24 hours$/,
    );
    await clock.advance(10 * MINUTE);
    expect(await other.all()).toMatchObject({ state: "approved", answeredBy: OWNER, runBy: expect.any(Date) });
    expect(other.seen).toEqual([]);
    expect(await entriesOf(other)).toEqual(before);
    await expect(other.assistant.approvals.answer(code, { answer: "once", user: OWNER })).rejects.toMatchObject({
      code: "CONFLICT",
    });
  });

  it("runs once in the first program that has the tool, at its start, and its result comes to the conversation", async () => {
    const { code, store, clock } = await askedAndStopped();
    const other = await processOf({ store, clock, has: false });
    await other.assistant.approvals.answer(code, { answer: "once", user: OWNER });
    await other.assistant.stop();
    const program = await processOf({ store, clock });
    await until(clock, () => program.seen.some((text) => text.includes(`Approved (${code})`)));
    expect(program.ran).toEqual(["sda"]);
    expect(await program.all()).toMatchObject({
      state: "ended",
      outcome: { verdict: "done", output: { wiped: "sda" } },
    });
    await program.assistant.stop();
    const again = await processOf({ store, clock });
    await clock.advance(5 * MINUTE);
    expect(again.ran).toEqual([]);
  });

  it("runs within a minute in a program that has the tool and runs meanwhile", async () => {
    const program = await processOf();
    await program.assistant.send({ text: "wipe sda", user: OWNER });
    const code = (await program.all())?.code ?? "";
    const { store, clock } = program;
    const other = await processOf({ store, clock, has: false });
    await other.assistant.approvals.answer(code, { answer: "once", user: OWNER });
    expect(other.seen).toEqual([]);
    await clock.advance(MINUTE);
    await until(clock, () => program.ran.length > 0, { stepMs: 5 });
    await until(clock, () => program.seen.some((text) => text.includes(`Approved (${code})`)));
    await clock.advance(5 * MINUTE);
    expect(program.ran).toEqual(["sda"]);
    expect(other.seen).toEqual([]);
    await other.assistant.stop();
  });

  it("runs once although two programs that have the tool find it at the same time", async () => {
    const { code, store, clock } = await askedAndStopped();
    const other = await processOf({ store, clock, has: false });
    await other.assistant.approvals.answer(code, { answer: "once", user: OWNER });
    await other.assistant.stop();
    const programs = await Promise.all([
      processOf({ store, clock, start: false }),
      processOf({ store, clock, start: false }),
    ]);
    await clock.advance(1000);
    await Promise.all(programs.map(({ assistant }) => assistant.start()));
    await until(clock, async () => (await programs[0].all())?.state === "ended");
    await clock.advance(20 * MINUTE);
    expect(programs.flatMap(({ ran }) => ran)).toEqual(["sda"]);
    expect(await programs[0].all()).toMatchObject({ outcome: { verdict: "done" } });
    for (const { assistant } of programs) await assistant.stop();
  });

  it("is left alone while another program runs it, and reported as cut off once that must have ended", async () => {
    const program = await processOf();
    await program.assistant.send({ text: "wipe sda", user: OWNER });
    const { store, clock } = program;
    const view = await program.all();
    await clock.advance(1000);
    const key = `approvals/requests/${view?.id}`;
    const record = (await store.get(key))?.value as object;
    await store.put(key, { ...record, state: "running", begunAt: clock.now() });
    await clock.advance(5 * MINUTE);
    expect(await program.all()).toMatchObject({ state: "running" });
    await clock.advance(12 * MINUTE);
    expect(await program.all()).toMatchObject({ state: "ended", outcome: { verdict: "interrupted" } });
    expect(program.ran).toEqual([]);
  });

  it("runs when the tool is registered later in a program that runs", async () => {
    const { code, store, clock } = await askedAndStopped();
    const other = await processOf({ store, clock, has: false });
    await other.assistant.approvals.answer(code, { answer: "once", user: OWNER });
    const ran: string[] = [];
    other.assistant.tools.register("time_machine", wipeTool(ran));
    await clock.advance(MINUTE);
    expect(ran).toEqual([]);
    other.assistant.tools.register("wipe", wipeTool(ran));
    await until(clock, () => ran.length > 0, { stepMs: 5 });
    await until(clock, () => other.seen.some((text) => text.includes(`Approved (${code})`)));
    expect(ran).toEqual(["sda"]);
  });

  it.each([
    {
      where: "the API",
      deny: (t: Awaited<ReturnType<typeof processOf>>, code: string) =>
        t.post(`/approvals/${code}`, { answer: "deny", reason: "on second thought" }),
    },
    {
      where: "a chat",
      deny: (t: Awaited<ReturnType<typeof processOf>>, code: string) => t.write(`/deny ${code} on second thought`),
    },
    {
      where: "the program",
      deny: (t: Awaited<ReturnType<typeof processOf>>, code: string) =>
        t.assistant.approvals.answer(code, { answer: "deny", reason: "on second thought", user: OWNER }),
    },
  ])("is taken back in $where until it runs", async ({ deny }) => {
    const { code, store, clock } = await askedAndStopped();
    const other = await processOf({ store, clock, has: false });
    await other.assistant.approvals.answer(code, { answer: "once", user: OWNER });
    await deny(other, code);
    expect(await other.all()).toMatchObject({
      state: "ended",
      outcome: { verdict: "denied", reason: "on second thought" },
    });
    await other.assistant.stop();
    const program = await processOf({ store, clock });
    await clock.advance(5 * MINUTE);
    expect(program.ran).toEqual([]);
    const told = await entriesOf(program);
    expect(told.filter((entry) => entry.includes("Denied (") && entry.includes("on second thought"))).toHaveLength(1);
    await expect(program.assistant.approvals.answer(code, { answer: "deny", user: OWNER })).rejects.toMatchObject({
      code: "CONFLICT",
    });
  });

  it("is taken back by those alone who may answer it", async () => {
    const { code, store, clock } = await askedAndStopped();
    const other = await processOf({ store, clock, has: false });
    await other.assistant.approvals.answer(code, { answer: "once", user: OWNER });
    await expect(other.assistant.approvals.answer(code, { answer: "deny", user: "memory:2" })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    expect(await other.all()).toMatchObject({ state: "approved" });
  });

  it("for good makes its rule at once, and loses it when it is taken back", async () => {
    const { code, store, clock } = await askedAndStopped();
    const other = await processOf({ store, clock, has: false });
    await other.assistant.approvals.answer(code, { answer: "always", user: OWNER });
    expect(await other.assistant.approvals.rules()).toMatchObject([{ id: code, tool: "wipe", input: { disk: "sda" } }]);
    await other.assistant.stop();
    const cli = await processOf({ store, clock, has: false, start: false });
    await cli.assistant.approvals.answer(code, { answer: "deny", user: OWNER });
    expect(await cli.assistant.approvals.rules()).toEqual([]);
  });

  it("for good loses its rule at the next start when a crash came between the denial and that", async () => {
    const { code, store, clock } = await askedAndStopped();
    const other = await processOf({ store, clock, has: false });
    await other.assistant.approvals.answer(code, { answer: "always", user: OWNER });
    const key = `approvals/requests/${(await other.all())?.id}`;
    await other.assistant.stop();
    const record = (await store.get(key))?.value as object;
    const outcome = { verdict: "denied", at: clock.now() };
    await store.put(key, { ...record, state: "ended", outcome });
    const program = await processOf({ store, clock });
    await until(clock, async () => (await program.assistant.approvals.rules()).length === 0);
    expect(program.ran).toEqual([]);
  });

  it("for good keeps its rule for the program that has the tool, unless somebody removed it meanwhile", async () => {
    for (const isRemoved of [false, true]) {
      const { code, store, clock } = await askedAndStopped();
      const other = await processOf({ store, clock, has: false });
      await other.assistant.approvals.answer(code, { answer: "always", user: OWNER });
      if (isRemoved) await other.assistant.approvals.removeRule(code);
      await other.assistant.stop();
      const program = await processOf({ store, clock });
      await until(clock, () => program.ran.length > 0);
      const next = await program.assistant.tools.run("wipe", { disk: "sda" }, { user: OWNER });
      expect(next).toMatchObject(isRemoved ? { ok: false, approval: {} } : { ok: true });
      await program.assistant.stop();
    }
  });

  it("with a pattern is refused, as nothing here can judge it, and stays open", async () => {
    const { code, store, clock } = await askedAndStopped();
    const other = await processOf({ store, clock, has: false });
    const refused = other.assistant.approvals.answer(code, { answer: "always", pattern: "sd*", user: OWNER });
    await expect(refused).rejects.toMatchObject({
      code: "OPTION_INVALID",
      message: expect.stringContaining("wipe is not in this program"),
    });
    expect(await other.all()).toMatchObject({ state: "open" });
  });

  it("does not run a day after the answer, and its conversation hears why", async () => {
    const { code, store, clock } = await askedAndStopped();
    const other = await processOf({ store, clock, has: false });
    await other.assistant.approvals.answer(code, { answer: "once", user: OWNER });
    await clock.advance(23 * HOUR);
    expect(await other.all()).toMatchObject({ state: "approved" });
    await other.assistant.stop();
    await clock.advance(HOUR);
    const program = await processOf({ store, clock });
    await until(clock, () => program.seen.some((text) => text.includes(`Not run in time (${code})`)));
    expect(program.ran).toEqual([]);
    expect(await program.all()).toMatchObject({ outcome: { verdict: "expired" } });
  });

  it("also ends where its tool never comes", async () => {
    const { code, store, clock } = await askedAndStopped();
    const other = await processOf({ store, clock, has: false });
    await other.assistant.approvals.answer(code, { answer: "once", user: OWNER });
    await clock.advance(24 * HOUR);
    await until(clock, async () => (await other.all())?.state === "ended");
    expect(await other.all()).toMatchObject({ outcome: { verdict: "expired" } });
  });

  it("is told to who waits over HTTP and in a chat, and nobody waits for what will not be said", async () => {
    const { code, store, clock } = await askedAndStopped();
    const other = await processOf({ store, clock, has: false });
    const response = await other.post(`/approvals/${code}`, { answer: "once", wait: true });
    const body = (await response.json()) as object;
    expect([response.status, body]).toMatchObject([200, { ok: false, state: "approved", run_by: expect.any(String) }]);
    expect(body).not.toHaveProperty("reply");
    await other.assistant.stop();

    const second = await askedAndStopped();
    const chat = await processOf({ ...second, has: false });
    const said = await chat.assistant.send({ text: `/approve ${second.code}`, user: "cli", channel: "cli" });
    expect(said.text).toContain(`/deny ${second.code} revokes the approval`);
    expect(chat.seen).toEqual([]);
  });

  it("does not start an assistant that lacks the tool only to keep the answer", async () => {
    for (const answer of ["once", "deny"] as const) {
      const { code, store, clock } = await askedAndStopped();
      const other = await processOf({ store, clock, has: false, start: false });
      const started: string[] = [];
      other.assistant.events.subscribe("gateway.startup", () => void started.push("started"), { name: "test" });
      const response = await other.post(`/approvals/${code}`, { answer, wait: true });
      expect(response.status).toBe(200);
      await clock.advance(MINUTE);
      expect(started).toEqual([]);
      expect(other.seen).toEqual([]);
      expect(await other.all()).toMatchObject({ state: answer === "once" ? "approved" : "ended" });
      await other.assistant.stop();
      const program = await processOf({ store, clock });
      const word = answer === "once" ? "Approved" : "Denied";
      await until(clock, () => program.seen.some((text) => text.includes(`${word} (${code})`)));
      expect(program.ran).toEqual(answer === "once" ? ["sda"] : []);
      await program.assistant.stop();
    }
  });

  it("does not start an assistant whose tool of that name is another one", async () => {
    const { code, store, clock } = await askedAndStopped();
    const ran: string[] = [];
    const wipe = { ...wipeTool(ran), description: "wipes something else" };
    const other = await processOf({ store, clock, has: false, start: false, more: { tools: { wipe } } });
    const response = await other.post(`/approvals/${code}`, { answer: "once" });
    expect(await response.json()).toMatchObject({ ok: false, state: "approved" });
    await clock.advance(MINUTE);
    expect([ran, other.seen]).toEqual([[], []]);
  });
});
