import { isOption, readOptions } from "./options.ts";
import { judgePath, judgeWord } from "./path-arguments.ts";
import { type Argument, type Call, type Scan, UNKNOWN, markedOf } from "./scan.ts";

/** Settings that make git start a program, or read a settings file that may. */
const RUNNING_KEY =
  /^(?:core\.(?:sshcommand|hookspath|fsmonitor|editor|pager|askpass|gitproxy|alternaterefscommand|attributesfile|worktree)|alias\..*|pager\..*|credential\..*|filter\..*|diff\..*(?:command|textconv|external)|diff\.external|merge\..*driver|mergetool\..*|difftool\..*|gpg\..*|sequence\.editor|include(?:if)?\..*|url\..*|protocol\..*|remote\..*(?:vcs|uploadpack|receivepack|proxy)|uploadpack\..*|http\..*|https\..*|browser\..*|web\..*|man\..*|sendemail\..*|init\.templatedir|submodule\..*update|interactive\.difffilter|imap\..*|instaweb\..*|tar\..*command|trailer\..*command|trailer\..*cmd|ssh\.variant|hook\..*|safe\..*|user\.signingkey|core\.sshcommand.*|receive\..*|transfer\..*|maintenance\..*|extensions\..*)$/iu;
const NETWORK = new Set(
  "clone fetch pull push ls-remote remote-http remote-https remote-ext fetch-pack send-pack upload-pack receive-pack upload-archive request-pull svn p4 cvsimport lfs archimport http-push http-fetch".split(
    " ",
  ),
);
/**
 * Subcommands that serve or send files, hand out passwords, start other programs, or install something that runs
 * later.
 */
const DENIED = new Map([
  ["daemon", "it serves the files to other machines"],
  ["instaweb", "it serves the files to other machines"],
  ["http-backend", "it serves the files to other machines"],
  ["send-email", "it sends files away"],
  ["imap-send", "it sends files away"],
  ["credential", "it hands out passwords"],
  ["credential-store", "it hands out passwords"],
  ["credential-cache", "it hands out passwords"],
  ["shell", "it runs other commands"],
  ["mergetool", "it starts a program that settings name"],
  ["difftool", "it starts a program that settings name"],
  ["gui", "it starts a program that settings name"],
  ["citool", "it starts a program that settings name"],
  ["maintenance", "it arranges that something runs later"],
  ["hook", "it runs hooks"],
  ["update-server-info", "it prepares the files for other machines"],
]);
const TEXT_OPTIONS =
  "-m -S -G --message --grep --author --committer --format --pretty --since --until --after --before --date --trailer --subject-prefix -L --strategy -s --cleanup --color --abbrev --sort --count --max-count -n -b -B";
const WRITES = new Set(["mv", "rm", "clean", "restore", "checkout", "worktree", "init", "apply", "am"]);

/**
 * Judges a git command: its settings, the programs it starts, and its paths. @returns Always an empty list: no words
 * are left to judge.
 */
