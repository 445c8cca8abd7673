import { DENIED_PROGRAMS, NETWORK_PROGRAMS, NETWORK_SUBCOMMANDS } from "./denied-programs.ts";
import { joined, judgePath, judgeWord } from "./path-arguments.ts";
import { judgeLoading, programRule } from "./programs.ts";
import { type Argument, type Call, type Place, type Scan, UNKNOWN } from "./scan.ts";
import { SHELLS, interpreterOf, judgeInterpreter, judgeShell } from "./shells.ts";
import { isWrapper, judgeWrapper } from "./wrappers.ts";

/** Paths of the system's own programs. */
const SYSTEM_PROGRAM = /^\/(?:usr\/(?:local\/)?)?s?bin\/[^/]+$|^\/opt\/homebrew\/bin\/[^/]+$/u;

/** Commands that only read, so they may open files that other commands must not change. */
const READERS = new Set(
  "cat head tail less more bat grep egrep fgrep zgrep rg ag wc ls stat file diff cmp md5sum sha1sum sha256sum find test [ cut sort uniq nl od xxd hexdump strings jq yq readlink realpath du tree git source . sed awk gawk column paste comm tac rev fold cp tar zip rsync echo python3 node perl ruby ln bc dc date".split(
    " ",
  ),
);

/** Judges one simple command: its program, what that program starts, and its words. */
export function judgeCall(scan: Scan, words: readonly Argument[], source: string, place: Place): void {
  const [program, ...rest] = words;
  if (program === undefined || scan.isRefused()) return;
  if (!judgeProgram(scan, program, place)) return;
  const name = nameOf(program.text);
  const call: Call = { name, program: program.text, words: rest, source, place };

  // mkfs.ext4 is mkfs, but script.sh is a script in the workspace.
  const denied =
    DENIED_PROGRAMS.get(name) ?? DENIED_PROGRAMS.get(name.replace(/\.(?!(?:sh|py|rb|pl|[cm]?[jt]s)$).*$/su, ""));
  if (denied !== undefined && !scan.functions.has(program.text)) {
    if (!onlyAsks(rest)) scan.refuse({ ...denied, offending: source });
    return;
  }
  const local = name === "npx" ? localProgram(rest) : undefined;
  if (local !== undefined) {
    scan.runWords(local, source, place);
    return;
  }
  if (scan.mode === "restricted" && !onlyAsks(rest, NETWORK_PROGRAMS.has(name))) {
    const reaches =
      NETWORK_PROGRAMS.has(name) ||
      NETWORK_SUBCOMMANDS.get(name)?.test(rest.find(({ text }) => !text.startsWith("-"))?.text ?? "") === true ||
      (/^(?:npm|yarn|pnpm)$/u.test(name) && rest.length === 0 && name === "yarn");
    if (reaches) {
      judgeRest(scan, call);
      scan.refuse({
        danger: "network",
        offending: source,
        why: "it reaches other machines",
        instead: "ask for a web page with the tool for web pages, or ask the owner to install what is needed",
      });
      return;
    }
  }
  judgeRest(scan, call);
}

/**
 * Whether a program is only asked for its version or help. For programs that reach other machines, a single `-V`
 * counts too.
 */
function onlyAsks(words: readonly Argument[], isShort = false): boolean {
  const [only, ...more] = words;
  return (
    only !== undefined &&
    more.length === 0 &&
    (isShort ? /^(?:--version|--help|-V)$/u : /^--(?:version|help)$/u).test(only.text)
  );
}

/** Returns the words of the workspace's program that npx starts if it must not download one. */
function localProgram(words: readonly Argument[]): readonly Argument[] | undefined {
  const start = words.findIndex(({ text }) => !/^(?:--no-install|--no|-q|--quiet|--)$/u.test(text));
  const isLocal = words.slice(0, Math.max(start, 0)).some(({ text }) => /^--no(?:-install)?$/u.test(text));
  return isLocal && /^[a-z][\w.-]*$/u.test(words[start]?.text ?? "") ? words.slice(start) : undefined;
}

function judgeRest(scan: Scan, call: Call): void {
  const { name, place } = call;
  let left: readonly Argument[];
  const interpreter = interpreterOf(name);
  judgeLoading(scan, call);
  const runsScript =
    name === "bun" &&
    call.words[0] !== undefined &&
    !call.words[0].text.startsWith("-") &&
    !/\.[cm]?[jt]sx?$/u.test(call.words[0].text);
  if (SHELLS.has(name)) left = judgeShell(scan, call);
  else if (isWrapper(name)) left = judgeWrapper(scan, call);
  else if (interpreter !== undefined && !runsScript) left = judgeInterpreter(scan, call, interpreter);
  else left = programRule(name)?.(scan, call) ?? call.words;
  if (scan.isRefused()) return;
  const use = READERS.has(name) ? "read" : "write";
  for (const word of left)
    judgeWord(scan, word, place, scan.mode === "open" && use === "write" && !isSpecialWrite(word.text) ? "read" : use);
}

/**
 * Whether a path is outside the system's folders. Mode "open" judges such a path as written by a program without a
 * rule, because it may be a file that runs later; the system's files may be read.
 */
function isSpecialWrite(text: string): boolean {
  return !/^\/(?:usr|bin|sbin|lib|opt|etc|proc|sys|dev|var)(?:\/|$)/u.test(text);
}

/** Returns the program's name: `/usr/bin/rm` is rm, and so is RM on a case-insensitive disk. */
function nameOf(program: string): string {
  return program
    .replace(/^.*\//su, "")
    .toLowerCase()
    .replace(/\.exe$/u, "");
}

/** Whether the program's name is known and allowed. */
function judgeProgram(scan: Scan, program: Argument, place: Place): boolean {
  const { text, source } = program;
  if (text.includes(UNKNOWN) || /[*?[\]{]/u.test(text.replace(/^\[\[?$/u, ""))) {
    const isHidden =
      /\b(?:curl|wget|base64|base32|xxd|rev|tr|openssl|printf)\b/u.test(source) || /\$(?:0|\{0\})/u.test(source);
    if (scan.mode === "restricted" || isHidden) {
      scan.refuse({
        danger: isHidden ? "pipe into a shell" : "unjudged expansion",
        offending: source,
        why: "which program this starts is known only when it runs",
        instead: "name the program itself",
      });
      return false;
    }
    return false;
  }
  if (!text.includes("/")) return true;
  if (SYSTEM_PROGRAM.test(text)) return true;
  judgePath(scan, program, place, "read");
  for (const folder of place.folders) scan.executed.set(joined(folder, text).replace(/^\.\//u, ""), source);
  return !scan.isRefused();
}
