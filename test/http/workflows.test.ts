import { describe, expect, it } from "vitest";
import { fakeWorkflows, runView, stepView, STARTED_AT } from "../support/fake-workflows.ts";
import { OWNER_TOKEN, testAssistant } from "../support/assistant.ts";
import { ADA, HOOKS, METRICS, NAMELESS, OWNER, bodyOf, call, fakeAssistant } from "./support.ts";

const ROOT = "/api/v1/workflows";
const ADAS = "app:Ada";
const BOBS = "app:Bob";
const NAMED_OWNER = { owner: { ids: ["memory:42"] } } as const;

function made() {
  const fake = fakeWorkflows();
  const { app, parts } = fakeAssistant({ parts: { workflows: fake.workflows } });
  fake.define("report", {
    description: "Writes a report",
    inputs: { topic: { type: "string" }, words: { type: "number", default: 300 }, notes: { required: false } },
    steps: 3,
  });
  fake.define("shipped", { source: "built-in" });
  fake.put(runView({ id: "run-ada", user: ADAS }));
  fake.put(runView({ id: "run-bob", user: BOBS, name: "shipped" }));
  const ask = async (path: string, options: Parameters<typeof call>[1] = {}) => {
    const response = await app.request(call(`${ROOT}${path}`, options));
    return { status: response.status, body: response.status === 204 ? {} : await bodyOf(response) };
  };
  const asked = (what: string) => fake.asked.filter((one) => one.what === what).map(({ given }) => given);
  const audited = async () => {
    await parts.audit.settled();
    return (await parts.audit.read()).map(({ who, what, target }) => `${who} ${what} ${target}`);
  };
  return { fake, ask, asked, audited };
}

describe("GET /api/v1/workflows", () => {
  it("shows an owner what there is and all runs, the newest first, in snake_case", async () => {
    const { ask } = made();
    const { status, body } = await ask("");
    expect(status).toBe(200);
    expect(body["definitions"]).toEqual([
      {
        name: "report",
        description: "Writes a report",
        source: "file",
        inputs: {
          topic: { type: "string", required: true },
          words: { type: "number", default: 300, required: false },
          notes: { required: false },
        },
        steps: 3,
      },
      { name: "shipped", description: "", source: "built-in", inputs: {}, steps: 1 },
    ]);
    expect(body["runs"]).toEqual([
      expect.objectContaining({ run_id: "run-bob" }),
      {
        run_id: "run-ada",
        name: "report",
        status: "running",
        user: ADAS,
        session_key: "agent:main:app:direct:Ada",
        started_at: new Date(STARTED_AT).toISOString(),
        progress: { done: 0, total: 1 },
        budget: { max_tokens: 200_000, max_seconds: 3600, max_tool_calls: 200 },
        spent: { tokens: 0, tool_calls: 0, seconds: 0 },
      },
    ]);
  });

  it.each([
    { query: `?user=${BOBS}`, runs: ["run-bob"] },
    { query: "?name=report", runs: ["run-ada"] },
    { query: "?limit=1", runs: ["run-bob"] },
  ])("narrows what an owner sees by $query", async ({ query, runs }) => {
    const { ask } = made();
    expect((await ask(query)).body["runs"]).toEqual(runs.map((run) => expect.objectContaining({ run_id: run })));
  });

  it("shows a user's token its own runs, and refuses to show another's", async () => {
    const { ask } = made();
    for (const query of ["", `?user=${ADAS}`])
      expect((await ask(query, { token: ADA })).body["runs"]).toEqual([expect.objectContaining({ run_id: "run-ada" })]);
    expect((await ask(`?user=${BOBS}`, { token: ADA })).status).toBe(403);
    for (const token of [NAMELESS, METRICS, HOOKS]) expect((await ask("", { token })).status).toBe(403);
    for (const query of ["?limit=0", "?limit=101", "?user=", "?user=app:"]) expect((await ask(query)).status).toBe(400);
  });
});

