import { judgeNames } from "./environment.ts";
import { areJudgedPaths } from "./file-lists.ts";
import { isOption, readOptions } from "./options.ts";
import { type Argument, type Call, type Scan, UNKNOWN, filled, foundBelow, markedOf } from "./scan.ts";
import { SHELLS, interpreterOf } from "./shells.ts";

interface Wrapper {
  /** Options of the wrapper that take a value. */
  readonly valued?: string;
  /** Number of the wrapper's own words before the command that it starts. */
  readonly skip?: number;
  /** Options whose value is a text for a shell. */
  readonly text?: string;
  /** Options that start nothing. */
  readonly asks?: string;
}

/** Programs and builtins that start the command in their words. */
const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ["command", { asks: "-v -V" }],
  ["builtin", {}],
  ["exec", { valued: "-a" }],
  ["nohup", {}],
  ["setsid", {}],
  ["time", { valued: "-f -o --format --output" }],
  ["timeout", { valued: "-s -k --signal --kill-after", skip: 1 }],
  ["gtimeout", { valued: "-s -k --signal --kill-after", skip: 1 }],
  ["nice", { valued: "-n --adjustment" }],
  ["ionice", { valued: "-c -n -p --class --classdata" }],
  ["stdbuf", { valued: "-i -o -e --input --output --error" }],
  ["chrt", { skip: 1 }],
  ["taskset", { skip: 1 }],
  ["flock", { valued: "-w -E", skip: 1, text: "-c --command" }],
  ["caffeinate", {}],
  ["fakeroot", {}],
  ["chronic", {}],
  ["ifne", {}],
  ["cpulimit", { valued: "-l -p -e" }],
  ["prlimit", {}],
  ["catchsegv", {}],
  ["busybox", {}],
  ["toybox", {}],
  ["entr", {}],
  ["hyperfine", {}],
  ["dotenv", { valued: "-e" }],
  ["corepack", {}],
  ["rlwrap", {}],
  ["setarch", { skip: 1 }],
  ["linux32", {}],
  ["linux64", {}],
  ["pipenv", {}],
  ["proot", {}],
  ["eatmydata", {}],
  ["torify", {}],
]);

/** Whether a program starts another one. */
export function isWrapper(name: string): boolean {
  return (
    WRAPPERS.has(name) ||
    name === "env" ||
    name === "xargs" ||
    name === "parallel" ||
    name === "watch" ||
    name === "sem"
  );
}

/** Judges the command that a wrapper starts. @returns The wrapper's own words that may be paths. */
export function judgeWrapper(scan: Scan, call: Call): readonly Argument[] {
  if (call.name === "env") return judgeEnv(scan, call);
  if (call.name === "xargs" || call.name === "parallel" || call.name === "sem") return judgeXargs(scan, call);
  if (call.name === "watch") {
    const { rest } = readOptions(call.words, "-n -d --interval", true);
    runAsText(scan, call, rest);
    return [];
  }
  const wrapper = WRAPPERS.get(call.name) ?? {};
  const { options, rest } = readOptions(call.words, `${wrapper.valued ?? ""} ${wrapper.text ?? ""}`, true);
  const names = options.map(({ name }) => name);
  if (wrapper.asks?.split(" ").some((one) => names.includes(one)) === true) return [];
  for (const { name, value } of options) {
    if (value !== undefined && wrapper.text?.split(" ").includes(name) === true)
      scan.runText(markedOf(value), value.source, call.place);
  }
  const started = rest.slice(wrapper.skip ?? 0);
  if (call.name === "flock" && /^-(?:c|-command)$/u.test(started[0]?.text ?? "")) {
    runAsText(scan, call, started.slice(1));
    return rest.slice(0, 1);
  }
  if (call.name === "hyperfine") for (const one of started) scan.runText(markedOf(one), one.source, call.place);
  else if (started.length > 0) scan.runWords(started, call.source, call.place);
  return [...options.flatMap(({ value }) => (value === undefined ? [] : [value])), ...rest.slice(0, wrapper.skip ?? 0)];
}

function runAsText(scan: Scan, call: Call, words: readonly Argument[]): void {
  if (words.length > 0) scan.runText(words.map(markedOf).join(" "), call.source, call.place);
}

