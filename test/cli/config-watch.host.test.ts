import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { watchConfig } from "../../adapters/cli/config-file.ts";
import { isInWorkspace } from "../../adapters/cli/policy-file.ts";
import { runProgram } from "../../adapters/cli/program.ts";
import { readSettings } from "../../adapters/cli/settings.ts";
import { fakeTerminal, temporaryFolder } from "./fake-terminal.ts";

let folder: ReturnType<typeof temporaryFolder>;
let stop = () => {};
beforeEach(() => (folder = temporaryFolder()));
afterEach(() => {
  stop();
  folder.remove();
});

function watching(text: string, { inWorkspace = false, env = {}, quietMs = 20 } = {}) {
  const path = join(folder.path, "conf", "wakeful.yaml");
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
  const lines: string[] = [];
  const replaced: unknown[] = [];
  const terminal = fakeTerminal({ cwd: folder.path, env });
  const log = (level: string) => (message: string) => void lines.push(`${level} ${message.replaceAll(path, "P")}`);
  const logger = { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") };
  const read = () => readSettings({ config: path }, terminal).config;
  const attention = { replace: (limits: object) => void replaced.push(limits) };
  stop = watchConfig({ path, config: read(), read, attention, logger, terminal, inWorkspace, quietMs });
  return { path, lines, replaced, terminal };
}

/** Until it holds; the test's own time limit ends what never does. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(5);
}

const READ = "info The attention configuration was read again";

describe("watchConfig()", () => {
  it("puts the limits of attention in place when the file is written", async () => {
    const { path, lines, replaced } = watching("attention: { max_daily_notifications: 5 }\n");
    writeFileSync(
      path,
      "attention: { quiet_hours: [23, 7], channels: { telegram: { enabled: false } } }\ntimezone: ${ZONE:-UTC}\n",
    );
    await until(() => lines.length > 1);
    expect(replaced).toEqual([{ quietHours: [23, 7], channels: { telegram: { enabled: false } } }]);
    expect(lines).toEqual([READ, "warn These changes of the configuration need a restart: timezone"]);
  });

  it("has the defaults where the file says nothing of it any more, also in a file put in its place", async () => {
    const { path, lines, replaced } = watching("attention: { max_daily_notifications: 5 }\n");
    writeFileSync(`${path}.next`, "version: 1\n");
    renameSync(`${path}.next`, path);
    await until(() => replaced.length > 0);
    expect(replaced).toEqual([{}]);
    expect(lines[0]).toBe(READ);
  });

  it("names what needs a restart, and leaves attention alone", async () => {
    const { path, lines, replaced } = watching("server: { port: 1 }\nattention: { min_interval: 1h }\n");
    writeFileSync(path, "server: { port: 2 }\nattention: { min_interval: 1h }\nmemory: { k: 5 }\n");
    await until(() => lines.length > 0);
    expect(lines).toEqual(["warn These changes of the configuration need a restart: server, memory"]);
    expect(replaced).toEqual([]);
  });

  it("goes on as before when the file has mistakes, and says where they are", async () => {
    const { path, lines, replaced } = watching("attention: { min_interval: 1h }\n");
    writeFileSync(path, "attention: { min_interval: soon }\n");
    await until(() => lines.length > 0);
    expect(lines[0]).toMatch(
      /^error The configuration could not be read again, so the old one stays in use: P:1:\d+ atte/,
    );
    rmSync(path);
    await until(() => lines.length > 1);
    expect(replaced).toEqual([]);
    writeFileSync(path, "attention: { min_interval: 2h }\n");
    await until(() => replaced.length > 0);
    expect(replaced).toEqual([{ minInterval: "2h" }]);
  });

  it("reads it also while another file of its folder changes all the time", async () => {
    const { path, replaced } = watching("attention: { min_interval: 1h }\n", { quietMs: 200 });
    const other = join(path, "..", "data.sqlite-wal");
    writeFileSync(path, "attention: { min_interval: 2h }\n");
    await until(() => {
      writeFileSync(other, String(performance.now()));
      return replaced.length > 0;
    });
    expect(replaced).toEqual([{ minInterval: "2h" }]);
  });

  it("waits for SIGHUP where the assistant may write to the file", () => {
    const { path, lines, replaced, terminal } = watching("", { inWorkspace: true });
    expect(lines).toEqual([expect.stringMatching(/^warn Changes of the configuration are not noticed; send SIGHUP/)]);
    writeFileSync(path, "attention: { min_interval: 2h }\n");
    terminal.hangUp();
    expect(replaced).toEqual([{ minInterval: "2h" }]);
  });

  it("ends when it is told to", () => {
    const { lines, terminal } = watching("");
    stop();
    terminal.hangUp();
    expect(lines).toEqual([]);
  });
});

describe("isInWorkspace()", () => {
  it("knows the workspaces of agents too", () => {
    const config = join(folder.path, "wakeful.yaml");
    const of = (text: string, path: string) => {
      writeFileSync(config, text);
      return isInWorkspace(
        join(folder.path, path),
        readSettings({ config }, fakeTerminal({ cwd: folder.path })),
        folder.path,
      );
    };
    const agents = "agents: [{ id: main }, { id: work, workspace: { root: work } }]\n";
    expect(of(agents, "work/policy.yaml")).toBe(true);
    expect(of(agents, "other/policy.yaml")).toBe(false);
    expect(of("agent: { workspace: { root: own } }\n", "own/policy.yaml")).toBe(true);
    expect(of("workspace: { root: . }\n", "policy.yaml")).toBe(true);
    expect(of("", "policy.yaml")).toBe(false);
  });
});

describe("wakeful serve", () => {
  it("decides by the limits that its file has now", async () => {
    const file = join(folder.path, "wakeful.yaml");
    const limits = (threshold: number) =>
      `models: [{ provider: offline }]\nattention: { quiet_hours: [0, 0], priority_threshold: ${threshold} }\n`;
    writeFileSync(file, limits(0.9));
    const terminal = fakeTerminal({ cwd: folder.path, env: { WAKEFUL_TOKEN: "owner" } });
    const served = runProgram(["serve", "--port", "0", "--json"], terminal);
    try {
      await terminal.until("\n");
      const { url } = JSON.parse(terminal.output()) as { url: string };
      const decide = async (type: string) => {
        const answer = await fetch(`${url}/api/v1/attention/notify`, {
          method: "POST",
          headers: { authorization: "Bearer owner", "content-type": "application/json" },
          body: JSON.stringify({ user: "cli", text: "The parcel is there", type }),
        });
        return answer.json() as Promise<object>;
      };
      expect(await decide("a")).toMatchObject({ verdict: "drop", rule: "threshold" });
      writeFileSync(file, limits(0.2));
      await until(() => terminal.errors().includes("was read again"));
      expect(await decide("b")).toMatchObject({ verdict: "send", rule: "ok" });
      expect(terminal.errors()).not.toContain("restart");
      // Another one that would be found now is not the one that was read.
      mkdirSync(join(folder.path, ".wakeful"), { recursive: true });
      writeFileSync(join(folder.path, ".wakeful", "config.yaml"), limits(0.9));
      renameSync(file, `${file}.away`);
      await until(() => terminal.errors().includes("There is no configuration file"));
      expect(await decide("c")).toMatchObject({ verdict: "send", rule: "ok" });
    } finally {
      terminal.signal("SIGTERM");
      await served;
    }
  });
});
