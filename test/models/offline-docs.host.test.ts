import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { DEFAULT_OPENAI_MODEL } from "../../adapters/models/from-config/index.ts";
import { shippedIntents } from "../../adapters/models/offline/index.ts";
import { createMatcher } from "../../adapters/models/offline/matcher.ts";

const page = await readFile(new URL("../../docs/models.md", import.meta.url), "utf8");
const offline = await readFile(new URL("../../docs/models-offline.md", import.meta.url), "utf8");
const table = /<!-- offline intents -->\n([\s\S]*?)<!-- end -->/.exec(offline)?.[1] ?? "";
const rows = table
  .trim()
  .split("\n")
  .slice(2)
  .map((row) => row.split("|").map((cell) => cell.trim()));

describe("docs/models-offline.md", () => {
  it("lists the offline model's intents in the order in which they are tried, with their tools", () => {
    expect(rows.map(([, name, tools]) => [name, tools])).toEqual(
      shippedIntents.map(({ name, tools }) => [`\`${name}\``, tools.map((tool) => `\`${tool}\``).join(", ")]),
    );
  });

  it("gives two ways to ask in each language, which are understood", () => {
    const match = createMatcher(shippedIntents);
    for (const [, name, , english = "", chinese = ""] of rows) {
      for (const [language, cell] of [
        ["en", english.split("; ")],
        ["zh", chinese.split("；")],
      ] as const) {
        expect([name, cell.length]).toEqual([name, 2]);
        for (const said of cell) {
          const found = match(said);
          expect([said, `\`${found?.intent.name}\``, found?.language]).toEqual([said, name, language]);
        }
      }
    }
  });
});

describe("docs/models.md", () => {
  it("names the default model", () => {
    expect(page).toContain(`Default \`${DEFAULT_OPENAI_MODEL}\``);
  });
});