function judgeEnv(scan: Scan, call: Call): readonly Argument[] {
  const { options, rest } = readOptions(call.words, "-u -C -S --unset --chdir --split-string --argv0 -a", true);
  const own: Argument[] = [];
  for (const { name, value } of options) {
    if (value === undefined) continue;
    if (name === "-S" || isOption(name, "--split-string")) {
      scan.runText([value, ...rest].map(markedOf).join(" "), value.source, call.place);
      return own;
    }
    if (name === "-C" || isOption(name, "--chdir")) own.push(value);
    else judgeNames(scan, [value]);
  }
  const start = rest.findIndex(({ text }) => !/^[^=\s]+=/u.test(text) && text !== "-");
  const assignments = start === -1 ? rest : rest.slice(0, start);
  judgeNames(scan, assignments);
  if (start !== -1) scan.runWords(rest.slice(start), call.source, call.place);
  return own;
}

/** Returns the folders that `find` searches. */
function foldersOf([program, ...words]: readonly string[]): readonly string[] | undefined {
  if (program !== "find") return undefined;
  const end = words.findIndex((one) => /^[-(!]/u.test(one));
  return end === -1 ? words : words.slice(0, end);
}

function judgeXargs(scan: Scan, call: Call): readonly Argument[] {
  const isXargs = call.name === "xargs";
  const { options, rest } = readOptions(
    call.words,
    isXargs
      ? "-I -n -P -L -s -d -a -E --max-args --max-procs --max-lines --max-chars --delimiter --arg-file --replace"
      : "-j --jobs -a --arg-file --colsep -I -N --joblog --results --tmpdir --delay --timeout",
    true,
  );
  const files = options.flatMap(({ name, value }) =>
    value !== undefined && (name === "-a" || isOption(name, "--arg-file", "--joblog", "--results")) ? [value] : [],
  );
  const marker = options.find(({ name }) => name === "-I" || name === "--replace")?.value?.text ?? "{}";
  const { input } = call.place;
  const isListed = input.kind === "pipe" && areJudgedPaths(input.from) && files.length === 0;
  const item = isListed
    ? foundBelow(foldersOf(input.from[0] ?? []), call.source)
    : { text: UNKNOWN, source: call.source };
  const stop = isXargs ? -1 : rest.findIndex(({ text }) => /^:{3,4}\+?$/u.test(text));
  const template = stop === -1 ? rest : rest.slice(0, stop);
  if (template.length === 0) {
    if (!isXargs) refuse(scan, call, "it runs each line that it reads");
    return files;
  }
  const source = call.source;
  if (!isXargs) {
    // GNU parallel passes its words to a shell.
    runAsText(scan, call, template);
    const values = stop === -1 ? [{ text: UNKNOWN, source }] : rest.slice(stop + 1);
    scan.runWords(
      [...template.slice(0, 1), ...template.slice(1).filter(({ text }) => !text.includes("{")), ...values],
      source,
      call.place,
    );
    return files;
  }
  const name = template[0]?.text.replace(/^.*\//su, "") ?? "";
  const runsText = SHELLS.has(name) || interpreterOf(name) !== undefined || name === "env" || name === "eval";
  const textAt = runsText
    ? template.findIndex(({ text }) => /^-[a-zA-Z]*[cepE]$|^--(?:command|eval|print)$/u.test(text)) + 1
    : 0;
  if (textAt > 0 && (template[textAt]?.text.includes(marker) ?? true)) {
    refuse(scan, call, "it puts what it reads into the text of a program");
    return files;
  }
  const isFilled = template.some(({ text }) => text.includes(marker));
  if (isFilled && template[0]?.text.includes(marker) === true) {
    refuse(scan, call, "it runs what it reads");
    return files;
  }
  if (runsText && template.length === 1 && !isFilled) {
    refuse(scan, call, "it runs what it reads");
    return files;
  }
  scan.runWords(isFilled ? template.map((one) => filled(one, marker, item)) : [...template, item], source, {
    ...call.place,
    input: { kind: "own" },
  });
  return files;
}

function refuse(scan: Scan, call: Call, why: string): void {
  scan.refuse({ danger: "pipe into a shell", offending: call.source, why, instead: "write the commands themselves" });
}
