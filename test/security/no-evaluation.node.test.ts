import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createAssistant, parseConfig, parsePolicy } from "../../entry.host.ts";
import { scriptedModel } from "../../src/testing/scripted-model.ts";
import { readSource } from "../support/source-text.ts";

const ROOT = join(import.meta.dirname, "../..");

/** What is published, and the scripts that build it into text; by path from the root. */
function sources(): ReadonlyMap<string, string> {
  const found = new Map(
    ["mod.ts", "kit.ts", "entry.host.ts", "entry.workers.ts"].map((file) => [
      file,
      readFileSync(join(ROOT, file), "utf8"),
    ]),
  );
  for (const folder of ["src", "adapters"]) {
    for (const entry of readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })) {
      const file = `${folder}/${entry.replaceAll("\\", "/")}`;
      if (/\.[cm]?[jt]s$/u.test(file) && !file.endsWith(".d.ts"))
        found.set(file, readFileSync(join(ROOT, file), "utf8"));
    }
  }
  return found;
}

/** Only here are programs started: the argument list of each is made of parts, never of one text. */
const MAY_START_PROGRAMS = /^adapters\/(?:workspaces\/host\/|cli\/edit-text\.ts$)/u;

interface Rule {
  readonly what: string;
  readonly found: RegExp;
  /** Looked for with the text of strings, for names of modules. */
  readonly inStrings?: boolean;
  readonly allowed?: RegExp;
}

