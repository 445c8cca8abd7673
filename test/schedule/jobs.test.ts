import { describe, expect, it, onTestFinished } from "vitest";
import { AssistantError, memoryStore } from "../../entry.host.ts";
import { createJobService, createJobs, createRuns } from "../../src/schedule/index.ts";
import type { Store } from "../../src/store/index.ts";
import { type Logger, silentLogger } from "../../src/telemetry/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { platform } from "../support/this-platform.ts";
import { until } from "../support/until.ts";

const FILE = `schedule: { kind: at, at: "2026-02-01T09:00:00Z" }\ntask: say hello\nuser_id: app:ada\nchannel: app\n`;

function opened(store: Store, logger: Logger = silentLogger) {
  const clock = fakeClock();
  const jobs = createJobs({ store, clock, yaml: platform.yaml, logger });
  onTestFinished(() => jobs.close());
  return { jobs, clock };
}

async function all<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

async function idsOf({ list }: ReturnType<typeof createJobs>): Promise<readonly string[]> {
  return (await all(list())).map(({ id }) => id);
}

/** How a store tells of what others changed, and says when it does. */
function watched() {
  const told: string[] = [];
  let wake = () => {};
  return {
    async *watch(_: string, signal: AbortSignal) {
      while (!signal.aborted) {
        yield* told.splice(0).map((key) => ({ key }));
        await new Promise<void>((resolve) => {
          wake = resolve;
          signal.addEventListener("abort", () => resolve(), { once: true });
        });
      }
    },
    tell(...keys: readonly string[]) {
      told.push(...keys);
      wake();
    },
  };
}

