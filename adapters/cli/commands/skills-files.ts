import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { ConfigError, parseSkill } from "../../../entry.host.ts";
import { messageOf } from "../../../kit.ts";
import { type Arguments, type Command, settingsOf, textOf } from "../command.ts";
import { storeLine, storePath } from "../data-place.ts";
import { EXIT, ExitError, UsageError } from "../exit-codes.ts";
import { readSettings } from "../settings.ts";
import type { SkillProblemRow, SkillsClient } from "../skills-client.ts";
import { sourceArgs } from "../source-args.ts";
import { printJson, printLine, styled, type Terminal } from "../terminal.ts";
import { printable } from "../transcript-lines.ts";
import { askSkills, onSkills, tellMisnamedSkills } from "./skills.ts";
import { skillTemplate } from "./skills-template.ts";

const SKILL_FILE = "SKILL.md";
const MAX_NAME = 64;
/** Most bytes of a text, as JSON, in a check: the API limits the body to this and the other members. */
const MAX_SENT_BYTES = 1_040_000;

export const newCommand: Command = {
  meta: { name: "skills new", description: "Create a skill in the workspace from a template, and show where it is" },
  args: {
    name: { type: "positional", description: "Name of the skill: lower-case letters, digits and single hyphens" },
    ...sourceArgs,
    description: { type: "string", description: "What it does and when to use it, in a sentence", valueHint: "text" },
    from: {
      type: "string",
      description: "SKILL.md to use unchanged instead of the template; - is standard input",
      valueHint: "file",
    },
    force: { type: "boolean", description: "Replace a skill of this name in the workspace" },
  },
  async run(args, terminal) {
    const name = textOf(args, "name") ?? "";
    if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) || name.length > MAX_NAME)
      throw new UsageError(
        `A skill's name must be lower-case letters, digits and single hyphens, at most ${MAX_NAME} characters, not ${JSON.stringify(name)}`,
      );
    const from = textOf(args, "from");
    const content = from === undefined ? skillTemplate(name, textOf(args, "description")) : await given(from, terminal);
    const named = nameIn(content);
    if (named !== undefined && named !== name)
      throw new UsageError(
        `${from ?? SKILL_FILE} names the skill ${JSON.stringify(named)}, not ${JSON.stringify(name)}`,
      );
    return onSkills(args, terminal, async (client) => {
      const known = (await client.list()).find((skill) => skill.name === name);
      if (known?.place === "workspace" && args["force"] !== true)
        throw new ExitError(EXIT.failed, `The skill ${name} already exists in the workspace: --force replaces it`);
      await refuseBroken(client, content, from ?? SKILL_FILE);
      const skill = await client.write(content);
      const where = placeOf(skill.name, args, terminal);
      if (args["json"]) return printJson(terminal, { ...skill, where });
      printLine(terminal.stdout, printable(`Created ${skill.name}: ${where}`));
      if (known && known.place !== "workspace")
        printLine(terminal.stdout, printable(`It replaces the one from ${known.source ?? known.place}`));
      if (from === undefined)
        printLine(terminal.stdout, `Fill it in, then run: wakeful skills check, and wakeful skills match "a message"`);
    });
  },
};

export const checkCommand: Command = {
  meta: {
    name: "skills check",
    description: "Check files or folders of skills for mistakes (default: all known skills)",
  },
  args: {
    path: { type: "positional", required: false, description: "A SKILL.md, a skill's folder, or a folder of skills" },
    ...sourceArgs,
  },
  takesMore: true,
  run(args, terminal, more = []) {
    const path = textOf(args, "path");
    const files = path === undefined ? undefined : [path, ...more].flatMap((one) => skillFiles(one, terminal.cwd));
    return askSkills(args, terminal, async (client) => {
      const isMisnamed = files === undefined && tellMisnamedSkills(args, terminal);
      const problems: SkillProblemRow[] = files === undefined ? [...(await client.problems())] : [];
      for (const file of files ?? []) problems.push(...(await problemsOf(client, read(file, terminal.cwd), file)));
      if (args["json"]) printJson(terminal, { ...(files && { files }), problems });
      else {
        for (const problem of problems) printLine(terminal.stdout, problemLine(problem, terminal));
        if (problems.length === 0 && !isMisnamed)
          printLine(
            terminal.stdout,
            files === undefined ? "No mistakes in the skills that were found" : `No mistakes: ${files.length} checked`,
          );
      }
      return !isMisnamed && problems.every(({ level }) => level === "note") ? EXIT.ok : EXIT.failed;
    });
  },
};

