import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseConfig } from "../../entry.host.ts";
import type { ParseConfigOptions } from "../../src/config/index.ts";
import { ConfigError } from "../../src/settings/index.ts";
import { runs } from "../support/thorough.ts";

function issuesOf(text: string, options: ParseConfigOptions = {}): readonly string[] {
  try {
    parseConfig(text, { env: {}, ...options });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.issues.map((issue) => `${issue.file}:${issue.line}:${issue.column} [${issue.path}] ${issue.message}`);
  }
  return [];
}

const full = `
version: 1
data: .wakeful
timezone: Europe/Stockholm
owner: { ids: ["telegram:42"] }
models: [{ provider: openai-compatible, base_url: "http://127.0.0.1:11434/v1", model: qwen3, api_key: { env: KEY }, context_window: 32768 }]
server: { port: 8787, host: 127.0.0.1, token: { env: WAKEFUL_TOKEN } }
session: { dm_scope: per-channel-peer, identity_links: { alice: ["telegram:1", "slack:U1"] } }
queue: { mode: collect, debounce_ms: 1000, cap: 20, overflow: summarize, max_concurrent: 4 }
channels: { telegram: { token: { env: TELEGRAM_TOKEN }, secret: { env: TELEGRAM_SECRET }, api_base: https://api.telegram.org, dm: pairing, groups: mention, allow: [123456789012345678] } }
workspace: { root: ./workspace, exec: { mode: sandboxed, network: true, readable: [/opt/tools], limits: { disk_bytes: 5000000, seconds: 30 } } }
users: { "telegram:42": { name: Ada, timezone: Asia/Shanghai } }
memory: { auto_recall: true, auto_capture: true, refresh: { interval: 3, max_tokens: 500 } }
scheduler: { enabled: true, max_consec_failures: 3, triggers: [] }
skills: { auto_activation: { enabled: true } }
attention: { max_daily_notifications: 5, min_interval: 30m, quiet_hours: [22, 8], priority_threshold: 0.6, channels: { lark: { priority_boost: 0.1 } } }
workflow: { max_parallel: 2 }
nodes: {}
`;
const env = { KEY: "k-1", WAKEFUL_TOKEN: "w-1", TELEGRAM_TOKEN: "t-1", TELEGRAM_SECRET: "s-1" };

