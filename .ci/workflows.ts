// Builds the workflows that come with Wakeful: workflows/<name>.yaml → src/workflow/built-in-workflows.ts, so that no program has to read files for them.
// The module is committed, because src runs unbuilt on every runtime. Run `node .ci/workflows.ts` after a change in the folder workflows.
import { spawnSync } from "node:child_process";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { hostPlatform } from "../adapters/platform/host/index.ts";
import { readWorkflow } from "../src/workflow/index.ts";

const root = join(import.meta.dirname, "..");
const MODULE = join(root, "src/workflow/built-in-workflows.ts");
const END = ".yaml";

/** YAML by name. @throws {ConfigError} For a definition that cannot be read, or is not called as its file. */
export async function buildWorkflows(folder = join(root, "workflows")): Promise<Record<string, string>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(END)).toSorted();
  const read = async (file: string) => {
    const text = (await readFile(join(folder, file), "utf8")).replaceAll("\r\n", "\n");
    const { name } = readWorkflow(text, { yaml: hostPlatform.yaml, file, name: basename(file, END) });
    return [name, text] as const;
  };
  return Object.fromEntries(await Promise.all(files.map(read)));
}

function moduleText(workflows: Readonly<Record<string, string>>): string {
  return `// Written by \`node .ci/workflows.ts\` from the folder workflows; change a workflow there and run it again.

/** The YAML of the workflows that come with Wakeful, by their names. */
export const BUILT_IN_WORKFLOWS: Readonly<Record<string, string>> = ${JSON.stringify(workflows, undefined, 2)};
`;
}

if (import.meta.main) {
  await writeFile(MODULE, moduleText(await buildWorkflows()));
  const { status } = spawnSync(join(root, "node_modules/.bin/oxfmt"), [MODULE], { stdio: "inherit" });
  process.exitCode = status ?? 1;
}
