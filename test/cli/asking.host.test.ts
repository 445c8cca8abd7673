import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { run, temporaryFolder } from "./fake-terminal.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => (folder = temporaryFolder()));
afterEach(() => folder.remove());

const here = (line: string) => run(line.split(" "), { cwd: folder.path });
const data = () => join(folder.path, ".wakeful");

describe("a command that only asks, where nothing is kept yet", () => {
  it.each([
    ["sessions", 0, "No conversations yet\n"],
    ["sessions show main", 1, ""],
    ["sessions export main", 1, ""],
    ["sessions summary main", 1, ""],
    ["sessions set agent:main:main", 1, ""],
    ["memory", 0, "No entries for @owner\n"],
    ["memory search milk", 0, "No matching entries\n"],
    ["memory show MEMORY.md", 1, ""],
    ["memory users", 0, "No memories yet\n"],
    ["memory problems", 0, "Every file can be read\n"],
    ["approvals", 0, "Nothing waits for your approval\n"],
    ["approvals rules", 0, "No rules: every dangerous call needs an approval\n"],
    ["access", 0, "No access requests, and no one was let in by a code\n"],
    ["audit", 0, "No audit lines\n"],
    ["jobs watch", 0, "No jobs\n"],
    ["workflows watch", 1, ""],
    ["workflows watch tea-1", 1, ""],
  ])("%s says so and how to begin, ends with %i, and makes nothing", async (line, code, stdout) => {
    const found = await here(line);
    expect(found).toMatchObject({ code, stdout });
    expect(found.stderr).toContain(`Nothing is stored in ${data()} yet: wakeful start creates it\n`);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it("exports a memory as the line that begins one, and makes nothing", async () => {
    const found = await here("memory export");
    expect(found.code).toBe(0);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it("prints JSON as ever, and nothing beside it", async () => {
    expect(await here("sessions --json")).toEqual({ code: 0, stdout: '{"sessions":[]}\n', stderr: "" });
    expect(await here("memory --json")).toMatchObject({ code: 0, stderr: "" });
    expect(await here("audit --json")).toEqual({ code: 0, stdout: '{"lines":[]}\n', stderr: "" });
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it("has status and doctor say so in their rows", async () => {
    const status = await here("status");
    expect(status.code).toBe(0);
    expect(status.stdout).toContain(`${data()}: nothing is stored yet; wakeful start creates it\n`);
    expect(JSON.parse((await here("status --json")).stdout)).toMatchObject({ begun: false, sessions: 0 });
    const doctor = await here("doctor");
    expect(doctor.stdout).toContain(`${data()}: nothing is stored yet; wakeful start creates it`);
    expect(doctor.code).toBe(0);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it.each(["sqlite"])("does not make the file of the %s store either", async (driver) => {
    writeFileSync(join(folder.path, "wakeful.yaml"), `store:\n  driver: ${driver}\n`);
    for (const line of ["status", "doctor", "memory", "sessions"]) expect((await here(line)).code).toBe(0);
    expect(readdirSync(folder.path)).toEqual(["wakeful.yaml"]);
  });

  it("leaves a folder with nothing but a configuration as it is", async () => {
    mkdirSync(data());
    writeFileSync(join(data(), "config.yaml"), "timezone: Europe/Oslo\n");
    expect((await here("status")).stdout).toContain("nothing is stored yet");
    expect(readdirSync(data())).toEqual(["config.yaml"]);
  });

  it("does not make the folder of the workspace, and says of commands what it would say with it", async () => {
    writeFileSync(join(folder.path, "wakeful.yaml"), "workspace:\n  root: ./work\n  exec:\n    mode: host\n");
    const doctor = await here("doctor");
    expect(doctor.stdout).toContain("commands  host: ");
    expect(doctor.stdout).toContain("calls of bash need an approval");
    expect((await here("sessions")).code).toBe(0);
    expect(readdirSync(folder.path)).toEqual(["wakeful.yaml"]);
  });
});

describe("a command that changes something", () => {
  it("begins the data folder, which is then read", async () => {
    expect((await here("memory save milk")).code).toBe(0);
    expect(existsSync(join(data(), "store.json"))).toBe(true);
    expect(await here("memory")).toMatchObject({ stdout: expect.stringContaining("milk") as string, stderr: "" });
    expect(JSON.parse((await here("status --json")).stdout)).toMatchObject({ begun: true });
  });

  it("reads memory files that somebody put there before the first start", async () => {
    mkdirSync(join(data(), "memory", "@owner"), { recursive: true });
    writeFileSync(join(data(), "memory", "@owner", "MEMORY.md"), "- tea\n");
    expect(await here("memory show MEMORY.md")).toMatchObject({ code: 0, stdout: "- tea\n", stderr: "" });
    expect(readFileSync(join(data(), "memory", "@owner", "MEMORY.md"), "utf8")).toBe("- tea\n");
  });
});
