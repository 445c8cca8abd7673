import { judgeList } from "./file-lists.ts";
import { isOption, readOptions } from "./options.ts";
import { judgePath } from "./path-arguments.ts";
import { type ProgramRule, refuse } from "./program-rule.ts";
import { UNKNOWN } from "./scan.ts";
import { isWholePlace } from "./whole-place.ts";

/** Rule for programs that change the paths they are given: all of them, or only the last. */
export function writing(which: "all" | "last", valued = ""): ProgramRule {
  return (scan, call) => {
    const { options, rest } = readOptions(call.words, valued);
    const into = options.find(
      ({ name }) => (name === "-t" && which === "last") || isOption(name, "--target-directory"),
    )?.value;
    const written = which === "all" ? rest : into === undefined ? rest.slice(-1) : [into];
    for (const word of written) judgePath(scan, word, call.place, "write");
    return [
      ...rest,
      ...options.flatMap(({ name, value }) =>
        value === undefined ||
        /^-[msSgod]$/u.test(name) ||
        isOption(name, "--mode", "--suffix", "--date", "--size", "--owner", "--group")
          ? []
          : [value],
      ),
    ];
  };
}

export const install: ProgramRule = (scan, call) => {
  const { options } = readOptions(call.words, "-m --mode");
  const mode = options.find(({ name }) => name === "-m" || isOption(name, "--mode"))?.value?.text ?? "";
  if (givesRights(mode))
    return refuse(scan, "privilege", call.source, "the file would run with its owner's rights", "leave out the s bits");
  return writing("last", "-t --target-directory -S --suffix -m --mode -o -g --owner --group")(scan, call);
};

export const move: ProgramRule = (scan, call) => {
  const rest = writing("all", "-t --target-directory -S --suffix")(scan, call);
  const whole = rest.slice(0, -1).find(({ text }) => isWholePlace(scan, text) && !/^(?:\*|\.\/\*)$/u.test(text));
  if (whole === undefined) return rest;
  const why = `it moves everything under ${JSON.stringify(whole.text)}`;
  return refuse(scan, "disk", call.source, why, "name the files or folders of the workspace that should move");
};

/** Whether a mode sets the s bits (setuid, setgid), in letters or in digits. */
function givesRights(mode: string): boolean {
  return /(?:^|,)[ugoa]*[+=][rwxXt]*s/u.test(mode) || /^0?[2467][0-7]{3}$/u.test(mode);
}

export const remove: ProgramRule = (scan, call) => {
  const { options, rest } = readOptions(call.words);
  const isRecursive = options.some(({ name }) => /^-[rR]$/u.test(name) || isOption(name, "--recursive"));
  const isForced = options.some(({ name }) => isOption(name, "--no-preserve-root"));
  const whole = rest.find(({ text }) => isWholePlace(scan, text) && (isRecursive || /[*?]/u.test(text)));
  if (isForced || whole !== undefined)
    return refuse(
      scan,
      "disk",
      call.source,
      `it deletes everything under ${JSON.stringify(whole?.text ?? "/")}`,
      "name the files or folders of the workspace that should go",
    );
  const unknown = scan.mode === "open" && isRecursive ? rest.find(({ text }) => text.startsWith(UNKNOWN)) : undefined;
  if (unknown !== undefined)
    return refuse(
      scan,
      "disk",
      unknown.source,
      "what it deletes is known only when it runs, and may be everything",
      "name the folder that should go",
    );
  return rest;
};

export const changeMode: ProgramRule = (scan, call) => {
  const { options, rest } = readOptions(call.words.filter(({ text }) => !/^-[rwxXst]+$/u.test(text)));
  const [mode, ...files] = rest;
  const text = mode?.text ?? "";
  if (givesRights(text))
    return refuse(scan, "privilege", call.source, "the file would run with its owner's rights", "leave out the s bits");
  if (
    options.some(({ name }) => name === "-R" || isOption(name, "--recursive")) &&
    files.some((file) => isWholePlace(scan, file.text) && !/^(?:\.|\*|\.\/\*)$/u.test(file.text))
  )
    return refuse(
      scan,
      "privilege",
      call.source,
      "it changes the rights of everything there",
      "name the folders of the workspace",
    );
  return files;
};

export const changeOwner: ProgramRule = (scan, call) => {
  const { rest } = readOptions(call.words, "--from --reference");
  const [owner, ...files] = rest;
  if (/^(?:root|0)?(?::(?:root|wheel|0|sudo|admin))?$/u.test(owner?.text ?? ""))
    return refuse(scan, "privilege", call.source, "it hands files to the administrator", "leave the owner as it is");
  return files;
};

export const dd: ProgramRule = (scan, call) => {
  for (const { text, source } of call.words) {
    if (text.startsWith("of=")) judgePath(scan, { text: text.slice(3), source }, call.place, "write");
    else if (text.startsWith("if=")) judgePath(scan, { text: text.slice(3), source }, call.place, "read");
  }
  const isEndless =
    call.words.some(({ text }) => /^if=\/dev\/(?:zero|u?random|full)/u.test(text)) &&
    !call.words.some(({ text }) => /^count=\d/u.test(text));
  if (isEndless) refuse(scan, "disk", call.source, "it writes until the disk is full", "give a count");
  return [];
};

export const rsync: ProgramRule = (scan, call) => {
  const away = call.words.find(
    ({ text }) => /^(?:[^/@:=]*@)?(?:[\w.-]+|\[[^\]/]*\])::?(?!=)|^rsync:/u.test(text) && !text.startsWith("-"),
  );
  if (away !== undefined)
    return refuse(
      scan,
      "exfiltration",
      away.source,
      "it copies to or from another machine",
      "copy inside the workspace",
    );
  for (const { name, value } of readOptions(call.words, "--files-from").options)
    if (isOption(name, "--files-from")) judgeList(scan, call, value?.text === "-");
  return writing("last")(scan, call);
};
