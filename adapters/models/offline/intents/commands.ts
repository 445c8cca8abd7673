import type { Intent, Language } from "../intent.ts";

/** Most characters of a command's output in a reply. */
const SHOWN_CHARACTERS = 4000;

/** Words after "run" that name no command. */
const NO_COMMAND =
  /^(?:(?:it|that|this|them)(?: again| now| once more)?|away|out|off|late|again|a command|the command|command|for it|your life|命令|一个命令)$/iu;

const runCommand: Intent = {
  name: "run-command",
  tools: ["bash"],
  help: { en: ["run a command", "run ls -l"], zh: ["运行命令", "运行 ls -l"] },
  phrasings: {
    en: [
      "(run|execute) (the |this |a |)(shell |bash |)command:? {command}",
      "(run|execute) (in |with |)(the shell|a shell|bash|the terminal):? {command}",
      "in (the shell|a shell|bash|the terminal),? (run|execute) {command}",
      "(run|execute) {command} in (the shell|a shell|bash|the terminal)",
      "(use|with) bash (to run|to execute|and run):? {command}",
      "(run|execute) {command}",
      "bash: {command}",
      "$ {command}",
    ],
    zh: [
      "(运行|执行|跑)(一下|)(这个|这条|)(命令|指令)(：|:|，|){command}",
      "(在|用)(终端|命令行|shell|bash)(里|中|)(运行|执行|跑)(一下|)(：|:|){command}",
      "(命令|bash)(：|:){command}",
      "跑一下(：|:|){command}",
      "(运行|执行)(一下|)(：|:|){command}",
      "把{command}(运行|执行|跑)一下",
    ],
  },
  accepts: ({ groups: { command = "" } }) => !NO_COMMAND.test(bare(command)) && /[\w./]/.test(command),
  call: ({ groups: { command = "" } }) => ({ calls: [{ toolName: "bash", input: { command: bare(command) } }] }),
  phrase: (results, { language }) => ({ say: commandResult(results.at(-1)?.output, language) }),
};

/** Shell commands. */
export const commandIntents: readonly Intent[] = [runCommand];

/** A command's output, and its exit code if it failed. */
export function commandResult(output: unknown, language: Language): string {
  const fields = typeof output === "object" && output !== null ? (output as Record<string, unknown>) : {};
  const { exit_code: code, stdout, stderr, note } = fields;
  if (typeof stdout !== "string") return typeof output === "string" ? output : JSON.stringify(output);
  const texts = [stdout, stderr].filter((text) => typeof text === "string" && text.trim() !== "");
  const printed = texts.join("\n").trimEnd();
  const hidden = printed.length - SHOWN_CHARACTERS;
  const head = hidden > 0 ? printed.slice(0, SHOWN_CHARACTERS).replace(/[\uD800-\uDBFF]$/, "") : printed;
  const more = language === "zh" ? `……（还有 ${hidden} 个字符）` : `… (${hidden} more characters)`;
  const nothing = language === "zh" ? "没有输出。" : "It printed nothing.";
  return [
    head === "" ? nothing : fenced(hidden > 0 ? `${head}\n${more}` : head),
    ...(code === 0 ? [] : [language === "zh" ? `退出码：${String(code)}` : `It ended with exit code ${String(code)}.`]),
    ...(typeof note === "string" ? [note] : []),
  ].join("\n");
}

function fenced(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return `${fence}\n${text}\n${fence}`;
}

/** A command without the quotation marks around it, which must be the same at both ends. */
function bare(command: string): string {
  const text = command.trim();
  const inside = /^(`+)([^`]+)\1[?？!！.。]?$/.exec(text)?.[2] ?? /^“([^“”]+)”[?？!！.。]?$/.exec(text)?.[1];
  return inside?.trim() ?? text;
}