export function judgeGit(scan: Scan, call: Call): readonly Argument[] {
  const { options, rest } = readOptions(
    call.words,
    "-C -c --git-dir --work-tree --exec-path --namespace --config-env --super-prefix",
    true,
  );
  for (const { name, value } of options) {
    if (name === "-c" || isOption(name, "--config-env")) judgeSetting(scan, value);
    else if (name === "-C" || isOption(name, "--git-dir", "--work-tree", "--exec-path")) {
      if (value !== undefined) judgePath(scan, value, call.place, "read");
      if (isOption(name, "--exec-path") && value !== undefined)
        refuse(scan, value.source, "it says where git finds its programs");
    }
  }
  const [subcommand, ...words] = rest;
  if (subcommand === undefined || scan.isRefused()) return [];
  const name = subcommand.text;
  if (name.includes(UNKNOWN)) {
    scan.refuse({
      danger: "unjudged expansion",
      offending: subcommand.source,
      why: "what git does is known only when it runs",
      instead: "write the git command out",
    });
    return [];
  }
  for (const { text, source } of words) {
    if (/^ext::|^(?:fd|transport)::/iu.test(text)) refuse(scan, source, "that address starts a program");
    if (
      /^--(?:upload-pack|receive-pack|exec|ext-diff|textconv-cmd|open-files-in-pager|extcmd|template|upload-p|receive-p)\b/u.test(
        text,
      ) &&
      !(name === "rebase" && text.startsWith("--exec"))
    )
      refuse(scan, source, "that option starts a program, or brings one");
  }
  const denied = DENIED.get(name);
  if (denied !== undefined) refuse(scan, call.source, denied);
  if (name === "config") judgeConfig(scan, call, words);
  if (name === "remote" && /^(?:update|show|prune)$/u.test(words[0]?.text ?? "")) refuseNetwork(scan, call);
  if (name === "submodule") {
    if (/^(?:add|update|init|sync)$/u.test(words[0]?.text ?? "")) refuseNetwork(scan, call);
    if (words[0]?.text === "foreach")
      runRest(
        scan,
        call,
        words.slice(1).filter(({ text }) => !/^--(?:recursive|quiet)$|^-q$/u.test(text)),
      );
  }
  const elsewhere =
    name === "push" ? words.find(({ text }) => /^[a-z+]+:\/\/|^[\w.-]+@[\w.-]+:/iu.test(text)) : undefined;
  if (elsewhere !== undefined)
    scan.refuse({
      danger: "exfiltration",
      offending: elsewhere.source,
      why: "it sends the repository to an address of the command's own",
      instead: "push to a remote that the repository already has",
    });
  if (NETWORK.has(name)) refuseNetwork(scan, call);
  if (name === "archive" && words.some(({ text }) => text.startsWith("--remote"))) refuseNetwork(scan, call);
  if (name === "grep" && words.some(({ text }) => /^-[a-zA-Z]*O/u.test(text)))
    refuse(scan, call.source, "that option starts a program");
  if (name === "rebase" || name === "bisect" || name === "filter-branch" || name === "filter-repo")
    judgeRunning(scan, call, name, words);
  if (scan.isRefused()) return [];
  if (name === "submodule" && words[0]?.text === "foreach") return [];
  const judged = readOptions(words, TEXT_OPTIONS);
  const texts = TEXT_OPTIONS.split(" ");
  const use = WRITES.has(name) ? "write" : "read";
  const isPatternFirst = name === "grep" && !judged.options.some((one) => one.name === "-e");
  for (const one of judged.options) {
    if (one.value !== undefined && !isOption(one.name, ...texts))
      judgeWord(scan, one.value, call.place, one.name.startsWith("--output") ? "write" : use);
  }
  for (const word of judged.rest.slice(isPatternFirst ? 1 : 0)) {
    // HEAD:src/a.ts, :/text and :!path name objects of the repository.
    if (/^[^/~]*:[^/]/u.test(word.text) && !word.text.includes("..")) continue;
    if (/^(?::\/|[\w./@^{}~-]+\.{2,3}[\w./@^{}~-]+$)/u.test(word.text) && !/(?:^|\/)\.\.(?:\/|$)|^\//u.test(word.text))
      continue;
    judgeWord(scan, word, call.place, use);
  }
  return [];
}

function judgeSetting(scan: Scan, setting: Argument | undefined): void {
  if (setting === undefined) return;
  const key = setting.text.replace(/=.*$/su, "");
  if (key.includes(UNKNOWN) || RUNNING_KEY.test(key))
    refuse(
      scan,
      setting.source,
      `the setting ${key.replaceAll(UNKNOWN, "…")} starts a program or changes where git looks`,
    );
}

function judgeConfig(scan: Scan, call: Call, words: readonly Argument[]): void {
  const { options, rest } = readOptions(words, "-f --file --type --blob --default");
  const names = options.map(({ name }) => name);
  if (
    names.some((name) => isOption(name, "--global", "--system", "--edit", "-e")) &&
    !names.some((name) => /^(?:--get|--list|-l)/u.test(name)) &&
    !/^(?:get|list)$/u.test(rest[0]?.text ?? "") &&
    (rest.length > 1 || names.some((name) => isOption(name, "--edit", "-e")))
  ) {
    scan.refuse({
      danger: "persistence",
      offending: call.source,
      why: "it changes settings of every repository of this machine",
      instead: "set it for this repository only",
    });
  }
  if (names.some((name) => /^--(?:get|list|show)|^-l$/u.test(name)) || /^(?:get|list)$/u.test(rest[0]?.text ?? ""))
    return;
  const key = /^(?:set|unset)$/u.test(rest[0]?.text ?? "") ? rest[1] : rest[0];
  if (key !== undefined && rest.length > 1) judgeSetting(scan, key);
}

function judgeRunning(scan: Scan, call: Call, name: string, words: readonly Argument[]): void {
  if (name === "bisect") {
    if (words[0]?.text === "run") scan.runWords(words.slice(1), call.source, call.place);
    return;
  }
  const { options } = readOptions(
    words,
    "-x --exec --tree-filter --index-filter --msg-filter --env-filter --commit-filter --parent-filter --tag-name-filter --setup -s --strategy --onto",
  );
  for (const { name: option, value } of options) {
    if (value !== undefined && /^(?:-x|--exec|--.*-filter|--setup)$/u.test(option))
      scan.runText(markedOf(value), value.source, call.place);
  }
}

function runRest(scan: Scan, call: Call, words: readonly Argument[]): void {
  if (words.length > 0) scan.runText(words.map(markedOf).join(" "), call.source, call.place);
}

function refuse(scan: Scan, offending: string, why: string): void {
  scan.refuse({
    danger: "hidden command",
    offending,
    why,
    instead: "run git without that, and the other command by itself",
  });
}

function refuseNetwork(scan: Scan, call: Call): void {
  if (scan.mode === "restricted")
    scan.refuse({
      danger: "network",
      offending: call.source,
      why: "it reaches another machine",
      instead: "work with the repository as it is here, and leave exchange with others to the owner",
    });
}