describe("parseConfig()", () => {
  it("gives the options with the names of the SDK, secrets filled in, later rooms left out", () => {
    const { warnings, ...config } = parseConfig(full, { env });
    expect(config).toEqual({
      version: 1,
      data: ".wakeful",
      timezone: "Europe/Stockholm",
      owner: { ids: ["telegram:42"] },
      models: [
        {
          provider: "openai-compatible",
          baseUrl: "http://127.0.0.1:11434/v1",
          model: "qwen3",
          apiKey: "k-1",
          contextWindow: 32_768,
        },
      ],
      server: { port: 8787, host: "127.0.0.1", token: "w-1" },
      session: { dmScope: "per-channel-peer", identityLinks: { alice: ["telegram:1", "slack:U1"] } },
      queue: { mode: "collect", debounceMs: 1000, cap: 20, overflow: "summarize", maxConcurrent: 4 },
      memory: { autoRecall: true, autoCapture: true, refresh: { interval: 3, maxTokens: 500 } },
      channels: {
        telegram: [
          {
            token: "t-1",
            secret: "s-1",
            apiBase: "https://api.telegram.org",
            dm: "pairing",
            groups: "mention",
            allow: ["123456789012345678"],
          },
        ],
      },
      workspace: {
        root: "./workspace",
        exec: {
          mode: "sandboxed",
          network: true,
          readable: ["/opt/tools"],
          limits: { diskBytes: 5_000_000, seconds: 30 },
        },
      },
      users: { "telegram:42": { name: "Ada", timezone: "Asia/Shanghai" } },
      scheduler: { enabled: true, maxConsecFailures: 3, triggers: [] },
      skills: { autoActivation: { enabled: true } },
      attention: {
        maxDailyNotifications: 5,
        minInterval: "30m",
        quietHours: [22, 8],
        priorityThreshold: 0.6,
        channels: { lark: { priorityBoost: 0.1 } },
      },
      workflow: { maxParallel: 2 },
    });
    expect(warnings).toEqual([{ line: 18, path: "nodes", message: "nodes is not in this version and has no effect" }]);
  });

  it("says of modules of one's own that they are not in this version", () => {
    const { warnings } = parseConfig("extensions: [./my.ts]", { env: {} });
    expect(warnings).toEqual([
      { line: 1, path: "extensions", message: "extensions is not in this version and has no effect" },
    ]);
  });

  it("warns of tools to leave out that are none, with the line of each", () => {
    const { warnings } = parseConfig(
      [
        "context:",
        "  exclude_tools: [bash, file_*, mcp__docs__search,",
        "    bahs]",
        "channels:",
        "  telegram:",
        "    token: t-1",
        "    context: { exclude_tools: [nothing_*] }",
      ].join("\n"),
      { env: {} },
    );
    expect(warnings).toEqual([
      {
        line: 3,
        path: "context.exclude_tools[3]",
        message: 'context.exclude_tools has "bahs", which is not a tool: did you mean "bash"?',
      },
      {
        line: 7,
        path: "channels.telegram.context.exclude_tools[0]",
        message:
          'channels.telegram.context.exclude_tools has "nothing_*", which is not a tool: use full names, or a prefix with *, such as file_*',
      },
    ]);
  });

  it("lists the secrets, and does not print them with the rest", () => {
    const config = parseConfig(full, { env });
    expect([...config.secrets].sort()).toEqual(["k-1", "s-1", "t-1", "w-1"]);
    expect(Object.keys(config)).not.toContain("secrets");
  });

  it.each(["", "# nothing yet\n", "version: 1", "queue:\n", "---\nversion: 1\n...\n"])(
    "takes %j, which sets nothing",
    (text) => {
      const { warnings: _, version: __, queue: ___, ...rest } = parseConfig(text);
      expect(rest).toEqual({});
    },
  );

  it.each([
    [
      "an unknown key",
      "queue:\n  debouncems: 5",
      ['wakeful.yaml:2:3 [queue.debouncems] Unknown key queue.debouncems: did you mean "debounce_ms"?'],
    ],
    [
      "an unknown key at the top",
      "modles: []",
      ['wakeful.yaml:1:1 [modles] Unknown key modles: did you mean "models"?'],
    ],
    [
      "a name in the manner of code",
      "queue: { debounceMs: 5 }",
      ['wakeful.yaml:1:10 [queue.debounceMs] Unknown key queue.debounceMs: did you mean "debounce_ms"?'],
    ],
    [
      "an unknown key far from all",
      "log: { zzzzzz: 1 }",
      ["wakeful.yaml:1:8 [log.zzzzzz] Unknown key log.zzzzzz: known: level, format"],
    ],
    [
      "an unknown key of a later room",
      "memory: { auto_recal: true }",
      ['wakeful.yaml:1:11 [memory.auto_recal] Unknown key memory.auto_recal: did you mean "auto_recall"?'],
    ],
    [
      "an unknown channel",
      "channels:\n  telegrm: {}",
      ['wakeful.yaml:2:3 [channels.telegrm] Unknown key channels.telegrm: did you mean "telegram"?'],
    ],
    [
      "a wrong type",
      "server: { port: eighty }",
      ['wakeful.yaml:1:17 [server.port] server.port: expected a whole number from 0 to 65535, got "eighty"'],
    ],
    [
      "tokens whose holders are not clear",
      "server:\n  token: a-1\n  tokens:\n    - { token: b-1, role: user }\n    - { token: a-1, role: metrics }\n    - { token: c-1, role: user, user: 'cli:ada' }\n  hooks: { token: a-1 }",
      [
        'wakeful.yaml:4:7 [server.tokens[0]] server.tokens[0]: a token with the role "user" needs a user, such as "http:ada"',
        "wakeful.yaml:5:7 [server.tokens[1]] server.tokens[1]: another token has the same value",
        'wakeful.yaml:6:7 [server.tokens[2]] server.tokens[2]: user must not belong to the host\'s reserved channels sdk, cli, web, runtime, hook: current value is "cli:ada"',
        "wakeful.yaml:7:19 [server.hooks.token] server.hooks.token: another token has the same value",
      ],
    ],
    [
      "a number out of range",
      "server: { port: 70000 }",
      ["wakeful.yaml:1:17 [server.port] server.port: expected a whole number from 0 to 65535, got 70000"],
    ],
    [
      "a wrong choice",
      "queue: { mode: colect }",
      [
        'wakeful.yaml:1:16 [queue.mode] queue.mode: expected "collect", "followup", "steer" or "interrupt", got "colect" (did you mean "collect"?)',
      ],
    ],
    [
      "running commands",
      "workspace: { exec: { mode: host } }",
      ["wakeful.yaml:1:28 [workspace.exec.mode] workspace.exec.mode: host needs a folder of the host's disk in root"],
    ],
    [
      "a limit of commands",
      "workspace: { root: w, exec: { mode: host, limits: { seconds: 3600 } } }",
      [
        "wakeful.yaml:1:62 [workspace.exec.limits.seconds] workspace.exec.limits.seconds: expected a whole number from 1 to 600, got 3600",
      ],
    ],
    [
      "a limit that the simulated shell has not",
      "workspace: { exec: { limits: { memory_bytes: 100000000 } } }",
      [
        "wakeful.yaml:1:46 [workspace.exec.limits.memory_bytes] workspace.exec.limits.memory_bytes: the mode simulated takes no memory_bytes",
      ],
    ],
    [
      "limits of nothing",
      "workspace: { exec: { mode: off, limits: { seconds: 3 } } }",
      ["wakeful.yaml:1:41 [workspace.exec.limits] workspace.exec.limits: the mode off takes no limits"],
    ],
    [
      "a number for text",
      "agent: { name: 7 }",
      ["wakeful.yaml:1:16 [agent.name] agent.name: expected text, got 7 (put it in quotes)"],
    ],
    [
      "a bad time zone",
      "timezone: Europe/Stokholm",
      [
        'wakeful.yaml:1:11 [timezone] timezone: expected a time zone such as "Europe/Stockholm" or "UTC", got "Europe/Stokholm"',
      ],
    ],
    [
      "a user without a channel",
      "owner: { ids: [42] }",
      [
        'wakeful.yaml:1:16 [owner.ids[0]] owner.ids[0]: expected a user as "channel:id", for example "telegram:42", got 42',
      ],
    ],
    [
      "a group where a list belongs",
      "owner: { ids: { a: 1 } }",
      [
        'wakeful.yaml:1:15 [owner.ids] owner.ids: expected a list, each entry a user as "channel:id", for example "telegram:42", got a group of options',
      ],
    ],
    [
      "a missing key",
      "models:\n  - model: x",
      [
        'wakeful.yaml:2:5 [models[0]] models[0].provider is missing: expected "openai", "openai-compatible" or "offline"',
      ],
    ],
    ["a key given twice", "queue: { cap: 1, cap: 2 }", ['wakeful.yaml:1:18 [queue.cap] The key "cap" is given twice']],
    [
      "two documents",
      "version: 1\n---\nversion: 1\n",
      ["wakeful.yaml:2:1 [] The file has several documents separated by ---; expected one"],
    ],
    ["a list at the top", "- 1", ["wakeful.yaml:1:1 [] expected a group of options, got a list"]],
    ["a newer format", "version: 2", ["wakeful.yaml:1:10 [version] version: expected 1, got 2"]],
    [
      "a variable without quotes in a flow map",
      "server: { port: ${PORT} }",
      [
        "wakeful.yaml:1:18 [] Not valid YAML: Unexpected flow-map-start at node end; inside { } and [ ] put a value with ${…} in quotes",
      ],
    ],
    ["a key that is no name", "? [a]\n: 1", ["wakeful.yaml:1:3 [] A key must be a plain name"]],
    ["an unknown anchor", "queue: *nothing", ["wakeful.yaml:1:8 [queue] There is no anchor &nothing"]],
    [
      "an openai-compatible model without address",
      "models: [{ provider: openai-compatible, model: x }]",
      [
        "wakeful.yaml:1:22 [models[0].provider] models[0].provider: openai-compatible needs the server's address in base_url",
      ],
    ],
    [
      "a key of another store",
      "store: { driver: sqlite, url: redis://x }",
      ["wakeful.yaml:1:31 [store.url] store.url: the sqlite store takes no url"],
    ],
    [
      "redis without an address",
      "store: { driver: redis }",
      ["wakeful.yaml:1:18 [store.driver] store.driver: the redis store needs the server's address in url"],
    ],
    [
      "agent and agents",
      "agent: { name: a }\nagents: [{ id: b }]",
      ["wakeful.yaml:1:8 [agent] agent: give agent or agents, not both"],
    ],
    [
      "two agents of one id",
      "agents: [{ id: a }, { id: A }]",
      ['wakeful.yaml:1:27 [agents[1].id] agents[1].id: two agents have the id "a"'],
    ],
    [
      "two accounts of one name",
      "channels:\n  webhook:\n    - { secret: a }\n    - { secret: b }\n",
      [
        'wakeful.yaml:4:7 [channels.webhook[1].account] channels.webhook[1].account: two of them are the account "default": give each its own account',
      ],
    ],
    [
      "a binding to nobody",
      "bindings: [{ agent_id: work, match: { channel: telegram } }]",
      ['wakeful.yaml:1:24 [bindings[0].agent_id] bindings[0].agent_id: there is no agent "work", only main'],
    ],
  ])("refuses %s", (_, text, issues) => {
    expect(issuesOf(text)).toEqual(issues);
  });

  it.each(["guard: { urls: false }"])("refuses %s, which would be a lie about safety", (text) => {
    const [issue, ...others] = issuesOf(text);
    expect(issue).toMatch(/^wakeful\.yaml:1:1 \[\w+\] guard is not in this version: .+\. Remove it$/);
    expect(others).toEqual([]);
  });

  it("tells all mistakes at once, in the order of the file, with the file's name", () => {
    const text = "queue:\n  cap: many\n  mode: x\nserver:\n  prt: 1\nowner: { ids: [a] }\n";
    expect(issuesOf(text, { file: "conf/my.yaml" }).map((line) => line.split(" ")[0])).toEqual([
      "conf/my.yaml:2:8",
      "conf/my.yaml:3:9",
      "conf/my.yaml:5:3",
      "conf/my.yaml:6:16",
    ]);
  });

  it("has a message with every mistake, one a line", () => {
    expect(() => parseConfig("queue: { cap: a }\nlog: { level: b }", { file: "w.yaml" })).toThrow(
      /^w\.yaml:1:15 queue\.cap: .*\nw\.yaml:2:15 log\.level: .*$/,
    );
  });

  it.each(["a: [1", "a: b: c", "\tx: 1", "a: 'open", "a: !!binary x", "%YAML 9\n---\na: 1", "a: &x [*x]"])(
    "says where %j is not valid",
    (text) => {
      expect(issuesOf(text).length).toBeGreaterThan(0);
      expect(issuesOf(text)[0]).toMatch(/^wakeful\.yaml:\d+:\d+ /);
    },
  );

  it("counts columns behind a byte order mark, and lines that end in \\r\\n", () => {
    expect(issuesOf("\uFEFFqueue:\r\n  cap: x\r\n")[0]).toMatch(/^wakeful\.yaml:2:8 /);
  });

  it("takes anchors and aliases", () => {
    const config = parseConfig("users:\n  a:1: &p { language: en }\n  b:1: *p\n");
    expect(config.users?.["b:1"]).toEqual({ language: "en" });
  });

  it("stops a file that unfolds into millions of values", () => {
    const levels = Array.from({ length: 12 }, (_, level) => `l${level}: &l${level} [${`*l${level - 1},`.repeat(10)}]`);
    const text = ["l: &l0 [x]", ...levels.slice(1)].join("\n");
    expect(issuesOf(text).join("\n")).toContain("unfolds into more than 20000 values");
  });

  it("never throws anything but ConfigError, whatever the text", () => {
    const piece = fc.constantFrom(
      "queue",
      "models",
      ":",
      " ",
      "\n",
      "-",
      "[",
      "]",
      "{",
      "}",
      "&a",
      "*a",
      "'",
      '"',
      "${X}",
      "${",
      "|",
      ">",
      "cap",
      "1",
      "#",
      "---",
      "!",
      "?",
      "\t",
      ",",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
        try {
          parseConfig(pieces.join(""));
        } catch (error) {
          expect(error).toBeInstanceOf(ConfigError);
          expect(
            (error as ConfigError).issues.every(
              (issue) => issue.line >= 1 && issue.column >= 1 && issue.message !== "",
            ),
          ).toBe(true);
        }
      }),
      { numRuns: runs(300) },
    );
  });

  it("takes a list of accounts of one channel", () => {
    const config = parseConfig("channels:\n  webhook:\n    - { secret: a }\n    - { secret: b, account: two }\n");
    expect(config.channels?.webhook).toEqual([{ secret: "a" }, { secret: "b", account: "two" }]);
  });

  it("names the line of a schedule that cannot be read, or comes too often", () => {
    const withSchedule = (schedule: string, more = "") =>
      `scheduler:\n  triggers:\n    - { name: x, task: y, user: "telegram:42", schedule: ${JSON.stringify(schedule)} }\n${more}`;
    expect(() => parseConfig(withSchedule("sometimes"))).toThrow(
      /3:\d+ scheduler\.triggers\[0\]\.schedule: .*understood/,
    );
    expect(() => parseConfig(withSchedule("every 30 seconds"))).toThrow("at least 60 s must lie between two times");
    expect(() => parseConfig(withSchedule("every 30 seconds", "  min_interval_ms: 1000\n"))).not.toThrow();
  });

  it("names every trigger whose schedule or name is wrong, each with its line and column", () => {
    const trigger = (name: string, schedule: string) =>
      `    - { name: ${name}, task: y, user: "telegram:42", schedule: "${schedule}" }\n`;
    const text = `scheduler:\n  triggers:\n${trigger("a", "sometimes")}${trigger("a", "every hour")}${trigger("heartbeat", "every 10 seconds")}`;
    expect(issuesOf(text).map((issue) => issue.split("]")[0])).toEqual([
      "wakeful.yaml:3:58 [scheduler.triggers[0",
      "wakeful.yaml:4:15 [scheduler.triggers[1",
      "wakeful.yaml:5:15 [scheduler.triggers[2",
      "wakeful.yaml:5:66 [scheduler.triggers[2",
    ]);
    const without = issuesOf(`scheduler:\n  triggers:\n    - { name: b }\n${trigger("a", "sometimes")}`);
    expect(without.map((issue) => issue.split(": ")[0])).toEqual([
      "wakeful.yaml:3:7 [scheduler.triggers[0]] scheduler.triggers[0].schedule is missing",
      "wakeful.yaml:4:58 [scheduler.triggers[1].schedule] scheduler.triggers[1].schedule",
    ]);
  });

  it("takes proactive.scheduler for scheduler", () => {
    const config = parseConfig("proactive: { scheduler: { enabled: false } }");
    expect(config).toMatchObject({ scheduler: { enabled: false }, warnings: [] });
    expect(() => parseConfig("scheduler: { enabled: true }\nproactive: { scheduler: { enabled: false } }")).toThrow(
      "proactive.scheduler is another name of scheduler",
    );
  });

  it("takes proactive.memory and proactive.refresh for memory and memory.refresh", () => {
    const config = parseConfig("proactive: { memory: { auto_recall: false }, refresh: { interval: 5 } }");
    expect(config).toMatchObject({ memory: { autoRecall: false, refresh: { interval: 5 } }, warnings: [] });
    expect(config).not.toHaveProperty("proactive");
  });

  it("keeps what is said of patterns and initiative beside the other names", () => {
    const config = parseConfig(
      "proactive: { refresh: { interval: 5 }, patterns: { enabled: false }, initiative: { enabled: false }, holdout: 0.1 }",
    );
    expect(config).toMatchObject({ memory: { refresh: { interval: 5 } }, warnings: [] });
    expect(config.proactive).toEqual({ patterns: { enabled: false }, initiative: { enabled: false }, holdout: 0.1 });
    expect(() => parseConfig("proactive: { holdout: 1.5 }")).toThrow("a number from 0 to 1");
  });

  it.each([
    ["memory: { alpha: 0.2 }\nproactive: { memory: { alpha: 0.3 } }", "proactive.memory"],
    ["memory: { refresh: { interval: 2 } }\nproactive: { refresh: { interval: 3 } }", "proactive.refresh"],
  ])("refuses two names of one thing in %j", (text, path) => {
    expect(() => parseConfig(text)).toThrow(`${path} is another name of`);
  });
});

