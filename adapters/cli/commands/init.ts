import { DEFAULT_DATA_FOLDER, DEFAULT_PORT } from "../../../kit.ts";
import { existsSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Command, jsonArg, textOf } from "../command.ts";
import { EXIT, ExitError, UsageError } from "../exit-codes.ts";
import { writePersonaSamples } from "../persona-samples.ts";
import { printJson, printLine, type Terminal } from "../terminal.ts";

/** Values of a new configuration; the rest is comments. */
interface Answers {
  readonly provider: "offline" | "openai" | "openai-compatible";
  readonly baseUrl?: string;
  readonly model?: string;
  readonly telegram: boolean;
  readonly owner?: string;
  readonly port: number;
}

const plainAnswers: Answers = { provider: "offline", telegram: false, port: DEFAULT_PORT };

export const initCommand: Command = {
  meta: { name: "init", description: "Write a commented configuration file, and empty persona files" },
  args: {
    config: { type: "string", description: "Where to write the file (default: ./wakeful.yaml)", valueHint: "file" },
    yes: { type: "boolean", description: "Ask no questions and write the defaults" },
    ...jsonArg,
  },
  async run(args, terminal) {
    const path = resolve(
      terminal.cwd,
      textOf(args, "config") ?? (terminal.env["WAKEFUL_CONFIG"] || undefined) ?? "wakeful.yaml",
    );
    if (existsSync(path))
      throw new UsageError(`${path} already exists and was not changed; give another name with --config, or edit it`);
    if (!args["yes"] && !terminal.interactive)
      throw new UsageError("init asks questions, but this is not a terminal: add --yes to write the defaults");
    const answers = args["yes"] ? plainAnswers : await ask(terminal);
    const persona = writePersonaSamples(
      resolve(terminal.cwd, (terminal.env["WAKEFUL_DATA"] || undefined) ?? DEFAULT_DATA_FOLDER),
    );
    // `wx`: keeps a file that another program wrote in the meantime.
    writeFileSync(path, configText(answers), { flag: "wx" });
    if (args["json"]) printJson(terminal, { written: path, persona });
    else {
      printLine(terminal.stdout, `Wrote ${path}. Next: wakeful doctor, then wakeful chat or wakeful serve`);
      printLine(terminal.stdout, `Describe the assistant and yourself in ${persona}`);
    }
    return EXIT.ok;
  },
};

async function ask(terminal: Terminal): Promise<Answers> {
  const { cancel, confirm, isCancel, select, text, updateSettings } = await import("@clack/prompts");
  // Without this, Ctrl-D ends the lines that a question reads, and the question never resolves.
  updateSettings({ aliases: { "\u0004": "cancel" } });
  const place = { input: terminal.stdin, output: terminal.stdout };

  function given<T>(answer: T): Exclude<T, symbol> {
    if (!isCancel(answer)) return answer as Exclude<T, symbol>;
    cancel("Nothing was written", place);
    throw new ExitError(EXIT.interrupted);
  }

  const provider = given(
    await select<Answers["provider"]>({
      ...place,
      message: "Which model answers?",
      initialValue: terminal.env["OPENAI_API_KEY"] ? "openai" : "openai-compatible",
      options: [
        { value: "openai", label: "OpenAI", hint: "needs OPENAI_API_KEY" },
        {
          value: "openai-compatible",
          label: "A server that speaks OpenAI's chat completions",
          hint: "Ollama, vLLM, DeepSeek, …",
        },
        { value: "offline", label: "None yet", hint: "built-in rules, no key" },
      ],
    }),
  );
  const baseUrl =
    provider === "openai-compatible"
      ? given(
          await text({
            ...place,
            message: "Address of the server",
            initialValue: "http://127.0.0.1:11434/v1",
            validate: (value) =>
              URL.canParse(value ?? "") ? undefined : "Enter an address such as http://127.0.0.1:11434/v1",
          }),
        )
      : undefined;
  const model =
    provider === "offline"
      ? undefined
      : given(
          await text({
            ...place,
            message: "Name of the model on that server",
            placeholder: provider === "openai" ? "gpt-5-mini" : "qwen3",
            validate: (value) => (value?.trim() ? undefined : "Enter a name"),
          }),
        );
  const telegram = given(await confirm({ ...place, message: "Connect a Telegram bot?", initialValue: false }));
  const owner = telegram
    ? given(
        await text({
          ...place,
          message: "Your numeric Telegram id (the bot @userinfobot shows it)",
          validate: (value) => (/^\d+$/.test(value ?? "") ? undefined : "Enter digits only"),
        }),
      )
    : undefined;
  const port = given(
    await text({
      ...place,
      message: "Port of the web page and the API",
      initialValue: String(DEFAULT_PORT),
      validate: (value) =>
        /^\d+$/.test(value ?? "") && Number(value) <= 65_535 ? undefined : "Enter a number from 0 to 65535",
    }),
  );
  return {
    provider,
    telegram,
    port: Number(port),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(model !== undefined && { model }),
    ...(owner !== undefined && { owner: `telegram:${owner}` }),
  };
}

