import { isOption, readOptions } from "./options.ts";
import { type ProgramRule, refuse } from "./program-rule.ts";
import { UNKNOWN } from "./scan.ts";
import { shaped } from "./text-tools.ts";

/** `date`: its words are text, except files that it reads dates from. */
export const clock: ProgramRule = (_, call) =>
  readOptions(call.words, "-d --date -f --file -r --reference -s --set -I -v").options.flatMap(({ name, value }) =>
    value !== undefined && (/^-[fr]$/u.test(name) || isOption(name, "--file", "--reference")) ? [value] : [],
  );

/** Options of `ps` that take a value, as letters without a dash. */
const BEFORE_VALUE =
  /^-?[A-Za-z]*[oOpUtkCgGqsuN]$|^--(?:format|sort|pid|ppid|user|User|group|Group|tty|cols|columns|width|rows|lines)$/u;

/** `ps`: `e` without a dash shows the environment of every program; so do `-E` and, on some systems, `-e` with `w`. */
export const processes: ProgramRule = (scan, call) => {
  const showing = call.words.find(({ text }, index) => {
    if (/\benviron/iu.test(text)) return true;
    const isValue = index > 0 && BEFORE_VALUE.test(call.words[index - 1]?.text ?? "");
    if (/^[A-Za-z]+$/u.test(text)) return text.includes("e") && !(isValue && !/^a?u?x?$/u.test(text));
    return /^-[A-Za-z]*E|^-(?=[A-Za-z]*e)(?![A-Za-z]*[fFljo])[A-Za-z]*[wx]/u.test(text);
  });
  if (showing === undefined) return [];
  return refuse(
    scan,
    "credentials",
    call.source,
    "it shows the environment of programs, where keys are",
    "use ps aux, or ps -ef",
  );
};

/** `getent`: reads lists of the system, some of which are secret or come over the network. */
export const lookUp: ProgramRule = (scan, call) => {
  const [list] = readOptions(call.words, "-s --service").rest;
  const name = list?.text ?? "";
  const instead = "leave the system's lists alone";
  if (/shadow/u.test(name) || name.includes(UNKNOWN))
    return refuse(scan, "credentials", call.source, "it reads the system's credentials", instead);
  if (scan.mode === "open" || /^(?:group|protocols|services)$/u.test(name)) return [];
  if (name === "passwd")
    return refuse(scan, "outside the workspace", call.source, "it reads the system's list of users", instead);
  return refuse(scan, "network", call.source, "it may ask other machines", instead);
};

/** `bc` and `dc`: their words are files; a line of dc that begins with `!` is a command. */
export const calculator: ProgramRule = (scan, call) => {
  const { input } = call.place;
  if (call.name === "dc") {
    const given = call.words.map(({ text }) => text);
    if (input.kind === "text") given.push(input.text);
    if (input.kind === "pipe")
      for (const words of input.from)
        given.push(...(words !== undefined && /^(?:echo|printf)$/u.test(words[0] ?? "") ? words : [UNKNOWN]));
    if (given.some((one) => one.includes(UNKNOWN) || /!(?![<>=])|\\/u.test(one)))
      return refuse(scan, "hidden command", call.source, "a line with ! is a command", "use bc");
  }
  return shaped({ texts: 0, textOptions: "-e --expression --scale", fileOptions: "-f --file" })(scan, call);
};

/** `mapfile`: reads lines into a variable; with -C it runs a command for them. */
export const readsLines =
  (names: ProgramRule): ProgramRule =>
  (scan, call) => {
    if (readOptions(call.words, "-d -n -O -s -u -C -c").options.some(({ name }) => name === "-C"))
      return refuse(
        scan,
        "hidden command",
        call.source,
        "with -C it runs a command for its lines",
        "read the lines and run the command itself",
      );
    return names(scan, call);
  };
