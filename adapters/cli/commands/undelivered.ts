import { visible } from "../../../kit.ts";
import { type Command, jsonArg, settingsArgs, settingsOf, textOf } from "../command.ts";
import { tellNotBegun } from "../data-place.ts";
import { EXIT, UsageError } from "../exit-codes.ts";
import { type DeadLetterView, readUndelivered } from "../remote.ts";
import { readSettings } from "../settings.ts";
import { printJson, printLine, styled, type Terminal } from "../terminal.ts";

const MAX_LETTERS = 1000;
const DEFAULT_LETTERS = 100;

export const undeliveredCommand: Command = {
  meta: { name: "undelivered", description: "List the messages that no channel took and that were given up" },
  args: {
    ...settingsArgs,
    ...jsonArg,
    limit: {
      type: "string",
      description: `The newest so many; ${DEFAULT_LETTERS} when left out`,
      valueHint: "number",
    },
    url: { type: "string", description: "A running server to ask, instead of the store", valueHint: "address" },
    token: { type: "string", description: "The owner's token, when a running server is asked", valueHint: "token" },
  },
  async run(args, terminal) {
    const settings = readSettings(settingsOf(args), terminal);
    const source = { url: textOf(args, "url"), token: textOf(args, "token") };
    const limit = limitOf(textOf(args, "limit"));
    if (source.url === undefined && args["json"] !== true) tellNotBegun(settings, terminal);
    const letters = await readUndelivered(settings, terminal, source, limit);
    if (args["json"]) printJson(terminal, { undelivered: letters });
    else if (letters.length === 0) printLine(terminal.stdout, "Everything was delivered, or is still tried");
    else for (const letter of letters) printLetter(letter, terminal);
    return EXIT.ok;
  },
};

function limitOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LETTERS;
  if (!/^[1-9]\d*$/.test(text) || Number(text) > MAX_LETTERS)
    throw new UsageError(`--limit must be a whole number from 1 to ${MAX_LETTERS}, not ${JSON.stringify(text)}`);
  return Number(text);
}

function printLetter({ at, channel, account, chat, attempts, error, text }: DeadLetterView, terminal: Terminal): void {
  const where = account === "default" ? `${channel}:${chat}` : `${channel}:${chat} (${account})`;
  const tries = `${attempts} ${attempts === 1 ? "try" : "tries"}`;
  const oneLine = JSON.stringify(error).slice(1, -1);
  printLine(
    terminal.stdout,
    `${styled(terminal, "dim", at)} ${visible(where)} after ${tries}: ${styled(terminal, "red", visible(oneLine))}`,
  );
  for (const line of text.split("\n")) printLine(terminal.stdout, `  ${visible(line)}`);
}
