import { randomBytes } from "node:crypto";
import { type Command, settingsOf, textOf } from "../command.ts";
import { OWN_USERS, chatOn, noticeOf, printTold, talkerOf } from "../conversation.ts";
import { loadAssistant } from "../load-assistant.ts";
import { stderrLogger } from "../log-sink.ts";
import { type RemoteServer, openOrAsk, ownNotifications } from "../remote.ts";
import { readSettings } from "../settings.ts";
import { sourceArgs } from "../source-args.ts";
import { entryLine, timeOf } from "../transcript-lines.ts";
import { printLine, styled, type Terminal } from "../terminal.ts";

export const chatCommand: Command = {
  meta: { name: "chat", description: "Talk with the assistant in the terminal, or line by line over a pipe" },
  args: {
    ...sourceArgs,
    session: { type: "string", description: "Name of a separate conversation", valueHint: "name" },
  },
  run(args, terminal) {
    const settings = readSettings(settingsOf(args), terminal);
    const session = textOf(args, "session");
    const json = args["json"] === true;
    const logger = stderrLogger(terminal, settings.config.log ?? {}, "warning");
    const ownToken = randomBytes(24).toString("base64url");
    const isShown = terminal.interactive && !json;
    const tell = (text: string) => {
      if (terminal.interactive) printLine(terminal.stdout, styled(terminal, "dim", text));
    };
    return openOrAsk(
      settings,
      terminal,
      { url: textOf(args, "url"), token: textOf(args, "token") },
      {
        open: () => loadAssistant(settings, terminal, { logger, ownToken }),
        async use({ assistant, modelLine }) {
          tell(`model: ${modelLine}`);
          try {
            const key = assistant.sessions.keyOf?.({ ...SPEAKER, ...(session !== undefined && { session }) });
            const { sessions } = assistant;
            const notifications = ownNotifications(assistant, settings, ownToken);
            if (key !== undefined && isShown) await showStanding({ sessions, notifications }, key, terminal);
            const talker = talkerOf(assistant);
            await assistant.start();
            return await chatOn(talker, terminal, { session, json });
          } finally {
            await assistant.stop();
          }
        },
        async ask(server) {
          // A refused token is reported before the person types anything.
          await server.approvals.list({ all: false });
          tell(`server: ${server.url}`);
          if (isShown) await showStanding(server, session === undefined ? "cli" : `cli:${session}`, terminal);
          return chatOn(server.talker, terminal, { session, json });
        },
      },
    );
  },
};

const SPEAKER = { user: "cli", channel: "cli" };
/** Entries of the conversation that are shown at the start. */
const SHOWN_ENTRIES = 8;
/** More entries are read, since runs of jobs may be among them. */
const READ_ENTRIES = 40;

/** Shows the last entries of the conversation, and notices elsewhere since the person's last message here. */
async function showStanding(
  { sessions, notifications }: Pick<RemoteServer, "sessions" | "notifications">,
  key: string,
  terminal: Terminal,
): Promise<void> {
  const found = await sessions.show(key, { limit: READ_ENTRIES });
  const entries = found?.entries ?? [];
  // A job's instruction to the assistant is not shown. Its outcome is, unless the run said nothing.
  const said = entries.filter((entry) => entry.type !== "note" || entry.origin === undefined);
  for (const entry of said.slice(-SHOWN_ENTRIES)) printLine(terminal.stdout, entryLine(entry, terminal));
  // If the person said nothing in these entries, older notices are not shown again.
  const oldest = entries.length < READ_ENTRIES ? 0 : (entries[0]?.atMs ?? 0);
  const lastSpoke =
    entries.findLast((entry) => entry.type === "user" && OWN_USERS.includes(entry.user))?.atMs ?? oldest;
  const waiting = (await notifications.waiting(undefined)).filter(
    ({ user, session_key, created_at }) =>
      OWN_USERS.includes(user) && session_key !== found?.key && Date.parse(created_at) > lastSpoke,
  );
  // A word answers only the newest question here.
  const newest = waiting.at(-1);
  for (const row of waiting.slice(-SHOWN_ENTRIES)) {
    const { text, answers } = noticeOf(row);
    const isOpen = row === newest && row.user === SPEAKER.user;
    const told = { text, ...(isOpen && answers && { answers }) };
    printTold(terminal, told, `${timeOf(Date.parse(row.created_at), terminal)} `);
  }
}