describe("POST /api/v1/workflows", () => {
  it("starts a run for the token's user, and for an owner for whom they name", async () => {
    const { ask, asked, audited } = made();
    const body = { name: "report", inputs: { topic: "oats" }, session: "kitchen", budget: { max_tokens: 900 } };
    expect(await ask("", { body })).toEqual({ status: 202, body: { run_id: "run-3" } });
    expect((await ask("", { token: ADA, body })).status).toBe(202);
    expect((await ask("", { body: { ...body, user: BOBS } })).status).toBe(202);
    const rest = { inputs: { topic: "oats" }, budget: { maxTokens: 900 } };
    expect(asked("run")).toEqual([
      ["report", { ...rest, session: "kitchen", asOwner: true }],
      // Two users never meet in one conversation, whatever they call it.
      ["report", { ...rest, user: ADAS, session: "app:%41da/kitchen" }],
      ["report", { ...rest, user: BOBS, session: "kitchen" }],
    ]);
    expect(await audited()).toEqual([
      "owner workflow.start report run-3",
      `${ADAS} workflow.start report run-4`,
      "owner workflow.start report run-5",
    ]);
  });

  it("starts no run for another than the token's user", async () => {
    const { ask, asked } = made();
    for (const token of [ADA, NAMELESS])
      expect((await ask("", { token, body: { name: "report", user: BOBS } })).status).toBe(403);
    expect(asked("run")).toEqual([]);
  });

  it("takes a definition from owners only, whatever it is called", async () => {
    const { ask, asked } = made();
    const yaml = "name: mine\nsteps: [{ id: a, run: prompt, prompt: Hi }]\n";
    const definition = { name: "mine", steps: [{ id: "a", run: "prompt", prompt: "Hi" }] };
    for (const given of [yaml, definition])
      expect((await ask("", { token: ADA, body: { definition: given } })).status).toBe(403);
    for (const name of [yaml, "{name: mine, steps: []}", "name: mine"])
      expect((await ask("", { token: ADA, body: { name } })).status).toBe(400);
    expect(asked("run")).toEqual([]);
    expect((await ask("", { body: { definition } })).status).toBe(202);
    expect(asked("run")).toEqual([[definition, { asOwner: true }]]);
  });

  it("takes what makes a repeat harmless from `id` or the header Idempotency-Key", async () => {
    const { ask, asked } = made();
    const start = (more: object, headers: Record<string, string> = {}) =>
      ask("", { body: { name: "report", ...more }, headers });
    await start({ id: "daily" });
    await start({}, { "idempotency-key": "daily" });
    expect(asked("run")).toEqual([
      ["report", { id: "daily", asOwner: true }],
      ["report", { id: "daily", asOwner: true }],
    ]);
    expect((await start({}, { "idempotency-key": "x".repeat(201) })).status).toBe(400);
  });

  it.each([
    { title: "neither a name nor a definition", body: {}, detail: "Expected name or definition" },
    { title: "both", body: { name: "report", definition: { name: "x" } }, detail: "Expected name or definition" },
    { title: "a field of another name", body: { name: "report", workflow: "x" }, detail: "workflow" },
    { title: "inputs that are no group", body: { name: "report", inputs: ["x"] }, detail: "inputs" },
    { title: "a user who is nobody", body: { name: "report", user: "app:" }, detail: 'user as "channel:id"' },
    { title: "a budget below 1", body: { name: "report", budget: { max_tokens: 0 } }, detail: "budget.max_tokens" },
    { title: "a definition with a mistake", body: { definition: "name: x\nstep: []\n" }, detail: "steps" },
  ])("answers $title with 400 that names it", async ({ body, detail }) => {
    const { ask } = made();
    expect(await ask("", { body })).toMatchObject({ status: 400, body: { detail: expect.stringContaining(detail) } });
  });

  it("names each input that does not fit", async () => {
    const t = await testAssistant({ server: { token: OWNER_TOKEN } });
    const definition = {
      name: "letter",
      inputs: { topic: { type: "string" }, words: { type: "number" } },
      steps: [{ id: "write", run: "prompt", prompt: "Write about ${inputs.topic}" }],
    };
    const answer = await t.call("/workflows", { body: { definition, inputs: { words: "many", tone: "kind" } } });
    expect(answer.status).toBe(400);
    const { errors } = (await answer.json()) as { errors: unknown };
    expect(errors).toEqual([
      { field: "inputs.tone", message: 'there is no input "tone"; known: topic, words' },
      { field: "inputs.topic", message: "topic is missing: expected a string" },
      { field: "inputs.words", message: 'words: expected a number, got "many"' },
    ]);
  });

  it("works for the owner where an owner's token names nobody, with their memory", async () => {
    const t = await testAssistant({ ...NAMED_OWNER, server: { token: OWNER_TOKEN } });
    const step = { id: "keep", run: "tool", tool: "memory_write", with: { content: "Prefers oat milk" } };
    const started = await t.call("/workflows", { body: { definition: { name: "note", steps: [step] } } });
    const { run_id: runId } = (await started.json()) as { run_id: string };
    expect(await t.assistant.workflows.finished(runId)).toMatchObject({ status: "done" });
    const kept = (await (await t.call("/memory/entries")).json()) as object;
    expect(kept).toMatchObject({ user: "@owner", entries: [{ content: "Prefers oat milk" }] });
  });

  it("answers a name that there is none of with 404", async () => {
    const { ask } = made();
    expect(await ask("", { body: { name: "nothing" } })).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
  });
});

