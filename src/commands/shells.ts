import { judgeCode } from "./code.ts";
import type { CodeLanguage } from "./judged-code.ts";
import { readOptions } from "./options.ts";
import { judgePath } from "./path-arguments.ts";
import { type Argument, type Call, type Place, type Scan, UNKNOWN, markedOf, plain } from "./scan.ts";

/** Programs that run the text that they read. */
export const SHELLS: ReadonlySet<string> = new Set(
  "sh bash rbash dash ash zsh ksh ksh93 mksh oksh fish csh tcsh yash osh elvish nu xonsh pwsh powershell".split(" "),
);

interface Interpreter {
  /** Options whose value is a program. */
  readonly code: string;
  /** Other options with a value. */
  readonly valued: string;
  readonly language: CodeLanguage;
  /** Whether it runs its standard input if no file is named. */
  readonly readsInput: boolean;
  /** Options that name a module instead of a file, such as `-m`. */
  readonly module?: string;
}

const INTERPRETERS: readonly (readonly [RegExp, Interpreter])[] = [
  [
    /^(?:python[\d.]*|pypy3?|micropython)$/u,
    { code: "-c", valued: "-W -X -Q", module: "-m", language: "python", readsInput: true },
  ],
  [/^ipython3?$/u, { code: "-c", valued: "", module: "-m", language: "unread", readsInput: true }],
  [
    /^(?:node|nodejs|tsx|ts-node)$/u,
    {
      code: "-e -p --eval --print",
      valued: "-r --require --import --loader --experimental-loader -C --conditions --input-type --env-file",
      language: "javascript",
      readsInput: true,
    },
  ],
  [/^perl[\d.]*$/u, { code: "-e -E", valued: "-I", language: "perl", readsInput: true }],
  [/^(?:ruby[\d.]*|irb|jruby)$/u, { code: "-e", valued: "-I -r -C -E", language: "quoted", readsInput: true }],
  [/^php[\d.]*$/u, { code: "-r -R -B -E", valued: "-d -c -S -t -z", language: "quoted", readsInput: true }],
  [/^(?:lua[\d.]*|luajit)$/u, { code: "-e", valued: "-l", language: "quoted", readsInput: true }],
  [/^(?:rscript|r)$/u, { code: "-e", valued: "", language: "quoted", readsInput: true }],
  [
    /^(?:julia|octave|guile|racket|sbcl|clisp|scala|groovy|elixir|erl|ghci?|runghc|swift|raku)$/u,
    { code: "-e --eval -E -c --print --rpc-eval", valued: "", language: "unread", readsInput: true },
  ],
  [
    /^bun$/u,
    {
      code: "-e --eval -p --print",
      valued: "-r --preload --cwd -c --config --env-file",
      language: "javascript",
      readsInput: false,
    },
  ],
];

export function interpreterOf(name: string): Interpreter | undefined {
  return INTERPRETERS.find(([pattern]) => pattern.test(name))?.[1];
}

const RUN_ITSELF = "write the commands themselves, or put them into a file of the workspace and run that";
/** Paths of a process substitution, a pipe or an open file. */
const STREAM = /^(?:\/dev\/(?:stdin|fd\/\d+)|\/proc\/self\/fd\/\d+)$/u;

/** `sh -c "…"`, `bash file`, `… | sh`, `bash <<< …`: judges what the shell will run. */
export function judgeShell(scan: Scan, call: Call): readonly Argument[] {
  const { options, rest } = readOptions(
    call.words,
    "-o -O +o +O --rcfile --init-file -C --init-command -Command -File",
    true,
  );
  const files = options.flatMap(({ name, value }) => (value !== undefined && /file/iu.test(name) ? [value] : []));
  const [first, ...others] = rest;
  const isText = options.some(
    ({ name }) => name === "-c" || name === "--command" || name === "-C" || name === "--init-command",
  );
  if (isText) {
    if (first !== undefined) scan.runText(markedOf(first), first.source, call.place, others.slice(1));
    return [...files, ...others];
  }
  if (options.some(({ name }) => /^--(?:help|version)$/u.test(name))) return files;
  const readsInput = first === undefined || first.text === "-" || options.some(({ name }) => name === "-s");
  if (readsInput) {
    judgeInput(scan, call, (text) => scan.runText(text, call.source, call.place, rest));
    return files;
  }
  judgeScriptFile(scan, call, first);
  return [...files, ...rest];
}