describe("jobs", () => {
  it.each([
    ["may not be read", "STORE_UNAVAILABLE"],
    ["is damaged", "STORE_UNSUITABLE"],
  ] as const)("go on when the file of one %s, which is said once", async (_title, code) => {
    const base = memoryStore();
    const isBad = new Set(["jobs/bad.yaml"]);
    const { watch, tell } = watched();
    const store: Store = {
      ...base,
      get: (key) =>
        isBad.has(key) ? Promise.reject(new AssistantError(code, `Cannot read ${JSON.stringify(key)}`)) : base.get(key),
      watch,
    };
    const lines: unknown[] = [];
    const error = (line: string, fields?: unknown) => void lines.push([line, fields]);
    for (const id of ["bad", "good"]) await base.put(`jobs/${id}.yaml`, FILE);
    const { jobs, clock } = opened(store, { ...silentLogger, error });
    await jobs.open();
    const armed: unknown[] = [];
    void jobs.keepUp(async () => void armed.push(await idsOf(jobs)));
    const change = async (id: string, ids: readonly string[]) => {
      tell(`jobs/${id}.yaml`);
      await until(clock, () => JSON.stringify(armed.at(-1)) === JSON.stringify(ids), { stepMs: 0 });
    };
    await until(clock, () => armed.length === 1, { stepMs: 0 });
    await base.put("jobs/late.yaml", FILE);
    tell("jobs/bad.yaml");
    await change("late", ["good", "late"]);
    isBad.clear();
    await change("bad", ["bad", "good", "late"]);
    isBad.add("jobs/good.yaml");
    await change("good", ["bad", "late"]);
    await jobs.look();
    const line = (key: string) => ["A job's file cannot be read", { file: key, problem: `Cannot read "${key}"` }];
    expect(lines).toEqual([line("jobs/bad.yaml"), line("jobs/good.yaml")]);
  });

  it("stay known while the store answers nothing", async () => {
    const base = memoryStore();
    let isDown = false;
    const down = () => Promise.reject(new AssistantError("STORE_UNAVAILABLE", "the store is down"));
    const { jobs } = opened({ ...base, get: (key) => (isDown ? down() : base.get(key)) });
    await base.put("jobs/early.yaml", FILE);
    await jobs.load();
    isDown = true;
    await expect(jobs.get("early")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect(jobs.ids()).toEqual(["early"]);
  });

  it.each([
    ["are no text", new Uint8Array([0xff, 0xfe, 0x61, 0])],
    ["hold a mistake, where it cannot be moved", "schedule: ["],
  ])("of files that %s stand in the way of no other", async (_title, file) => {
    const base = memoryStore();
    await base.put("jobs/bad.yaml", file);
    await base.put("jobs/good.yaml", FILE);
    const lines: unknown[] = [];
    const isFull = typeof file === "string";
    const put: Store["put"] = (key, ...given) =>
      isFull && key.endsWith(".bad")
        ? Promise.reject(new AssistantError("STORE_FULL", "the disk is full"))
        : base.put(key, ...given);
    const { jobs } = opened({ ...base, put }, { ...silentLogger, error: (line) => void lines.push(line) });
    await jobs.load();
    await jobs.look();
    expect(await idsOf(jobs)).toEqual(["good"]);
    expect(lines).toEqual(["A job's file cannot be read and is set aside"]);
    expect((await base.get(isFull ? "jobs/bad.yaml" : "jobs/bad.yaml.bad"))?.value).toEqual(file);
  });

  it("are known from the index at once, and what a crash kept out of it a moment later", async () => {
    const store = memoryStore();
    await store.put("jobs/early.yaml", FILE);
    const first = opened(store).jobs;
    await first.open();
    // Neither of the two is in the index that is there.
    await store.put("jobs/late.yaml", FILE);
    await store.remove("jobs/early.yaml");
    const { jobs } = opened(store);
    await jobs.open();
    expect(jobs.nextDue()).toBe(Date.UTC(2026, 1, 1, 9));
    await jobs.load();
    expect(await idsOf(jobs)).toEqual(["late"]);
  });

  it("are all read where there is no index, or one of an earlier version", async () => {
    const store = memoryStore();
    await store.put("jobs/early.yaml", FILE);
    await store.put("jobs/runs0.yaml", FILE);
    await store.append("jobs/runs/early.jsonl", { type: "claimed" });
    await store.put(".index/jobs", { v: 1, jobs: [["gone", "1", 5, "app:ada", true]] });
    const { jobs } = opened(store);
    await jobs.open();
    expect(await idsOf(jobs)).toEqual(["early", "runs0"]);
  });

  it("that were read before the index is taken up are due once", async () => {
    const store = memoryStore();
    await store.put("jobs/early.yaml", FILE);
    const first = createJobs({ store, clock: fakeClock(), yaml: platform.yaml, logger: silentLogger });
    await first.load();
    await first.close();
    const { jobs } = opened(store);
    // As by a run that a crash cut off.
    await jobs.get("early");
    await jobs.open();
    const due = Date.UTC(2026, 1, 1, 9);
    expect(jobs.due(due)).toEqual(["early"]);
    await jobs.change("early", () => ({ status: "done", nextRunAt: null }));
    expect(jobs.due(due)).toEqual([]);
    expect(jobs.nextDue()).toBeUndefined();
  });

  it("whose one time passed before anybody read the file are made up for, once", async () => {
    const store = memoryStore();
    await store.put("jobs/early.yaml", FILE.replace("2026-02-01", "2026-01-01"));
    const { jobs, clock } = opened(store);
    const time = new Date(Date.UTC(2026, 0, 1, 9));
    expect((await jobs.get("early"))?.nextRunAt).toEqual(time);
    expect(jobs.due(clock.now())).toEqual(["early"]);
    await jobs.change("early", () => ({ lastRunId: "early:1", lastRunAt: time, nextRunAt: null }));
    expect((await opened(store).jobs.get("early"))?.nextRunAt).toBeNull();
  });

  it("whose one time a person moves by hand come then", async () => {
    const store = memoryStore();
    await store.put("jobs/early.yaml", `${FILE.replace("2026-02-01", "2026-01-01")}next_run_at: null\n`);
    const { jobs } = opened(store);
    expect((await jobs.get("early"))?.nextRunAt).toBeNull();
    await store.put("jobs/early.yaml", `${FILE}next_run_at: null\n`);
    expect((await jobs.get("early"))?.nextRunAt).toEqual(new Date(Date.UTC(2026, 1, 1, 9)));
  });

  it("whose file is still empty are left to whoever writes it", async () => {
    const store = memoryStore();
    await store.put("jobs/early.yaml", "");
    const { jobs } = opened(store);
    await jobs.load();
    expect(await jobs.get("early")).toBeUndefined();
    expect((await store.get("jobs/early.yaml"))?.value).toBe("");
    await store.put("jobs/early.yaml", FILE);
    await jobs.look();
    expect(await idsOf(jobs)).toEqual(["early"]);
  });

  it.each([
    ["in JSON", '{"schedule": "0 9 * * *", "task": "say hello", "user_id": "app:ada", "channel": "app"}\n'],
    [
      "with blank lines in a text",
      `task: |\n  say\n\n  hello\nschedule: "0 9 * * *"\nuser_id: app:ada\nchannel: app\n`,
    ],
    ["with keys in quotes", `"task": say hello\nschedule: "0 9 * * *"\nuser_id: app:ada\nchannel: app\n`],
  ])("that a person wrote %s can be changed", async (_title, text) => {
    const store = memoryStore();
    await store.put("jobs/early.yaml", text);
    const { jobs } = opened(store);
    const lastRunAt = new Date(Date.UTC(2026, 0, 5, 9));
    await jobs.change("early", () => ({ task: "say good day", lastRunAt }));
    expect(await jobs.get("early")).toMatchObject({ task: "say good day", lastRunAt, user: "app:ada" });
  });

  it.each([
    ["a block with blank lines", "task: |\n  say\n\n  hello\n"],
    ["a text over several lines", "task: say\n\n  hello\n"],
  ])("whose task a person wrote as %s have the new one alone", async (_title, task) => {
    const store = memoryStore();
    await store.put("jobs/early.yaml", `${task}# mine\nschedule: "0 9 * * *"\nuser_id: app:ada\nchannel: app\n`);
    const { jobs } = opened(store);
    await jobs.change("early", () => ({ task: "stretch" }));
    expect((await jobs.get("early"))?.task).toBe("stretch");
    expect((await store.get("jobs/early.yaml"))?.value).toContain("# mine");
  });

  it.each([
    ["lines", FILE.replace(/schedule: .*/, "schedule: in 20 minutes")],
    ["JSON", '{"schedule": "in 20 minutes", "task": "say hello", "user_id": "app:ada", "channel": "app"}\n'],
  ])("of a time that is counted from now, written as %s, come once", async (_title, text) => {
    const store = memoryStore();
    await store.put("jobs/early.yaml", text);
    const { jobs, clock } = opened(store);
    const at = new Date(clock.now() + 20 * 60_000);
    expect((await jobs.get("early"))?.nextRunAt).toEqual(at);
    clock.step(60 * 60_000);
    expect((await jobs.get("early"))?.schedule).toEqual({ kind: "at", at: at.toISOString() });
    expect((await opened(store).jobs.get("early"))?.schedule).toEqual({ kind: "at", at: at.toISOString() });
  });

  it.each([
    ["Standup # at the table", "name: Tea # at the table"],
    ["It's a#1   # at the table", "name: Tea   # at the table"],
    ['"a \\" # b"\t# at the table', "name: Tea\t# at the table"],
    ["'it''s # b' # \"at\"", 'name: Tea # "at"'],
    ['"a # b"', "name: Tea"],
    ["a#b", "name: Tea"],
    ["|- # at the table\n  two\n  lines", "name: Tea # at the table"],
    ["# below\n  Standup", "name: Tea # below"],
  ])("keep the comment behind a value that changes: %s", async (before, after) => {
    const store = memoryStore();
    const file = `${FILE}name: ${before}\nstatus: active # until May\n`;
    await store.put("jobs/early.yaml", file);
    const { jobs } = opened(store);
    await jobs.change("early", () => ({
      name: "Tea",
      status: "paused",
      schedule: { kind: "at", at: "2026-03-01T09:00:00.000Z" },
    }));
    const text = (await store.get("jobs/early.yaml"))?.value ?? "";
    expect((text as string).split("\n").slice(-3)).toEqual([
      after.replace("Tea", '"Tea"'),
      "status: paused # until May",
      "",
    ]);
  });

  it("keep the comments on the lines under a key that changes", async () => {
    const store = memoryStore();
    const policy =
      "retry_policy: # of mine\n  # the line is bad\n  max_retries: 2 # twice\n\n  backoff_seconds: 60\n# mine\n";
    await store.put("jobs/early.yaml", `${policy}${FILE}`);
    const { jobs } = opened(store);
    await jobs.change("early", () => ({ retryPolicy: { maxRetries: 3, backoffSeconds: 30 } }));
    expect((await store.get("jobs/early.yaml"))?.value).toBe(
      `retry_policy: {"max_retries":3,"backoff_seconds":30} # of mine\n  # the line is bad\n  # twice\n# mine\n${FILE}`,
    );
    expect((await jobs.get("early"))?.retryPolicy).toEqual({ maxRetries: 3, backoffSeconds: 30 });
  });

  it("keep no line of a text as a comment", async () => {
    const store = memoryStore();
    await store.put("jobs/early.yaml", FILE.replace(/^task: .*/m, "task: |\n  # not a comment\n  hello"));
    const { jobs } = opened(store);
    await jobs.change("early", () => ({ task: "stretch" }));
    expect((await store.get("jobs/early.yaml"))?.value).toBe(FILE.replace(/^task: .*/m, "task: stretch"));
  });

  it("keep the comment behind braces", async () => {
    const store = memoryStore();
    await store.put("jobs/early.yaml", FILE.replace(" }\n", ' } # "the first" one\n'));
    const { jobs } = opened(store);
    await jobs.change("early", () => ({ schedule: { kind: "at", at: "2026-03-01T09:00:00.000Z" } }));
    expect((await store.get("jobs/early.yaml"))?.value).toMatch(
      /^schedule: \{.*2026-03-01.*\} # "the first" one\ntask/,
    );
  });

  it("that no file can say are refused", async () => {
    const store = memoryStore();
    await store.put("jobs/early.yaml", FILE);
    const { jobs } = opened(store);
    const refused = jobs.change("early", () => ({ cooldownSeconds: -1 }));
    await expect(refused).rejects.toThrow(/Invalid job: cooldown_seconds: /);
    const job = { ...(await jobs.get("early"))!, id: "other", name: "x".repeat(300) };
    await expect(jobs.create(job)).rejects.toThrow(/Invalid job: name: /);
    expect(await idsOf(jobs)).toEqual(["early"]);
  });

  it("that are made while others are listed stay known", async () => {
    const base = memoryStore();
    let isMade = false;
    const { jobs } = opened({
      ...base,
      async *list(prefix, options) {
        const found = await all(base.list(prefix, options));
        if (isMade) {
          isMade = false;
          await jobs.create({ ...(await jobs.get("early"))!, id: "meanwhile" });
        }
        yield* found;
      },
    });
    await base.put("jobs/early.yaml", FILE);
    await jobs.load();
    isMade = true;
    await jobs.look();
    expect(await idsOf(jobs)).toEqual(["early", "meanwhile"]);
  });

  it("keep what was written while an older state of them was read", async () => {
    const base = memoryStore();
    let held: (() => Promise<void>) | undefined;
    const { jobs } = opened({
      ...base,
      async get(key) {
        const found = await base.get(key);
        const now = held;
        held = undefined;
        await now?.();
        return found;
      },
    });
    await base.put("jobs/early.yaml", FILE);
    await jobs.load();
    const at = new Date(Date.UTC(2026, 0, 20));
    held = async () =>
      void (await jobs.change("early", () => ({ schedule: { kind: "at", at: at.toISOString() }, nextRunAt: at })));
    await jobs.get("early");
    expect(jobs.nextDue()).toBe(at.getTime());
  });

  it("count as they are changed by hand, from when the store tells of it", async () => {
    const base = memoryStore();
    const { watch, tell } = watched();
    const { jobs, clock } = opened({ ...base, watch });
    const armed: (number | undefined)[] = [];
    void jobs.keepUp(async () => void armed.push(jobs.nextDue()));
    await until(clock, () => armed.length === 1, { stepMs: 0 });
    const change = async (key: string, text: string) => {
      await base.put(key, text);
      tell(key);
    };
    await change("jobs/early.yaml", FILE);
    await until(clock, () => armed.length === 2, { stepMs: 0 });
    await change("jobs/early.yaml", FILE.replace("-01T", "-02T"));
    await until(clock, () => armed.length === 3, { stepMs: 0 });
    // What the process writes itself, and runs, are nothing new.
    await jobs.change("early", () => ({ task: "say good day" }));
    tell("jobs/early.yaml", "jobs/runs/early.jsonl");
    await change("jobs/early.yaml", "schedule: [");
    await until(clock, () => armed.length === 4, { stepMs: 0 });
    expect(armed).toEqual([undefined, Date.UTC(2026, 1, 1, 9), Date.UTC(2026, 1, 2, 9), undefined]);
  });

  it.each([
    ["a single time", '"2026-01-05T08:30:00Z"', 30],
    ["a time from now", "in 20 minutes", 20],
    ["a single time beside one of before", '"2026-01-05T08:30:00Z"\nnext_run_at: "2026-01-05T08:10:00.000Z"', 30],
    ["steps", "every 2 hours", 120],
    ["a pattern", '"40 * * * *"', 40],
  ])("that a person wrote with %s come then, also when a crash was before it", async (_title, schedule, minutes) => {
    const base = memoryStore();
    const { watch, tell } = watched();
    const { jobs, clock } = opened({ ...base, watch });
    const armed: (number | undefined)[] = [];
    void jobs.keepUp(async () => void armed.push(jobs.nextDue()));
    await until(clock, () => armed.length === 1, { stepMs: 0 });
    const due = clock.now() + minutes * 60_000;
    await base.put("jobs/early.yaml", `schedule: ${schedule}\ntask: say hello\nuser_id: app:ada\nchannel: app\n`);
    tell("jobs/early.yaml");
    await until(clock, () => armed.at(-1) === due, { stepMs: 0 });
    const later = createJobs({
      store: base,
      clock: fakeClock(due + 60_000),
      yaml: platform.yaml,
      logger: silentLogger,
    });
    onTestFinished(() => later.close());
    await later.load();
    expect(later.due(due)).toEqual(["early"]);
    expect((await later.get("early"))?.nextRunAt).toEqual(new Date(due));
  });

  it("that a person wrote come at their time after a crash, also when they were read before their change was seen", async () => {
    const base = memoryStore();
    const { watch, tell } = watched();
    const { jobs, clock } = opened({ ...base, watch });
    const armed: (number | undefined)[] = [];
    void jobs.keepUp(async () => void armed.push(jobs.nextDue()));
    await until(clock, () => armed.length === 1, { stepMs: 0 });
    await base.put(
      "jobs/once.yaml",
      'schedule: "2026-01-05T08:30:00Z"\ntask: say hi\nuser_id: app:ada\nchannel: app\n',
    );
    const once = (await jobs.get("once"))?.nextRunAt;
    tell("jobs/once.yaml");
    await until(clock, () => armed.length === 2, { stepMs: 0 });
    const later = createJobs({
      store: base,
      clock: fakeClock(clock.now() + 3_600_000),
      yaml: platform.yaml,
      logger: silentLogger,
    });
    onTestFinished(() => later.close());
    await later.load();
    expect((await later.get("once"))?.nextRunAt).toEqual(once);
  });

  it("that are changed have at most the rights of who changed them, from then on", async () => {
    const store = memoryStore();
    const { jobs, clock } = opened(store);
    const given = {
      runs: createRuns({ store, clock }),
      arm: async () => {},
      runNow: async () => "",
      timezoneOf: () => "UTC",
    };
    const service = createJobService({ jobs, clock, ...given });
    const place = { user: "app:ada", channel: "app", startedBy: "app:ada", roles: ["owner", "user"] };
    const input = { schedule: "0 9 * * *", task: "say hello", dedupeKey: "hello" };
    const owner = { user: "app:ada", isOwner: true };
    const { job } = await service.create(input, place, { ...owner, roles: place.roles });
    // As in a group, where a turn answers several people: it has the rights that all of them have.
    const amongOthers = { user: "app:ada", isOwner: false, roles: ["user"] };
    expect((await service.pause(job.id, amongOthers)).job.roles).toEqual(["owner", "user"]);
    expect((await service.update(job.id, { name: "hello" }, owner)).job.roles).toEqual(["owner", "user"]);
    expect((await service.create({ ...input, task: "say more" }, place, amongOthers)).job).toMatchObject({
      id: job.id,
      task: "say more",
      roles: ["user"],
    });
    expect((await service.update(job.id, { task: "say less" }, owner)).job.roles).toEqual(["user"]);
  });
});
