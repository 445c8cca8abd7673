import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { run, temporaryFolder } from "./fake-terminal.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
  writeFileSync(join(folder.path, "wakeful.yaml"), "models: [{ provider: offline }]\ntimezone: UTC\n");
});
afterEach(() => folder.remove());

const here = (...argv: string[]) => run(argv, { cwd: folder.path });
const write = (file: string, text: string) => writeFileSync(join(folder.path, file), text);

const TEA = `name: tea-time
description: Makes tea
inputs:
  kind: { type: string }
  cups: { type: number, default: 1 }
steps:
  - { id: guests, run: wait, with: { event: guests } }
  - { id: clock, run: tool, tool: "\${inputs.kind}", needs: [guests] }
output: \${inputs.cups} cups for \${steps.guests.output.count}
`.replace('"${inputs.kind}"', "time");

describe("wakeful workflows", () => {
  it("keeps, shows, runs, tells an event, watches to the end and removes", async () => {
    write("tea.yaml", TEA);
    expect((await here("workflows", "save", "tea.yaml")).stdout).toBe("Saved: wakeful workflows run tea-time\n");
    expect((await here("workflows")).stdout).toContain("tea-time  file, 2 steps, kind cups=1\n  Makes tea\n");
    expect((await here("workflows", "show", "tea-time")).stdout).toBe(TEA);

    const begun = await here("workflows", "run", "tea-time", "--input", "kind=green", "--input=cups=2", "--json");
    const { run_id: id } = JSON.parse(begun.stdout) as { run_id: string };
    expect((await here("workflows", "status")).stdout).toMatch(/^tea-time (?:running|waiting) 0 of 2 steps/);
    expect((await here("workflows", "signal", id, "guests", "--with", '{"count":3}')).stdout).toBe(
      `Sent to ${id}: guests\n`,
    );
    const watched = await here("workflows", "watch", id);
    expect(watched.stdout).toMatch(/✓ clock[^]*tea-time done 2 of 2 steps\n\n2 cups for 3\n$/);
    expect(watched.code).toBe(0);
    expect((await here("workflows", "list", "--name", "tea-time")).stdout).toContain("tea-time done 2 of 2 steps");

    expect((await here("workflows", "remove", "tea-time")).stdout).toBe("Removed: tea-time\n");
    expect((await here("workflows", "show", "tea-time")).code).toBe(1);
  });

  it("says that a cancelled run ends, and how to see it, and not that it waits", async () => {
    write("tea.yaml", TEA);
    await here("workflows", "save", "tea.yaml");
    const begun = await here("workflows", "run", "tea-time", "--input", "kind=green", "--json");
    const { run_id: id } = JSON.parse(begun.stdout) as { run_id: string };
    expect(await here("workflows", "cancel", id)).toMatchObject({
      code: 0,
      stdout: `It ends at the next start, or as soon as it is watched: wakeful workflows watch ${id}\n`,
    });
    const watched = await here("workflows", "watch", id);
    expect(watched.code).toBe(1);
    expect(watched.stdout).toMatch(/tea-time cancelled 0 of 2 steps[^]*It was cancelled by owner/);
    expect((await here("workflows", "cancel", id)).stdout).toMatch(/^tea-time cancelled 0 of 2 steps/);
  });

  it("fails with a run that failed or was cancelled, goes on with it, and does a step again", async () => {
    write("bad.yaml", "steps:\n  - { id: read, run: tool, tool: file_read, with: { path: milk.txt } }\n");
    await here("workflows", "save", "bad.yaml");
    const failed = await here("workflows", "--watch", "run", "bad");
    expect(failed.stdout).toMatch(
      /✗ read  file_read, .*milk\.txt[^]*bad failed 1 of 1 steps\n\n.*wakeful workflows resume/s,
    );
    expect(failed.code).toBe(1);

    const { runs } = JSON.parse((await here("workflows", "--json")).stdout) as { runs: { run_id: string }[] };
    const id = runs[0]?.run_id ?? "";
    expect((await here("doctor")).stdout).toMatch(
      new RegExp(
        `workflows +2 known; 0 run, 0 wait, 1 failed in the last day\\n.*bad failed: [^]*resume ${id} continues it`,
      ),
    );
    expect((await here("workflows", "resume", id, "--max-tokens", "500", "--watch")).code).toBe(1);
    mkdirSync(join(folder.path, "workspace"), { recursive: true });
    const again = await here("workflows", "retry", id, "read", "--json");
    expect(JSON.parse(again.stdout)).toMatchObject({ run_id: id, budget: { max_tokens: 500 } });
    expect((await here("workflows", "cancel", id)).code).toBe(0);
  });

  it("finds mistakes in files without a server, a line each, and keeps no such file", async () => {
    write("report.yaml", "steps:\n  - { id: now, run: tool, tool: time }\n");
    write("bad.yaml", "name: bad\nsteps:\n  - id: a\n    run: tool\n    wth: {}\n  - { id: a, run: nap }\n");
    expect(await here("workflows", "check", "report.yaml")).toMatchObject({
      code: 0,
      stdout: "No mistakes: 1 checked\n",
    });
    const checked = await here("workflows", "check", "report.yaml", "bad.yaml");
    expect(checked.code).toBe(1);
    expect(checked.stdout.split("\n").filter((line) => line !== "")).toEqual([
      expect.stringMatching(/^bad\.yaml:3: steps\[0\]\.tool: is missing$/),
      expect.stringMatching(/^bad\.yaml:5: steps\[0\]\.wth: unknown key/),
      expect.stringMatching(/^bad\.yaml:6: steps\[1\]\.run: expected a step with run: one of tool/),
    ]);
    const json = JSON.parse((await here("workflows", "check", "bad.yaml", "--json")).stdout) as { problems: object[] };
    expect(json.problems[0]).toMatchObject({ file: "bad.yaml", line: 3, path: "steps[0].tool" });
    const refused = await here("workflows", "save", "bad.yaml");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("bad.yaml:6: steps[1].run") });
    expect((await run(["workflows", "check", "-"], { input: "steps: []\n" })).stdout).toContain("(standard input):1:");
    const { stdout } = await here("workflows", "schema");
    expect(JSON.parse(stdout)).toMatchObject({ title: "Wakeful workflow" });
  });

  it("tells in doctor which file cannot be read, and where", async () => {
    await here("workflows", "run", "weekly-report");
    const defs = join(folder.path, ".wakeful", "workflows", "defs");
    mkdirSync(defs, { recursive: true });
    writeFileSync(join(defs, "tea.yaml"), "name: tea\nsteps:\n  - { id: now, run: tool }\n");
    writeFileSync(join(defs, "..", "run-01cut.json"), '{ "v": 1, "value": {');
    const { stdout } = await here("doctor");
    expect(stdout).toMatch(/workflows\/run-01cut\.json:1 Cannot read [^]*fix, restore or remove that file/);
    expect(stdout).toMatch(/workflows +workflows\/defs\/tea\.yaml:3 steps\[0\]\.tool: is missing/);
    expect(stdout).toContain("fix that line, then run wakeful workflows check");
    const listed = await here("workflows");
    expect(listed.stdout).toContain("not read: workflows/defs/tea.yaml:3 steps[0].tool: is missing");
    expect(listed.stdout).not.toContain("tea  file");
  });

  it("sends nobody to the log of a server where none runs", async () => {
    const begun = await here("workflows", "run", "weekly-report", "--json");
    const { run_id: id } = JSON.parse(begun.stdout) as { run_id: string };
    write(join(".wakeful", "workflows", `${id}.json`), "{");
    const { code, stderr } = await here("workflows", "status", id);
    expect(code).toBe(1);
    expect(stderr).not.toContain("server");
    expect(stderr).toContain("error: Internal error: see the log on standard error\n");
  });

  it.each([
    { argv: ["run", "nothing"], code: 1, message: 'There is no workflow "nothing"' },
    {
      argv: ["run", "weekly-report", "--input", "weeks=2"],
      code: 2,
      message: 'there is no input "weeks"; known: days',
    },
    { argv: ["run", "weekly-report", "--input", "days=x"], code: 2, message: "days" },
    { argv: ["run", "weekly-report", "--input", "days"], code: 2, message: 'An input must be key=value, not "days"' },
    {
      argv: ["run", "weekly-report", "--max-tokens", "0"],
      code: 2,
      message: "--max-tokens must be a whole number 1 or more",
    },
    { argv: ["list", "--limit", "101"], code: 2, message: "--limit must be a whole number from 1 to 100" },
    { argv: ["status"], code: 1, message: "No workflow has run yet" },
    { argv: ["signal", "run-1", "guests", "--with", "{"], code: 2, message: "--with must be JSON" },
    { argv: ["watch", "run-1"], code: 1, message: 'There is no run "run-1"' },
    { argv: ["remove", "weekly-report"], code: 1, message: "weekly-report" },
    { argv: ["check", "none.yaml"], code: 2, message: "none.yaml cannot be read" },
  ])("says what is wrong with $argv", async ({ argv, code, message }) => {
    const refused = await here("workflows", ...argv);
    expect(refused.stderr).toContain(message);
    expect(refused.code).toBe(code);
  });
});
