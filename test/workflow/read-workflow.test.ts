import { describe, expect, it } from "vitest";
import { checkWorkflow, readWorkflow } from "../../src/workflow/read-workflow.ts";
import { createDefinitions, readInputs } from "../../src/workflow/definitions.ts";
import { workflowJsonSchema } from "../../src/workflow/definition-schema.ts";
import { memoryStore } from "../../mod.ts";
import { ConfigError } from "../../src/settings/index.ts";
import { platform } from "../support/this-platform.ts";

const { yaml } = platform;
const read = (text: string, name?: string) =>
  readWorkflow(text, { yaml, file: "w.yaml", ...(name !== undefined && { name }) });

function problems(text: string): readonly string[] {
  try {
    read(text);
  } catch (error) {
    if (error instanceof ConfigError)
      return error.issues.map(({ file, line, path, message }) => `${file}:${line} ${path} | ${message}`);
    throw error;
  }
  return [];
}

describe("readWorkflow()", () => {
  it("reads what a file says, in the names of code", () => {
    expect(
      read(`name: follow-up
description: Looks something up
inputs:
  topic: { type: string }
  days: { type: number, default: 7 }
  loose:
budget: { max_tokens: 50000 }
steps:
  - { id: found, run: tool, tool: web_search, with: { query: "\${inputs.topic}" }, retry: { max: 2, backoff_seconds: 30 }, on_error: skip }
  - id: each
    run: prompt
    prompt: About \${item}, from \${steps.found.output}
    for_each: steps.found.output
    timeout_seconds: 60
    format: json
  - { id: ok, run: approve, with: { text: "Fine?" }, needs: [each] }
output: "\${steps.each.output}"
`),
    ).toEqual({
      name: "follow-up",
      description: "Looks something up",
      inputs: { topic: { type: "string" }, days: { type: "number", default: 7 }, loose: {} },
      budget: { maxTokens: 50_000 },
      steps: [
        {
          id: "found",
          run: "tool",
          tool: "web_search",
          with: { query: "${inputs.topic}" },
          retry: { max: 2, backoffSeconds: 30 },
          onError: "skip",
        },
        {
          id: "each",
          run: "prompt",
          prompt: "About ${item}, from ${steps.found.output}",
          format: "json",
          needs: ["found"],
          forEach: "steps.found.output",
          timeoutSeconds: 60,
        },
        { id: "ok", run: "approve", with: { text: "Fine?" }, needs: ["each"] },
      ],
      output: "${steps.each.output}",
    });
  });

  it.each([
    ["no steps", "name: w\nsteps: []\n", ["w.yaml:2 steps | steps: expected at least one step"]],
    ["no name", "steps:\n  - {id: a, run: wait, with: {seconds: 1}}\n", ["w.yaml:1 name | name: is missing"]],
    [
      "an unknown key of a step",
      "name: w\nsteps:\n  - id: a\n    run: tool\n    tool: x\n    whit: {}\n",
      ["w.yaml:6 steps[0].whit | steps[0].whit: unknown key"],
    ],
    [
      "an unknown kind",
      "name: w\nsteps:\n  - id: a\n    run: shell\n",
      [
        "w.yaml:4 steps[0].run | steps[0].run: expected a step with run: one of tool, prompt, skill, workflow, approve, wait",
      ],
    ],
    [
      "two steps of one id",
      "name: w\nsteps:\n  - {id: a, run: tool, tool: x}\n  - {id: a, run: tool, tool: y}\n",
      ['w.yaml:4 steps[1].id | steps[1].id: there are two steps "a"'],
    ],
    [
      "a step that is called as an item of another one",
      "name: w\nsteps:\n  - {id: a, run: tool, tool: x, for_each: '${inputs.list}'}\n  - {id: a-0, run: tool, tool: y}\n",
      ['w.yaml:4 steps[1].id | steps[1].id: expected another name: an item of the step "a" has this one'],
    ],
    [
      "an unknown need, with the nearest name",
      "name: w\nsteps:\n  - {id: fetch, run: tool, tool: x}\n  - {id: b, run: tool, tool: y, needs: [fetsh]}\n",
      ['w.yaml:4 steps[1].needs[0] | steps[1].needs[0]: there is no step "fetsh": did you mean fetch?'],
    ],
    [
      "an unknown reference",
      'name: w\ninputs: [topic]\nsteps:\n  - id: a\n    run: tool\n    tool: x\n    with: { q: "${inputs.topik}" }\n',
      ['w.yaml:7 steps[0].with.q | steps[0].with.q: there is no input "topik": did you mean topic?'],
    ],
    [
      "code in a reference",
      'name: w\nsteps:\n  - id: a\n    run: prompt\n    prompt: "${process.exit(1)}"\n',
      ['w.yaml:5 steps[0].prompt | steps[0].prompt: "process.exit(1)" is not a reference'],
    ],
    [
      "an item outside of for_each",
      'name: w\nsteps:\n  - id: a\n    run: prompt\n    prompt: "${item}"\n',
      ["w.yaml:5 steps[0].prompt | steps[0].prompt: ${item} exists only in a step with for_each"],
    ],
    [
      "an item in what is read before there are items",
      'name: w\ninputs: [list]\nsteps:\n  - id: a\n    run: prompt\n    prompt: x\n    if: "${item.ok} == true"\n    for_each: "${inputs.list}"\n',
      [
        "w.yaml:7 steps[0].if | steps[0].if: ${item} does not exist: if is read once for the whole step, before its items",
      ],
    ],
    [
      "items of itself",
      'name: w\nsteps:\n  - id: a\n    run: prompt\n    prompt: x\n    for_each: "${item}"\n',
      [
        "w.yaml:6 steps[0].for_each | steps[0].for_each: ${item} does not exist: for_each is read once for the whole step, before its items",
      ],
    ],
    [
      "a type that there is not",
      "name: w\ninputs:\n  topic: {}\n  days: { type: numbr }\nsteps:\n  - {id: a, run: tool, tool: x}\n",
      ["w.yaml:4 inputs.days.type | inputs.days.type: expected one of string, number, boolean, list, object"],
    ],
    [
      "a default of another type",
      "name: w\ninputs:\n  days: { type: number, default: soon }\nsteps:\n  - {id: a, run: tool, tool: x}\n",
      [`w.yaml:3 inputs.days.default | inputs.days.default: expected a number, as the input's type says, got "soon"`],
    ],
    [
      "an input that no one could give",
      "name: w\ninputs:\n  constructor: { type: string }\nsteps:\n  - {id: a, run: tool, tool: x}\n",
      ["w.yaml:3 inputs.constructor | inputs.constructor: expected another name"],
    ],
    [
      "a circle",
      "name: w\nsteps:\n  - {id: a, run: tool, tool: x, needs: [b]}\n  - {id: b, run: tool, tool: x, needs: [a]}\n",
      ["w.yaml:3 steps[0] | steps[0]: steps wait for one another: a → b → a"],
    ],
    [
      "names that would be filled in",
      'name: w\ninputs: [what]\nsteps:\n  - {id: a, run: tool, tool: "${inputs.what}"}\n  - {id: b, run: skill, skill: "my-${inputs.what}"}\n  - {id: c, run: workflow, workflow: "${inputs.what}"}\n  - {id: d, run: prompt, prompt: hi, model: "${inputs.what}", tools: [time, "${inputs.what}"]}\n',
      [
        'w.yaml:4 steps[0].tool | steps[0].tool: expected a name without references, got "${inputs.what}"',
        'w.yaml:5 steps[1].skill | steps[1].skill: expected a name without references, got "my-${inputs.what}"',
        'w.yaml:6 steps[2].workflow | steps[2].workflow: expected a name without references, got "${inputs.what}"',
        'w.yaml:7 steps[3].model | steps[3].model: expected a name without references, got "${inputs.what}"',
        'w.yaml:7 steps[3].tools[1] | steps[3].tools[1]: expected a name without references, got "${inputs.what}"',
      ],
    ],
    [
      "a wait for nothing",
      "name: w\nsteps:\n  - {id: a, run: wait, with: {}}\n",
      ["w.yaml:3 steps[0].with | steps[0].with: expected seconds, minutes, hours, days, until or event"],
    ],
    [
      "waits whose times are none",
      "name: w\nsteps:\n  - {id: a, run: wait, with: {seconds: -1, minutes: soon}}\n  - {id: b, run: wait, with: {until: tomorrow}}\n",
      [
        "w.yaml:3 steps[0].with.seconds | steps[0].with.seconds: expected a number of 0 or more, got -1",
        'w.yaml:3 steps[0].with.minutes | steps[0].with.minutes: expected a number of 0 or more, got "soon"',
        'w.yaml:4 steps[1].with.until | steps[1].with.until: expected a time such as 2026-11-24T09:00:00Z, got "tomorrow"',
      ],
    ],
    [
      "a reference that is not closed",
      'name: w\nsteps:\n  - {id: a, run: tool, tool: x}\n  - {id: b, run: tool, tool: x, with: {q: "$${ is fine, ${steps.a.output is not"}}\n',
      ["w.yaml:4 steps[1].with.q | steps[1].with.q: a reference is not closed"],
    ],
    [
      "a list where values have names",
      "name: w\nsteps:\n  - {id: a, run: tool, tool: x, with: [1]}\n",
      ["w.yaml:3 steps[0].with | steps[0].with: expected an object of values by name"],
    ],
    ["what is no YAML", "name: [\n", ["w.yaml:2"]],
  ])("names what is wrong: %s", (_title, text, expected) => {
    const found = problems(text);
    expect(found).toHaveLength(expected.length);
    for (const [index, part] of expected.entries()) expect(found[index]).toContain(part);
  });

  it("loses no value, whatever its name is", () => {
    const values = JSON.parse('{ "constructor": 1, "list": [{ "__proto__": { "prototype": 2 } }] }') as object;
    const steps = [{ id: "a", run: "tool", tool: "x", with: values }];
    expect(JSON.stringify(checkWorkflow({ name: "w", steps, output: values }))).toBe(
      JSON.stringify({ name: "w", steps, output: values }),
    );
  });

  it("takes the name of its file, and no other", () => {
    const text = "steps:\n  - {id: a, run: wait, with: {seconds: 1}}\n";
    expect(read(text, "of-the-file").name).toBe("of-the-file");
    expect(() => read(`name: other\n${text}`, "of-the-file")).toThrow("expected of-the-file, as the file is called");
  });

  it("takes an object with the names of code or of files, and says what is wrong with it", () => {
    const steps = [{ id: "a", run: "tool", tool: "x", onError: "skip", timeoutSeconds: 3 }];
    expect(checkWorkflow({ name: "w", steps }).steps[0]).toMatchObject({ onError: "skip", timeoutSeconds: 3 });
    const inFile = [{ id: "a", run: "tool", tool: "x", on_error: "skip" }];
    expect(checkWorkflow({ name: "w", steps: inFile }).steps[0]).toMatchObject({ onError: "skip" });
    expect(() => checkWorkflow({ name: "W!", steps })).toThrow(
      "Invalid workflow: name: expected a name of at most 64 lower-case letters",
    );
  });

  it("says of values that JSON cannot say what is wrong", () => {
    const definition = { name: "w", steps: [{ id: "a", run: "tool", tool: "x", with: { n: 1n } }] };
    expect(() => checkWorkflow(definition)).toThrow("Invalid workflow: expected values that JSON can represent");
  });

  it("is described for editors", async () => {
    const schema = JSON.stringify(await workflowJsonSchema());
    for (const key of ["for_each", "on_error", "backoff_seconds", "max_tokens", "approve"])
      expect(schema).toContain(key);
  });
});

