import { isOption, readOptions } from "./options.ts";
import { type ProgramRule, refuse } from "./program-rule.ts";
import { type Call, type Scan, UNKNOWN } from "./scan.ts";

/** Programs that print paths of the folders they were given, and those that only choose among lines. */
const LISTS_FILES = /^(?:find|fd|fdfind|ls|tree)$/u;
const CHOOSES_LINES = /^(?:grep|egrep|fgrep|sort|uniq|head|tail|shuf|rg)$/u;
const GIT_LISTS = /^git (?:-C \S+ )?(?:ls-files|diff|show|status|ls-tree|grep)\b/u;

/** Whether what comes through a pipe is paths that were judged when they were listed. */
export function areJudgedPaths(from: readonly (readonly string[] | undefined)[]): boolean {
  const [first, ...others] = from;
  if (first === undefined || first.some((one) => one.includes(UNKNOWN))) return false;
  const isList =
    LISTS_FILES.test(first[0] ?? "") ||
    (GIT_LISTS.test(first.join(" ")) && first.some((one) => /^(?:ls-files|--name-only|ls-tree|-l)$/u.test(one))) ||
    (/^(?:grep|egrep|fgrep|rg|ag)$/u.test(first[0] ?? "") &&
      first.some((one) => /^-[a-zA-Z]*[lL]|^--files/u.test(one)));
  return (
    isList &&
    !first.some((one) => /^-(?:printf|fprint|exec)/u.test(one)) &&
    others.every((one) => one !== undefined && CHOOSES_LINES.test(one[0] ?? ""))
  );
}

/**
 * Judges a program that reads names of files from a list: in mode restricted it may, where the list comes through a pipe from a command that lists files which
 * were judged.
 *
 * @param isFromInput Whether the list is the program's standard input.
 * @param lister The first command of the pipe must fit it.
 */
export function judgeList(scan: Scan, call: Call, isFromInput: boolean, lister: RegExp = /./u): void {
  if (scan.mode === "open") return;
  const { input } = call.place;
  if (isFromInput && input.kind === "pipe" && areJudgedPaths(input.from) && lister.test(input.from[0]?.[0] ?? ""))
    return;
  refuse(
    scan,
    "unjudged expansion",
    call.source,
    "which files its list names is known only when it runs",
    "name the files, or list them with find: find . -name '*.txt' -print0 | xargs -0 …",
  );
}

/** Options whose value is a list of files, by program; `-` means the standard input unless said otherwise. */
const LIST_OPTIONS: ReadonlyMap<string, { readonly valued: string; readonly lists: readonly string[] }> = new Map([
  ["wc", { valued: "--files0-from", lists: ["--files0-from"] }],
  [
    "du",
    {
      valued: "-B -d -t -X --block-size --max-depth --threshold --exclude --exclude-from --files0-from",
      lists: ["--files0-from"],
    },
  ],
  [
    "file",
    {
      valued: "-e -F -f -m -P --files-from --exclude --separator --magic-file --parameter",
      lists: ["-f", "--files-from"],
    },
  ],
  ["ctags", { valued: "-f -o -L", lists: ["-L"] }],
]);

/** `wc`, `du`, `file` and others that take a list of files by an option. */
export const listing: ProgramRule = (scan, call) => {
  const { valued, lists } = LIST_OPTIONS.get(call.name) ?? { valued: "", lists: [] };
  for (const { name, value } of readOptions(call.words, valued).options)
    if (isOption(name, ...lists)) judgeList(scan, call, value?.text === "-");
  return call.words;
};

/** `zip -@`, `7z a x.7z @list`: what is packed stands in a list. */
export const packing: ProgramRule = (scan, call) => {
  const isList = (text: string) => (call.name === "zip" ? /^-[a-zA-Z]*@$/u.test(text) : /^-?[ix]?r?[-0]?@/u.test(text));
  if (call.words.some(({ text }) => isList(text))) judgeList(scan, call, call.name === "zip");
  return call.words;
};

/** `cpio` and `pax` read the names of files from their input when they pack or copy, and write wherever an archive says when they unpack. */
export const copying: ProgramRule = (scan, call) => {
  const isPax = call.name === "pax";
  const { options, rest } = readOptions(
    call.words,
    isPax
      ? "-B -E -T -U -G -b -f -o -p -s -x"
      : "-C -D -E -F -H -I -M -O -R --directory --pattern-file --file --format --io-size --message --owner --rsh-command",
  );
  const has = (...names: readonly string[]) => options.some(({ name }) => isOption(name, ...names));
  const isUnpacking = isPax ? has("-r") && !has("-w") : has("-i", "--extract");
  const isSafe = has("--no-absolute-filenames") || (!isPax && has("-t", "--list"));
  if (isUnpacking && !isSafe && scan.mode === "restricted")
    refuse(
      scan,
      "outside the workspace",
      call.source,
      "files of the archive may land outside",
      isPax ? "unpack with tar" : "unpack with --no-absolute-filenames, or only look with -t",
    );
  const isListed = isPax
    ? has("-w") && rest.length <= (has("-r") ? 1 : 0)
    : has("-o", "-p", "--create", "--pass-through");
  if (isListed && !scan.isRefused()) judgeList(scan, call, true);
  return call.words;
};
