import { judgeAssignment } from "./environment.ts";
import { isOption, readOptions } from "./options.ts";
import { type ProgramRule, refuse } from "./program-rule.ts";
import type { Argument } from "./scan.ts";

export const npm: ProgramRule = (scan, call) => {
  for (const { text, source } of call.words)
    if (/^--?(?:script-shell|node-options|call|prefix=\/|userconfig|globalconfig)\b|^-c$/u.test(text))
      return refuse(
        scan,
        "hidden command",
        source,
        "that option runs a command or changes what runs",
        "run a script of package.json as it is",
      );
  const [first, ...others] = call.words;
  if (/^(?:publish|login|adduser|token|unpublish|owner|access)$/u.test(first?.text ?? ""))
    return refuse(
      scan,
      "exfiltration",
      call.source,
      "it publishes, or uses the owner's account",
      "leave publishing to the owner",
    );
  if (/^(?:exec|x|dlx)$/u.test(first?.text ?? "")) {
    scan.runWords(
      others.filter(({ text }) => text !== "--"),
      call.source,
      call.place,
    );
    return [];
  }
  if (
    /^(?:config|c|set)$/u.test(first?.text ?? "") &&
    /^(?:set|edit|delete)$/u.test(others[0]?.text ?? (first?.text === "set" ? "set" : ""))
  )
    return refuse(
      scan,
      "persistence",
      call.source,
      "it changes settings that outlive the command",
      "leave settings to the owner",
    );
  return call.words;
};

export const make: ProgramRule = (scan, call) => {
  const { options, rest } = readOptions(
    call.words,
    "-f -C -I -j -l -o -W --file --directory --eval -E --include-dir --makefile",
  );
  for (const { name, value } of options)
    if (value !== undefined && (name === "-E" || isOption(name, "--eval")))
      return refuse(
        scan,
        "hidden command",
        value.source,
        "it runs a makefile given as a text",
        "put it into the Makefile",
      );
  const paths: Argument[] = options.flatMap(({ name, value }) =>
    value === undefined || /^-[jl]$/u.test(name) ? [] : [value],
  );
  for (const word of rest) {
    const [, variable, value = ""] = /^(\w+)[:+?]?=(.*)$/su.exec(word.text) ?? [];
    if (variable === undefined) paths.push(word);
    else if (variable === "SHELL" || variable === ".SHELLFLAGS" || /\$\(shell|\$\(eval|`|[;|&]/u.test(value))
      return refuse(scan, "hidden command", word.source, "that variable runs a command", "set it in the Makefile");
    else {
      judgeAssignment(scan, variable, value, word.source);
      paths.push(word);
    }
  }
  return paths;
};
