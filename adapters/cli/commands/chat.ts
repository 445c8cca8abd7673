import type { Assistant } from "../../../mod.ts";
import { type Command, jsonArg, settingsArgs, settingsOf, textOf } from "../command.ts";
import { chatOn } from "../conversation.ts";
import { loadAssistant } from "../load-assistant.ts";
import { stderrLogger } from "../log-sink.ts";
import { readSettings } from "../settings.ts";
import { entryLine } from "../transcript-lines.ts";
import { printLine, styled, type Terminal } from "../terminal.ts";

export const chatCommand: Command = {
  meta: { name: "chat", description: "Talk with the assistant in the terminal, or line by line over a pipe" },
  args: {
    ...settingsArgs,
    ...jsonArg,
    session: { type: "string", description: "A conversation of its own, by name", valueHint: "name" },
  },
  async run(args, terminal) {
    const settings = readSettings(settingsOf(args), terminal);
    const logger = stderrLogger(terminal, settings.config.log ?? {}, "warning");
    const { assistant, modelLine } = await loadAssistant(settings, terminal, { logger });
    if (terminal.interactive) printLine(terminal.stdout, styled(terminal, "dim", `model: ${modelLine}`));
    try {
      const session = textOf(args, "session");
      if (terminal.interactive && args["json"] !== true) await showHistory(assistant, terminal, session);
      await assistant.start();
      return await chatOn(assistant, terminal, { session, json: args["json"] === true });
    } finally {
      await assistant.stop();
    }
  },
};

/** Entries of the conversation that are shown before it goes on. */
const SHOWN_ENTRIES = 8;

/** Where the conversation stands, for whoever comes back to it. */
async function showHistory(
  { sessions }: Pick<Assistant, "sessions">,
  terminal: Terminal,
  session: string | undefined,
): Promise<void> {
  const key = sessions.keyOf?.({ user: "cli", channel: "cli", ...(session !== undefined && { session }) });
  const found = key === undefined ? null : await sessions.show(key, { limit: SHOWN_ENTRIES });
  for (const entry of found?.entries ?? []) printLine(terminal.stdout, entryLine(entry, terminal));
}
