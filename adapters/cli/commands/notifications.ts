import { readMute, visible } from "../../../kit.ts";
import { counted } from "../counted.ts";
import { type Arguments, type Command, settingsOf, textOf } from "../command.ts";
import { EXIT, UsageError } from "../exit-codes.ts";
import { timezoneOf } from "../load-assistant.ts";
import type { AttentionRow, NoticeRow, WaitingRow } from "../notifications-client.ts";
import { readSettings, type Settings } from "../settings.ts";
import { askSource, onSource, sourceArgs } from "../source-args.ts";
import { printJson, printLine, styled, type Terminal } from "../terminal.ts";

const MAX_DECISIONS = 50;
const DEFAULT_DECISIONS = 10;
/** Most characters of a text in a line. */
const SHOWN_CHARS = 100;

const userArg = {
  user: { type: "string", description: "User the messages are for (default: the owner)", valueHint: "channel:id" },
} as const;

/** Reasons in words. A rule of a newer server is shown by its name. */
const RULES: Readonly<Record<string, string>> = {
  channel_disabled: "unsolicited messages are off on this channel",
  expired: "it was no longer useful",
  asked: "asked for, or urgent",
  muted: "muted",
  quiet_hours: "quiet hours",
  threshold: "not important enough",
  duplicate: "the same was sent within a day",
  daily_cap: "the limit of that day was reached",
  min_interval: "too soon after another of its type",
  ok: "no rule against it",
  too_many: "too many were waiting",
};
const VERDICTS: Readonly<Record<string, readonly [word: string, look: "green" | "yellow" | "dim"]>> = {
  send: ["sent", "green"],
  hold: ["held", "yellow"],
  digest: ["kept for a digest", "yellow"],
  drop: ["dropped", "dim"],
};

const listCommand: Command = {
  meta: {
    name: "notifications list",
    description: "List unsolicited messages: what was sent, what is held until when, and why",
  },
  args: {
    ...sourceArgs,
    ...userArg,
    limit: {
      type: "string",
      description: `Number of newest decisions to show (default: ${DEFAULT_DECISIONS})`,
      valueHint: "number",
    },
  },
  async run(args, terminal) {
    const user = textOf(args, "user");
    const limit = countOf(args, "limit", 1, MAX_DECISIONS) ?? DEFAULT_DECISIONS;
    return askSource(args, terminal, async ({ notifications }) => {
      const waiting = await notifications.waiting(user);
      const found = await notifications.attention(user);
      const attention = { ...found, decisions: found.decisions.slice(0, limit) };
      if (args["json"]) printJson(terminal, { waiting, ...attention });
      else for (const line of report(waiting, attention, terminal)) printLine(terminal.stdout, line);
      return EXIT.ok;
    });
  },
};

const muteCommand: Command = {
  meta: { name: "notifications mute", description: "Hold unsolicited messages for a while; off ends it" },
  args: {
    until: { type: "positional", description: "How long: 30m, 3h, 2d, tomorrow (until midnight), or off" },
    ...sourceArgs,
    ...userArg,
  },
  async run(args, terminal) {
    const given = textOf(args, "until") ?? "";
    const user = textOf(args, "user");
    const zone = zoneOf(readSettings(settingsOf(args), terminal), user);
    const ms = given.trim() === "" ? undefined : readMute(given, Date.now(), zone);
    if (ms === undefined)
      throw new UsageError(
        `Cannot mute ${JSON.stringify(given)}: expected 30m, 3h, 2d (30 days at most), tomorrow or off`,
      );
    const until = ms === null ? null : new Date(ms).toISOString();
    return onSource(args, terminal, async ({ notifications }) => {
      const whose = await notifications.mute(user, until);
      if (args["json"]) printJson(terminal, { user: whose, muted_until: until });
      else if (until === null) printLine(terminal.stdout, "No longer muted");
      else printLine(terminal.stdout, `Muted until ${until}: unsolicited messages wait`);
      return EXIT.ok;
    });
  },
};

