import { readFile, writeFile } from "node:fs/promises";
import { configReference, sampleConfig } from "./config-reference.ts";

// Writes what is generated from the table of options: wakeful.example.yaml and the table in docs/config.md. A test compares both with the table.

const start = "<!-- options: written by .ci/docs.ts from src/config/keys.ts -->";
const end = "<!-- end of options -->";

/** docs/config.md with its table as it should be. */
export function withReference(page: string): string {
  const [before, rest] = page.split(start);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined)
    throw new Error(`docs/config.md must hold the lines ${start} and ${end}`);
  return `${before}${start}\n\n${configReference()}\n\n${end}${after}`;
}

if (import.meta.main) {
  const page = new URL("../docs/config.md", import.meta.url);
  await writeFile(page, withReference(await readFile(page, "utf8")));
  await writeFile(new URL("../wakeful.example.yaml", import.meta.url), sampleConfig());
}
