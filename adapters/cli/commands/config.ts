import { configJsonSchema } from "../../../mod.ts";
import { type Command, jsonArg, settingsArgs, settingsOf } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { readSettings } from "../settings.ts";
import { printJson, printLine, styled } from "../terminal.ts";

const checkCommand: Command = {
  meta: { name: "config check", description: "Read the configuration and say everything that is wrong with it" },
  args: { ...settingsArgs, ...jsonArg },
  async run(args, terminal) {
    const { config, file } = readSettings(settingsOf(args), terminal);
    if (args["json"]) printJson(terminal, { ok: true, file: file ?? null, warnings: config.warnings });
    else if (file === undefined)
      printLine(terminal.stdout, "There is no configuration file; the defaults hold. wakeful init writes one");
    else {
      for (const { line, message } of config.warnings)
        printLine(terminal.stdout, `${styled(terminal, "yellow", "warning:")} ${file}:${line} ${message}`);
      printLine(terminal.stdout, `${file} is in order`);
    }
    return EXIT.ok;
  },
};

const schemaCommand: Command = {
  meta: { name: "config schema", description: "Print the JSON Schema of the configuration file, for editors" },
  args: { ...jsonArg },
  async run(args, terminal) {
    const schema = await configJsonSchema();
    printLine(terminal.stdout, JSON.stringify(schema, null, args["json"] ? 0 : 2));
    return EXIT.ok;
  },
};

export const configCommand: Command = {
  meta: { name: "config", description: "Check the configuration, or print its JSON Schema" },
  subCommands: { check: async () => checkCommand, schema: async () => schemaCommand },
};