describe("/api/v1/workflows/:id", () => {
  it("shows a run with its steps, what they wait for, and what it used", async () => {
    const { fake, ask } = made();
    const at = (seconds: number) => new Date(STARTED_AT + seconds * 1000);
    fake.put(
      runView({
        id: "run-whole",
        status: "failed",
        inputs: { topic: "oats" },
        endedAt: at(90),
        spent: { tokens: 1234, toolCalls: 5, seconds: 61.5, cost: 0.12 },
        error: { code: "BUDGET_EXCEEDED", message: "It used 1234 tokens" },
        summary: "Done: a.",
        output: { text: "…" },
        parent: { run: "run-0", step: "sub" },
        steps: [
          stepView({
            id: "a",
            run: "tool",
            what: "web_fetch",
            status: "done",
            attempt: 2,
            startedAt: at(0),
            endedAt: at(5),
            output: [1],
            artifact: "out-1",
            tokens: 7,
            toolCalls: 1,
            items: { done: 2, failed: 1, total: 3 },
          }),
          stepView({
            id: "b",
            run: "wait",
            needs: ["a"],
            status: "waiting",
            waitsFor: { until: at(60), event: "paid", approval: { id: "x", code: "7KXQ2M" }, run: "run-9" },
          }),
          stepView({ id: "c", status: "failed", error: { code: "TIMEOUT", message: "Too long" } }),
        ],
      }),
    );
    const { body } = await ask("/run-whole");
    expect(body).toMatchObject({
      run_id: "run-whole",
      status: "failed",
      inputs: { topic: "oats" },
      ended_at: at(90).toISOString(),
      spent: { tokens: 1234, tool_calls: 5, seconds: 61.5, cost: 0.12 },
      error: { code: "BUDGET_EXCEEDED", message: "It used 1234 tokens" },
      summary: "Done: a.",
      output: { text: "…" },
      parent: { run_id: "run-0", step: "sub" },
    });
    expect(body["steps"]).toEqual([
      {
        id: "a",
        run: "tool",
        what: "web_fetch",
        needs: [],
        status: "done",
        attempt: 2,
        started_at: at(0).toISOString(),
        ended_at: at(5).toISOString(),
        output: [1],
        artifact: "out-1",
        tokens: 7,
        tool_calls: 1,
        items: { done: 2, failed: 1, total: 3 },
      },
      {
        id: "b",
        run: "wait",
        what: "Do b",
        needs: ["a"],
        status: "waiting",
        attempt: 0,
        waits_for: {
          until: at(60).toISOString(),
          event: "paid",
          approval: { id: "x", code: "7KXQ2M" },
          run_id: "run-9",
        },
      },
      expect.objectContaining({ id: "c", error: { code: "TIMEOUT", message: "Too long" } }),
    ]);
  });

  it("cancels, resumes, retries and tells events, and leaves a line of each", async () => {
    const { fake, ask, asked, audited } = made();
    const token = ADA;
    expect((await ask("/run-ada/cancel", { token, method: "POST" })).body).toMatchObject({ status: "cancelled" });
    expect((await ask("/run-ada/resume", { token, method: "POST" })).body).toMatchObject({ status: "running" });
    fake.put(runView({ id: "run-ada", status: "failed" }));
    await ask("/run-ada/resume", { token, body: { budget: { max_tokens: 9, max_seconds: 8, max_tool_calls: 7 } } });
    expect((await ask("/run-ada/retry", { token, body: { step: "first" } })).status).toBe(200);
    expect((await ask("/run-ada/events", { token, body: { event: "paid", data: { sum: 3 } } })).status).toBe(204);
    expect(fake.asked.map(({ what, given }) => [what, ...given])).toEqual([
      ["cancel", "run-ada", { user: ADAS }],
      ["resume", "run-ada", {}],
      ["resume", "run-ada", { budget: { maxTokens: 9, maxSeconds: 8, maxToolCalls: 7 } }],
      ["retry", "run-ada", "first", {}],
      ["signal", "run-ada", "paid", { sum: 3 }],
    ]);
    expect(await audited()).toEqual(
      ["cancel run-ada", "resume run-ada", "resume run-ada", "retry run-ada first", "event run-ada paid"].map(
        (act) => `${ADAS} workflow.${act}`,
      ),
    );
    expect(asked("cancel")).toHaveLength(1);
  });

  it.each([
    // What its definition says, and what the run has.
    { path: "", tokens: 5000, body: { name: "report", inputs: { topic: "oats" } } },
    { path: "/run-ada/resume", tokens: 200_000, body: {} },
    { path: "/run-ada/retry", tokens: 200_000, body: { step: "first" } },
  ])("lets a user's token lower a budget only: $path", async ({ path, tokens, body }) => {
    const { fake, ask } = made();
    fake.put(runView({ id: "run-ada", status: "failed" }));
    for (const [key, most] of [
      ["max_tokens", tokens],
      ["max_seconds", 3600],
      ["max_tool_calls", 200],
    ] as const) {
      const more = { ...body, budget: { [key]: most + 1 } };
      const detail = `budget.${key}: Expected at most ${most} with a user's token: an owner's token allows more`;
      expect(await ask(path, { token: ADA, body: more })).toMatchObject({ status: 403, body: { detail } });
    }
    expect(fake.asked).toEqual([]);
    const whole = { max_tokens: tokens, max_seconds: 3600, max_tool_calls: 200 };
    expect((await ask(path, { token: ADA, body: { ...body, budget: whole } })).status).toBeLessThan(300);
    fake.put(runView({ id: "run-ada", status: "failed" }));
    expect((await ask(path, { body: { ...body, budget: { max_tokens: 900_000 } } })).status).toBeLessThan(300);
  });

  it.each([
    { path: "", options: {} },
    { path: "/cancel", options: { method: "POST" } },
    { path: "/resume", options: { method: "POST" } },
    { path: "/retry", options: { body: { step: "first" } } },
    { path: "/events", options: { body: { event: "paid" } } },
  ])("answers a user's token for another's run$path as if there were none", async ({ path, options }) => {
    const { fake, ask } = made();
    const theirs = await ask(`/run-bob${path}`, { ...options, token: ADA });
    const none = await ask(`/run-none${path}`, { ...options, token: ADA });
    expect(theirs).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    expect(none.status).toBe(404);
    expect((await ask(`/run-ada${path}`, { ...options, token: NAMELESS })).status).toBe(403);
    expect(fake.asked).toEqual([]);
    expect(fake.runs.get("run-bob")?.status).toBe("running");
  });

  it("answers what cannot be done now with 409, and what is no step with 404", async () => {
    const { fake, ask } = made();
    expect(await ask("/run-ada/resume", { method: "POST" })).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
    fake.put(runView({ id: "run-done", status: "done" }));
    expect((await ask("/run-done/events", { body: { event: "paid" } })).status).toBe(409);
    expect((await ask("/run-ada/retry", { body: { step: "nothing" } })).status).toBe(404);
    for (const [path, body] of [
      ["/run-ada/retry", {}],
      ["/run-ada/events", { event: " " }],
      ["/run-ada/resume", { budget: { tokens: 3 } }],
    ] as const)
      expect((await ask(path, { body })).status).toBe(400);
  });
});

