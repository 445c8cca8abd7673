import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { run, temporaryFolder } from "./fake-terminal.ts";

interface JobId {
  readonly id: string;
}

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
  writeFileSync(join(folder.path, "wakeful.yaml"), "models: [{ provider: offline }]\ntimezone: UTC\n");
});
afterEach(() => folder.remove());

const here = (...argv: string[]) => run(argv, { cwd: folder.path });

describe("wakeful jobs", () => {
  it("makes, lists, shows, pauses, runs and removes", async () => {
    expect((await here("jobs")).stdout).toContain("No jobs yet");
    const made = await here("jobs", "add", "every weekday at 9", "Standup", "--json");
    const { id, schedule } = JSON.parse(made.stdout) as { id: string; schedule: object };
    expect(schedule).toEqual({ kind: "cron", cron: "0 9 * * 1-5", tz: "UTC" });
    expect((await here("jobs")).stdout).toMatch(
      new RegExp(`^Standup \\S+ \\(in .+\\)  0 9 \\* \\* 1-5 UTC, cli  ${id}\n$`),
    );
    expect((await here("jobs", "pause", id)).stdout).toContain("Standup paused");
    expect((await here("jobs", "resume", id)).stdout).toContain("Standup 20");
    expect((await here("jobs", "run", id)).stdout).toContain(`It runs now, or at the next start: ${id}:`);
    expect((await here("jobs", "show", id)).stdout).toMatch(/Standup[^]*\n {2}\S+ (?:waiting|success)/);
    expect((await here("jobs", "watch")).stdout).toContain("Standup");
    expect(JSON.parse((await here("jobs", "watch", "--json")).stdout)).toMatchObject({ jobs: [{ id }] });
    expect((await here("jobs", "remove", id)).stdout).toBe(`Removed: ${id}\n`);
    expect(JSON.parse((await here("jobs", "--json")).stdout)).toEqual({ jobs: [] });
  });

  it("takes the name that it lists in the place of the id, and says the ids when several have that name", async () => {
    const add = async (task: string, name: string) =>
      (JSON.parse((await here("jobs", "add", "every day at 9:00", task, "--name", name, "--json")).stdout) as JobId).id;
    const id = await add("Drink water", "water");
    expect((await here("jobs", "show", "water")).stdout).toContain(`water 20`);
    expect((await here("jobs", "pause", "Water")).stdout).toContain("water paused");
    expect((await here("jobs", "resume", "water")).stdout).toContain("water 20");
    expect((await here("jobs", "run", "WATER")).stdout).toContain(`It runs now, or at the next start: ${id}:`);
    // The id of one job goes before the name of another.
    const other = await add("Read", id);
    expect((await here("jobs", "show", id)).stdout).toContain("water 20");
    const twin = await add("Water the plants", "WATER");
    const several = await here("jobs", "remove", "water");
    expect(several.code).toBe(2);
    expect(several.stderr).toBe(
      `error: 2 jobs are named "water": give the id of one: ${[id, twin].sort().join(", ")}\n`,
    );
    expect((await here("jobs", "remove", other)).stdout).toBe(`Removed: ${other}\n`);
    expect((await here("jobs", "remove", twin)).stdout).toBe(`Removed: ${twin}\n`);
    expect((await here("jobs", "remove", "water")).stdout).toBe(`Removed: ${id}\n`);
    expect(JSON.parse((await here("jobs", "--json")).stdout)).toEqual({ jobs: [] });
  });

  it("are made for no name that is nobody's", async () => {
    const refused = await here("jobs", "add", "every day at 9", "Drink water", "--user", "bad user");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('user: expected "channel:id", with both sides of the colon, got "bad user"');
    expect((await here("jobs")).stdout).toContain("No jobs yet");
  });

  it("and how long things are kept are rows of the doctor", async () => {
    const config = "models: [{ provider: offline }]\nretention: { runs: 90 }\nartifacts: { keep_days: 7 }\n";
    writeFileSync(join(folder.path, "wakeful.yaml"), config);
    const rows = async () => (await here("doctor")).stdout;
    expect(await rows()).toContain("kept: audit forever, runs 90 days, conversations forever, artifacts 7 days");
    await here("jobs", "add", "every weekday at 9", "Standup");
    expect(await rows()).toMatch(/jobs +1 active, 0 paused; next: Standup, 20/);
    const [{ id } = { id: "" }] = (JSON.parse((await here("jobs", "--json")).stdout) as { jobs: { id: string }[] })
      .jobs;
    const file = join(folder.path, ".wakeful", "jobs", `${id}.yaml`);
    writeFileSync(file, readFileSync(file, "utf8").replace("status: active", "status: error"));
    expect(await rows()).toContain(`wakeful jobs resume ${id} resumes it`);
  });

  it("names files whose names are not read, and a better one, as doctor does", async () => {
    await here("jobs", "add", "every weekday at 9", "Standup");
    const jobs = join(folder.path, ".wakeful", "jobs");
    const names = ["My job.yaml", "Standup.yaml", "tea.yml", ".backup.yaml", "notes.txt"];
    for (const name of names) writeFileSync(join(jobs, name), "task: x\n");
    const rule =
      "is not read: its name must have only lower-case letters, digits, . _ - and end in .yaml; rename it, for example to";
    expect((await here("jobs")).stderr.trim().split("\n")).toEqual([
      `${join(jobs, "My job.yaml")} ${rule} my-job.yaml`,
      `${join(jobs, "Standup.yaml")} ${rule} standup.yaml`,
      `${join(jobs, "tea.yml")} ${rule} tea.yaml`,
    ]);
    const { checks } = JSON.parse((await here("doctor", "--json")).stdout) as {
      checks: readonly { check: string; state: string; what: string }[];
    };
    const warned = checks.filter(({ check, state }) => check === "jobs" && state === "warn");
    expect(warned.map(({ what }) => what.slice(jobs.length + 1, what.indexOf(" is not")))).toEqual(names.slice(0, 3));
  });

  it("names a file that was set aside for its mistake as long as it is there, as doctor does", async () => {
    const { id } = JSON.parse((await here("jobs", "add", "every weekday at 9", "Standup", "--json")).stdout) as JobId;
    const file = join(folder.path, ".wakeful", "jobs", `${id}.yaml`);
    const text = readFileSync(file, "utf8");
    writeFileSync(file, "schedule: [");
    await here("jobs");
    expect(await here("jobs")).toMatchObject({
      code: 0,
      stderr: `${file}.bad was set aside because it has a mistake; fix it, and rename it to ${id}.yaml\n`,
    });
    expect((await here("doctor")).stdout).toMatch(/warn jobs .*\.yaml\.bad was set aside because it has a mistake\n/);
    writeFileSync(file, text);
    rmSync(`${file}.bad`);
    expect(await here("jobs")).toMatchObject({ stdout: expect.stringContaining("Standup 20"), stderr: "" });
  });

  it("lists the heartbeat once HEARTBEAT.md says something, which doctor tells, and takes no part of it away", async () => {
    const rows = async () => {
      const { checks } = JSON.parse((await here("doctor", "--json")).stdout) as {
        checks: readonly { check: string; state: string; what: string }[];
      };
      return checks.filter(({ check }) => ["persona", "heartbeat"].includes(check)).map(({ what }) => what);
    };
    expect(await rows()).toEqual([]);
    await here("jobs", "add", "every weekday at 9", "Standup");
    expect(await rows()).toEqual(["no file has content", "off: HEARTBEAT.md has no tasks"]);
    const persona = join(folder.path, ".wakeful", "persona");
    mkdirSync(persona);
    writeFileSync(join(persona, "SOUL.md"), "# Soul\n");
    writeFileSync(join(persona, "HEARTBEAT.md"), "- look whether it rains\n");
    expect(await rows()).toEqual(["HEARTBEAT.md; empty: SOUL.md", "on, from the next start"]);
    mkdirSync(join(folder.path, ".wakeful", "agents", "tutor", "persona"), { recursive: true });
    const own = join("agents", "tutor", "persona", "USER.md");
    for (const file of [own, join("persona", "TOOLS.md"), join("persona", "notes.md")])
      writeFileSync(join(folder.path, ".wakeful", file), Uint8Array.of(0xff, 0xfe, 0x61, 0));
    expect((await rows()).slice(1, -1)).toEqual(
      [join("persona", "TOOLS.md"), own].map((file) => `${file} is not read: it is not UTF-8 text`),
    );
    rmSync(join(persona, "TOOLS.md"));
    rmSync(join(folder.path, ".wakeful", own));
    await here("jobs", "add", "every weekday at 10", "Standup");
    expect(await rows()).toEqual(["HEARTBEAT.md; empty: SOUL.md", expect.stringMatching(/^on, next 20\S+Z$/)]);
    expect((await here("jobs")).stdout).toMatch(
      /^heartbeat \S+ \(in .+\) {2}\*\/30 8-21 \* \* \* UTC, cli {2}heartbeat$/m,
    );
    expect((await here("jobs", "remove", "heartbeat")).code).toBe(1);
    expect((await here("jobs")).stdout).toContain("heartbeat");
  });

  it.each([
    { argv: ["add", "sometimes", "Standup"], code: 2, message: '"sometimes" is not understood' },
    { argv: ["add", "every day at 5", "Run"], code: 2, message: "is it 5 in the morning or in the afternoon?" },
    { argv: ["remove", "nothing"], code: 1, message: 'There is no job "nothing"' },
    { argv: ["show", "x", "--limit", "0"], code: 2, message: "--limit must be a whole number from 1 to 100" },
  ])("says what is wrong with $argv", async ({ argv, code, message }) => {
    const refused = await here("jobs", ...argv);
    expect(refused.code).toBe(code);
    expect(refused.stderr).toContain(message);
  });
});
