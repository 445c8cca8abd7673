import { mkdirSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { serve } from "@hono/node-server";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { OWNER, fakeAssistant } from "../http/support.ts";
import { skillRows } from "../../adapters/cli/commands/doctor-skills.ts";
import { fsStore } from "../../adapters/storage/fs/index.ts";
import { parseConfig } from "../../entry.host.ts";
import { storeKey } from "../../kit.ts";
import { type FakeSkills, fakeSkills, skillText } from "../support/fake-skills.ts";
import { fakeTerminal, run, temporaryFolder } from "./fake-terminal.ts";

let folder: ReturnType<typeof temporaryFolder>;
let fake: FakeSkills;
let url = "";
let close = async () => {};

beforeEach(async () => {
  folder = temporaryFolder();
  fake = fakeSkills();
  const { app } = fakeAssistant({ parts: { skills: fake.skills } });
  const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  close = () => new Promise((resolve) => server.close(() => resolve()));
});
afterEach(async () => {
  folder.remove();
  await close();
});

const skills = (...argv: string[]) => run(["skills", ...argv, "--url", url, "--token", OWNER], { cwd: folder.path });
const write = (path: string, text: string) => {
  mkdirSync(join(folder.path, path, ".."), { recursive: true });
  writeFileSync(join(folder.path, path), text);
};

describe("wakeful skills", () => {
  it("lists them with their places, how they did and why one is not offered, and shows one whole", async () => {
    expect((await skills()).stdout).toBe("No skills yet: wakeful skills new my-skill\n");
    fake.add({ name: "news", hasTriggers: true, files: ["scripts/run.py"] });
    fake.add({ name: "printer", place: "given", missing: ["the program lpr is not on the path"] });
    fake.came("news", "cli");
    fake.came("news", "cli");
    await fake.skills.feedback("news", { user: "cli", helpful: true });
    expect((await skills("list")).stdout).toBe(
      [
        "news  workspace, activated 2 times, helpful 1 of 1",
        "  Does news",
        "printer  given, only when asked for",
        "  Does printer",
        "  not offered: the program lpr is not on the path\n",
      ].join("\n"),
    );
    const { stdout } = await skills("show", "news");
    expect(stdout).toContain("  file: workspace/news/SKILL.md\n  other files: scripts/run.py\n");
    expect(stdout.endsWith(`\n\n${skillText("news")}`)).toBe(true);
    expect(JSON.parse((await skills("list", "--json")).stdout)).toMatchObject({
      skills: [{ name: "news", has_triggers: true }, { name: "printer" }],
    });
    expect((await skills("stats")).stdout).toBe(
      "news activated 2 times, helpful 1 of 1, last 2026-01-05T08:00:00.000Z\n",
    );
    const unknown = await skills("show", "nothing");
    expect(unknown).toMatchObject({
      code: 1,
      stderr: 'error: There is no skill "nothing": wakeful skills lists them\n',
    });
  });

  it("names copied folders and files that are passed over because of their names, and better ones", async () => {
    const here = (...argv: string[]) => run(argv, { cwd: folder.path, env: { HOME: folder.path } });
    const text = (name: string) => `---\nname: ${name}\ndescription: Does ${name}\n---\nDo it.\n`;
    for (const file of ["My Skill/SKILL.md", "small/skill.md", "form/SKILL.md"])
      write(`.wakeful/skills/${file}`, text("form"));
    for (const file of [
      "scripts/Fill.py",
      "scripts/fill.py",
      "References/a.md",
      "run",
      "Notes.md",
      "LICENSE",
      ".git/HEAD",
    ])
      write(`.wakeful/skills/form/${file}`, "x\n");
    write(".wakeful/skills/Drafts/notes.md", "x\n");
    const at = (path: string) => `${join(folder.path, ".wakeful/skills", path)} is not read because of its name`;
    const expected = [
      [at("My Skill"), "rename it, for example to my-skill"],
      [at("form/References"), "rename it, for example to references"],
      [at("form/run"), "rename it, for example to run.txt"],
      [at("form/scripts/Fill.py"), "rename it, for example to fill.py"],
      [at("small/skill.md"), "rename it, for example to SKILL.md"],
    ];
    const lines = expected.map((parts) => parts.join("; "));
    expect((await here("skills")).stderr.trim().split("\n")).toEqual(lines);
    const checked = await here("skills", "check");
    expect([checked.code, checked.stdout, checked.stderr.trim().split("\n")]).toEqual([1, "", lines]);
    const { checks } = JSON.parse((await here("doctor", "--json")).stdout) as {
      checks: readonly { check: string; what: string; remedy?: string }[];
    };
    const said = checks.flatMap(({ what, remedy }) => (what.includes("because of its name") ? [[what, remedy]] : []));
    expect(said).toEqual(expected);
  });

  it("takes names that the store gave for its own, and names a log and a folder with a dot as passed over", async () => {
    const here = (...argv: string[]) => run(argv, { cwd: folder.path, env: { HOME: folder.path } });
    const store = await fsStore({ root: join(folder.path, ".wakeful") });
    const written = [
      "SKILL.md",
      "scripts/Fill.py",
      "Makefile",
      "logs/run.jsonl",
      "v1.2/a b.txt",
      `${"ж".repeat(50)}.txt`,
    ];
    for (const path of written)
      await store.put(storeKey("skills", "form", ...path.split("/")), path === "SKILL.md" ? skillText("form") : "x\n");
    await store.close?.();
    expect(await here("skills", "check")).toMatchObject({ code: 0, stderr: "" });
    for (const path of ["logs/by-hand.jsonl", "v2.1/a.txt", "con.txt"]) write(`.wakeful/skills/form/${path}`, "x\n");
    const at = (path: string) => `${join(folder.path, ".wakeful/skills/form", path)} is not read because of its name`;
    expect((await here("skills", "check")).stderr.trim().split("\n")).toEqual([
      `${at("con.txt")}; rename it, for example to con-txt.txt`,
      `${at("logs/by-hand.jsonl")}; rename it, for example to by-hand-jsonl.txt`,
      `${at("v2.1")}; rename it, for example to v2-1`,
    ]);
  });

  it("writes a template that has nothing wrong, and not over another", async () => {
    const made = await skills("new", "weekly-report", "--description", 'Sums up the "week"');
    expect(made.code).toBe(0);
    expect(made.stdout).toContain(`Created weekly-report: skills/weekly-report/SKILL.md of the server at ${url}\n`);
    const { text } = await fake.skills.show("weekly-report");
    expect(text).toContain('description: "Sums up the \\"week\\""');
    expect(text).toContain('intent_patterns: ["weekly report|weekly-report"]');
    expect(text).toContain("# Weekly report\n");

    expect(await skills("new", "weekly-report")).toMatchObject({
      code: 1,
      stderr: "error: The skill weekly-report already exists in the workspace: --force replaces it\n",
    });
    write("mine.md", skillText("weekly-report", "Mine"));
    expect((await skills("new", "weekly-report", "--from", "mine.md", "--force")).code).toBe(0);
    expect((await fake.skills.show("weekly-report")).text).toBe(skillText("weekly-report", "Mine"));
    expect((await skills("new", "other", "--from", "mine.md")).stderr).toContain('names the skill "weekly-report"');
    const mine = skillText("weekly-report", "Mine");
    for (const other of [
      mine.replace("name: weekly-report", "name: weekly-report # mine"),
      mine.replaceAll("\n", "\r\n"),
    ]) {
      write("mine.md", other);
      expect(await skills("new", "weekly-report", "--from", "mine.md", "--force")).toMatchObject({ stderr: "" });
    }
    fake.add({ name: "research", place: "built-in" });
    expect((await skills("new", "research")).stdout).toContain("It replaces the one from /srv/built-in");
  });

  it.each(["Weekly", "a--b", "a-", "a_b", "x".repeat(65)])("refuses the name %s", async (name) => {
    const refused = await skills("new", name);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("A skill's name must be lower-case letters, digits and single hyphens");
  });

  it("checks files and folders, and says where and how to mend it", async () => {
    write("skills/good/SKILL.md", skillText("good"));
    write("skills/bad/SKILL.md", "---\nname: bad\n---\n");
    write("empty/readme.txt", "");
    expect(await skills("check", "skills/good")).toMatchObject({ code: 0, stdout: "No mistakes: 1 checked\n" });
    const bad =
      "skills/bad/SKILL.md:2:1 description: Expected description, but it is missing: add description: … to the frontmatter\n";
    expect(await skills("check", "skills")).toMatchObject({ code: 1, stdout: bad });
    expect(await skills("check", "skills/good/SKILL.md", "skills/bad")).toMatchObject({ code: 1, stdout: bad });
    expect(JSON.parse((await skills("check", "skills", "--json")).stdout)).toMatchObject({
      files: ["skills/bad/SKILL.md", "skills/good/SKILL.md"],
      problems: [{ line: 2, column: 1, field: "description" }],
    });
    write("long/SKILL.md", "x".repeat(1_100_000));
    const long = await skills("check", "long", "skills/bad");
    expect(long).toMatchObject({ code: 1, stdout: expect.stringContaining("long/SKILL.md It is too long") });
    expect(long.stdout).toContain(bad);
    expect(await skills("check", "empty")).toMatchObject({ code: 2 });
    expect((await skills("check", "nowhere")).stderr).toBe("error: There is no file or folder nowhere\n");

    expect((await skills("check")).stdout).toBe("No mistakes in the skills that were found\n");
    fake.broken.push({ file: "/srv/given/x/SKILL.md", message: "it is not used", level: "note" });
    expect(await skills("check")).toMatchObject({ code: 0, stdout: "/srv/given/x/SKILL.md it is not used\n" });
    fake.broken.pop();
    fake.broken.push({ file: "/srv/given/x/SKILL.md", line: 7, path: "priority", message: "Expected 1 to 10" });
    expect(await skills("check")).toMatchObject({
      code: 1,
      stdout: "/srv/given/x/SKILL.md:7 priority: Expected 1 to 10\n",
    });
    expect((await skills("new", "bad", "--from", "skills/bad/SKILL.md")).stderr).toContain("skills/bad/SKILL.md:2:1");
  });

  it("shows a skill that is called as a list of the API is", async () => {
    fake.add({ name: "stats" });
    expect((await skills("show", "stats")).stdout).toContain("Does stats");
  });

  it("removes what lies in the workspace, and says where others are removed", async () => {
    fake.add({ name: "news" });
    fake.add({ name: "given-one", place: "given" });
    fake.add({ name: "research", place: "built-in" });
    expect((await skills("remove", "news")).stdout).toBe("Removed: news\n");
    expect((await skills("remove", "given-one")).stderr).toContain("comes from /srv/given: remove its folder there");
    expect((await skills("remove", "research")).stderr).toContain("is built in");
    expect((await fake.skills.list()).map(({ name }) => name)).toEqual(["given-one", "research"]);
    // One with a mistake is not among them, and goes by its folder.
    fake.broken.push({ skill: "bad", file: "skills/bad/SKILL.md", message: "Not valid YAML" });
    expect((await skills("remove", "bad")).stdout).toBe("Removed: bad\n");
    expect((await skills("remove", "bad")).stderr).toContain("bad");
    expect(await fake.skills.problems()).toEqual([]);
  });

  it("searches, installs, enables, updates and verifies", async () => {
    const fits = { description: "Weather\u001B[2J for a place", version: "1.0.0", score: 0.9, registry: "hub" };
    fake.registry.push(
      { ...fits, slug: "ann/weather", name: "weather" },
      { ...fits, slug: "bad/storm", name: "storm", verdict: "suspicious" },
      { ...fits, slug: "evil", name: "evil", verdict: "malicious" },
    );
    fake.failed.push({ registry: "far", reason: "it did not answer" });
    const found = await skills("search", "for", "a", "place");
    expect(found.stdout).toContain("ann/weather  hub 1.0.0\n  Weather\\u{1b}[2J for a place\n");
    expect(found.stderr).toBe("far could not be searched: it did not answer\n");
    const none = await skills("search", "nothing");
    expect(none).toMatchObject({ code: 1, stdout: "No registry that answered has a matching skill\n" });
    fake.failed.splice(0);
    expect((await skills("search", "nothing")).stdout).toBe("No registry has a matching skill\n");

    expect((await skills("install", "ann/weather")).stdout).toBe(
      "Installed weather 1.0.0 from hub, which calls it clean\n",
    );
    expect((await skills("install", "ann/weather")).stderr).toContain("installed already");
    const file = "skills/weather/SKILL.md";
    fake.broken.push({ skill: "weather", file, line: 6, column: 5, path: "chain", message: 'There is no skill "sky"' });
    fake.broken.push({ skill: "other", file: "skills/other/SKILL.md", message: "Not valid YAML" });
    const again = await skills("install", "ann/weather", "--force");
    expect(again).toMatchObject({ code: 0, stderr: `${file}:6:5 chain: There is no skill "sky"\n` });
    fake.broken.splice(0);
    expect((await skills("install", "evil")).stderr).toBe("error: hub calls evil malicious\n");
    const storm = await skills("install", "bad/storm");
    expect(storm.stdout).toContain("  scripts/run.sh:3 downloads and runs a program\nIt is not offered yet:");
    expect((await skills("list")).stdout).toContain("wakeful skills enable storm offers it");
    // As where the registry changed its verdict of what is the newest.
    expect((await skills("update", "storm")).stdout).toBe(
      "storm is already the newest version\nIts registry calls it suspicious, so it is not offered: read it (wakeful skills show storm), then wakeful skills enable storm\n",
    );
    expect((await skills("enable", "storm")).stdout).toBe("Offered from now on: storm\n");

    expect(await skills("verify")).toMatchObject({
      code: 0,
      stdout: "weather unchanged\nstorm unchanged\n",
    });
    expect((await skills("update", "weather")).stdout).toBe("weather is already the newest version\n");
    fake.edit("weather");
    expect(await skills("verify", "weather")).toMatchObject({ code: 1, stdout: "weather differs: changed SKILL.md\n" });
    fake.registry[0] = { ...fits, slug: "ann/weather", name: "weather", version: "1.1.0" };
    expect((await skills("update", "weather")).stderr).toContain("was edited by hand");
    expect((await skills("update", "weather", "--force")).stdout).toContain("Installed weather 1.1.0");
  });

  it("lists suggestions, and accepts or declines one", async () => {
    expect((await skills("suggestions")).stdout).toBe("No suggestions\n");
    fake.suggest("a", "@owner");
    fake.suggest("b", "telegram:42");
    expect((await skills("suggestions")).stdout).toContain(
      "suggested-a Reads a page and writes a note\n  web_fetch → file_write; 4 times, 100 % succeeded; of @owner  a\n",
    );
    expect((await skills("accept", "a")).stdout).toBe("Created: wakeful skills show suggested-a\n");
    expect((await skills("decline", "b")).stdout).toBe("Not suggested again: b\n");
    expect((await skills("suggestions")).stdout).toBe("No suggestions\n");
    expect((await skills("accept", "c")).code).toBe(1);
  });

  it("says which skills would come for a message, and why", async () => {
    fake.add({ name: "news" });
    fake.add({ name: "storm", priority: 1 });
    expect((await skills("match", "what", "news", "of", "the", "storm")).stdout).toBe(
      [
        "news 0.50 activates",
        "  +0.50 intent: news",
        "storm 0.50 does not activate: In cool-down for 40 more seconds",
        "  +0.50 intent: storm\n",
      ].join("\n"),
    );
    expect((await skills("match", "hello")).stdout).toBe(
      "No skill matches: no trigger of any skill is in this message\n",
    );
    expect(JSON.parse((await skills("match", "news", "--json")).stdout)).toMatchObject({ matches: [{ score: 0.5 }] });
  });

  it("and what is wrong with them are rows of the doctor", async () => {
    const rows = async () => {
      const settings = { config: parseConfig(""), dataFolder: folder.path };
      const found = await skillRows(settings, { url, token: OWNER }, fakeTerminal({ cwd: folder.path }));
      return found.map(({ state, what, remedy }) => `${state} ${what}${remedy === undefined ? "" : ` (${remedy})`}`);
    };
    expect(await rows()).toEqual(["ok none"]);
    fake.add({ name: "news" });
    fake.add({ name: "research", place: "built-in" });
    fake.add({ name: "printer", place: "given", missing: ["the program lpr is not on the path"] });
    fake.registry.push({
      ...{ slug: "storm", name: "storm", description: "Storms", version: "1.0.0", score: 1, registry: "hub" },
      verdict: "suspicious",
    });
    await fake.skills.install({ slug: "storm" });
    fake.edit("storm");
    fake.suggest("a", "@owner");
    const issue = { skill: "x", file: "/srv/given/x/SKILL.md", line: 7 };
    fake.broken.push(
      { ...issue, path: "priority", message: "Expected 1 to 10" },
      { ...issue, path: "triggers.intent_patterns[0]", message: "(a+)+ needs the linear engine" },
    );
    expect(await rows()).toEqual([
      "ok 4: 2 workspace, 1 given, 1 built-in; 1 suggested: wakeful skills suggestions",
      "warn /srv/given/x/SKILL.md:7 priority: Expected 1 to 10 (fix that line, then run wakeful skills check)",
      "warn /srv/given/x/SKILL.md:7 triggers.intent_patterns[0]: (a+)+ needs the linear engine (write the pattern without look-around, back-references and groups that repeat, or install re2js: npm install re2js)",
      "ok printer is not offered: the program lpr is not on the path (see it with wakeful skills show printer)",
      "warn storm waits for your consent: hub calls it suspicious (read it with wakeful skills show storm, then wakeful skills enable storm or wakeful skills remove storm)",
      "warn storm differs from the version installed from hub: changed SKILL.md (wakeful skills update storm --force installs it again; if the changes are yours, keep them)",
    ]);
  });

  it("and a folder of skills.sources that does not exist is a row of the doctor, before anything is begun too", async () => {
    const config = parseConfig("skills:\n  global: false\n  built_in: false\n  sources: [./skils]\n");
    const settings = { config, file: join(folder.path, "wakeful.yaml"), dataFolder: join(folder.path, "data") };
    expect(await skillRows(settings, { url: undefined, token: undefined }, fakeTerminal({ cwd: folder.path }))).toEqual(
      [
        { check: "skills", state: "ok", what: "none" },
        {
          check: "skills",
          state: "warn",
          what: `${join(folder.path, "skils")}: The folder does not exist: create it, or name another one in skills.sources`,
          remedy: "fix that, then run wakeful skills check",
        },
      ],
    );
  });

  it("wants the owner's token, and says so only when that is what is missing", async () => {
    const refused = await run(["skills", "check", "--url", url, "--token", "ada-token-0123456789"]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("wants the owner's token");
  });
});
