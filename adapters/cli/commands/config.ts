import { type ConfigWarning } from "../../../mod.ts";
import { configJsonSchema } from "../../../kit.ts";
import { type Command, jsonArg, settingsArgs, settingsOf } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { readPolicy } from "../policy-file.ts";
import { readSettings } from "../settings.ts";
import { printJson, printLine, styled, type Terminal } from "../terminal.ts";

const checkCommand: Command = {
  meta: {
    name: "config check",
    description: "Check the configuration and the tool policy, and report every mistake",
  },
  args: { ...settingsArgs, ...jsonArg },
  async run(args, terminal) {
    const settings = readSettings(settingsOf(args), terminal);
    const { config, file } = settings;
    const policy = readPolicy(settings, terminal.cwd);
    if (args["json"]) {
      const checked = policy && { file: policy.file ?? null, warnings: policy.warnings };
      printJson(terminal, { ok: true, file: file ?? null, warnings: config.warnings, policy: checked ?? null });
    } else if (file === undefined)
      printLine(terminal.stdout, "There is no configuration file, so the defaults apply; wakeful init writes one");
    else {
      printChecked(file, config.warnings, terminal);
      if (policy?.file !== undefined) printChecked(policy.file, policy.warnings, terminal);
    }
    return EXIT.ok;
  },
};

function printChecked(file: string, warnings: readonly ConfigWarning[], terminal: Terminal): void {
  for (const { line, message } of warnings)
    printLine(terminal.stdout, `${styled(terminal, "yellow", "warning:")} ${file}:${line} ${message}`);
  printLine(terminal.stdout, `${file} is valid`);
}

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
