import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { configText } from "../../adapters/cli/commands/init.ts";
import { runProgram } from "../../adapters/cli/program.ts";
import { parseConfig } from "../../entry.host.ts";
import { stubServer } from "../models/stub-server.ts";
import { fakeTerminal, run, temporaryFolder, type Run } from "./fake-terminal.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => (folder = temporaryFolder()));
afterEach(() => folder.remove());

const here = (argv: readonly string[], options: Parameters<typeof run>[1] = {}): Promise<Run> =>
  run(argv, { cwd: folder.path, ...options });
const put = (name: string, text: string) => {
  const path = join(folder.path, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
  return path;
};

describe("a command for what is switched off", () => {
  it.each([
    ["jobs", "scheduler: { enabled: false }", "scheduler.enabled"],
    ["skills", "skills: { enabled: false }", "skills.enabled"],
    ["workflows", "workflow: { enabled: false }", "workflow.enabled"],
  ])("names the option: wakeful %s", async (command, config, option) => {
    put("wakeful.yaml", `models: [{ provider: offline }]\n${config}\n`);
    const { code, stderr } = await here([command]);
    expect(code).toBe(1);
    expect(stderr).toContain(`error: There are no ${command}: they are switched off by the option ${option}\n`);
  });
});

describe("wakeful", () => {
  it("tells its version", async () => {
    expect(await here(["--version"])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });

  it("explains a group of commands by all of them, also where one is the standard", async () => {
    const { code, stdout } = await here(["jobs", "--help"]);
    expect(code).toBe(0);
    expect(stdout).toContain("list|add|show|pause|resume|run|remove|watch");
  });

  it("says in JSON alone that a command is missing, where JSON is asked for", async () => {
    const { code, stderr } = await here(["config", "--json"]);
    expect(code).toBe(2);
    expect(JSON.parse(stderr)).toEqual({ error: { message: "A command is missing: expected one of check, schema" } });
  });

  it.each([["--help"], ["sessions", "--help"], ["serve", "--help"], ["config", "check", "-h"]])(
    "explains itself for %s %s",
    async (...argv) => {
      const { code, stdout } = await here(argv.filter((word) => typeof word === "string"));
      expect(code).toBe(0);
      expect(stdout).toContain("USAGE");
      expect(stdout).not.toContain("\u001B");
    },
  );

  it.each([
    { argv: ["chta"], message: 'Unknown command "chta": did you mean "chat"?' },
    { argv: ["sessions", "lst"], message: 'Unknown command "sessions lst": did you mean "list"?' },
    {
      argv: [],
      message:
        "A command is missing: expected one of start, init, chat, serve, status, doctor, sessions, approvals, memory, jobs, notifications, workflows, skills, access, audit, undelivered, config",
    },
    { argv: ["config"], message: "A command is missing: expected one of check, schema" },
    { argv: ["status", "--jsn"], message: "Unknown option --jsn: did you mean --json?" },
    { argv: ["serve", "--port"], message: "The option --port needs a value" },
    { argv: ["serve", "--port", "http"], message: '--port must be a whole number from 0 to 65535, not "http"' },
    { argv: ["serve", "--port=70000"], message: '--port must be a whole number from 0 to 65535, not "70000"' },
    { argv: ["status", "now"], message: 'Unexpected argument "now": see wakeful status --help' },
    {
      argv: ["sessions", "show"],
      message: "Missing required positional argument: KEY (The conversation's key, as `wakeful sessions` lists it)",
    },
    {
      argv: ["jobs", "remove", ""],
      message: "The argument JOB is empty (The job's id or name, as `wakeful jobs` lists it)",
    },
    {
      argv: ["memory", "remove", ""],
      message: "The argument ID is empty (The entry's id, as `wakeful memory list` shows it)",
    },
    {
      argv: ["workflows", "status", ""],
      message: "The argument RUN is empty (The run's id, as `wakeful workflows` lists it; the newest by default)",
    },
    { argv: ["status", "--data", ""], message: "The option --data needs a value" },
    { argv: ["sessions", "--limit", "0"], message: '--limit must be a whole number from 1 to 1000, not "0"' },
    { argv: ["init"], message: "init asks questions, but this is not a terminal: add --yes to write the defaults" },
  ])("refuses $argv in one sentence", async ({ argv, message }) => {
    const { code, stderr } = await here(argv);
    expect(code).toBe(2);
    expect(stderr.trimEnd().split("\n").at(-1)).toBe(`error: ${message}`);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it.each([
    { argv: ["jobs", "show", "nothing"], message: 'There is no job "nothing": wakeful jobs lists them' },
    { argv: ["workflows", "status", "r"], message: 'There is no run "r" of a workflow: wakeful workflows lists them' },
    { argv: ["skills", "show", "nothing"], message: 'There is no skill "nothing": wakeful skills lists them' },
    { argv: ["skills", "accept", "s"], message: 'There is no suggestion "s": wakeful skills suggestions lists them' },
    { argv: ["memory", "show", "e"], message: 'There is no entry "e" in this memory: wakeful memory lists them' },
    {
      argv: ["sessions", "set", "agent:main:x"],
      message: 'There is no session "agent:main:x": wakeful sessions lists them',
    },
    {
      argv: ["sessions", "show", "work"],
      message: 'Not a session key: "work"; expected agent:<agent>:<conversation>: wakeful sessions lists them',
    },
    {
      argv: ["workflows", "remove", "weekly-report"],
      message: "weekly-report is built in and cannot be removed: save a workflow of the same name to replace it",
    },
  ])("says where $argv would have found it", async ({ argv, message }) => {
    const { code, stderr } = await here(argv);
    expect(code).toBe(1);
    expect(stderr.trimEnd().split("\n").at(-1)).toBe(`error: ${message}`);
  });

  it("tells mistakes as JSON with --json", async () => {
    const { code, stderr } = await here(["status", "--json", "--config", "gone.yaml"]);
    expect(code).toBe(2);
    expect(JSON.parse(stderr)).toEqual({
      error: { message: expect.stringContaining("There is no configuration file") },
    });
  });
});

describe("the configuration file", () => {
  it("is found by --config, WAKEFUL_CONFIG, ./wakeful.yaml and the data folder, in this order", async () => {
    put("data/config.yaml", "version: 1");
    const file = async (argv: readonly string[] = [], env = {}) =>
      (JSON.parse((await here(["config", "check", "--json", ...argv], { env })).stdout) as { file: string | null })
        .file;
    expect(await file()).toBeNull();
    expect(await file([], { WAKEFUL_DATA: "data" })).toBe(join(folder.path, "data/config.yaml"));
    expect(await file(["--data", "data"])).toBe(join(folder.path, "data/config.yaml"));
    put("wakeful.yaml", "version: 1");
    expect(await file(["--data", "data"])).toBe(join(folder.path, "wakeful.yaml"));
    put("env.yaml", "version: 1");
    expect(await file([], { WAKEFUL_CONFIG: "env.yaml" })).toBe(join(folder.path, "env.yaml"));
    put("flag.yaml", "version: 1");
    expect(await file(["--config", "flag.yaml"], { WAKEFUL_CONFIG: "env.yaml" })).toBe(join(folder.path, "flag.yaml"));
  });

  it("must exist when it was named", async () => {
    const { code, stderr } = await here(["config", "check"], { env: { WAKEFUL_CONFIG: "gone.yaml" } });
    expect(code).toBe(2);
    expect(stderr).toContain(
      `There is no configuration file ${join(folder.path, "gone.yaml")}, which WAKEFUL_CONFIG names`,
    );
  });

  it("is refused with every mistake, file, line and column", async () => {
    const path = put("wakeful.yaml", "queue:\n  cap: many\nserver: { prt: 1, token: { env: NO_TOKEN } }\n");
    const { code, stderr } = await here(["serve"]);
    expect(code).toBe(2);
    expect(stderr.split("\n")).toEqual([
      "error: the configuration has 3 mistakes",
      `${path}:2:8 queue.cap: expected a whole number of 1 or more, got "many"`,
      `${path}:3:11 Unknown key server.prt: did you mean "port"?`,
      `${path}:3:26 server.token: the secret is missing: set the environment variable NO_TOKEN`,
      "",
    ]);
  });

  it("lists mistakes for programs", async () => {
    put("wakeful.yaml", "log: { level: loud }");
    const { stderr } = await here(["config", "check", "--json"]);
    expect(JSON.parse(stderr)).toMatchObject({ error: { issues: [{ line: 1, column: 15, path: "log.level" }] } });
  });

  it("reads secrets from files beside it", async () => {
    put("conf/wakeful.yaml", "server: { token: { file: token } }");
    put("conf/token", "abc\n");
    expect((await here(["config", "check", "--config", "conf/wakeful.yaml"])).code).toBe(0);
  });

  it("has a JSON Schema", async () => {
    const { stdout } = await here(["config", "schema"]);
    expect(JSON.parse(stdout)).toMatchObject({ title: "wakeful.yaml", properties: { queue: {} } });
  });
});

describe("wakeful init", () => {
  it.each(["\u0003", "\u0004"])("is left by %j, and writes nothing then", async (keys) => {
    const terminal = fakeTerminal({ cwd: folder.path, interactive: true });
    const ended = runProgram(["init"], terminal);
    await terminal.until("None yet");
    terminal.stdin.write(keys);
    expect(await ended).toBe(130);
    expect(terminal.output()).toContain("Nothing was written");
    expect(existsSync(join(folder.path, "wakeful.yaml"))).toBe(false);
  });

  it("writes a file that is in order, and never over another", async () => {
    expect((await here(["init", "--yes"])).code).toBe(0);
    const path = join(folder.path, "wakeful.yaml");
    const text = readFileSync(path, "utf8");
    expect(parseConfig(text)).toMatchObject({ version: 1, server: { port: 8787 } });
    const again = await here(["init", "--yes"]);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain(`${path} already exists and was not changed`);
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  it("writes persona files that say nothing yet, and never over another; nothing is kept before the first start", async () => {
    put(".wakeful/persona/SOUL.md", "You are patient.\n");
    const { stdout } = await here(["init", "--yes"]);
    expect(stdout).toContain(join(folder.path, ".wakeful", "persona"));
    expect(readFileSync(join(folder.path, ".wakeful/persona/SOUL.md"), "utf8")).toBe("You are patient.\n");
    expect(readFileSync(join(folder.path, ".wakeful/persona/HEARTBEAT.md"), "utf8")).toMatch(
      /^# Heartbeat\n\n<!-- .* -->\n$/,
    );
    expect((await here(["sessions"])).stderr).toContain("Nothing is stored in");
  });

  it.each([
    { provider: "openai", model: "gpt-5.4-mini", telegram: true, owner: "telegram:42", port: 1 },
    {
      provider: "openai-compatible",
      baseUrl: "http://127.0.0.1:11434/v1",
      model: "qwen3",
      telegram: false,
      port: 9000,
    },
  ] as const)("writes what was answered: $provider", (answers) => {
    const config = parseConfig(configText(answers), {
      env: { OPENAI_API_KEY: "k", TELEGRAM_TOKEN: "t", TELEGRAM_SECRET: "s" },
    });
    expect(config.models).toMatchObject([{ provider: answers.provider, model: answers.model }]);
    expect(config.server?.port).toBe(answers.port);
    expect(config.channels?.telegram?.length ?? 0).toBe(answers.telegram ? 1 : 0);
    expect(config.warnings).toEqual([]);
  });

  it("has comments that are in order when their mark is taken away", () => {
    const text = configText({ provider: "offline", telegram: false, port: 8787 }).replace(
      /^( *)# (?=[a-z_]+:|  |-)/gm,
      "$1",
    );
    const env = { WAKEFUL_TOKEN: "w", TELEGRAM_TOKEN: "t", TELEGRAM_SECRET: "s" };
    expect(parseConfig(text, { env })).toMatchObject({
      models: [{ model: "qwen3" }],
      channels: { telegram: [{}] },
      workspace: { root: "./workspace" },
    });
  });
});

describe("wakeful chat over a pipe", () => {
  it("answers each line, and knows the conversation after a restart", async () => {
    const first = await here(["chat"], { input: "hello\n\nwhat time is it?\n" });
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toContain("offline model");
    expect(first.stdout).toContain("· time {}");
    const { stdout } = await here(["sessions", "--json"]);
    const { sessions } = JSON.parse(stdout) as { sessions: readonly { key: string }[] };
    expect(sessions.map(({ key }) => key)).toEqual(["agent:main:main"]);
    const shown = JSON.parse((await here(["sessions", "show", "agent:main:main", "--json"])).stdout) as {
      entries: readonly { type: string }[];
    };
    expect(shown.entries.map(({ type }) => type)).toEqual(["user", "assistant", "user", "tool", "assistant"]);
  });

  it("prints one JSON line an answer with --json", async () => {
    const { stdout, code } = await here(["chat", "--json", "--session", "mine"], { input: "hello\nhelp\n" });
    const replies = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { sessionKey: string; text: string });
    expect(code).toBe(0);
    expect(replies).toHaveLength(2);
    expect(replies[0]?.sessionKey).toContain("mine");
  });

  it("says when a model does not answer, and ends with 1", async () => {
    await using server = await stubServer(() => ({ status: 401, json: { error: { message: "no such key" } } }));
    put("wakeful.yaml", `models: [{ provider: openai-compatible, base_url: '${server.url}', model: none }]`);
    const { code, stderr } = await here(["chat"], { input: "hello\n" });
    expect(code).toBe(1);
    expect(stderr).toContain("error:");
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

describe("wakeful sessions", () => {
  it("says that there are none, and which it does not know", async () => {
    expect(await here(["sessions"])).toMatchObject({ code: 0, stdout: "No conversations yet\n" });
    const { code, stderr } = await here(["sessions", "delete", "agent:main:sdk:direct:nobody"]);
    expect(code).toBe(1);
    expect(stderr).toContain('There is no conversation "agent:main:sdk:direct:nobody"');
  });

  it("deletes one", async () => {
    await here(["chat"], { input: "hello\n" });
    expect((await here(["sessions", "delete", "agent:main:main"])).stdout).toBe("Deleted agent:main:main\n");
    expect((await here(["sessions"])).stdout).toBe("No conversations yet\n");
  });
});

describe("wakeful status", () => {
  it("tells what would run", async () => {
    const { stdout } = await here(["status", "--json", "--data", "elsewhere"]);
    expect(JSON.parse(stdout)).toMatchObject({
      running: false,
      model: "offline",
      sessions: 0,
      config: null,
      data: join(folder.path, "elsewhere"),
    });
  });
});

describe("a server that was named", () => {
  it.each([["status"], ["sessions"]])("is said to be unreachable by %s", async (command) => {
    const { code, stderr } = await here([command, "--url", "http://127.0.0.1:9"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: No server answers at http:\/\/127\.0\.0\.1:9 \(.+\): check --url\n$/);
  });
});

describe("wakeful doctor", () => {
  const checks = async (env = {}) => {
    const { stdout, code } = await here(["doctor", "--json"], { env });
    const report = JSON.parse(stdout) as {
      checks: readonly { check: string; state: string; what: string; remedy?: string }[];
    };
    return { code, rows: report.checks, of: (name: string) => report.checks.filter(({ check }) => check === name) };
  };

  it("finds nothing wrong with the defaults but the missing model", async () => {
    const { code, rows } = await checks();
    expect(code).toBe(0);
    expect(rows.map(({ check, state }) => `${check} ${state}`)).toEqual([
      "config ok",
      "policy ok",
      "model warn",
      "storage ok",
      "commands ok",
      "approvals ok",
      "channels ok",
      "search ok",
      "attention ok",
      "retention ok",
      "clock ok",
      "runtime ok",
    ]);
  });

  it("tells who may answer when no call waits", async () => {
    expect((await checks()).of("approvals")).toMatchObject([
      { state: "ok", what: "none waiting; may answer: the terminal, the owner's token" },
    ]);
    put("wakeful.yaml", 'owner: { ids: ["telegram:42"] }\n');
    expect((await checks()).of("approvals")).toMatchObject([{ what: expect.stringContaining("telegram:42") }]);
  });

  it("tells how many calls wait, and warns when no chat would be asked", async () => {
    const exec = "workspace: { root: ./workspace, exec: { mode: host } }\n";
    put("wakeful.yaml", exec);
    await here(["chat"], { input: "run echo hi\nrun echo ho\n" });
    expect((await checks()).of("approvals")).toMatchObject([
      { state: "ok", what: expect.stringMatching(/^2 waiting, the oldest since \S+Z; may answer: the terminal/) },
      {
        state: "warn",
        what: expect.stringMatching(/^calls of bash.* need an approval/),
        remedy: expect.stringContaining("owner.ids"),
      },
    ]);
    put("wakeful.yaml", `${exec}owner: { ids: ["telegram:42"] }\n`);
    expect((await checks()).of("approvals")).toMatchObject([{ what: expect.stringContaining("telegram:42") }]);
  });

  it("names the search engines in their order, and fails on one without its key", async () => {
    put("wakeful.yaml", "search: { duckduckgo: { enabled: true }, brave: { api_key: { env: BRAVE_API_KEY } } }");
    expect((await checks({ BRAVE_API_KEY: "k" })).of("search")).toMatchObject([
      { state: "ok", what: "web_search asks brave, then duckduckgo" },
    ]);
    put("wakeful.yaml", "search: { brave: { enabled: true } }");
    const { code, of } = await checks();
    expect(code).toBe(1);
    expect(of("search")).toMatchObject([{ state: "fail", what: expect.stringContaining("search.brave") }]);
  });

  it("fails on a configuration with mistakes, with the remedy", async () => {
    put("wakeful.yaml", "queue: { cap: x }");
    const { code, of } = await checks();
    expect(code).toBe(1);
    expect(of("config")[0]).toMatchObject({
      state: "fail",
      what: expect.stringContaining(":1:15 queue.cap"),
      remedy: expect.stringContaining("config check"),
    });
  });

  it("fails on a model that cannot be reached and on a key that is missing", async () => {
    put(
      "wakeful.yaml",
      "models:\n  - { provider: openai-compatible, base_url: 'http://127.0.0.1:9/v1', model: m }\n  - { provider: openai, model: n }\n",
    );
    const { code, of } = await checks();
    expect(code).toBe(1);
    expect(of("model").map(({ state }) => state)).toEqual(["fail", "fail"]);
    expect(of("model").every(({ remedy }) => remedy !== undefined)).toBe(true);
  });

  it("fails on a place that cannot be written", async () => {
    put("file", "");
    put("wakeful.yaml", "data: file/data");
    const { code, of } = await checks();
    expect(code).toBe(1);
    expect(of("storage")[0]).toMatchObject({ state: "fail" });
  });

  it("warns when other machines reach a server that knows no name", async () => {
    put("wakeful.yaml", "server: { host: 0.0.0.0 }");
    expect((await checks()).of("page")[0]).toMatchObject({
      state: "warn",
      remedy: expect.stringContaining("server.public_url"),
    });
    put("wakeful.yaml", "server: { host: 0.0.0.0, hosts: [lan-box] }");
    expect((await checks()).of("page")).toEqual([]);
  });

  it("warns when nobody is let in, and when strangers would share a conversation", async () => {
    put(
      "wakeful.yaml",
      "session: { dm_scope: main }\nchannels:\n  webhook: { secret: 0123456789abcdef0123456789abcdef }\n",
    );
    expect((await checks()).of("access")[0]).toMatchObject({
      state: "warn",
      remedy: expect.stringContaining("owner.ids"),
    });
    put(
      "wakeful.yaml",
      "session: { dm_scope: main }\nserver: { public_url: 'https://x.example' }\nchannels:\n  webhook: { secret: 0123456789abcdef0123456789abcdef, dm: open }\n",
    );
    const { of } = await checks();
    expect(of("sessions")[0]).toMatchObject({ state: "warn" });
    expect(of("webhook")[0]).toMatchObject({
      state: "ok",
      what: "receives messages at https://x.example/webhooks/webhook",
    });
  });
});

describe("the data", () => {
  it.each(["sqlite", "memory"])("can be kept in %s", async (driver) => {
    put("wakeful.yaml", `store: { driver: ${driver} }`);
    expect((await here(["chat"], { input: "hello\n" })).code).toBe(0);
    expect(existsSync(join(folder.path, ".wakeful/wakeful.db"))).toBe(driver === "sqlite");
  });

  it("is reported missing in one sentence when Redis does not answer", async () => {
    put("wakeful.yaml", "store: { driver: redis, url: 'redis://127.0.0.1:9' }");
    const { code, stderr } = await here(["chat"], { input: "hello\n" });
    expect(code).toBe(1);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(stderr).toMatch(/^error: .*redis/i);
  });
});
