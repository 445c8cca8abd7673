import { archive, sort } from "./archives.ts";
import { make, npm } from "./builders.ts";
import { judgeCode } from "./code.ts";
import { curl } from "./downloads.ts";
import { changeMode, changeOwner, dd, install, move, remove, rsync, writing } from "./file-tools.ts";
import { copying, listing, packing } from "./file-lists.ts";
import { find } from "./finding-files.ts";
import { judgeGit } from "./git.ts";
import { isOption, readOptions } from "./options.ts";
import { judgePath, judgeWord } from "./path-arguments.ts";
import { type ProgramRule, refuse, texts } from "./program-rule.ts";
import { type Call, type Scan, markedOf, withoutStart } from "./scan.ts";
import { judgeScriptFile } from "./shells.ts";
import { calculator, clock, lookUp, processes, readsLines } from "./system-tools.ts";
import { awk, grep, ripgrep, sed, shaped } from "./text-tools.ts";
import { declaring, evaluating, filling } from "./variable-builtins.ts";

const nothing: ProgramRule = () => [];
const kill: ProgramRule = (scan, call) => {
  const { options, rest } = readOptions(
    call.words.filter(
      ({ text }) =>
        !/^-(?:[A-Z]+\d*|\d{1,2}|SIG\w+)$/u.test(text) || (text === "-1" && call.words.at(-1)?.text === "-1"),
    ),
    "-s -n --signal",
  );
  if (options.some(({ name }) => /^(?:-l|-L|--list)$/u.test(name))) return [];
  if (call.words.some(({ text }) => text === "-0")) return [];
  if (
    rest.length > 0 &&
    options.every(({ name }) => !/^-\d$/u.test(name)) &&
    rest.every(({ text }) => text.startsWith("%"))
  )
    return [];
  return refuse(
    scan,
    "processes",
    call.source,
    "it may stop programs that are not its own",
    "stop jobs of this command only, as kill %1 or kill $!",
  );
};

/** Options whose value is a command, by program. */
const RUNNING_OPTIONS: ReadonlyMap<string, string> = new Map([
  ["sort", "--compress-program"],
  ["tar", "--to-command --use-compress-program -I --rsh-command --rmt-command --info-script --new-volume-script -F"],
  ["bsdtar", "--use-compress-program"],
  ["rsync", "-e --rsh --rsync-path"],
  ["split", "--filter"],
  ["man", "-P --pager -H --html"],
  ["fd", "-x -X --exec --exec-batch"],
  ["fdfind", "-x -X --exec --exec-batch"],
  ["ag", "--pager"],
  ["bat", "--pager"],
  ["nodemon", "--exec -x"],
  ["tsc-watch", "--onSuccess"],
  ["go", "-exec -toolexec"],
  ["make", "--eval --shell"],
  ["rg", "--pre --hostname-bin"],
  ...["gcc", "g++", "cc", "c++"].map((name): [string, string] => [name, "-wrapper"]),
  ["cpio", "--rsh-command"],
]);

/** Options that load code. */
const LOADING =
  /^(?:-fplugin=|-wrapper$|-specs=|--checkpoint-action|-P$|--absolute-names$|--script-shell|--node-options|--plugin=)/u;

const editor: ProgramRule = (scan, call) => {
  const running = call.words.find(({ text }) =>
    /^(?:\+[^\d]|-c$|--cmd|-S$|--eval|-eval|-f$|-l$|--load|--command|-u$|--execute|-e$|-es$|-s$|-w$|-W$)/u.test(text),
  );
  if (running !== undefined || call.place.input.kind !== "own")
    return refuse(
      scan,
      "hidden command",
      call.source,
      "an editor runs commands that the guard does not see",
      "change files with sed or with the file tools",
    );
  return call.words;
};

const source: ProgramRule = (scan, call) => {
  const [file, ...others] = call.words;
  if (file === undefined) return [];
  judgeScriptFile(scan, call, file);
  return [file, ...others];
};

const systemctl: ProgramRule = (scan, call) => {
  const { rest } = readOptions(call.words, "-t -n -p -o -H -M");
  const action = rest[0]?.text ?? "";
  if (
    /^(?:reboot|poweroff|halt|suspend|hibernate|hybrid-sleep|kexec|isolate|emergency|rescue|soft-reboot|exit|default)$/u.test(
      action,
    )
  )
    return refuse(scan, "shutdown", call.source, "it stops or restarts the machine", "leave the machine running");
  if (/^(?:status|show|cat|is-\w+|list-[\w-]+|help|)$/u.test(action)) return [];
  return refuse(scan, "persistence", call.source, "it changes what the system runs", "look with systemctl status only");
};

const evaluate: ProgramRule = (scan, call) => {
  if (call.words.length > 0) scan.runText(call.words.map(markedOf).join(" "), call.source, call.place);
  return [];
};

