import { type AuditLine, visible } from "../../../kit.ts";
import { type Command, jsonArg, settingsArgs, settingsOf, textOf } from "../command.ts";
import { EXIT, UsageError } from "../exit-codes.ts";
import { tellNotBegun } from "../data-place.ts";
import { readAudit } from "../remote.ts";
import { readSettings } from "../settings.ts";
import { printJson, printLine, styled, type Style, type Terminal } from "../terminal.ts";

const MAX_LINES = 1000;
const DEFAULT_LINES = 100;

export const auditCommand: Command = {
  meta: { name: "audit", description: "Show the audit log of a day: what was done and what was refused, oldest first" },
  args: {
    ...settingsArgs,
    ...jsonArg,
    day: { type: "string", description: "Day in UTC, such as 2026-11-22 (default: today)", valueHint: "day" },
    limit: {
      type: "string",
      description: `Number of newest lines to show (default: ${DEFAULT_LINES})`,
      valueHint: "number",
    },
    who: { type: "string", description: "Only what this user did, such as telegram:42", valueHint: "user" },
    what: {
      type: "string",
      description: "Only this act, such as tool.denied, or all acts of a room, such as tool",
      valueHint: "act",
    },
    url: {
      type: "string",
      description: "Address of a running server to ask instead of the store",
      valueHint: "address",
    },
    token: { type: "string", description: "The owner's token for the running server", valueHint: "token" },
  },
  async run(args, terminal) {
    const settings = readSettings(settingsOf(args), terminal);
    const [day, who, what] = [dayOf(textOf(args, "day")), textOf(args, "who"), textOf(args, "what")];
    const filter = {
      limit: limitOf(textOf(args, "limit")),
      ...(day !== undefined && { day }),
      ...(who !== undefined && { who }),
      ...(what !== undefined && { what }),
    };
    const source = { url: textOf(args, "url"), token: textOf(args, "token") };
    if (source.url === undefined && args["json"] !== true) tellNotBegun(settings, terminal);
    const lines = await readAudit(settings, terminal, source, filter);
    if (args["json"]) printJson(terminal, { lines });
    else if (lines.length === 0) printLine(terminal.stdout, "No audit lines");
    else for (const line of lines) printLine(terminal.stdout, auditText(line, terminal));
    return EXIT.ok;
  },
};

function dayOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Date.parse reads a day that does not exist, such as February 30, as a later one.
  if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(text))
    throw new UsageError(`--day must be a day such as 2026-11-22, not ${JSON.stringify(text)}`);
  return text;
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LINES;
  if (!/^[1-9]\d*$/.test(text) || Number(text) > MAX_LINES)
    throw new UsageError(`--limit must be a whole number from 1 to ${MAX_LINES}, not ${JSON.stringify(text)}`);
  return Number(text);
}

const STYLES: Readonly<Record<AuditLine["verdict"], Style>> = {
  ok: "green",
  failed: "yellow",
  denied: "red",
  refused: "red",
};

/** One line of the audit. Further fields follow as JSON. */
function auditText(line: AuditLine, terminal: Terminal): string {
  const { v: _, at, who, what, target, verdict, reason, ...more } = line;
  const because = reason === undefined ? "" : ` (${JSON.stringify(reason).slice(1, -1)})`;
  const rest = Object.keys(more).length === 0 ? "" : ` ${JSON.stringify(more)}`;
  return `${styled(terminal, "dim", at)} ${styled(terminal, STYLES[verdict] ?? "red", verdict)} ${visible(who)} ${visible(what)}${target === undefined ? "" : ` ${visible(target)}`}${visible(because)}${styled(terminal, "dim", visible(rest))}`;
}
