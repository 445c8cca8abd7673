import { describe, expect, it } from "vitest";
import { says } from "../../src/testing/scripted-model.ts";
import { type TestAssistant, type TestAssistantOptions, testAssistant } from "../support/assistant.ts";
import { until } from "../support/until.ts";

const TOKENS = [
  { token: "owner-token-0123456789", role: "owner" },
  { token: "ada-token-01234567890", role: "user", user: "app:ada" },
  { token: "bob-token-01234567890", role: "user", user: "app:bob" },
] as const;
const MINUTE = 60_000;

const setUp = (options: TestAssistantOptions = {}) =>
  testAssistant({ script: () => says("Drink water"), channels: [], server: { tokens: TOKENS }, ...options });

/** What a reader of the feed was told: lines without comments, from the newest connection. */
async function listening(t: TestAssistant, token: string, lastEventId?: string) {
  const stop = new AbortController();
  const response = await t.assistant.fetch(
    new Request("http://localhost/api/v1/events", {
      headers: { authorization: `Bearer ${token}`, ...(lastEventId !== undefined && { "last-event-id": lastEventId }) },
      signal: stop.signal,
    }),
  );
  const events: { id: string; event: string; data: Record<string, unknown> }[] = [];
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const reading = (async () => {
    let text = "";
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      text += next.value;
      for (let end = text.indexOf("\n\n"); end !== -1; end = text.indexOf("\n\n")) {
        const fields = Object.fromEntries(
          text
            .slice(0, end)
            .split("\n")
            .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
        );
        text = text.slice(end + 2);
        const { id = "", event, data = "{}" } = fields as { id?: string; event?: string; data?: string };
        if (event !== undefined) events.push({ id, event, data: JSON.parse(data) as Record<string, unknown> });
      }
    }
  })();
  return {
    response,
    events,
    /** Resolves when the feed has ended. */
    over: reading,
    seen: (event: string) => until(t.clock, () => events.some((one) => one.event === event), { stepMs: 1 }),
    async leave() {
      await reader.cancel();
      await reading;
    },
  };
}