const cd: ProgramRule = (scan, call) => {
  const target = call.words.find(({ text }) => !/^-[LPe@n]*$/u.test(text) || text === "-");
  scan.changeFolder(call.name === "popd" ? "-" : target?.text, target?.source ?? call.source, call.place);
  return [];
};

function withRunningOptions(rule: ProgramRule | undefined, running: string): ProgramRule {
  return (scan, call) => {
    const known = running.split(" ");
    call.words.forEach((word, index) => {
      const { text, source: own } = word;
      const name = text.replace(/=.*$/su, "");
      if (!isOption(name, ...known)) return;
      const value = text.includes("=")
        ? markedOf(withoutStart(word, name.length + 1))
        : call.words
            .slice(index + 1, /^(?:-x|-X|--exec|--exec-batch)$/u.test(name) ? undefined : index + 2)
            .map(markedOf)
            .join(" ");
      // The words of its value are separated by commas.
      scan.runText(name === "-wrapper" ? value.replaceAll(",", " ") : value, own, call.place);
    });
    return rule?.(scan, call) ?? call.words;
  };
}

const TEXT_PROGRAMS =
  "echo true false : expr seq sleep exit return break continue shift type which basename dirname uname whoami id hostname nproc uptime cal factor yes tput clear logname tty groups arch locale whatis apropos jobs fg bg numfmt tr ulimit umask times logger cowsay figlet toilet fortune banner getconf free top w who users last lscpu lsb_release sw_vers pgrep pidof printenv shopt say";