describe("files of workflows that cannot be read", () => {
  it("are told to an owner, with the line and what is wrong, and to nobody else", async () => {
    const { ask, fake } = made();
    expect((await ask("")).body["problems"]).toEqual([]);
    const what = { file: "workflows/defs/tea.yaml", line: 3, message: "steps[0].tool: is missing" };
    fake.problems.push({ ...what, column: 5, path: "steps[0].tool" });
    expect((await ask("")).body["problems"]).toEqual([what]);
    expect((await ask("", { token: ADA })).body).not.toHaveProperty("problems");
  });
});

describe("/api/v1/workflows/definitions/:name", () => {
  const YAML = "# mine\nsteps:\n  - { id: a, run: prompt, prompt: Hi }\n";

  it("shows a definition as data, as YAML, and where it comes from", async () => {
    const { ask } = made();
    expect(await ask("/definitions/shipped", { token: ADA })).toEqual({
      status: 200,
      body: {
        definition: {
          name: "shipped",
          description: "",
          budget: { max_tokens: 5000 },
          steps: [
            {
              id: "first",
              run: "tool",
              tool: "now",
              with: { timeZone: "UTC" },
              retry: { max: 1, backoff_seconds: 5 },
              on_error: "skip",
            },
          ],
        },
        yaml: "name: shipped\n",
        source: "built-in",
      },
    });
    expect((await ask("/definitions/nothing")).status).toBe(404);
  });

  it("shows a user's token no chain of skills that its user is not offered", async () => {
    const { fake, ask } = made();
    fake.define("private", { source: "skill" });
    const namesFor = async (token: string) =>
      ((await ask("", { token })).body["definitions"] as { name: string }[]).map(({ name }) => name);
    expect(await namesFor(OWNER)).toContain("private");
    expect(await namesFor(ADA)).not.toContain("private");
    expect((await ask("/definitions/private")).status).toBe(200);
    expect((await ask("/definitions/private", { token: ADA })).status).toBe(404);
    expect((await ask("/definitions/report", { token: NAMELESS })).status).toBe(403);
  });

  it.each([
    { title: "JSON", body: { yaml: YAML }, type: "application/json" },
    { title: "YAML", body: YAML, type: "application/yaml" },
    { title: "text", body: YAML, type: "text/plain; charset=utf-8" },
  ])("keeps a definition that is sent as $title", async ({ body, type }) => {
    const { ask, asked, audited } = made();
    const kept = await ask("/definitions/mine", { method: "PUT", body, headers: { "content-type": type } });
    expect(kept).toMatchObject({ status: 200, body: { name: "mine", source: "file" } });
    expect(asked("save")).toEqual([[YAML, "mine"]]);
    expect(await audited()).toEqual(["owner workflow.save mine"]);
  });

  it("says what is wrong with a definition, with its line", async () => {
    const { ask } = made();
    const refused = await ask("/definitions/mine", { method: "PUT", body: { yaml: "name: mine" } });
    expect(refused).toMatchObject({
      status: 400,
      body: {
        code: "OPTION_INVALID",
        errors: [{ field: "steps", message: "steps: is missing" }],
        issues: [{ file: "mine.yaml", line: 2, column: 1, field: "steps" }],
      },
    });
    expect((await ask("/definitions/mine", { method: "PUT", body: {} })).status).toBe(400);
    for (const name of ["-", "Mine", "..%2Fmine"])
      expect((await ask(`/definitions/${name}`, { method: "PUT", body: { yaml: YAML } })).status).toBe(400);
  });

  it("removes a file, and nothing else", async () => {
    const { ask, audited } = made();
    expect((await ask("/definitions/shipped", { method: "DELETE" })).status).toBe(404);
    expect((await ask("/definitions/report", { method: "DELETE" })).status).toBe(204);
    expect((await ask("/definitions/report")).status).toBe(404);
    expect(await audited()).toEqual(["owner workflow.remove report"]);
  });

  it("lets owners alone change definitions", async () => {
    const { fake, ask } = made();
    for (const token of [ADA, NAMELESS]) {
      expect((await ask("/definitions/report", { token, method: "PUT", body: { yaml: YAML } })).status).toBe(403);
      expect((await ask("/definitions/report", { token, method: "DELETE" })).status).toBe(403);
    }
    expect(fake.asked).toEqual([]);
  });
});

it("GET /api/v1/workflows/schema is a JSON Schema of definitions", async () => {
  const { ask } = made();
  const { status, body } = await ask("/schema", { token: ADA });
  expect(status).toBe(200);
  expect(body["properties"]).toMatchObject({ steps: { type: "array" }, budget: { type: "object" } });
});

it("there are no routes of workflows where they are switched off", async () => {
  const t = await testAssistant({ channels: [], server: { token: OWNER }, workflow: { enabled: false }, start: false });
  expect((await t.call("/workflows")).status).toBe(404);
});

it("the routes of workflows are in the API's description", async () => {
  const { app } = fakeAssistant();
  const { paths } = (await bodyOf(await app.request(call("/api/v1/openapi.json")))) as { paths: object };
  expect(Object.keys(paths).filter((path) => path.startsWith(ROOT))).toEqual(
    ["", "/schema", "/definitions/{name}", "/{id}", "/{id}/cancel", "/{id}/resume", "/{id}/retry", "/{id}/events"].map(
      (path) => ROOT + path,
    ),
  );
});