describe("GET /api/v1/events", () => {
  it("tells the one who is signed in at once what is said unasked, and nobody else", async () => {
    const t = await setUp();
    const ada = await listening(t, TOKENS[1].token);
    const owner = await listening(t, TOKENS[0].token);
    const bob = await listening(t, TOKENS[2].token);
    await Promise.all([ada.seen("live"), owner.seen("live"), bob.seen("live")]);
    expect(ada.response.headers.get("content-type")).toContain("text/event-stream");
    await t.assistant.jobs.create({ schedule: "in 1 minute", task: "Drink water", user: "app:ada" });
    await t.clock.advance(MINUTE);
    await Promise.all([ada.seen("notification"), ada.seen("job")]);
    expect(ada.events.filter(({ event }) => event === "notification")).toMatchObject([
      { data: { user: "app:ada", kind: "notice", text: "Drink water" } },
    ]);
    const job = ada.events.find(({ event }) => event === "job")?.data as Record<string, unknown>;
    expect(job).toMatchObject({ status: "success", run_id: expect.any(String) as unknown, consec_failures: 0 });
    expect(Object.keys(job).filter((name) => /[A-Z]/.test(name))).toEqual([]);
    // The owner may see all jobs, but is not who is reminded.
    expect(owner.events.map(({ event }) => event)).toEqual(["live", "job"]);
    expect(bob.events.map(({ event }) => event)).toEqual(["live"]);
    await Promise.all([ada.leave(), owner.leave(), bob.leave()]);
  });

  it("tells the one who is signed in of each turn of theirs that ended", async () => {
    const t = await setUp();
    const ada = await listening(t, TOKENS[1].token);
    const bob = await listening(t, TOKENS[2].token);
    await Promise.all([ada.seen("live"), bob.seen("live")]);
    const { turnId, sessionKey } = await t.assistant.send({ text: "hello", user: "app:ada" });
    await ada.seen("turn");
    expect(ada.events.at(-1)).toMatchObject({ event: "turn", data: { turn_id: turnId, session_key: sessionKey } });
    expect(bob.events.map(({ event }) => event)).toEqual(["live"]);
    await Promise.all([ada.leave(), bob.leave()]);
  });

  it("begins with what waits, and goes on behind the last that was told", async () => {
    const t = await setUp();
    for (const name of ["one", "two"]) {
      await t.assistant.jobs.create({ schedule: "in 1 minute", task: name, name, user: "app:ada" });
      await t.clock.advance(MINUTE);
      await until(t.clock, async () => {
        const { notifications } = (await (await t.call("/notifications")).json()) as { notifications: unknown[] };
        return notifications.length === (name === "one" ? 1 : 2);
      });
    }
    await t.assistant.jobs.create({ schedule: "in 1 minute", task: "of another", user: "app:bob" });
    await t.clock.advance(MINUTE);
    await until(t.clock, async () => {
      const { notifications } = (await (await t.call("/notifications")).json()) as { notifications: unknown[] };
      return notifications.length === 3;
    });
    const first = await listening(t, TOKENS[1].token);
    await first.seen("live");
    expect(first.events.map(({ event }) => event)).toEqual(["notification", "notification", "live"]);
    await first.leave();
    const again = await listening(t, TOKENS[1].token, first.events[0]?.id);
    await again.seen("live");
    expect(again.events.map(({ id }) => id)).toEqual([first.events[1]?.id, ""]);
    await again.leave();
  });

  it("tells of a run of a workflow, its steps and its end, to whom it works for and the owner", async () => {
    const steps = [{ id: "ask", run: "prompt", prompt: "How much should one drink?" }] as const;
    const t = await setUp({ workflow: { definitions: [{ name: "water", steps }] } });
    const [ada, owner, bob] = await Promise.all([1, 0, 2].map((index) => listening(t, TOKENS[index]!.token)));
    await Promise.all([ada, owner, bob].map((one) => one!.seen("live")));
    const started = await t.call("/workflows", { token: TOKENS[1].token, body: { name: "water" } });
    const { run_id: runId } = (await started.json()) as { run_id: string };
    await t.during(t.assistant.workflows.finished(runId));
    await until(t.clock, () => ada!.events.some(({ data }) => data["status"] === "done" && !data["step"]), {
      stepMs: 1,
    });
    const told = ada!.events.filter(({ event }) => event === "workflow").map(({ data }) => data);
    const about = { run_id: runId, name: "water", user: "app:ada" };
    expect(told[0]).toEqual({ ...about, status: "running" });
    expect(told).toContainEqual({ ...about, status: "running", step: { id: "ask", status: "running", attempt: 1 } });
    expect(told).toContainEqual({
      ...about,
      status: expect.any(String),
      step: { id: "ask", status: "done", attempt: 1 },
    });
    expect(told.at(-1)).toEqual({ ...about, status: "done" });
    expect(owner!.events.filter(({ event }) => event === "workflow").map(({ data }) => data)).toEqual(told);
    expect(bob!.events.map(({ event }) => event)).toEqual(["live"]);
    await Promise.all([ada, owner, bob].map((one) => one!.leave()));
  });

  it("leaves nothing behind when its reader has gone", async () => {
    const t = await setUp();
    const before = t.clock.pending;
    const reader = await listening(t, TOKENS[1].token);
    await reader.seen("live");
    await reader.leave();
    expect(t.clock.pending).toBe(before);
  });

  it("begins nothing for who asks for its head alone", async () => {
    const t = await setUp();
    const before = t.clock.pending;
    const headers = { authorization: `Bearer ${TOKENS[1].token}` };
    const response = await t.assistant.fetch(
      new Request("http://localhost/api/v1/events", { method: "HEAD", headers }),
    );
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    expect(response.body).toBeNull();
    expect(t.clock.pending).toBe(before);
  });

  it("ends with the assistant, whoever serves it, and at once for who comes later", async () => {
    const t = await setUp();
    const reader = await listening(t, TOKENS[1].token);
    await reader.seen("live");
    await t.assistant.stop();
    await reader.over;
    expect(t.clock.pending).toBe(0);
    await (
      await listening(t, TOKENS[1].token)
    ).over;
  });

  it("asks who it is", async () => {
    const t = await setUp();
    expect((await t.call("/events", { token: "nobody" })).status).toBe(401);
  });
});
