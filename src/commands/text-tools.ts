import { type Options, isOption, readOptions } from "./options.ts";
import { judgePath } from "./path-arguments.ts";
import { type ProgramRule, refuse } from "./program-rule.ts";
import { type Call, type Scan, UNKNOWN } from "./scan.ts";
import { sedEffects } from "./sed-script.ts";

/** Arguments of a program that takes texts first, then paths. */
interface Shape {
  readonly texts: number;
  readonly textOptions: string;
  readonly fileOptions?: string;
  /** Options that supply the text, so that all other words are paths. */
  readonly unless?: string;
}

export function shaped(shape: Shape, also?: (scan: Scan, call: Call, read: Options) => void): ProgramRule {
  return (scan, call) => {
    const read = readOptions(call.words, `${shape.textOptions} ${shape.fileOptions ?? ""}`);
    const textOptions = shape.textOptions.split(" ");
    const given = (shape.unless ?? "").split(" ");
    also?.(scan, call, read);
    const paths = read.options.flatMap(({ name, value }) =>
      value === undefined || isOption(name, ...textOptions) ? [] : [value],
    );
    const skip = read.options.some(({ name }) => isOption(name, ...given) && name !== "") ? 0 : shape.texts;
    return [...paths, ...read.rest.slice(skip)];
  };
}

const GREP: Shape = {
  texts: 1,
  textOptions:
    "-e -A -B -C -m -d -D --regexp --include --exclude --exclude-dir --max-count --context --after-context --before-context --color --colour --label --binary-files -g --glob -t --type -T --type-not -r --replace -M --iglob --sort --engine",
  fileOptions: "-f --file",
  unless: "-e -f --regexp --file",
};

/** `-r` of grep takes no value, unlike that of ripgrep. */
export const grep = shaped({
  ...GREP,
  textOptions: GREP.textOptions
    .replace(" -r --replace -M", "")
    .replace(" -t --type -T --type-not", "")
    .replace(" -g --glob", ""),
});
export const ripgrep = shaped({ ...GREP, textOptions: `${GREP.textOptions} --pre --hostname-bin` });

/** `-f -`: the guard cannot see the source of the program. */
function refuseGivenProgram(scan: Scan, { options }: Options): void {
  for (const { name, value } of options)
    if (/^-(?:f|E|-fil|-exec)/u.test(name) && /^(?:-|\/dev\/.*)$/u.test(value?.text ?? ""))
      refuse(
        scan,
        "hidden command",
        value?.source ?? "",
        "the program runs commands or connects",
        "write the command out",
      );
}

export const sed = shaped(
  {
    texts: 1,
    textOptions: "-e --expression -l --line-length",
    fileOptions: "-f --file",
    unless: "-e -f --expression --file",
  },
  (scan, call, read) => {
    const { options, rest } = read;
    refuseGivenProgram(scan, read);
    const scripts = options.flatMap(({ name, value }) =>
      value !== undefined && (name === "-e" || isOption(name, "--expression")) ? [value] : [],
    );
    const hasFile = options.some(({ name }) => name === "-f" || isOption(name, "--file"));
    if (scripts.length === 0 && !hasFile && rest[0] !== undefined) scripts.push(rest[0]);
    for (const { text, source } of scripts) {
      const effects = sedEffects(text.replaceAll(UNKNOWN, "x"));
      if (effects?.runs === true || (effects === undefined && scan.mode === "restricted"))
        refuse(
          scan,
          "hidden command",
          source,
          effects === undefined ? "what the script does cannot be told" : "the script runs commands",
          "use sed for editing text only, and put each command of the script in its own -e",
        );
      for (const file of effects?.reads ?? []) judgePath(scan, { text: file, source }, call.place, "read");
      for (const file of effects?.writes ?? []) judgePath(scan, { text: file, source }, call.place, "write");
    }
    const isInPlace = options.some(({ name }) => name === "-i" || isOption(name, "--in-place"));
    if (isInPlace) for (const file of rest.slice(1)) judgePath(scan, file, call.place, "write");
  },
);

/** `print x | command`: whether the statement of a print contains a bar that is not an "or". */
function pipesOutput(program: string): boolean {
  return program
    .replaceAll(/"(?:\\.|[^"\\])*"/gu, '""')
    .split(/[;{}\n]/u)
    .some((statement) => {
      const start = statement.indexOf("print");
      return start !== -1 && /(?:^|[^|])\|(?!\|)/u.test(statement.slice(start));
    });
}

/**
 * Whether the program opens a file with a computed name, as in `getline < (a b)` and `print > name`, or sets words of
 * its own command line.
 */
function opensWhatIsNoLiteral(program: string): boolean {
  if (/\bARG[VC]\b/u.test(program)) return true;
  const plain = program.replaceAll(/"(?:\\.|[^"\\])*"/gu, '""');
  if (/\bgetline\b[^;\n}<]*<(?!\s*""\s*(?:[);}\n]|$))/u.test(plain)) return true;
  return plain.split(/[;{}\n]/u).some((statement) => {
    const start = statement.search(/\bprintf?\b/u);
    if (start === -1) return false;
    // In brackets > is a comparison.
    const output = statement.slice(start).replaceAll(/\([^()]*\)/gu, "()");
    return />(?!>?\s*""\s*$)/u.test(output.replaceAll(">>", ">"));
  });
}

export const awk = shaped(
  {
    texts: 1,
    textOptions: "-F -v --field-separator --assign -e --source",
    fileOptions: "-f --file -i -l -E --include --load --exec",
    unless: "-f -e -E --file --source --exec",
  },
  (scan, call, read) => {
    const { options, rest } = read;
    refuseGivenProgram(scan, read);
    const programs = options.flatMap(({ name, value }) =>
      value !== undefined && (name === "-e" || isOption(name, "--source")) ? [value] : [],
    );
    if (
      !options.some(({ name }) => /^-[feE]$/u.test(name) || isOption(name, "--file", "--source", "--exec")) &&
      rest[0] !== undefined
    )
      programs.push(rest[0]);
    for (const { text, source } of programs) {
      if (/\bsystem\s*\(|\|&?\s*(?:"|getline)|@load|@include|\/inet\d?\//iu.test(text) || pipesOutput(text))
        refuse(scan, "hidden command", source, "the program runs commands or connects", "use awk for text only");
      if (/\b(?:getline\s*<|>)/u.test(text) || scan.mode === "restricted")
        for (const [, literal = ""] of text.matchAll(/"((?:\\.|[^"\\])*)"/gu))
          if (/^(?:\/[\w.]|~|\.\.\/)/u.test(literal))
            judgePath(scan, { text: literal, source }, call.place, />/u.test(text) ? "write" : "read");
      if (scan.mode === "restricted" && opensWhatIsNoLiteral(text))
        refuse(
          scan,
          "unjudged code",
          source,
          "which file the program opens is known only when it runs",
          "name files after the program, and send its output to a file with the shell",
        );
      if (text.includes(UNKNOWN) && scan.mode === "restricted")
        refuse(
          scan,
          "unjudged expansion",
          source,
          "part of the program is known only when it runs",
          "hand values over with -v",
        );
    }
  },
);