describe("definitions", () => {
  const text = (name: string, more = "") =>
    `name: ${name}\n${more}steps:\n  - {id: a, run: wait, with: {seconds: 1}}\n`;

  it("come from the host, files and the package, in this order", async () => {
    const store = memoryStore();
    const definitions = createDefinitions(
      { store, yaml, builtIn: { one: text("one"), two: text("two"), three: text("three") } },
      [text("one", "description: host\n")],
    );
    await definitions.save(text("two", "description: file\n"));
    const { known, problems: wrong } = await definitions.list();
    expect(wrong).toEqual([]);
    expect(known.map(({ definition, source }) => [definition.name, source])).toEqual([
      ["one", "host"],
      ["three", "built-in"],
      ["two", "file"],
    ]);
    await expect(definitions.save(text("one"))).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await definitions.remove("two")).toBe(true);
    expect((await definitions.find("two"))?.source).toBe("built-in");
    expect(await definitions.remove("two")).toBe(false);
  });

  it("that are damaged are told with their line, and the others are there", async () => {
    const store = memoryStore();
    const definitions = createDefinitions({ store, yaml, builtIn: { good: text("good") } });
    await store.put("workflows/defs/bad.yaml", "name: bad\nsteps:\n  - {id: a}\n");
    const { known, problems: wrong } = await definitions.list();
    expect(known.map(({ definition }) => definition.name)).toEqual(["good"]);
    expect(wrong).toMatchObject([{ file: "workflows/defs/bad.yaml", line: 3 }]);
    expect(await store.get("workflows/defs/bad.yaml")).not.toBeNull();
  });

  it("that the store cannot give are told, and the others are there", async () => {
    const store = memoryStore();
    await store.put("workflows/defs/bad.yaml", text("bad"));
    const get: typeof store.get = (key) =>
      key.includes("bad") ? Promise.reject(new Error("no access")) : store.get(key);
    const { list } = createDefinitions({ store: { ...store, get }, yaml, builtIn: { good: text("good") } });
    const { known, problems: wrong } = await list();
    expect(known.map(({ definition }) => definition.name)).toEqual(["good"]);
    expect(wrong).toMatchObject([{ file: "workflows/defs/bad.yaml", message: "no access" }]);
  });

  it("that are objects are kept as YAML that reads the same", async () => {
    const definitions = createDefinitions({ store: memoryStore(), yaml, builtIn: {} });
    const given = checkWorkflow({
      name: "w",
      inputs: { x: { type: "number", default: 3 } },
      steps: [{ id: "a", run: "tool", tool: "t", with: { n: "${inputs.x}" }, retry: { max: 1, backoffSeconds: 5 } }],
    });
    await definitions.save(given);
    expect((await definitions.find("w"))?.definition).toEqual(given);
  });
});

