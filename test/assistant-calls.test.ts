import { expect, it } from "vitest";
import { testAssistant } from "./support/assistant.ts";

it("what programs call with something else than a text says which function wants which, and rejects", async () => {
  const { assistant } = await testAssistant();
  const wrong: readonly (readonly [string, ...unknown[]])[] = [
    ["access.approve: code"],
    ["access.deny: code", null],
    ["access.remove: user", {}],
    ["approvals.answer: id"],
    ["approvals.answer: answer", "7KXQ2M"],
    ["artifacts.list: session"],
    ["artifacts.read: id", { session: "s" }],
    ["artifacts.remove: session", null],
    ["artifacts.write: name", { session: "s", content: "x" }],
    ["artifacts.write: user", { session: "s", name: "n", content: "x", user: 42 }],
    ["attention.explain: user", { type: "note", channel: "c" }, { user: 42 }],
    ["attention.less: type", null],
    ["attention.less: user", { type: "note", user: 42 }],
    ["attention.mute: user", { until: null, user: 42 }],
    ["attention.view: user", { user: 42 }],
    ["attention.press: button", { user: "sdk" }],
    ["goals.read: user", {}],
    ["goals.write: user", null],
    ["jobs.create: task", { schedule: "every day" }],
    ["jobs.get: id"],
    ["jobs.pause: id", null],
    ["jobs.runs: id", 7],
    ["jobs.update: id", {}],
    ["jobs.create: user", { schedule: "every day at 9", task: "x", user: 42 }],
    ["jobs.list: user", { user: 42 }],
    ["memory.get: id", "app:ada"],
    ["memory.importFiles: userId", []],
    ["memory.update: id", "app:ada"],
    ["proactive.answer: finding", { user: "app:ada" }],
    ["proactive.feedback: user", null],
    ["proactive.findings: user"],
    ["sessions.editSummary: text", "agent:main:main"],
    ["sessions.show: key"],
    ["skills.accept: user", "notes"],
    ["skills.decline: user", "notes", null],
    ["skills.enable: name"],
    ["skills.feedback: user", "notes", null],
    ["skills.find: query"],
    ["skills.list: user", { user: 42 }],
    ["skills.match: text", 7],
    ["skills.match: user", { text: "x", user: 42 }],
    ["skills.remove: name"],
    ["skills.show: name", { name: "notes" }],
    ["skills.suggestions: user", { user: 42 }],
    ["skills.write: text", null],
    ["skills.update: name"],
    ["skills.verify: name", 7],
    ["tools.complete: callId"],
    ["tools.run: user", "time", {}, { user: 42 }],
    ["workflows.cancel: id"],
    ["workflows.definition: name", {}],
    ["workflows.finished: id", {}],
    ["workflows.get: id", 7],
    ["workflows.remove: name"],
    ["workflows.resume: id", null],
    ["workflows.retry: step", "run-1"],
    ["workflows.run: user", "weekly-report", { user: 42 }],
    ["workflows.run: session", "weekly-report", { session: {} }],
    ["workflows.run: id", "weekly-report", { id: 42 }],
    ["workflows.signal: event", "run-1"],
  ];
  for (const [what, ...given] of wrong) {
    const [call = "", field = ""] = what.split(": ");
    const [member = "", name = ""] = call.split(".");
    const own = assistant[member as keyof typeof assistant] as unknown as Record<
      string,
      (...all: unknown[]) => unknown
    >;
    await expect(own[name]?.(...given), what).rejects.toMatchObject({
      code: "OPTION_INVALID",
      message: expect.stringContaining(`Invalid ${field} for ${call}(): expected a text, got `) as unknown,
    });
  }
});

it("a run of a workflow is begun for no user that is none, and under no blank name", async () => {
  const { assistant } = await testAssistant();
  const { run, list } = assistant.workflows;
  const refusal = (name: string, expected: string, got: string) =>
    `Invalid ${name} for workflows.run(): expected ${expected}, got ${JSON.stringify(got)}`;
  for (const user of ["", "  ", ":", "telegram:", ":42", "telegram: "])
    await expect(run("weekly-report", { user }), user).rejects.toThrow(
      refusal("user", '"channel:id", with both sides of the colon', user),
    );
  for (const name of ["session", "id"])
    await expect(run("weekly-report", { [name]: " " })).rejects.toThrow(refusal(name, "a text that is not blank", " "));
  expect(await list()).toEqual([]);
});