const RULES: readonly Rule[] = [
  { what: "eval", found: /(?<![.\w$])eval\b(?!\s*:)|\[\s*"eval"|globalThis\s*\.\s*eval/u },
  { what: "a function made of text", found: /\bnew\s+Function\b|(?<![.\w$])Function\s*\(|\.constructor\s*\(/u },
  { what: "a timer that takes text", found: /\bset(?:Timeout|Interval)\s*\(\s*["'`]/u },
  {
    what: "vm or a worker made of text",
    found: /["'](?:node:)?(?:vm|worker_threads)["']|isolated-vm|vm2/u,
    inStrings: true,
  },
  {
    what: "a shell",
    found: /\bshell\s*:\s*(?:true|["'`])|\bexecSync\b|\bexecFile\w*\b|\bBun\s*\.\s*\$|\bnew\s+Deno\s*\.\s*Command\b/u,
  },
  {
    what: "a program",
    found: /["'](?:node:)?(?:child_process|cluster)["']/u,
    inStrings: true,
    allowed: MAY_START_PROGRAMS,
  },
  {
    what: "anything of child_process but spawn",
    found:
      /import\s*\{[^}]*\b(?:exec|execFile|fork|execSync)\b[^}]*\}\s*from\s*["'](?:node:)?child_process["']|import\s+\*[^;]*child_process/u,
    inStrings: true,
  },
  {
    what: "a module whose name is worked out",
    // A method may have this name.
    found: /(?<![.\w])import\s*\(\s*(?!["'])(?![\w\s]+:)/u,
    inStrings: true,
    allowed: /^adapters\/storage\/sqlite\/driver\.ts$/u,
  },
];

function violations(files: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  for (const [file, text] of files) {
    const { code, withStrings } = readSource(text);
    for (const { what, found: wanted, inStrings, allowed } of RULES)
      if (allowed?.test(file) !== true && wanted.test(inStrings ? withStrings : code)) found.push(`${file}: ${what}`);
  }
  return found;
}

describe("no text becomes code", () => {
  it("in no source that is published", () => {
    const files = sources();
    expect(files.size).toBeGreaterThan(200);
    expect(violations(files)).toEqual([]);
  });

  it.each([
    ["src/a.ts", "const b = eval(text);"],
    ["src/a.ts", "globalThis.eval(text);"],
    ["src/a.ts", "const run = (0, eval);"],
    ["src/a.ts", "const b = new Function('a', text);"],
    ["src/a.ts", "const b = Function(text)();"],
    ["src/a.ts", "const b = (() => {}).constructor(text);"],
    ["src/a.ts", 'setTimeout("work()", 1);'],
    ["adapters/a.ts", 'import { runInNewContext } from "node:vm";'],
    ["adapters/a.ts", 'const { Worker } = await import("node:worker_threads");'],
    ["adapters/workspaces/host/a.ts", 'import { exec } from "node:child_process";'],
    ["adapters/workspaces/host/a.ts", 'import * as processes from "node:child_process";'],
    ["adapters/workspaces/host/a.ts", "spawn(command, { shell: true });"],
    ["adapters/workspaces/host/a.ts", "spawn(command, { shell: '/bin/sh' });"],
    ["adapters/channels/a.ts", 'import { spawn } from "node:child_process";'],
    ["src/a.ts", "await import(name);"],
    ["src/a.ts", "await import(`./${name}.ts`);"],
  ])("is seen in %s: %s", (file, text) => {
    expect(violations(new Map([[file, `const one = 1;\n${text}\n`]])).length).toBeGreaterThan(0);
  });

  it.each([
    "// eval(text) is never used",
    'const text = "eval(1)";',
    "database.exec(query); /a/.exec(text); shell.exec(line);",
    'const b = await import("./b.ts");',
  ])("is not seen where there is none: %s", (text) => {
    expect(violations(new Map([["src/a.ts", text]]))).toEqual([]);
  });
});

/** What other systems worked out: templates, shells, formulas, pollution. */
const EXPRESSIONS = [
  "${7777*7777}",
  "{{7777*7777}}",
  "{{constructor.constructor('return process')().exit()}}",
  "={{$json.constructor}}",
  "<%= 7777*7777 %>",
  "#{7777*7777}",
  "$(touch /tmp/wakeful-evaluated)",
  "`touch /tmp/wakeful-evaluated`",
  "!!js/function 'function(){ return 60481729 }'",
  "(function(){ throw new Error('ran') })()",
  "process.exit(60481729)",
  "__proto__",
  "a');process.exit(60481729);//",
];

describe("an expression stays the text that it is", () => {
  it.each(EXPRESSIONS)("in the configuration and the policy: %j", (expression) => {
    const file = `agent: { instructions: ${JSON.stringify(expression)} }\n`;
    let instructions: unknown = expression;
    try {
      instructions = parseConfig(file).agent?.instructions;
    } catch (error) {
      // A reference to the environment that is none is a mistake that is told.
      expect([expression, String(error)]).toEqual(["${7777*7777}", expect.stringContaining("${") as string]);
    }
    expect(instructions).toBe(expression);
    const policy = parsePolicy(`profiles: [{ name: default, policy: { deny: [{ tool: bash }] } }]\n# ${expression}\n`);
    expect(policy.profiles).toHaveLength(1);
    expect(({} as Record<string, unknown>)["polluted"]).toBe(undefined);
  });

  it.each([
    "!!js/function 'function(){ return 60481729 }'",
    "!!python/object/apply:os.system ['id']",
    "!!js/undefined ''",
  ])("as a tag in YAML: %s", (tag) => {
    let read: unknown = "refused";
    try {
      read = parseConfig(`agent: { instructions: ${tag} }`).agent?.instructions;
    } catch {
      // Refused, which is as well.
    }
    expect(typeof read).toBe("string");
    expect(read).not.toBe("60481729");
  });

  it.each(EXPRESSIONS)("in what tools take: %j", async (expression) => {
    const assistant = await createAssistant({ model: scriptedModel([]) });
    const owner = { user: "cli", channel: "cli" };
    for (const [name, input] of [
      ["file_write", { path: "note.txt", content: expression }],
      ["grep", { pattern: expression }],
      ["find", { glob: expression }],
      ["time", { timezone: expression }],
      ["artifact_write", { name: expression, content: expression }],
    ] as const) {
      const told = JSON.stringify(await assistant.tools.run(name, input, owner));
      if (!expression.includes("60481729")) expect(told).not.toContain("60481729");
    }
    expect(await assistant.tools.run("file_read", { path: "note.txt" }, owner)).toMatchObject({
      output: { text: expression },
    });
    await assistant.stop();
  });
});