async function problemsOf(client: SkillsClient, content: string, file: string): Promise<readonly SkillProblemRow[]> {
  const bytes = Buffer.byteLength(JSON.stringify(content));
  if (bytes <= MAX_SENT_BYTES) return client.check(content, file);
  const message = `It is too long to be checked: ${bytes} bytes as JSON, at most ${MAX_SENT_BYTES}. Move what is not always needed into other files of the folder`;
  return [{ file, message, level: "error" }];
}

/** `skills/news/SKILL.md:4:3 triggers.intent_patterns[0]: what is wrong and how to mend it`. */
export function problemLine(
  { file, line, column, field, message }: SkillProblemRow,
  terminal: Pick<Terminal, "colours">,
): string {
  const place = [file, line, line === undefined ? undefined : column].filter((one) => one !== undefined).join(":");
  const named = field === undefined ? "" : `${styled(terminal, "bold", printable(field))}: `;
  return `${styled(terminal, "cyan", printable(place))} ${named}${printable(message)}`;
}

/** The files of a path, by the names shown to the person. @throws {UsageError} If there is none. */
function skillFiles(path: string, cwd: string): readonly string[] {
  const whole = resolve(cwd, path);
  if (!existsSync(whole)) throw new UsageError(`There is no file or folder ${path}`);
  if (!statSync(whole).isDirectory()) return [path];
  if (existsSync(join(whole, SKILL_FILE))) return [join(path, SKILL_FILE)];
  const found = readdirSync(whole, { withFileTypes: true })
    .filter((one) => one.isDirectory() && existsSync(join(whole, one.name, SKILL_FILE)))
    .map(({ name }) => join(path, name, SKILL_FILE))
    .toSorted();
  if (found.length === 0) throw new UsageError(`There is no ${SKILL_FILE} in ${path}, and none in its folders`);
  return found;
}

function read(file: string, cwd: string): string {
  try {
    return readFileSync(resolve(cwd, file), "utf8");
  } catch (cause) {
    throw new UsageError(`${file} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

/** The skill's own name; `undefined` for a text that is not a skill. Its mistakes are reported before anything is written. */
function nameIn(content: string): string | undefined {
  try {
    return parseSkill(content).name;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return undefined;
  }
}

async function given(from: string, terminal: Terminal): Promise<string> {
  return from === "-" ? text(terminal.stdin) : read(from, terminal.cwd);
}

/** Reports mistakes with their lines before anything is written. */
async function refuseBroken(client: SkillsClient, content: string, file: string): Promise<void> {
  const problems = (await client.check(content, file)).filter(({ level = "error" }) => level === "error");
  if (problems.length === 0) return;
  const lines = problems.map((one) => problemLine(one, { colours: false }));
  throw new ExitError(EXIT.failed, lines.join("\n"));
}

/** Where a person can edit a skill of the workspace. */
function placeOf(name: string, args: Arguments, terminal: Terminal): string {
  const inStore = `skills/${name}/${SKILL_FILE}`;
  const url = textOf(args, "url");
  if (url !== undefined) return `${inStore} of the server at ${url}`;
  const settings = readSettings(settingsOf(args), terminal);
  const root = storePath(settings, terminal.cwd);
  const path = root === undefined ? undefined : join(root, inStore);
  return path !== undefined && existsSync(path) ? path : `${inStore} in ${storeLine(settings, terminal.cwd)}`;
}