/** Judges a file that is run as a program. */
export function judgeScriptFile(scan: Scan, call: Call, file: Argument): void {
  if (STREAM.test(file.text)) {
    refusePipe(scan, file.source, "it runs the output of other commands");
    return;
  }
  scan.executed.set(file.text.replace(/^\.\//u, ""), call.source);
}

function refusePipe(scan: Scan, source: string, why: string): void {
  scan.refuse({ danger: "pipe into a shell", offending: source, why, instead: RUN_ITSELF });
}

/** Judges the standard input of a program that runs it. */
function judgeInput(scan: Scan, call: Call, run: (text: string) => void): void {
  const { input } = call.place;
  if (input.kind === "own") return;
  if (input.kind === "text") {
    run(input.text);
    return;
  }
  const [only, ...more] = input.from;
  const printed =
    more.length === 0 && only !== undefined && /^(?:echo|printf)$/u.test(only[0] ?? "")
      ? only
          .slice(1)
          .filter((one) => !/^-[neE]+$/u.test(one))
          .join(" ")
      : undefined;
  if (printed === undefined || printed.includes(UNKNOWN) || /[\\%]/u.test(printed)) {
    refusePipe(scan, call.source, "it runs the output of other commands");
    return;
  }
  run(printed);
}

/** Judges `python3 -c`, `node -e`, `perl script.pl`, `… | ruby`. */
export function judgeInterpreter(scan: Scan, call: Call, interpreter: Interpreter): readonly Argument[] {
  const module = interpreter.module ?? "";
  // `node -pe` is `node -p -e`, although -p can be followed directly by the program.
  const words = call.words.map((word) =>
    interpreter.language === "javascript" && /^-[ip]+e$/u.test(word.text) ? { ...word, text: "-e" } : word,
  );
  const { options, rest } = readOptions(words, `${interpreter.code} ${interpreter.valued} ${module}`, true);
  const codeNames = interpreter.code.split(" ");
  const paths: Argument[] = [];
  let hasCode = false;
  let place: Place = call.place;
  if (place.input.kind === "pipe") place = { ...place, input: { kind: "own" } };
  for (const { name, value } of options) {
    if (name.startsWith("--inspect") || name === "-S") {
      scan.refuse({
        danger: "exfiltration",
        offending: call.source,
        why: "it listens for connections",
        instead: "run it without that option",
      });
    }
    if (name === module && value !== undefined) {
      hasCode = true;
      if (
        /^(?:http\.server|smtpd|pip|ensurepip|pdb|code|socketserver|xmlrpc|ftplib|smtplib|telnetlib|webbrowser|venv|pty|runpy|timeit|trace|cProfile|ctypes|idlelib)/u.test(
          value.text,
        )
      )
        judgeModule(scan, call, value);
      continue;
    }
    if (value === undefined) continue;
    if (codeNames.includes(name)) {
      hasCode = true;
      judgeCode(scan, value, place, interpreter.language);
    } else if (/^(?:data:|https?:)/u.test(value.text)) {
      scan.refuse({
        danger: "hidden command",
        offending: value.source,
        why: "it loads a program from a text or from elsewhere",
        instead: RUN_ITSELF,
      });
    } else paths.push(value);
  }
  const [file, ...others] = rest;
  if (hasCode)
    return [
      ...paths,
      ...(options.some(({ name }) => name === module && module !== "") ||
      call.name.startsWith("perl") ||
      rest.length > 0
        ? rest
        : []),
    ];
  if (file === undefined || file.text === "-") {
    if (interpreter.readsInput && !options.some(({ name }) => /^-(?:v|V|h|-version|-help)$/u.test(name)))
      judgeInput(scan, call, (text) =>
        judgeCode(scan, { text: plain(text), source: call.source }, place, interpreter.language),
      );
    return [...paths, ...others];
  }
  judgeScriptFile(scan, call, file);
  if (/^(?:https?|data|npm|jsr):/u.test(file.text))
    refusePipe(scan, file.source, "it runs a program from another machine");
  judgePath(scan, file, call.place, "read");
  return [...paths, ...rest];
}

function judgeModule(scan: Scan, call: Call, { text, source }: Argument): void {
  if (/^(?:venv|timeit|trace|cProfile|pdb)$/u.test(text)) {
    if (text === "venv") return;
    const code = call.words.at(-1);
    if (code !== undefined && text === "timeit") judgeCode(scan, code, call.place, "python");
    return;
  }
  if (/^(?:pip|ensurepip)$/u.test(text)) {
    if (
      scan.mode === "restricted" &&
      call.words.some((word) => /^(?:install|download|wheel|uninstall)$/u.test(word.text))
    )
      scan.refuse({
        danger: "network",
        offending: call.source,
        why: "it loads packages from another machine",
        instead: "ask the owner to install what is needed",
      });
    return;
  }
  scan.refuse({
    danger: "exfiltration",
    offending: source,
    why: "the module opens a way to other machines or runs a text",
    instead: "run a program of the workspace",
  });
}
