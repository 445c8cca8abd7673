import { judgeList } from "./file-lists.ts";
import { judgePath } from "./path-arguments.ts";
import { type ProgramRule, refuse } from "./program-rule.ts";
import { type Argument, filled, foundBelow, markedOf } from "./scan.ts";
import { isWholePlace } from "./whole-place.ts";

/** `find`: judges where it searches, what it deletes, and the commands that it starts with its results. */
export const find: ProgramRule = (scan, call) => {
  const { words, place } = call;
  const start = words.findIndex(({ text }) => /^-(?![HLP]$|O\d|D$)|^[(!]$/u.test(text));
  const roots = (start === -1 ? words : words.slice(0, start)).filter(({ text }) => !text.startsWith("-"));
  const expression = start === -1 ? [] : words.slice(start);
  const isFiltered = expression.some(({ text }) =>
    /^-i?(?:name|path|regex|newer\w*|mtime|mmin|ctime|atime|size|empty|user|perm|samefile|wholename|type)$/u.test(text),
  );
  const broad = (roots.length === 0 ? [{ text: ".", source: "." }] : roots).find(({ text }) =>
    isWholePlace(scan, text),
  );
  const isOutside = broad !== undefined && broad.text !== "." && broad.text !== "./";
  for (let index = 0; index < expression.length && !scan.isRefused(); index++) {
    const { text } = expression[index] as Argument;
    if (
      text === "-delete" &&
      broad !== undefined &&
      (isOutside ||
        !isFiltered ||
        expression.slice(0, index).every((one) => !/^-(?!type|depth|mindepth|maxdepth|xdev)/u.test(one.text)))
    )
      return refuse(
        scan,
        "disk",
        call.source,
        `it deletes everything under ${JSON.stringify(broad.text)}`,
        "choose files with -name",
      );
    if (/^-(?:exec|execdir|ok|okdir)$/u.test(text)) {
      const length = expression
        .slice(index + 1)
        .findIndex((one, at, all) => one.text === ";" || (one.text === "+" && all[at - 1]?.text === "{}"));
      const started = length === -1 ? expression.slice(index + 1) : expression.slice(index + 1, index + 1 + length);
      const found =
        isOutside || (broad !== undefined && !isFiltered) ? broad : foundBelow(roots.map(markedOf), call.source);
      if (started.some((one) => one.text.includes("{}") && one.text !== "{}" && /\s/u.test(one.text)))
        return refuse(
          scan,
          "pipe into a shell",
          call.source,
          "it puts the names of files into the text of a program",
          "hand them over as arguments: sh -c '… \"$1\"' _ {}",
        );
      scan.runWords(
        started.map((one) => filled(one, "{}", found)),
        call.source,
        place,
      );
      index += started.length;
    } else if (/^-(?:fprint0?|fprintf|fls)$/u.test(text)) {
      const target = expression[++index];
      if (target !== undefined) judgePath(scan, target, place, "write");
    } else if (text === "-files0-from") {
      judgeList(scan, call, expression[++index]?.text === "-");
    } else if (/^-(?:newer\w*|samefile|anewer|cnewer)$/u.test(text)) {
      const target = expression[++index];
      if (target !== undefined) judgePath(scan, target, place, "read");
    }
  }
  return roots;
};