it("what programs call without a list, or without the object that a function takes, rejects likewise", async () => {
  const { assistant } = await testAssistant();
  const { attention, memory, sessions, skills, hooks, events, policy, workflows } = assistant as unknown as Record<
    string,
    Record<string, (...given: unknown[]) => Promise<unknown>>
  >;
  const { fetch, explainContext } = assistant as unknown as Record<string, (given?: unknown) => Promise<unknown>>;
  const list = (call: string, field: string) => `Invalid ${field} for ${call}(): expected a list, got undefined`;
  const wrong: readonly (readonly [Promise<unknown> | undefined, string, string?])[] = [
    [memory?.["remove"]?.("app:ada"), list("memory.remove", "ids[]")],
    [memory?.["restore"]?.("app:ada", null), list("memory.restore", "ids[]")],
    [memory?.["archive"]?.("app:ada"), list("memory.archive", "ids[]")],
    [memory?.["importFiles"]?.(), list("memory.importFiles", "files[]")],
    [memory?.["read"]?.("app:ada"), "Invalid day: expected one such as 2026-02-01, got undefined"],
    [memory?.["read"]?.("app:ada", null), "Invalid day: expected one such as 2026-02-01, got undefined"],
    [events?.["publish"]?.(), "Invalid event for events.publish(): expected an object with a type, got undefined"],
    [events?.["publish"]?.(null), "Invalid event for events.publish(): expected an object with a type, got null"],
    [memory?.["import"]?.({}), "Invalid lines: expected a list or stream of strings, got object"],
    [memory?.["import"]?.(), "Invalid lines: expected a list or stream of strings, got undefined"],
    [memory?.["import"]?.('{"v":1}'), "Invalid lines: expected a list or stream of strings, got string"],
    [attention?.["mute"]?.(), "until"],
    [attention?.["notify"]?.(null), "text"],
    [sessions?.["configure"]?.("agent:main:main"), "There is no session", "NOT_FOUND"],
    [skills?.["install"]?.(null), "No registry of skills", "NOT_FOUND"],
    [skills?.["install"]?.("x"), 'Invalid input for skills.install(): expected an object, got "x"'],
    [memory?.["update"]?.("app:ada", "id", 7), "Invalid input for memory.update(): expected an object, got 7"],
    [workflows?.["finished"]?.("x", {}), "Invalid signal for workflows.finished(): expected an AbortSignal"],
    [fetch?.(), "Invalid request for fetch(): expected a Request, got undefined"],
    [fetch?.("/api"), 'Invalid request for fetch(): expected a Request, got "/api"'],
    [explainContext?.({ session: 5 }), "Invalid session for explainContext(): expected a text, got 5"],
    [explainContext?.({ session: "x", text: {} }), "Invalid text for explainContext(): expected a text, got {}"],
  ];
  for (const [call, message, code = "OPTION_INVALID"] of wrong)
    await expect(call, message).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message) as unknown,
    });
  expect(() => hooks?.["add"]?.()).toThrow("Invalid hook: expected a name");
  expect(() => events?.["publishAsync"]?.(null)).toThrow("Invalid event for events.publishAsync(): expected an object");
  expect(() => policy?.["profileFor"]?.()).toThrow("Invalid subject for policy.profileFor(): expected an object");
  expect(() => skills?.["check"]?.(null)).toThrow("Invalid text for skills.check(): expected a text, got null");
  expect(() => events?.["subscribe"]?.("*")).toThrow("Cannot subscribe unnamed as its handler is no function");
});

it.each([new ArrayBuffer(3), new Uint16Array(3), 7, null, undefined])(
  "artifacts.write() keeps no content that is neither a text nor bytes (%s)",
  async (content) => {
    const { artifacts } = (await testAssistant()).assistant;
    await expect(artifacts.write({ session: "s", name: "x", content: content as never })).rejects.toMatchObject({
      code: "OPTION_INVALID",
      message: "Invalid content for artifacts.write(): expected a text or a Uint8Array",
    });
    expect(await artifacts.list({ session: "s" })).toEqual([]);
  },
);

