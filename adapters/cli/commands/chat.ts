import type { Assistant } from "../../../mod.ts";
import { type Command, settingsOf, textOf } from "../command.ts";
import { chatOn, talkerOf } from "../conversation.ts";
import { loadAssistant } from "../load-assistant.ts";
import { stderrLogger } from "../log-sink.ts";
import { openOrAsk } from "../remote.ts";
import { readSettings } from "../settings.ts";
import { sourceArgs } from "../source-args.ts";
import { entryLine } from "../transcript-lines.ts";
import { printLine, styled, type Terminal } from "../terminal.ts";

export const chatCommand: Command = {
  meta: { name: "chat", description: "Talk with the assistant in the terminal, or line by line over a pipe" },
  args: {
    ...sourceArgs,
    session: { type: "string", description: "A conversation of its own, by name", valueHint: "name" },
  },
  run(args, terminal) {
    const settings = readSettings(settingsOf(args), terminal);
    const session = textOf(args, "session");
    const json = args["json"] === true;
    const logger = stderrLogger(terminal, settings.config.log ?? {}, "warning");
    const isShown = terminal.interactive && !json;
    const tell = (text: string) => {
      if (terminal.interactive) printLine(terminal.stdout, styled(terminal, "dim", text));
    };
    return openOrAsk(
      settings,
      terminal,
      { url: textOf(args, "url"), token: textOf(args, "token") },
      {
        open: () => loadAssistant(settings, terminal, { logger }),
        async use({ assistant, modelLine }) {
          tell(`model: ${modelLine}`);
          try {
            const key = assistant.sessions.keyOf?.({ ...SPEAKER, ...(session !== undefined && { session }) });
            if (key !== undefined && isShown) await showHistory(assistant, key, terminal);
            await assistant.start();
            return await chatOn(talkerOf(assistant), terminal, { session, json });
          } finally {
            await assistant.stop();
          }
        },
        async ask(server) {
          // Whoever cannot sign in is told before they have typed something.
          await server.approvals.list({ all: false });
          tell(`server: ${server.url}`);
          if (isShown) await showHistory(server, session === undefined ? "cli" : `cli:${session}`, terminal);
          return chatOn(server.talker, terminal, { session, json });
        },
      },
    );
  },
};

const SPEAKER = { user: "cli", channel: "cli" };
/** Entries of the conversation that are shown before it goes on. */
const SHOWN_ENTRIES = 8;
/** Runs of jobs may have come between them. */
const READ_ENTRIES = 40;

/** Where the conversation stands, for whoever comes back to it. */
async function showHistory({ sessions }: Pick<Assistant, "sessions">, key: string, terminal: Terminal): Promise<void> {
  const found = await sessions.show(key, { limit: READ_ENTRIES });
  // What a job told the assistant to do is nobody's words: what came of it is shown, and no run that said nothing.
  const said = (found?.entries ?? []).filter((entry) => entry.type !== "note" || entry.origin === undefined);
  for (const entry of said.slice(-SHOWN_ENTRIES)) printLine(terminal.stdout, entryLine(entry, terminal));
}