describe("values from the environment", () => {
  it.each([
    { title: "a number", text: "server:\n  port: ${PORT}", expected: { server: { port: 9000 } } },
    { title: "a number in quotes", text: 'server: { port: "${PORT}" }', expected: { server: { port: 9000 } } },
    { title: "a default", text: "server: { port: '${NOPORT:-9001}' }", expected: { server: { port: 9001 } } },
    {
      title: "a default for an empty one",
      text: "log: { level: '${EMPTY:-debug}' }",
      expected: { log: { level: "debug" } },
    },
    { title: "a yes or no", text: "session:\n  owner_main: ${NO}", expected: { session: { ownerMain: false } } },
    { title: "part of a text", text: "data: /srv/${NAME}/data", expected: { data: "/srv/bot/data" } },
    { title: "digits that are text", text: "agent: { name: '${PORT}' }", expected: { agent: { name: "9000" } } },
    { title: "an escaped one", text: "agent: { name: 'a $${NAME}' }", expected: { agent: { name: "a ${NAME}" } } },
    {
      title: "one that looks like YAML",
      text: "agent: { name: '${TRICK}' }",
      expected: { agent: { name: "x\nowner: { ids: [a:b] }" } },
    },
  ])("fills in $title", ({ text, expected }) => {
    const { warnings: _, ...config } = parseConfig(text, {
      env: { PORT: "9000", EMPTY: "", NO: "false", NAME: "bot", TRICK: "x\nowner: { ids: [a:b] }" },
    });
    expect(config).toEqual(expected);
  });

  it.each([
    {
      title: "an unset one",
      text: "data: ${GONE}",
      issue:
        "wakeful.yaml:1:7 [data] data: the environment variable GONE is not set; set it, or write ${GONE:-default}",
    },
    {
      title: "one that is not closed",
      text: "data: x${GONE",
      issue: 'wakeful.yaml:1:7 [data] data: "${GONE" is not ${NAME} or ${NAME:-default}; write $${ for a literal ${',
    },
    {
      title: "one without a name",
      text: "data: ${1x}",
      issue: 'wakeful.yaml:1:7 [data] data: "${1x}" is not ${NAME} or ${NAME:-default}; write $${ for a literal ${',
    },
  ])("refuses $title", ({ text, issue }) => {
    expect(issuesOf(text)).toEqual([issue]);
  });

  it("does not show what a variable held when it does not fit", () => {
    const [issue] = issuesOf("server: { port: '${LEAK}' }", { env: { LEAK: "hunter2" } });
    expect(issue).toBe(
      'wakeful.yaml:1:17 [server.port] server.port: expected a whole number from 0 to 65535, got "${LEAK}", whose value does not fit',
    );
  });
});

