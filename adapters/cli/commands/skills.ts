import { type Arguments, type Command, settingsOf, textOf } from "../command.ts";
import { EXIT, ExitError } from "../exit-codes.ts";
import { tellMisnamed } from "../misnamed-files.ts";
import { readSettings } from "../settings.ts";
import type { SkillRow, SkillStatsRow, SkillsClient } from "../skills-client.ts";
import { askSource, onSource, sourceArgs } from "../source-args.ts";
import { printJson, printLine, styled, type Terminal } from "../terminal.ts";
import { printable, shown } from "../transcript-lines.ts";

/** Longest description in a list, in characters. */
const DESCRIPTION_CHARS = 110;

export const nameArg = {
  name: { type: "positional", description: "The skill's name, as `wakeful skills list` shows it" },
} as const;
const idArg = {
  id: { type: "positional", description: "The suggestion's id, as `wakeful skills suggestions` shows it" },
} as const;

/** Runs on the skills of the store, or of the server that has it open. */
export function onSkills(
  args: Arguments,
  terminal: Terminal,
  use: (skills: SkillsClient) => Promise<number | void>,
  on = onSource<number>,
): Promise<number> {
  return on(args, terminal, async ({ skills }) => (await use(skills)) ?? EXIT.ok);
}

/** `onSkills` for commands that change nothing. */
export function askSkills(...[args, terminal, use]: Parameters<typeof onSkills>): Promise<number> {
  return onSkills(args, terminal, use, askSource);
}

/** Names the files in the store's skills folder that are ignored. @returns Whether there are any. */
export function tellMisnamedSkills(args: Arguments, terminal: Terminal): boolean {
  return (
    textOf(args, "url") === undefined && tellMisnamed(readSettings(settingsOf(args), terminal), terminal, "skills")
  );
}

const listCommand: Command = {
  meta: { name: "skills list", description: "List skills, where each comes from, and why one is not offered" },
  args: sourceArgs,
  run: (args, terminal) =>
    askSkills(args, terminal, async (client) => {
      tellMisnamedSkills(args, terminal);
      const [skills, stats] = await Promise.all([client.list(), client.stats()]);
      if (args["json"]) return printJson(terminal, { skills });
      if (skills.length === 0) printLine(terminal.stdout, "No skills yet: wakeful skills new my-skill");
      for (const skill of skills) {
        const own = stats.find(({ name }) => name === skill.name);
        for (const line of linesOf(skill, own, terminal)) printLine(terminal.stdout, line);
      }
    }),
};

const showCommand: Command = {
  meta: { name: "skills show", description: "Show a skill: where it comes from, how it did, and its text" },
  args: { ...nameArg, ...sourceArgs },
  run: (args, terminal) =>
    askSkills(args, terminal, async (client) => {
      const skill = await client.show(textOf(args, "name") ?? "");
      if (args["json"]) return printJson(terminal, skill);
      for (const line of linesOf(skill, skill.stats, terminal)) printLine(terminal.stdout, line);
      const facts = [
        skill.path === undefined ? undefined : `file: ${skill.path}`,
        skill.files.length === 0 ? undefined : `other files: ${skill.files.join(", ")}`,
        skill.people === undefined ? undefined : `for: ${skill.people.join(", ")}`,
      ];
      for (const fact of facts)
        if (fact !== undefined) printLine(terminal.stdout, styled(terminal, "dim", `  ${printable(fact)}`));
      terminal.stdout.write(`\n${shown(skill.text, terminal)}`);
    }),
};

const removeCommand: Command = {
  meta: { name: "skills remove", description: "Remove a skill and its folder from the workspace" },
  args: { ...nameArg, ...sourceArgs },
  run: (args, terminal) =>
    onSkills(args, terminal, async (client) => {
      const name = textOf(args, "name") ?? "";
      await client.remove(name).catch(async (error: unknown) => {
        const found = (await client.list()).find((skill) => skill.name === name);
        if (found === undefined || found.place === "workspace") throw error;
        const { place, source = place } = found;
        throw new ExitError(
          EXIT.failed,
          place === "built-in"
            ? `${name} is built in: a skill of the same name in the workspace replaces it, and skills.built_in: false switches all built-in skills off`
            : `${name} comes from ${source}: remove its folder there`,
        );
      });
      if (args["json"]) printJson(terminal, { removed: name });
      else printLine(terminal.stdout, `Removed: ${printable(name)}`);
    }),
};

const statsCommand: Command = {
  meta: { name: "skills stats", description: "Show how often each skill activated, and whether it helped" },
  args: sourceArgs,
  run: (args, terminal) =>
    askSkills(args, terminal, async (client) => {
      const stats = await client.stats();
      if (args["json"]) return printJson(terminal, { stats });
      if (stats.length === 0) printLine(terminal.stdout, "No skill has activated yet");
      for (const one of stats) {
        const last = one.last_at === undefined ? "" : styled(terminal, "dim", `, last ${one.last_at}`);
        printLine(terminal.stdout, `${styled(terminal, "bold", printable(one.name))} ${cameText(one)}${last}`);
      }
    }),
};

