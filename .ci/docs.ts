import { readFile, writeFile } from "node:fs/promises";
import { configReference, sampleConfig } from "./config-reference.ts";
import { optionTypes } from "./option-types.ts";
import { groupTable, shippedPolicyFile } from "./policy-reference.ts";

// Writes what is generated: from the schema of the options their types, wakeful.example.yaml and the table in docs/config.md, from src/policy the shipped policy
// file and the table in docs/policy.md. Tests compare them with what they come from.

/** docs/config.md with its table as it should be. */
export function withReference(page: string): string {
  const marks = ["<!-- options: written by .ci/docs.ts from src/config/schema -->", "<!-- end of options -->"] as const;
  return withTable(page, "docs/config.md", marks, configReference());
}

/** docs/policy.md with its table as it should be. */
export function withGroups(page: string): string {
  const marks = [
    "<!-- groups: written by .ci/docs.ts from src/policy/tool-groups.ts -->",
    "<!-- end of groups -->",
  ] as const;
  return withTable(page, "docs/policy.md", marks, groupTable());
}

function withTable(page: string, name: string, [start, end]: readonly [string, string], table: string): string {
  const [before, rest] = page.split(start);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`${name} must hold the lines ${start} and ${end}`);
  return `${before}${start}\n\n${table}\n\n${end}${after}`;
}

if (import.meta.main) {
  for (const [file, text] of optionTypes()) await writeFile(new URL(`../src/${file}`, import.meta.url), text);
  const page = new URL("../docs/config.md", import.meta.url);
  await writeFile(page, withReference(await readFile(page, "utf8")));
  await writeFile(new URL("../wakeful.example.yaml", import.meta.url), sampleConfig());
  const policy = new URL("../docs/policy.md", import.meta.url);
  await writeFile(policy, withGroups(await readFile(policy, "utf8")));
  await writeFile(new URL("../configs/tools/policy.yaml", import.meta.url), shippedPolicyFile());
}