describe("secrets", () => {
  const text = (value: string) => `server: { token: ${value} }`;

  it.each([
    { value: "{ env: TOKEN }", secret: "abc" },
    { value: "{ file: /run/token }", secret: "from file" },
    { value: "plain", secret: "plain" },
    { value: "'${TOKEN}'", secret: "abc" },
  ])("come from $value", ({ value, secret }) => {
    const config = parseConfig(text(value), {
      env: { TOKEN: "abc" },
      readFile: (path) => (path === "/run/token" ? "from file\n" : ""),
    });
    expect(config.server?.token).toBe(secret);
    expect(config.secrets).toEqual([secret]);
  });

  it.each([
    { value: "{ env: TOKEN }", problem: "the secret is missing: set the environment variable TOKEN" },
    { value: "{ env: EMPTY }", problem: "the secret is missing: set the environment variable EMPTY" },
    { value: "{ file: /gone }", problem: "the secret's file cannot be read: no such file: /gone" },
    { value: "{ file: /empty }", problem: "the secret is missing: the file /empty is empty" },
    { value: "{ evn: TOKEN }", problem: "expected a secret: { env: NAME }, { file: path } or text" },
    { value: "{ env: A, file: b }", problem: "expected a secret: { env: NAME }, { file: path } or text" },
    { value: "12345", problem: "expected a secret: { env: NAME }, { file: path } or text" },
  ])("are refused as $value with the remedy", ({ value, problem }) => {
    const readFile = (path: string) => {
      if (path === "/empty") return "\n";
      throw new Error(`no such file: ${path}`);
    };
    expect(issuesOf(text(value), { env: { EMPTY: "" }, readFile })).toEqual([
      `wakeful.yaml:1:18 [server.token] server.token: ${problem}`,
    ]);
  });

  it("cannot come from files where the host gives no way to read them", () => {
    expect(issuesOf(text("{ file: x }"))[0]).toContain("secrets cannot be read from files here");
  });

  it("never appear in messages", () => {
    const issues = issuesOf(
      "channels:\n  telegram: 123:hunter2\n  webhook: { secrt: hunter2 }\nserver: { token: [hunter2], tokens: hunter2 }\n",
    );
    expect(issues.length).toBeGreaterThanOrEqual(4);
    expect(issues.join("\n")).not.toContain("hunter2");
  });
});