/** Rules by program. A program without a rule is judged only by its words. */
const PROGRAM_RULES: ReadonlyMap<string, ProgramRule> = new Map<string, ProgramRule>([
  ...TEXT_PROGRAMS.split(" ").map((name): [string, ProgramRule] => [name, nothing]),
  ...["export", "declare", "typeset", "local", "readonly"].map((name): [string, ProgramRule] => [name, declaring]),
  ...["read", "unset", "getopts", "wait"].map((name): [string, ProgramRule] => [name, filling]),
  ["let", evaluating],
  ...["grep", "egrep", "fgrep", "zgrep", "ack"].map((name): [string, ProgramRule] => [name, grep]),
  ...["rg", "ag"].map((name): [string, ProgramRule] => [name, ripgrep]),
  ...["sed", "gsed"].map((name): [string, ProgramRule] => [name, sed]),
  ...["awk", "gawk", "mawk", "nawk", "original-awk"].map((name): [string, ProgramRule] => [name, awk]),
  ...[
    "vi",
    "vim",
    "nvim",
    "view",
    "vimdiff",
    "ex",
    "ed",
    "emacs",
    "emacsclient",
    "nano",
    "pico",
    "joe",
    "micro",
    "rvim",
    "gvim",
  ].map((name): [string, ProgramRule] => [name, editor]),
  ...["tar", "bsdtar", "gtar"].map((name): [string, ProgramRule] => [name, archive]),
  ...["wc", "du", "file", "ctags"].map((name): [string, ProgramRule] => [name, listing]),
  ...["7z", "7za", "7zr", "7zz"].map((name): [string, ProgramRule] => [name, packing]),
  ...["cpio", "bsdcpio", "gcpio", "pax"].map((name): [string, ProgramRule] => [name, copying]),
  ...["npm", "pnpm", "yarn", "bun"].map((name): [string, ProgramRule] => [name, npm]),
  ...["make", "gmake"].map((name): [string, ProgramRule] => [name, make]),
  ...["curl", "wget", "wget2"].map((name): [string, ProgramRule] => [name, curl]),
  ...["cp", "ln", "link"].map((name): [string, ProgramRule] => [
    name,
    writing("last", "-t --target-directory -S --suffix"),
  ]),
  ["install", install],
  ["mv", move],
  [
    "cargo",
    texts(/^--config/u, "hidden command", "that option says which programs build", "build as the workspace says"),
  ],
  ["set", texts(/^history$/u, "logs", "it changes what the shell's history keeps", "leave the history as it is")],
  ["truncate", writing("all", "-s -r --size --reference")],
  ["touch", writing("all", "-r -d --reference --date")],
  ["mkdir", writing("all", "-m --mode")],
  ...["tee", "unlink", "patch", "mkfifo", "mknod", "gzip", "gunzip", "sponge"].map((name): [string, ProgramRule] => [
    name,
    writing("all"),
  ]),
  ["rmdir", writing("all")],
  [
    "rm",
    (scan, call) => {
      const rest = remove(scan, call);
      for (const word of rest) judgePath(scan, word, call.place, "write");
      return rest;
    },
  ],
  ["trash", remove],
  [
    "chmod",
    (scan, call) => {
      const rest = changeMode(scan, call);
      for (const word of rest) judgePath(scan, word, call.place, "write");
      return rest;
    },
  ],
  ["chown", changeOwner],
  ["chgrp", changeOwner],
  ["kill", kill],
  ["dd", dd],
  ["find", find],
  ["sort", sort],
  ["rsync", rsync],
  ["git", judgeGit],
  ["cd", cd],
  ["pushd", cd],
  ["popd", cd],
  ["chdir", cd],
  ["eval", evaluate],
  ["source", source],
  [".", source],
  ["systemctl", systemctl],
  [
    "zip",
    (scan, call) => {
      if (call.words.some(({ text }) => /^-T?T|^--unzip-c/u.test(text)))
        return refuse(scan, "hidden command", call.source, "that option runs a command", "leave it out");
      return packing(scan, call);
    },
  ],
  [
    "jq",
    shaped({
      texts: 1,
      textOptions: "--arg --argjson --indent --args --jsonargs --tab",
      fileOptions: "-f --from-file -L",
      unless: "-f --from-file",
    }),
  ],
  [
    "yq",
    shaped({
      texts: 1,
      textOptions: "-o -p --output-format --input-format -I",
      fileOptions: "--from-file",
      unless: "--from-file",
    }),
  ],
  ["cut", shaped({ texts: 0, textOptions: "-d -f -c -b --delimiter --fields --characters --output-delimiter" })],
  ["head", shaped({ texts: 0, textOptions: "-n -c --lines --bytes" })],
  ["tail", shaped({ texts: 0, textOptions: "-n -c --lines --bytes -s" })],
  ["paste", shaped({ texts: 0, textOptions: "-d --delimiters" })],
  ["column", shaped({ texts: 0, textOptions: "-s -o -t --separator" })],
  ["join", shaped({ texts: 0, textOptions: "-t -1 -2 -o -e -a -v" })],
  [
    "diff",
    shaped({
      texts: 0,
      textOptions: "-I -U -C -L --label --ignore-matching-lines -x --exclude",
      fileOptions: "-X --exclude-from",
    }),
  ],
  [
    "trap",
    (scan, { words, place }) => {
      const [action] = words.filter(({ text }) => text !== "--");
      if (action !== undefined && words.length > 1 && !/^-[lp]?$/u.test(action.text))
        scan.runText(markedOf(action), action.source, place);
      return [];
    },
  ],
  [
    "alias",
    (scan, { words, place }) => {
      for (const word of words) {
        const at = word.text.indexOf("=") + 1;
        if (at > 0) scan.runText(markedOf(withoutStart(word, at)), word.source, place);
      }
      return [];
    },
  ],
  ["printf", filling],
  ["date", clock],
  ["ps", processes],
  ["getent", lookUp],
  ...["bc", "dc"].map((name): [string, ProgramRule] => [name, calculator]),
  ...["mapfile", "readarray"].map((name): [string, ProgramRule] => [name, readsLines(filling)]),
  ["history", texts(/^-/u, "logs", "it changes the shell's history", "leave the history as it is")],
  [
    "fc",
    (scan, call) =>
      refuse(scan, "hidden command", call.source, "it runs commands of the history", "write the command out"),
  ],
  [
    "enable",
    (scan, call) =>
      refuse(
        scan,
        "hidden command",
        call.source,
        "it changes what the shell's own commands do",
        "leave them as they are",
      ),
  ],
  ["hash", texts(/^-p/u, "environment", "it changes which program a name means", "name the program itself")],
  ["bind", texts(/^-x/u, "hidden command", "it hides a command behind a key", "run the command itself")],
  ["complete", texts(/^-[CF]/u, "hidden command", "it hides a command behind a key", "run the command itself")],
  ["compgen", texts(/^-[CFW]/u, "hidden command", "it runs a command", "run the command itself")],
  [
    "crontab",
    (scan, call) =>
      call.words.length === 1 && call.words[0]?.text === "-l"
        ? []
        : refuse(
            scan,
            "persistence",
            call.source,
            "it arranges that something runs later",
            "ask for a job of the assistant's own scheduler",
          ),
  ],
  [
    "service",
    (scan, call) =>
      /^(?:status|--status-all)$/u.test(call.words.at(-1)?.text ?? "")
        ? []
        : refuse(scan, "persistence", call.source, "it changes what the system runs", "look with service status only"),
  ],
  [
    "fuser",
    texts(
      /^-[a-z]*k/u,
      "processes",
      "it stops programs that are not its own",
      "stop jobs of this command only, as kill %1",
    ),
  ],
  ["journalctl", texts(/^--(?:vacuum|rotate|flush)/u, "logs", "it changes the system's log", "only read the log")],
  ["dmesg", texts(/^-[a-zA-Z]*[cC]/u, "logs", "it clears the system's log", "only read the log")],
  [
    "openssl",
    texts(
      /^(?:s_client|s_server|s_time|pkey|rsa|genrsa|req|ca|pkcs12|enc)$/u,
      "exfiltration",
      "it connects, or handles keys",
      "use sha256sum for check sums",
    ),
  ],
  [
    "docker",
    texts(
      /^--privileged|^(?:-v|--volume|--mount)=?\/?|^--(?:pid|net|network|ipc|uts|userns)=host|^--cap-add|^--device/u,
      "privilege",
      "a container with that option reaches the whole machine",
      "run it without",
    ),
  ],
  [
    "ip",
    texts(
      /^(?:add|del|set|flush|netns|tunnel|change|replace)$/u,
      "privilege",
      "it changes the machine's network",
      "only look",
    ),
  ],
  ["php", texts(/^-S/u, "exfiltration", "it serves files to other machines", "run it without")],
  ...["test", "["].map((name): [string, ProgramRule] => [
    name,
    (scan, { words }) => {
      const before = (index: number) => words[index - 1]?.text ?? "";
      words.forEach((word, index) => {
        if (before(index) === "-v") scan.judgeTarget(word.text, word.source);
      });
      return words.filter(
        ({ text }, index) =>
          !text.startsWith("-") &&
          /^-[a-z]{1,2}$/u.test(before(index)) &&
          !/^-(?:n|z|eq|ne|lt|le|gt|ge|v|o|a|t)$/u.test(before(index)),
      );
    },
  ]),
  ["dig", texts(/\0/u, "exfiltration", "the name it asks for holds the output of a command", "write the name out")],
  [
    "nslookup",
    texts(/\0/u, "exfiltration", "the name it asks for holds the output of a command", "write the name out"),
  ],
  ["host", texts(/\0/u, "exfiltration", "the name it asks for holds the output of a command", "write the name out")],
  ["ping", texts(/\0/u, "exfiltration", "the name it asks for holds the output of a command", "write the name out")],
  [
    "aws",
    texts(
      /^(?:cp|sync|mv|put-object|invoke|send-command|get-secret-value|assume-role|get-session-token)$/u,
      "exfiltration",
      "it sends files away, or uses the owner's credentials",
      "leave the cloud to the owner",
    ),
  ],
  ["gsutil", texts(/^(?:cp|rsync|mv)$/u, "exfiltration", "it sends files away", "leave the cloud to the owner")],
  [
    "gh",
    texts(
      /^(?:gist|auth|secret|api|ssh-key|gpg-key|codespace|release)$/u,
      "exfiltration",
      "it uses the owner's account",
      "leave the account to the owner",
    ),
  ],
  [
    "deno",
    (scan, call) => {
      const index = call.words.findIndex(({ text }) => text === "eval" || text === "repl");
      const codes = index === -1 ? [] : call.words.slice(index + 1).filter(({ text }) => !text.startsWith("-"));
      // Only the program knows which of its other words are values of options.
      for (const code of codes) judgeCode(scan, code, call.place, "javascript");
      if (codes.length > 0) return [];
      if (call.words.some(({ text }) => /^https?:/u.test(text)))
        return refuse(
          scan,
          "pipe into a shell",
          call.source,
          "it runs a program from another machine",
          "run a program of the workspace",
        );
      return call.words;
    },
  ],
  [
    "sqlite3",
    (scan, call) => {
      const running = call.words.find(({ text }) =>
        /^\s*\.(?:shell|system|load|import|output|once|excel|read|open)\b|load_extension|writefile|readfile/iu.test(
          text,
        ),
      );
      if (running !== undefined)
        return refuse(
          scan,
          "hidden command",
          running.source,
          "the database program starts others, or reaches other files",
          "use SQL only",
        );
      const { rest, options } = readOptions(
        call.words.map((one) => ({
          text: /^-[a-z]{2}/u.test(one.text) ? `-${one.text}` : one.text,
          source: one.source,
        })),
        "--cmd --init --separator --nullvalue",
      );
      return [
        ...rest.slice(0, 1),
        ...options.flatMap(({ name, value }) => (value === undefined || name !== "--init" ? [] : [value])),
      ];
    },
  ],
]);

/** Returns the rule of a program, including its options that run commands. */
export function programRule(name: string): ProgramRule | undefined {
  const rule = PROGRAM_RULES.get(name);
  const running = RUNNING_OPTIONS.get(name);
  if (running === undefined || name === "tar" || name === "sort") return rule;
  return withRunningOptions(rule, running);
}

/** Judges options of compilers and build tools that load code. */
export function judgeLoading(scan: Scan, call: Call): void {
  if (!/^(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|ld|vitest|eslint|jest|webpack|prettier)$/u.test(call.name)) return;
  for (const word of call.words) if (LOADING.test(word.text)) judgeWord(scan, word, call.place, "read");
}
