import { type Command, textOf } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import type { InstalledRow, SkillsClient, VerificationRow } from "../skills-client.ts";
import { sourceArgs } from "../source-args.ts";
import { printJson, printLine, styled, type Terminal } from "../terminal.ts";
import { printable } from "../transcript-lines.ts";
import { problemLine } from "./skills-files.ts";
import { askSkills, nameArg, onSkills } from "./skills.ts";

const forceArg = (description: string) => ({ force: { type: "boolean", description } }) as const;

export const searchCommand: Command = {
  meta: { name: "skills search", description: "Search the registries for skills" },
  args: { query: { type: "positional", description: "What the skill should do, in any words" }, ...sourceArgs },
  takesMore: true,
  run: (args, terminal, more = []) =>
    askSkills(args, terminal, async (client) => {
      const rows = await client.find([textOf(args, "query") ?? "", ...more].join(" "));
      if (args["json"]) printJson(terminal, rows);
      else {
        const asked = rows.failed.length === 0 ? "No registry" : "No registry that answered";
        if (rows.found.length === 0) printLine(terminal.stdout, `${asked} has a matching skill`);
        for (const { registry, slug, description, version = "" } of rows.found) {
          const from = styled(terminal, "dim", printable(`${registry} ${version}`.trim()));
          printLine(terminal.stdout, `${styled(terminal, "bold", printable(slug))}  ${from}`);
          printLine(terminal.stdout, `  ${printable(description.replace(/\s+/gu, " "))}`);
        }
        for (const { registry, reason } of rows.failed)
          printLine(
            terminal.stderr,
            styled(terminal, "yellow", printable(`${registry} could not be searched: ${reason}`)),
          );
      }
      return rows.found.length === 0 && rows.failed.length > 0 ? EXIT.failed : EXIT.ok;
    }),
};

export const installCommand: Command = {
  meta: { name: "skills install", description: "Install a skill from a registry into the workspace" },
  args: {
    slug: { type: "positional", description: "The skill's name in the registry, as `wakeful skills search` shows it" },
    ...sourceArgs,
    registry: {
      type: "string",
      description: "Registry to install from (default: the only one that has it)",
      valueHint: "name",
    },
    version: { type: "string", description: "Version to install (default: the newest)", valueHint: "version" },
    ...forceArg("Replace a skill that is already installed"),
  },
  run: (args, terminal) =>
    onSkills(args, terminal, async (client) => {
      const installed = await client.install({
        slug: textOf(args, "slug") ?? "",
        registry: textOf(args, "registry"),
        version: textOf(args, "version"),
        force: args["force"] === true || undefined,
      });
      if (args["json"]) printJson(terminal, installed);
      else await tellInstalled(installed, client, terminal);
    }),
};

export const updateCommand: Command = {
  meta: { name: "skills update", description: "Install the newest version of an installed skill" },
  args: { ...nameArg, ...sourceArgs, ...forceArg("Update a skill even if it was edited by hand") },
  run: (args, terminal) =>
    onSkills(args, terminal, async (client) => {
      const name = textOf(args, "name") ?? "";
      const installed = await client.update(name, args["force"] === true);
      if (args["json"]) printJson(terminal, { installed });
      else if (installed === null) await tellNewest(name, client, terminal);
      else await tellInstalled(installed, client, terminal);
    }),
};

export const verifyCommand: Command = {
  meta: { name: "skills verify", description: "Check whether installed skills were changed since they were installed" },
  args: { name: { ...nameArg.name, required: false }, ...sourceArgs },
  run: (args, terminal) =>
    askSkills(args, terminal, async (client) => {
      const given = textOf(args, "name");
      const names =
        given === undefined
          ? (await client.list()).filter(({ origin }) => origin !== undefined).map(({ name }) => name)
          : [given];
      const verified: VerificationRow[] = [];
      for (const name of names) verified.push(await client.verify(name));
      if (args["json"]) printJson(terminal, given === undefined ? { skills: verified } : verified[0]);
      else {
        if (names.length === 0) printLine(terminal.stdout, "No skill was installed from a registry");
        for (const one of verified) {
          const state = one.ok ? styled(terminal, "green", "unchanged") : styled(terminal, "red", "differs");
          const what = one.ok ? "" : `: ${printable(differences(one))}`;
          printLine(terminal.stdout, `${styled(terminal, "bold", printable(one.name))} ${state}${what}`);
        }
      }
      return verified.every(({ ok }) => ok) ? EXIT.ok : EXIT.failed;
    }),
};

export const enableCommand: Command = {
  meta: { name: "skills enable", description: "Offer an installed skill that its registry calls suspicious" },
  args: { ...nameArg, ...sourceArgs },
  run: (args, terminal) =>
    onSkills(args, terminal, async (client) => {
      const name = textOf(args, "name") ?? "";
      await client.enable(name);
      if (args["json"]) printJson(terminal, { enabled: name });
      else printLine(terminal.stdout, `Offered from now on: ${printable(name)}`);
    }),
};

/** `changed SKILL.md; missing a.py`. */
export function differences({ changed, missing, added }: VerificationRow): string {
  return Object.entries({ changed, missing, added })
    .filter(([, files]) => files.length > 0)
    .map(([what, files]) => `${what} ${files.join(", ")}`)
    .join("; ");
}

/** Reports a skill as current. Also says if it waits for the owner: its registry may have changed its verdict. */
async function tellNewest(name: string, client: SkillsClient, terminal: Terminal): Promise<void> {
  printLine(terminal.stdout, `${printable(name)} is already the newest version`);
  const isDisabled = (await client.list()).some((one) => one.name === name && one.disabled === true);
  if (isDisabled) printDisabled(name, "Its registry calls it suspicious, so it is not offered", terminal);
}

/** Also reports why the skill is not loaded, for example because its chain names a missing skill. */
async function tellInstalled(installed: InstalledRow, client: SkillsClient, terminal: Terminal): Promise<void> {
  printInstalled(installed, terminal);
  for (const problem of await client.problems())
    if (problem.skill === installed.name) printLine(terminal.stderr, problemLine(problem, terminal));
}

function printInstalled(installed: InstalledRow, terminal: Terminal): void {
  const { name, registry, version, verdict, disabled, findings } = installed;
  printLine(
    terminal.stdout,
    `Installed ${styled(terminal, "bold", printable(name))} ${printable(`${version} from ${registry}`)}, which calls it ${printable(verdict)}`,
  );
  for (const { file, line, what } of findings)
    printLine(terminal.stdout, styled(terminal, "yellow", printable(`  ${file}:${line} ${what}`)));
  if (disabled) printDisabled(name, "It is not offered yet", terminal);
}

function printDisabled(name: string, what: string, terminal: Terminal): void {
  const remedy = `read it (wakeful skills show ${name}), then wakeful skills enable ${name}`;
  printLine(terminal.stdout, printable(`${what}: ${remedy}`));
}
