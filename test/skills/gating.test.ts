import { describe, expect, it } from "vitest";
import { type SkillRequirements, createSkillGate, missingFor } from "../../src/skills/index.ts";

const NOTHING: SkillRequirements = { runtimes: [], channels: [], env: [], bins: [], tools: [] };
const AROUND = {
  runtime: "node",
  channels: ["telegram"],
  tools: ["web_search"],
  hasEnv: (name: string) => name === "SET",
  hasBin: (name: string) => name === "jq",
} as const;

describe("missingFor()", () => {
  it.each<[string, Partial<SkillRequirements>, readonly string[]]>([
    ["nothing", {}, []],
    ["this runtime", { runtimes: ["bun", "node"] }, []],
    ["another runtime", { runtimes: ["bun", "workers"] }, ["it runs on bun, workers, but this is node"]],
    ["one of two channels", { channels: ["slack", "telegram"] }, []],
    ["other channels", { channels: ["slack", "line"] }, ["none of its channels is connected: slack, line"]],
    ["all variables", { env: ["SET", "UNSET"] }, ["the environment variable UNSET is not set"]],
    ["all programs", { bins: ["jq", "ffmpeg"] }, ["the program ffmpeg is not on the path"]],
    ["all tools", { tools: ["web_search", "bash"] }, ["there is no tool bash"]],
    [
      "much",
      { runtimes: ["deno"], env: ["A"], bins: ["b"], tools: ["c"] },
      [
        "it runs on deno, but this is node",
        "the environment variable A is not set",
        "the program b is not on the path",
        "there is no tool c",
      ],
    ],
  ])("says what is missing for a skill that requires %s", (_, requires, missing) => {
    expect(missingFor({ requires: { ...NOTHING, ...requires } }, AROUND)).toEqual(missing);
  });

  it("takes what a runtime cannot tell for missing", () => {
    const requires: SkillRequirements = { ...NOTHING, runtimes: ["node"], env: ["SET"], bins: ["jq"] };
    expect(missingFor({ requires }, { channels: [], tools: [] })).toEqual([
      "it runs on node, but this is another runtime",
      "it needs the environment variable SET, which this runtime cannot check",
      "it needs the program jq, which this runtime cannot check",
    ]);
  });
});

describe("createSkillGate()", () => {
  const requires: SkillRequirements = { ...NOTHING, runtimes: ["deno"], env: ["SET"], bins: ["jq", "ffmpeg"] };

  it("asks the machine", async () => {
    const gate = createSkillGate({
      machine: { runtime: "deno", hasEnvironment: AROUND.hasEnv, hasProgram: async (name) => AROUND.hasBin(name) },
      channels: () => [],
      tools: () => [],
    });
    expect(await gate({ requires })).toEqual(["the program ffmpeg is not on the path"]);
  });

  it("does without what a machine cannot tell", async () => {
    const gate = createSkillGate({ machine: { runtime: "workers" }, channels: () => [], tools: () => [] });
    expect(await gate({ requires: { ...NOTHING, runtimes: ["workers"] } })).toEqual([]);
    expect((await gate({ requires })).length).toBe(4);
  });

  it("sees channels and tools as they are when it is asked", async () => {
    const tools: string[] = [];
    const gate = createSkillGate({ channels: () => [], tools: () => tools });
    const one = { requires: { ...NOTHING, tools: ["bash"] } };
    expect(await gate(one)).toEqual(["there is no tool bash"]);
    tools.push("bash");
    expect(await gate(one)).toEqual([]);
  });
});
