import { type Somebody, visible } from "../../../kit.ts";
import type { AccessRows } from "../access-client.ts";
import { type Command, textOf } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { askSource, onSource, sourceArgs } from "../source-args.ts";
import { printJson, printLine, styled, type Terminal } from "../terminal.ts";

const codeArg = {
  code: { type: "positional", description: "The code of the request, as `wakeful access` lists it" },
} as const;

const listCommand: Command = {
  meta: { name: "access list", description: "List access requests and the people who were let in" },
  args: sourceArgs,
  run: (args, terminal) =>
    askSource(args, terminal, async ({ access }) => {
      const found = await access.list();
      if (args["json"]) printJson(terminal, found);
      else printAccess(found, terminal);
      return EXIT.ok;
    }),
};

function answerCommand(answer: "approve" | "deny", description: string): Command {
  return {
    meta: { name: `access ${answer}`, description },
    args: { ...codeArg, ...sourceArgs },
    run: (args, terminal) =>
      onSource(args, terminal, async ({ access }) => {
        const who = await access.answer(textOf(args, "code") ?? "", answer);
        if (args["json"]) printJson(terminal, { ...who, answer });
        else printLine(terminal.stdout, `${answer === "approve" ? "Let in" : "Not let in"}: ${shown(who)}`);
        return EXIT.ok;
      }),
  };
}

const removeCommand: Command = {
  meta: { name: "access remove", description: "Revoke a person's access; their next message asks for access again" },
  args: {
    user: {
      type: "positional",
      description: "The person's key, as `wakeful access` lists it, or channel:id for every account",
    },
    ...sourceArgs,
  },
  run: (args, terminal) =>
    onSource(args, terminal, async ({ access }) => {
      const user = textOf(args, "user") ?? "";
      await access.remove(user);
      if (args["json"]) printJson(terminal, { removed: user });
      else printLine(terminal.stdout, `Access revoked: ${oneLine(user)}`);
      return EXIT.ok;
    }),
};

export const accessCommand: Command = {
  meta: { name: "access", description: "List and answer requests for access to the assistant" },
  subCommands: {
    list: async () => listCommand,
    approve: async () => answerCommand("approve", "Let a person write to the assistant"),
    deny: async () => answerCommand("deny", "Refuse a person; they cannot ask again for 24 hours"),
    remove: async () => removeCommand,
  },
  standard: "list",
};

function printAccess({ pending, people, owners }: AccessRows, terminal: Terminal): void {
  const { stdout } = terminal;
  const dim = (text: string) => styled(terminal, "dim", text);
  for (const { code, requestedAt, expiresAt, ...who } of pending)
    printLine(
      stdout,
      `${styled(terminal, "bold", code)}  ${shown(who)} asks for access${dim(`, since ${requestedAt}, until ${expiresAt}`)}`,
    );
  for (const { user, since } of owners) printLine(stdout, `${oneLine(user)}: owner${dim(`, since ${since}`)}`);
  for (const { by, since, ...who } of people)
    printLine(stdout, `${shown(who)}: let in${dim(`, since ${since}, by ${oneLine(by)}`)}`);
  if (pending.length + people.length + owners.length === 0)
    printLine(stdout, "No access requests, and no one was let in by a code");
}

/** Anyone can choose a name, so it is quoted. */
function shown({ key, name }: Somebody): string {
  return `${oneLine(key)}${name === undefined ? "" : ` ${oneLine(JSON.stringify(name))}`}`;
}

function oneLine(text: string): string {
  return visible(text).replaceAll("\n", "\\u{a}");
}