describe("readInputs()", () => {
  const definition = checkWorkflow({
    name: "w",
    inputs: { topic: { type: "string" }, days: { type: "number", default: 7 }, maybe: { required: false } },
    steps: [{ id: "a", run: "wait", with: { seconds: 1 } }],
  });
  it("fills in defaults, and takes texts of a form for what they stand for", () => {
    expect(readInputs(definition, { topic: "tea" })).toEqual({ topic: "tea", days: 7 });
    expect(readInputs(definition, { topic: "tea", days: "3" })).toEqual({ topic: "tea", days: 3 });
  });

  it.each([
    [{}, "topic is missing: expected a string"],
    [{ topic: "tea", days: "many" }, 'days: expected a number, got "many"'],
    [{ topic: 1n }, "Invalid inputs of the workflow w: expected values that JSON can represent"],
    [{ topic: "tea", other: 1 }, 'there is no input "other"; known: topic, days, maybe'],
    [{ days: "many" }, 'topic is missing: expected a string; days: expected a number, got "many"'],
    ["tea", 'Invalid inputs of the workflow w: expected a group of values by name, got "tea"'],
    [["tea"], 'Invalid inputs of the workflow w: expected a group of values by name, got ["tea"]'],
  ])("refuses %o", (given, expected) => {
    expect(() => readInputs(definition, given as never)).toThrow(expected);
  });
});
