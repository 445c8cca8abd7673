import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { ConfigError } from "../../../mod.ts";
import { messageOf, readWorkflow, workflowJsonSchema } from "../../../kit.ts";
import { hostPlatform } from "../../platform/host/index.ts";
import { type Command, jsonArg, textOf } from "../command.ts";
import { EXIT, ExitError, UsageError } from "../exit-codes.ts";
import { onSource, sourceArgs } from "../source-args.ts";
import { printJson, printLine, type Terminal } from "../terminal.ts";
import { printable } from "../transcript-lines.ts";

type Issue = ConfigError["issues"][number];
const STDIN = "-";

export const checkCommand: Command = {
  meta: { name: "workflows check", description: "Check workflow files for mistakes; needs no server" },
  args: {
    file: { type: "positional", description: "YAML file of a workflow; - is standard input" },
    ...jsonArg,
  },
  takesMore: true,
  async run(args, terminal, more = []) {
    const files = [textOf(args, "file") ?? "", ...more];
    const problems: Issue[] = [];
    for (const file of files) {
      const found = check(file, await given(file, terminal));
      if (Array.isArray(found)) problems.push(...(found as readonly Issue[]));
    }
    if (args["json"]) printJson(terminal, { files, problems });
    else if (problems.length === 0) printLine(terminal.stdout, `No mistakes: ${files.length} checked`);
    else for (const problem of problems) printLine(terminal.stdout, problemLine(problem));
    return problems.length === 0 ? EXIT.ok : EXIT.failed;
  },
};

export const saveCommand: Command = {
  meta: {
    name: "workflows save",
    description: "Save a workflow, replacing one of the same name; mistakes are reported first",
  },
  args: {
    file: { type: "positional", description: "YAML file of a workflow; - is standard input" },
    ...sourceArgs,
  },
  async run(args, terminal) {
    const file = textOf(args, "file") ?? "";
    const yaml = await given(file, terminal);
    const found = check(file, yaml);
    if (typeof found !== "string") throw new ExitError(EXIT.failed, found.map(problemLine).join("\n"));
    const saved = await onSource(args, terminal, ({ workflows }) => workflows.save(found, yaml));
    if (args["json"]) printJson(terminal, saved);
    else printLine(terminal.stdout, printable(`Saved: wakeful workflows run ${saved.name}`));
    return EXIT.ok;
  },
};

export const removeCommand: Command = {
  meta: { name: "workflows remove", description: "Remove a saved workflow; its runs stay" },
  args: { name: { type: "positional", description: "The workflow's name" }, ...sourceArgs },
  async run(args, terminal) {
    const name = textOf(args, "name") ?? "";
    await onSource(args, terminal, async ({ workflows }) => {
      await workflows.remove(name).catch(async (error: unknown) => {
        const found = (await workflows.list({ limit: 1 })).definitions.find((one) => one.name === name);
        if (found === undefined || found.source === "file") throw error;
        const { source } = found;
        throw new ExitError(
          EXIT.failed,
          source === "built-in"
            ? `${name} is built in and cannot be removed: save a workflow of the same name to replace it`
            : `${name} comes from ${source === "skill" ? "a skill: wakeful skills remove removes the skill" : "the program"}`,
        );
      });
    });
    if (args["json"]) printJson(terminal, { removed: name });
    else printLine(terminal.stdout, printable(`Removed: ${name}`));
    return EXIT.ok;
  },
};

export const schemaCommand: Command = {
  meta: { name: "workflows schema", description: "Print the JSON Schema of workflows, for editors" },
  args: { ...jsonArg },
  async run(args, terminal) {
    printLine(terminal.stdout, JSON.stringify(await workflowJsonSchema(), null, args["json"] ? 0 : 2));
    return EXIT.ok;
  },
};

/** The name of the workflow, or its mistakes. A workflow without a name takes its file's. */
function check(file: string, yaml: string): string | readonly Issue[] {
  const found = read(file, yaml);
  if (typeof found === "string" || file === STDIN) return found;
  const isUnnamed = found.some(({ path, message }) => path === "name" && message.endsWith("is missing"));
  return isUnnamed ? read(file, yaml, basename(file).replace(/\.ya?ml$/, "")) : found;
}

function read(file: string, text: string, name?: string): string | readonly Issue[] {
  try {
    const named = name === undefined ? {} : { name };
    return readWorkflow(text, { yaml: hostPlatform.yaml, file: file === STDIN ? "(standard input)" : file, ...named })
      .name;
  } catch (error) {
    if (error instanceof ConfigError) return error.issues;
    throw error;
  }
}

/** `report.yaml:4: steps[0].tool: is missing`. */
function problemLine({ file, line, message }: Issue): string {
  return printable(`${file}:${line}: ${message}`);
}

async function given(file: string, terminal: Terminal): Promise<string> {
  if (file === STDIN) return text(terminal.stdin);
  try {
    return readFileSync(resolve(terminal.cwd, file), "utf8");
  } catch (cause) {
    throw new UsageError(`${file} cannot be read: ${messageOf(cause)}`, { cause });
  }
}
