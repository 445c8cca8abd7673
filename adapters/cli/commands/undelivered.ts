import { visible } from "../../../kit.ts";
import { type Arguments, type Command, settingsOf, textOf } from "../command.ts";
import { tellNotBegun } from "../data-place.ts";
import { EXIT, UsageError } from "../exit-codes.ts";
import { type DeadLetterView, readUndelivered, sendUndelivered } from "../remote.ts";
import { readSettings } from "../settings.ts";
import { sourceArgs } from "../source-args.ts";
import { printJson, printLine, styled, type Terminal } from "../terminal.ts";

const MAX_LETTERS = 1000;
const DEFAULT_LETTERS = 100;

const sourceOf = (args: Arguments) => ({ url: textOf(args, "url"), token: textOf(args, "token") });

const listCommand: Command = {
  meta: { name: "undelivered list", description: "List messages that could not be delivered" },
  args: {
    ...sourceArgs,
    limit: {
      type: "string",
      description: `Number of newest messages to show (default: ${DEFAULT_LETTERS})`,
      valueHint: "number",
    },
  },
  async run(args, terminal) {
    const settings = readSettings(settingsOf(args), terminal);
    const source = sourceOf(args);
    const limit = limitOf(textOf(args, "limit"));
    if (source.url === undefined && args["json"] !== true) tellNotBegun(settings, terminal);
    const letters = await readUndelivered(settings, terminal, source, limit);
    if (args["json"]) printJson(terminal, { undelivered: letters });
    else if (letters.length === 0) printLine(terminal.stdout, "Everything was delivered or is still being retried");
    else for (const letter of letters) printLetter(letter, terminal);
    return EXIT.ok;
  },
};

const sendCommand: Command = {
  meta: { name: "undelivered send", description: "Send an undelivered message again, as a new message" },
  args: {
    id: { type: "positional", description: "The message's id, as `wakeful undelivered` lists it" },
    ...sourceArgs,
  },
  async run(args, terminal) {
    const settings = readSettings(settingsOf(args), terminal);
    const { letter, isServed } = await sendUndelivered(settings, terminal, sourceOf(args), textOf(args, "id") ?? "");
    if (args["json"]) printJson(terminal, letter);
    else
      printLine(
        terminal.stdout,
        `Will be sent again ${isServed ? "now" : "now, or at the next start"}: ${nameOf(letter)} to ${placeOf(letter)}. If it fails again, wakeful undelivered lists it`,
      );
    return EXIT.ok;
  },
};

export const undeliveredCommand: Command = {
  meta: { name: "undelivered", description: "List messages that could not be delivered, and send them again" },
  subCommands: { list: async () => listCommand, send: async () => sendCommand },
  standard: "list",
};

function limitOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LETTERS;
  if (!/^[1-9]\d*$/.test(text) || Number(text) > MAX_LETTERS)
    throw new UsageError(`--limit must be a whole number from 1 to ${MAX_LETTERS}, not ${JSON.stringify(text)}`);
  return Number(text);
}

function printLetter(letter: DeadLetterView, terminal: Terminal): void {
  const { at, attempts, error, text } = letter;
  const tries = `${attempts} ${attempts === 1 ? "try" : "tries"}`;
  const oneLine = JSON.stringify(error).slice(1, -1);
  printLine(
    terminal.stdout,
    `${styled(terminal, "bold", nameOf(letter))}  ${styled(terminal, "dim", at)} ${placeOf(letter)} after ${tries}: ${styled(terminal, "red", visible(oneLine))}`,
  );
  for (const line of text.split("\n")) printLine(terminal.stdout, `  ${visible(line)}`);
}

function nameOf({ id, part }: DeadLetterView): string {
  return oneLine(`${id}.${part}`);
}

function placeOf({ channel, account, chat }: DeadLetterView): string {
  return oneLine(account === "default" ? `${channel}:${chat}` : `${channel}:${chat} (${account})`);
}

function oneLine(text: string): string {
  return visible(text).replaceAll("\n", "\\u{a}");
}
