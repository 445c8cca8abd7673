import { readFileSync, readdirSync } from "node:fs";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineTool, memoryStore, parseConfig, parsePolicy } from "../../entry.host.ts";
import { testAssistant } from "../support/assistant.ts";
import { model as diceModel } from "./dice-intent.ts";

const docs = new URL("../../docs/", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, docs), "utf8");

/** The blocks of code of all pages in a language, each with its page. */
function blocksIn(language: string): readonly { readonly page: string; readonly code: string }[] {
  const pages = [...readdirSync(docs).filter((name) => name.endsWith(".md")), "../README.md"];
  return pages.flatMap((page) =>
    [...read(page).matchAll(new RegExp(`^( *)\`\`\`${language}\\n(.*?)^ *\`\`\``, "gms"))].map(([, , code = ""]) => ({
      page,
      code,
    })),
  );
}

/** Files of other formats, by a key at their beginning: each has tests of its own. */
const OTHER_FILES = /^(?:scrape_configs|services|schedule|core_drives|triggers|chain|steps):/m;

describe("the blocks of code in docs/", () => {
  it("are configurations and policies that are taken as they stand", () => {
    const blocks = blocksIn("yaml");
    expect(blocks.length).toBeGreaterThan(25);
    const env = new Proxy({}, { get: (_, name) => `the-value-of-${String(name)}`, has: () => true });
    for (const { page, code } of blocks.filter((block) => !OTHER_FILES.test(block.code))) {
      const take = /^profiles:/m.test(code)
        ? () => parsePolicy(code)
        : () => parseConfig(code, { env, readFile: () => "1:a-token" });
      expect([page, take().warnings]).toEqual([page, []]);
    }
  });

  it("give each assistant that they make a model", () => {
    const made = blocksIn("ts").flatMap(({ page, code }) =>
      [...code.matchAll(/createAssistant\(\{(.*?)\}\);$/gms)].map(([, options = ""]) => ({ page, options })),
    );
    expect(made.length).toBeGreaterThan(15);
    expect(made.filter(({ options }) => !/\bmodel\b/.test(options))).toEqual([]);
  });
});

describe("docs/models-offline.md", () => {
  it("shows an intent that understands what its help says", async () => {
    const [, code = ""] = readFileSync(new URL("dice-intent.ts", import.meta.url), "utf8").split("\n\n", 2);
    expect(read("models-offline.md")).toContain(code);
    const { assistant } = await testAssistant({
      model: diceModel,
      store: memoryStore(),
      tools: {
        roll_dice: defineTool({
          description: "Rolls dice",
          inputSchema: v.strictObject({ count: v.number() }),
          execute: ({ count }) => Array.from({ length: count }, () => 4),
        }),
      },
    });
    const said: string[] = [];
    for (const text of ["roll dice", "roll 2 dice", "roll a die", "掷骰子", "掷2个骰子"])
      said.push((await assistant.send({ text })).text);
    expect(said).toEqual(["Rolled: [4]", "Rolled: [4,4]", "Rolled: [4]", "结果: [4]", "结果: [4,4]"]);
  });
});