it("a job with a field that jobs have not is refused, with the nearest that they have", async () => {
  const { assistant } = await testAssistant();
  const jobs = assistant.jobs as unknown as Record<"create" | "update", (...given: unknown[]) => Promise<unknown>>;
  const job = { schedule: "every day at 9", task: "Water" };
  const refused = (message: string) => ({ code: "OPTION_INVALID", message: `Invalid job: ${message}` });
  await expect(jobs.create({ ...job, retry_policy: { maxRetries: 1 } })).rejects.toMatchObject(
    refused('unknown field "retry_policy": did you mean "retryPolicy"?'),
  );
  expect(await assistant.jobs.list()).toEqual([]);
  const made = await assistant.jobs.create(job);
  await expect(jobs.update(made.job.id, { taks: "Feed" })).rejects.toMatchObject(
    refused('unknown field "taks": did you mean "task"?'),
  );
  await expect(jobs.update(made.job.id, { id: "other" })).rejects.toMatchObject({
    message: expect.stringContaining('unknown field "id": known: schedule, task, name') as unknown,
  });
  const { id, task, deliver } = made.job;
  expect(await jobs.update(id, null)).toMatchObject({ job: { id, task, deliver } });
  expect(await jobs.update(id, { deliver: null, task: null })).toMatchObject({ job: { id, task, deliver } });
});

it("options that are null are none", async () => {
  const { assistant } = await testAssistant();
  const { access, jobs, memory, sessions, skills, tools, workflows, approvals, attention } =
    assistant as unknown as Record<string, Record<string, (...given: unknown[]) => unknown>>;
  expect(await jobs?.["list"]?.(null)).toEqual([]);
  expect(await approvals?.["list"]?.(null)).toEqual([]);
  expect(await sessions?.["list"]?.(null)).toEqual([]);
  expect(await sessions?.["show"]?.("agent:main:main", null)).toBeNull();
  expect(await workflows?.["list"]?.(null)).toEqual([]);
  expect(await memory?.["tidy"]?.(null)).toEqual([]);
  const listed = memory?.["list"]?.("app:ada", null) as AsyncIterator<unknown>;
  expect(await listed.next()).toMatchObject({ done: true });
  expect(await sessions?.["conversations"]?.(null)).toEqual(await assistant.sessions.conversations());
  expect(await skills?.["suggestions"]?.(null)).toEqual([]);
  expect(await workflows?.["definitions"]?.(null)).toEqual(await assistant.workflows.definitions());
  await expect(workflows?.["save"]?.("x", null)).rejects.not.toThrow(TypeError);
  expect(await memory?.["import"]?.([], null)).toMatchObject({ entries: 0 });
  expect(await attention?.["view"]?.(null)).toMatchObject({ decisions: [] });
  expect(await skills?.["list"]?.(null)).toEqual(await assistant.skills.list());
  expect(await tools?.["run"]?.("time", {}, null)).toMatchObject({ ok: true });
  expect(await tools?.["list"]?.(null)).toEqual(assistant.tools.list());
  await expect(access?.["remove"]?.("app:ada", null)).rejects.toMatchObject({ code: "NOT_FOUND" });
  const { start, stop, explainContext } = assistant as unknown as Record<
    "start" | "stop" | "explainContext",
    (given: null) => Promise<unknown>
  >;
  expect(await explainContext(null)).toEqual(await assistant.explainContext({ session: "sdk" }));
  await start(null);
  await stop(null);
  await assistant.stop();
});

it("what fits goes on as it was given", async () => {
  const { assistant } = await testAssistant();
  const { job } = await assistant.jobs.create({ schedule: "every day at 9", task: "Water", user: "app:ada" });
  expect(job.task).toBe("Water");
  expect(await assistant.goals.read({ user: "app:ada" })).toBeNull();
  await expect(assistant.workflows.get("run-1")).rejects.toMatchObject({ code: "NOT_FOUND" });
});