const lessCommand: Command = {
  meta: { name: "notifications less", description: "Get less of a type; each time lowers its priority" },
  args: {
    type: { type: "positional", description: "The type, as `wakeful notifications` shows it" },
    ...sourceArgs,
    ...userArg,
    times: { type: "string", description: "Total number of times to count; 0 resets the type", valueHint: "number" },
  },
  async run(args, terminal) {
    const type = textOf(args, "type") ?? "";
    const times = countOf(args, "times", 0, 10);
    return onSource(args, terminal, async ({ notifications }) => {
      const said = await notifications.less(textOf(args, "user"), type, times);
      const shown = visible(type);
      if (args["json"]) printJson(terminal, { type, ...said });
      else if (said.times === 0) printLine(terminal.stdout, `${shown} is back to normal`);
      else printLine(terminal.stdout, `Less of ${shown}: requested ${counted(said.times, "time")}`);
      return EXIT.ok;
    });
  },
};

export const notificationsCommand: Command = {
  meta: {
    name: "notifications",
    description: "Unsolicited messages: list what was sent, held and dropped, and why; mute them",
  },
  subCommands: {
    list: async () => listCommand,
    mute: async () => muteCommand,
    less: async () => lessCommand,
  },
  standard: "list",
};

/** The person's time zone from the configuration. For the owner, that of their first account. */
export function zoneOf({ config }: Settings, user = config.owner?.ids?.[0]): string {
  return (user === undefined ? undefined : config.users?.[user]?.timezone) ?? timezoneOf(config);
}

function countOf(args: Arguments, name: string, least: number, most: number): number | undefined {
  const text = textOf(args, name);
  if (text === undefined) return undefined;
  if (!/^\d{1,4}$/.test(text) || Number(text) < least || Number(text) > most)
    throw new UsageError(`--${name} must be a whole number from ${least} to ${most}, not ${JSON.stringify(text)}`);
  return Number(text);
}

function report(
  waiting: readonly WaitingRow[],
  { user, muted_until: mutedUntil, less, held, decisions }: AttentionRow,
  terminal: Terminal,
): readonly string[] {
  const dim = (text: string) => styled(terminal, "dim", text);
  const types = Object.entries(less).map(([type, times]) => `${visible(type)} (${times}×)`);
  const lines = [
    ...(mutedUntil === null ? [] : [`${styled(terminal, "yellow", "Muted")} until ${mutedUntil}`]),
    ...(types.length === 0 ? [] : [`Less of: ${types.join(", ")}`]),
    ...section("Waiting to be read", waiting, (one) => `${one.created_at} ${line(one.text)} ${dim(visible(one.user))}`),
    ...section("Held", held, (one) => `until ${one.until} ${notice(one, terminal)}`),
    ...section("Decided", decisions, (one) => {
      const [word, look] = VERDICTS[one.verdict] ?? [visible(one.verdict), "dim"];
      return `${one.at} ${styled(terminal, look, word)} ${notice(one, terminal)}`;
    }),
  ];
  return lines.length === 0 ? [`No unsolicited messages to ${visible(user)}, and none waiting`] : lines;

  function section<Row>(title: string, rows: readonly Row[], show: (row: Row) => string): readonly string[] {
    return rows.length === 0 ? [] : [styled(terminal, "bold", title), ...rows.map((row) => `  ${show(row)}`)];
  }
}

function notice({ type, text, rule }: NoticeRow, terminal: Terminal): string {
  return `${visible(type)}: ${line(text)} ${styled(terminal, "dim", `(${RULES[rule] ?? visible(rule)})`)}`;
}

function line(text: string): string {
  const whole = text.replaceAll(/\s+/g, " ").trim();
  return visible(whole.length > SHOWN_CHARS ? `${whole.slice(0, SHOWN_CHARS)}…` : whole);
}
