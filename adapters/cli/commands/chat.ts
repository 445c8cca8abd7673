import { type Command, jsonArg, settingsArgs, settingsOf, textOf } from "../command.ts";
import { chatOn } from "../conversation.ts";
import { loadAssistant } from "../load-assistant.ts";
import { stderrLogger } from "../log-sink.ts";
import { readSettings } from "../settings.ts";
import { printLine, styled } from "../terminal.ts";

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
      await assistant.start();
      return await chatOn(assistant, terminal, { session: textOf(args, "session"), json: args["json"] === true });
    } finally {
      await assistant.stop();
    }
  },
};
