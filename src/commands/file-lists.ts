import { isOption, readOptions } from "./options.ts";
import { type ProgramRule, refuse } from "./program-rule.ts";
import { type Call, type Scan, UNKNOWN } from "./scan.ts";

/** Programs that print paths under the given folders, and programs that only select lines. */
const LISTS_FILES = /^(?:find|fd|fdfind|ls|tree)$/u;
const CHOOSES_LINES = /^(?:grep|egrep|fgrep|sort|uniq|head|tail|shuf|rg)$/u;
const GIT_LISTS = /^git (?:-C \S+ )?(?:ls-files|diff|show|status|ls-tree|grep)\b/u;

/** Whether a pipe delivers only paths that were judged when they were listed. */
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
 * Judges a program that reads file names from a list. Mode restricted allows it only if the list comes through a pipe
 * from a command that lists judged files.
 *
 * @param isFromInput Whether the list is the program's standard input.
 * @param lister Pattern that the first command of the pipe must match.
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

/** Options whose value is a list of files, by program. A value `-` means standard input. */
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

/** `wc`, `du`, `file` and others with an option that names a list of files. */
export const listing: ProgramRule = (scan, call) => {
  const { valued, lists } = LIST_OPTIONS.get(call.name) ?? { valued: "", lists: [] };
  for (const { name, value } of readOptions(call.words, valued).options)
    if (isOption(name, ...lists)) judgeList(scan, call, value?.text === "-");
  return call.words;
};

/** `zip -@`, `7z a x.7z @list`: a list names the files to pack. */
export const packing: ProgramRule = (scan, call) => {
  const isList = (text: string) => (call.name === "zip" ? /^-[a-zA-Z]*@$/u.test(text) : /^-?[ix]?r?[-0]?@/u.test(text));
  if (call.words.some(({ text }) => isList(text))) judgeList(scan, call, call.name === "zip");
  return call.words;
};

/**
 * `cpio` and `pax` read file names from their input when they pack or copy, and write to the paths in the archive
 * when they unpack.
 */
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