const suggestionsCommand: Command = {
  meta: { name: "skills suggestions", description: "List recurring work that could become a skill" },
  args: sourceArgs,
  run: (args, terminal) =>
    askSkills(args, terminal, async (client) => {
      const suggestions = await client.suggestions();
      if (args["json"]) return printJson(terminal, { suggestions });
      const open = suggestions.filter(({ state }) => state === "open");
      if (open.length === 0) printLine(terminal.stdout, "No suggestions");
      for (const { id, user_id: user, name, description, tool_sequence: tools, ...one } of open) {
        const rate = `${one.occurrences} times, ${Math.round(one.success_rate * 100)} % succeeded`;
        printLine(terminal.stdout, `${styled(terminal, "bold", printable(name))} ${printable(description)}`);
        printLine(
          terminal.stdout,
          styled(terminal, "dim", printable(`  ${tools.join(" → ")}; ${rate}; of ${user}  ${id}`)),
        );
      }
      if (open.length > 0)
        printLine(
          terminal.stdout,
          "wakeful skills accept <id> creates the skill, wakeful skills decline <id> drops the suggestion",
        );
    }),
};

const answering = (answer: "accept" | "decline", description: string): Command => ({
  meta: { name: `skills ${answer}`, description },
  args: { ...idArg, ...sourceArgs },
  run: (args, terminal) =>
    onSkills(args, terminal, async (client) => {
      const id = textOf(args, "id") ?? "";
      const skill = await client.answer(id, answer);
      const state = answer === "accept" ? "accepted" : "declined";
      if (args["json"]) return printJson(terminal, { id, state, ...(skill !== undefined && { skill }) });
      const made = skill === undefined ? `Not suggested again: ${id}` : `Created: wakeful skills show ${skill}`;
      printLine(terminal.stdout, printable(made));
    }),
});

const matchCommand: Command = {
  meta: { name: "skills match", description: "Show which skills a message activates, and why" },
  args: {
    text: { type: "positional", description: "The message, in any words" },
    ...sourceArgs,
    user: { type: "string", description: "User who sends the message (default: anyone)", valueHint: "channel:id" },
  },
  takesMore: true,
  run: (args, terminal, more = []) =>
    askSkills(args, terminal, async (client) => {
      const text = [textOf(args, "text") ?? "", ...more].join(" ");
      const matches = await client.match(text, textOf(args, "user"));
      if (args["json"]) return printJson(terminal, { matches });
      if (matches.length === 0)
        printLine(terminal.stdout, "No skill matches: no trigger of any skill is in this message");
      for (const { name, score, signals, left_out: leftOut } of matches) {
        const state =
          leftOut === undefined
            ? styled(terminal, "green", "activates")
            : styled(terminal, "yellow", "does not activate");
        const why = leftOut === undefined ? "" : `: ${printable(leftOut)}`;
        printLine(terminal.stdout, `${styled(terminal, "bold", printable(name))} ${score.toFixed(2)} ${state}${why}`);
        for (const { kind, matched, weight } of signals) {
          const sign = `  ${weight >= 0 ? "+" : ""}${weight.toFixed(2)} ${kind}: ${matched}`;
          printLine(terminal.stdout, styled(terminal, "dim", printable(sign)));
        }
      }
    }),
};

export const skillsCommand: Command = {
  meta: { name: "skills", description: "What the assistant knows how to do: list, write, check, install" },
  subCommands: {
    list: async () => listCommand,
    show: async () => showCommand,
    new: async () => (await import("./skills-files.ts")).newCommand,
    check: async () => (await import("./skills-files.ts")).checkCommand,
    remove: async () => removeCommand,
    search: async () => (await import("./skills-registry.ts")).searchCommand,
    install: async () => (await import("./skills-registry.ts")).installCommand,
    update: async () => (await import("./skills-registry.ts")).updateCommand,
    verify: async () => (await import("./skills-registry.ts")).verifyCommand,
    enable: async () => (await import("./skills-registry.ts")).enableCommand,
    stats: async () => statsCommand,
    suggestions: async () => suggestionsCommand,
    accept: async () => answering("accept", "Create a skill from a suggestion"),
    decline: async () => answering("decline", "Decline a suggestion, so that it is not made again"),
    match: async () => matchCommand,
  },
  standard: "list",
};

/** Name, place and state; the description; why it is not offered. */
function linesOf(skill: SkillRow, stats: SkillStatsRow | undefined, terminal: Terminal): readonly string[] {
  const { name, description, place, origin, missing, disabled, has_triggers: comesByItself } = skill;
  const from = origin === undefined ? place : `${place}, ${origin.registry} ${origin.slug} ${origin.version}`;
  const about = [from, comesByItself ? undefined : "only when asked for", stats && cameText(stats)];
  const line = Array.from(description.replace(/\s+/gu, " "));
  const cut = line.length > DESCRIPTION_CHARS ? `${line.slice(0, DESCRIPTION_CHARS).join("")}…` : line.join("");
  const wait = disabled ? `: wakeful skills enable ${name} offers it` : "";
  return [
    `${styled(terminal, "bold", printable(name))}  ${styled(terminal, "dim", printable(about.filter((one) => one !== undefined).join(", ")))}`,
    `  ${printable(cut)}`,
    ...missing.map((why) => styled(terminal, "yellow", printable(`  not offered: ${why}${wait}`))),
  ];
}

/** `activated 3 times, helpful 2 of 3`. */
export function cameText({ activations, helpful, not_helpful: notHelpful }: SkillStatsRow): string {
  const came =
    activations === 0 ? "never activated" : activations === 1 ? "activated once" : `activated ${activations} times`;
  const said = helpful + notHelpful;
  return said === 0 ? came : `${came}, helpful ${helpful} of ${said}`;
}