/** The file that `init` writes. Exported for its test, which reads it with `parseConfig`. */
export function configText(answers: Answers): string {
  const { provider, baseUrl, model, telegram, owner, port } = answers;
  return `# Wakeful's configuration. docs/config.md lists every key; "wakeful config check" reads this file.
# For help in an editor: wakeful config schema > wakeful.schema.json, and as the first line here:
# yaml-language-server: $schema=./wakeful.schema.json
version: 1

# Everything that must not be lost: conversations, files, the log of who did what.
data: .wakeful

# Your accounts, as channel:id. The owner may use every tool.
${owner === undefined ? '# owner:\n#   ids: ["telegram:42"]' : `owner:\n  ids: [${JSON.stringify(owner)}]`}

# The model that answers, followed by its fallbacks. Without any, the environment decides (OPENAI_API_KEY, OPENAI_BASE_URL),
# else the offline model answers.
${modelText(provider, baseUrl, model)}

server:
  port: ${port}
  # This machine only. 0.0.0.0 lets others in: then set a token.
  host: 127.0.0.1
  # The owner's token for the page and the API. Without one, a new one is printed at each start.
  # token: { env: WAKEFUL_TOKEN }
  # Where platforms and browsers reach this server. Under any other name except localhost and IP addresses, the page answers 421.
  # public_url: https://bot.example.com

# Where people write from.
${telegram ? "channels:\n  telegram:\n    # From @BotFather. Wakeful polls for messages, so no public address is needed.\n    token: { env: TELEGRAM_TOKEN }\n    # open: anyone may write. pairing: the owner, the ids in allow, and people the owner lets in by a code.\n    dm: pairing" : "# channels:\n#   telegram:\n#     token: { env: TELEGRAM_TOKEN }\n#     dm: pairing"}

# A folder on this machine whose files the assistant may read and write. Without it, files are kept with the data.
# workspace:
#   root: ./workspace

# What happens to messages that arrive during a turn.
# queue:
#   mode: collect
#   debounce_ms: 1000
`;
}

function modelText(provider: Answers["provider"], baseUrl: string | undefined, model: string | undefined): string {
  if (provider === "offline")
    return "# models:\n#   - provider: openai-compatible\n#     base_url: http://127.0.0.1:11434/v1\n#     model: qwen3";
  const lines = ["models:", `  - provider: ${provider}`];
  if (baseUrl !== undefined) lines.push(`    base_url: ${JSON.stringify(baseUrl)}`);
  if (model !== undefined) lines.push(`    model: ${JSON.stringify(model)}`);
  lines.push(provider === "openai" ? "    api_key: { env: OPENAI_API_KEY }" : "    # api_key: { env: OPENAI_API_KEY }");
  return lines.join("\n");
}
