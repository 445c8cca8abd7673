import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { withReference } from "../../.ci/docs.ts";
import { sampleConfig } from "../../.ci/config-reference.ts";
import { optionTypes } from "../../.ci/option-types.ts";
import { configJsonSchema } from "../../src/config/json-schema.ts";
import { parseConfig } from "../../entry.host.ts";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const env = {
  MCP_AUTHORIZATION: "Bearer x",
  OPENAI_API_KEY: "k",
  WAKEFUL_TOKEN: "w",
  COLLEAGUE_TOKEN: "c",
  WAKEFUL_HOOKS_TOKEN: "h",
  CLAWHUB_TOKEN: "c",
  TELEGRAM_TOKEN: "t",
  TELEGRAM_SECRET: "s",
  WEBHOOK_SECRET: "h",
  PERPLEXITY_API_KEY: "p",
  BRAVE_API_KEY: "b",
};

/** The sections of the sample with their comment marks taken away. */
function sampleSections(): string[] {
  const [, ...sections] = read("wakeful.example.yaml").split(/\n\n/);
  return sections.map((section) => section.replace(/^# /gm, ""));
}

describe("the types of options", () => {
  it.each([...optionTypes()])("stand in src/%s as the schema says them (mend: node .ci/docs.ts)", (file, types) => {
    expect(read(`src/${file}`)).toBe(types);
  });
});

describe("wakeful.example.yaml", () => {
  it("is what the schema says (mend: node .ci/docs.ts)", () => {
    expect(read("wakeful.example.yaml")).toBe(sampleConfig());
  });

  it("sets nothing as it is", () => {
    expect(parseConfig(read("wakeful.example.yaml"))).toEqual({ version: 1, warnings: [] });
  });

  it.each(sampleSections().map((section) => [section.split("\n")[1] ?? "", section]))(
    "has a valid section %j",
    (name, section) => {
      // Each store takes keys of its own, and a binding needs its agent.
      const text =
        name === "store:"
          ? section.replace(/^ {2}(path|url|prefix):.*$/gm, "")
          : name === "bindings:"
            ? `${section}\nagents: [{ id: work }]`
            : section;
      expect(parseConfig(text, { env }).warnings).toEqual([]);
    },
  );
});

describe("docs/config.md", () => {
  it("has the table of options (mend: node .ci/docs.ts)", () => {
    expect(withReference(read("docs/config.md"))).toBe(read("docs/config.md"));
  });
});

describe("configJsonSchema()", () => {
  it("knows every key that the schema knows", async () => {
    const schema = JSON.stringify(await configJsonSchema());
    for (const key of [
      "dm_scope",
      "debounce_ms",
      "base_url",
      "max_turn_seconds",
      "identity_links",
      "policy",
      "max_consec_failures",
      "max_daily_notifications",
    ])
      expect(schema).toContain(`"${key}"`);
  });

  it("refuses unknown keys, and takes references to secrets and to the environment", async () => {
    const schema = await configJsonSchema();
    expect(schema["additionalProperties"]).toBe(false);
    expect(schema).toMatchObject({
      properties: {
        server: {
          properties: {
            port: { default: 8787, anyOf: [{ type: "integer", minimum: 0, maximum: 65_535 }, { type: "string" }] },
            token: { anyOf: [{}, { required: ["env"] }, { required: ["file"] }] },
          },
        },
        queue: { properties: { mode: { enum: ["collect", "followup", "steer", "interrupt"] } } },
      },
    });
  });
});
