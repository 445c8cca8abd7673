/** Language of a program, as far as this module reads it; `unread`: any other. */
export type CodeLanguage = "python" | "javascript" | "perl" | "quoted" | "unread";

/** Keywords of the languages, and functions that reach only the values they are given. */
const HARMLESS = new Set(
  // Keywords.
  (
    "and as assert async await begin break case catch class const continue def default del do done echo elif else elsif end except false False finally for from " +
    "function global if import in instanceof is lambda let local new nil none None nonlocal not NULL null of or pass puts raise repeat return self switch then this " +
    "throw true True TRUE FALSE try typeof undefined unless until var void when while with yield " +
    // Values and types.
    "Array BigInt bool Boolean bytes Counter csv Date datetime Decimal decimal dict Error Exception filter float fractions Fraction frozenset functools Infinity int itertools " +
    "json JSON KeyError list map Map math Math NaN Number Object Promise Range RangeError random range re RegExp Set set sqrt statistics str string String sys textwrap time timedelta tuple " +
    "TypeError util ValueError zip date collections defaultdict console enumerate namedtuple pprint unicodedata " +
    // Functions and methods.
    "abs acos add all any append apply argv asin assign at atan atan2 bin capitalize cat ceil charAt charCodeAt center chain clear codePointAt combinations concat copy cos " +
    "count cumsum DictReader DictWriter dir divmod dump dumps endswith endsWith entries error every exp extend fill finditer find findall findIndex findLast flat flatMap floor fmod forEach " +
    "format freeze from fromEntries fromisoformat fromtimestamp fsum gcd get getDate getDay getFullYear getHours getMinutes getMonth getSeconds getTime group groupby groups has hasOwn " +
    "hasOwnProperty hex hypot id includes index indent indexOf info insert int isalpha isArray isdigit isFinite isInteger isinstance islower isNaN isoformat isspace isupper items " +
    "iter join keys lastIndexOf lcm len length ljust load loads localeCompare log log10 log2 lower lstrip map match matchAll max mean median min mode most_common next now oct ord padEnd padStart " +
    "parse parseFloat parseInt partition paste perf_counter permutations pi pop popleft pow print printf product push puts quantiles randint random read reader readline readlines reduce " +
    "repeat replace replaceAll reverse reversed rfind rjust round rsplit rstrip sample search seed sin size slice some sort sort_keys sorted sort_values splice split splitlines " +
    "sqrt startswith startsWith stdev stdin stdout strftime stringify strip strptime sub subn substring sum swapcase table tan then timestamp title toFixed toISOString toLocaleString " +
    "toLowerCase toSorted toString toUpperCase total_seconds translate trim trimEnd trimStart trunc tuple type unique update upper utcnow value values variance warn weekday width " +
    "writerow writerows year month day hour minute second zfill Int length nrow ncol head summary"
  ).split(" "),
);

/** Functions that open the file named by their first argument, which must be a single literal. */
const OPENING = new Set(
  "open listdir readFileSync readdirSync existsSync statSync lstatSync writeFileSync appendFileSync mkdirSync require".split(
    " ",
  ),
);
/** Modules that open files. A program may use them only to call such a function. */
const OPENERS = new Set(["fs", "os"]);
/** Modules that `require` may load. */
const MODULES = /^(?:node:)?(?:fs|util|assert)$/u;
/** All names known for Ruby, PHP, Lua and R, where a text can also name the function to call. */
const HARMLESS_QUOTED = new Set(
  "abs and ceil echo elseif else end false FALSE floor for function if in length local math max min nil not null NULL or p print puts return round sqrt strlen string sum then true TRUE upper while".split(
    " ",
  ),
);
/**
 * A program's own variable must not have one of these names, because whether the name means the variable is known
 * only at run time.
 */
const POWERFUL =
  /^(?:_.*|arguments|breakpoint|builtins|callee|caller|child_process|classmethod|cluster|codecs|constructor|copyright|credits|Bun|Buffer|Deno|dgram|dirs?|dns|env|environ|eval|exec|execfile|exit|exports|fetch|file|fileinput|Function|getattr|glob\w*|help|http2?|https|importlib|input|inspector|io|license|linecache|locals|mainModule|memoryview|module|navigator|net|object|os|path|pathlib|posix|process|property|prototype|Proxy|quit|Reflect|repl|runpy|setattr|setImmediate|setInterval|setTimeout|shutil|staticmethod|subprocess|super|system|tempfile|tls|types|vars|v8|vm|WebAssembly|window|worker_threads|zipfile|tarfile|sqlite3)$/u;
const REGEXP_FOLLOWS =
  /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|void|delete|instanceof|new|do|else|yield|await))\s*$/u;

interface Read {
  /**
   * The program, with its first literal replaced by `"0"`, its second by `"1"`; in single quotes if the literal has
   * escapes.
   */
  readonly code: string;
  readonly literals: readonly string[];
}

export interface JudgedCode {
  /**
   * What cannot be judged: a name that is not known to be harmless, a computed path, a text that can be read in two
   * ways.
   */
  readonly unjudged?: string;
  /** Literals that the program opens as files. */
  readonly opened: readonly string[];
}

/** Judges a program by its text, without running it. Everything unknown counts as not judged. */
export function judgedCode(text: string, language: CodeLanguage): JudgedCode {
  const not = (unjudged: string): JudgedCode => ({ unjudged, opened: [] });
  if (language === "unread") return not("a program in this language");
  if (language === "perl")
    return PLAIN_PERL.test(text) ? { opened: [] } : not("more than a search, a replacement or print");
  const read = readCode(text, language);
  if (read === undefined) return not("a text that can be read in more ways than one");
  const { code, literals } = read;
  if (
    language === "javascript" &&
    /[\w)\]"']\s*\[(?!\s*(?:\d+|"\d+")\s*\])|\]\s*\(|\bimport\s*(?!fs\s+from\s*"\d+")\S/u.test(code)
  )
    return not("a member or a module whose name is known only when it runs");
  if (language === "quoted") {
    const unknown =
      /[A-Za-z_]\w*\s*[?]?\s*\(\s*\$|\$\w+\s*\(/u.exec(code)?.[0] ??
      namesOf(code).find((name) => !/^\$[a-z]/u.test(name) && !HARMLESS_QUOTED.has(name));
    return unknown === undefined ? { opened: [] } : not(unknown);
  }
  const own = ownNames(code);
  const opened: string[] = [];
  for (const match of code.matchAll(NAME)) {
    const name = match[0];
    const end = match.index + name.length;
    const before = code.slice(Math.max(0, match.index - MAX_LOOK), match.index).trimEnd();
    const after = code.slice(end, end + MAX_LOOK);
    const isMember = before.endsWith(".");
    if (OPENING.has(name)) {
      const literal = literals[Number(/^\s*\(\s*"(\d+)"\s*[,)]/u.exec(after)?.[1] ?? Number.NaN)];
      if (literal === undefined) return not(name);
      if (name !== "require") opened.push(literal);
      else if (!MODULES.test(literal) || !isPlainRequire(literal, before, after)) return not(name);
    } else if (/(?<![\w$.])(?:fs|os)\s*\.$/u.test(before)) {
      return not(name);
    } else if (!isMember && OPENERS.has(name)) {
      const isImported =
        /\bimport[^\S\n]+(?:\w+[^\S\n]*,[^\S\n]*)*$/u.test(`${before} `) && !/^[^\S\n]*as\b/u.test(after);
      if (!isImported && !/^\s*(?:\.|=(?![=>]))/u.test(after)) return not(name);
    } else if (isMember && language === "javascript" && !/^\s*\(/u.test(after)) {
      if (POWERFUL.test(name)) return not(name);
    } else if (!HARMLESS.has(name) && !(language === "javascript" && isMember && /^(?:exec|test)$/u.test(name))) {
      // The name of a keyword argument, as in sorted(x, key=len).
      const isArgument = language === "python" && /[(,]$/u.test(before) && /^\s*=(?!=)/u.test(after);
      if (POWERFUL.test(name) || isMember || !(own.has(name) || isArgument)) return not(name);
    }
  }
  return { opened };
}

const NAME = /[A-Za-z_$][\w$]*/gu;
/** Number of characters before and after a name that show how it is used. */
const MAX_LOOK = 200;

function namesOf(code: string): readonly string[] {
  return [...code.matchAll(NAME)].map(([name]) => name);
}

/**
 * Whether `require` is used as `fs = require("fs")` or `require("fs").readFileSync`. Under another name the module
 * could reach code that is not judged.
 */
function isPlainRequire(module: string, before: string, after: string): boolean {
  if (!module.endsWith("fs")) return true;
  if (/(?:^|[\s;,])fs\s*=$/u.test(before)) return !/^\s*\([^)]*\)\s*[.[,]/u.test(after);
  return OPENING.has(/^\s*\([^)]*\)\s*\.\s*(\w+)/u.exec(after)?.[1] ?? "");
}

/** `s/a/b/g`, `tr/a-z/A-Z/`, `print if /x/`, without code in the pattern, and with no variables but groups. */
const PLAIN_PERL = (() => {
  const body = String.raw`(?:\\[^\n]|\((?!\?+\{)|\$(?=[\d/)|])|[^\\/$@(\n\0])*`;
  const statement = String.raw`(?:print(?:\s+(?:if|unless)\s+m?\/${body}\/[gimsx]*)?|s\/${body}\/${body}\/[gimsxr]*|(?:tr|y)\/${body}\/${body}\/[cdsr]*)`;
  return new RegExp(String.raw`^\s*${statement}(?:\s*;\s*${statement})*\s*;?\s*$`, "u");
})();

/** Returns the names that the program itself assigns. */
function ownNames(code: string): ReadonlySet<string> {
  const names = new Set<string>();
  const list = String.raw`[A-Za-z_$][\w$]*(?:\s*,\s*[A-Za-z_$][\w$]*){0,20}`;
  const pattern = new RegExp(
    String.raw`(?:\b(?:let|const|var|function|def|for|as|lambda)\s+\(?(${list}))|(?:\(?(${list})\)?\s*(?:=(?!=)|:=|=>))|(?:\b(?:def|function)\s+\w+\s*\((${list})\))`,
    "gu",
  );
  for (const found of code.matchAll(pattern))
    for (const name of found.slice(1).flatMap((one) => (one ?? "").split(",")))
      if (name.trim() !== "") names.add(name.trim());
  return names;
}

/**
 * Returns the program without its literals and comments. @returns Undefined if the text could also be read in another
 * way.
 */
function readCode(text: string, language: "python" | "javascript" | "quoted"): Read | undefined {
  const literals: string[] = [];
  /** Text that is not looked at again; it is separate, because otherwise each step would copy the growing text. */
  let settled = "";
  let code = "";
  let at = 0;
  while (at < text.length) {
    if (code.length > 2 * MAX_LOOK) {
      settled += code.slice(0, -MAX_LOOK);
      code = code.slice(-MAX_LOOK);
    }
    const character = text.charAt(at);
    if (/["'`]/u.test(character)) {
      const literal = readLiteral(text, at, language, code);
      if (literal === undefined) return undefined;
      code = code.slice(0, code.length - literal.prefix);
      const index = literals.push(literal.value) - 1;
      code += literal.value.includes("\\") || literal.inside !== "" ? `'${index}'` : `"${index}"`;
      // Expressions in a template are judged like other code.
      code += literal.inside;
      at = literal.end;
    } else if (language === "python" && character === "#") {
      while (at < text.length && text.charAt(at) !== "\n") at++;
    } else if (language === "javascript" && character === "/") {
      const end = endOfSlash(text, at, code);
      if (end === undefined) return undefined;
      code += end === at + 1 ? "/" : " 0 ";
      at = end;
    } else if (!isPlain(character, text.charAt(at + 1), language)) return undefined;
    else {
      code += character;
      at++;
    }
  }
  const whole = settled + code;
  return /<!--|-->/u.test(whole) ? undefined : { code: whole, literals };
}

/** Whether a character starts nothing that changes the meaning of the characters behind it. */
function isPlain(character: string, next: string, language: "python" | "javascript" | "quoted"): boolean {
  if (language !== "quoted")
    return (
      /[\n\t\x20-\x7e]/u.test(character) &&
      !/[\\`]/u.test(character) &&
      (language === "python" || !/[#@]/u.test(character))
    );
  if (character === "$") return /\w/u.test(next);
  if (character === "-") return next !== "-";
  if (character === "[") return !/[[=]/u.test(next);
  return /[\w\s.,;()+*=>:!&|{}\]]/u.test(character) && character <= "~";
}

/** Returns the end of a comment or pattern that starts here; for a division the next index. */
function endOfSlash(text: string, at: number, code: string): number | undefined {
  const next = text.charAt(at + 1);
  if (next === "/") {
    const end = text.indexOf("\n", at);
    return end === -1 ? text.length : end;
  }
  if (next === "*") {
    const end = text.indexOf("*/", at + 2);
    return end === -1 ? undefined : end + 2;
  }
  const newline = text.indexOf("\n", at);
  const line = text.slice(at + 1, newline === -1 ? text.length : newline);
  const last = code.slice(-MAX_LOOK);
  // After these only the grammar distinguishes a pattern from a division.
  if (/(?:[)}]|\+\+|--)\s*$/u.test(last)) return line.includes("/") ? undefined : at + 1;
  if (!REGEXP_FOLLOWS.test(last)) return at + 1;
  const pattern = /^(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[])+\/[a-z]*/u.exec(line);
  return pattern === null ? undefined : at + 1 + pattern[0].length;
}

interface Literal {
  readonly value: string;
  readonly end: number;
  /** Length of the prefix before the quote. */
  readonly prefix: number;
  /** Expressions in the literal. */
  readonly inside: string;
}

function readLiteral(
  text: string,
  at: number,
  language: "python" | "javascript" | "quoted",
  code: string,
): Literal | undefined {
  const quote = text.charAt(at);
  const prefix = language === "python" ? (/(?<![\w$])(?:[rbu]|f|fr|rf|br|rb)$/iu.exec(code.slice(-3))?.[0] ?? "") : "";
  const before = code.charAt(code.length - prefix.length - 1);
  if (
    quote === "`"
      ? language !== "javascript" || /[\w$)\]]/u.test(before)
      : language !== "javascript" && /[\w$)\]]/u.test(before)
  )
    return undefined;
  const mark = language === "python" && text.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
  let end = at + mark.length;
  while (!text.startsWith(mark, end)) {
    if (end >= text.length) return undefined;
    if (text.charAt(end) === "\n" && mark.length === 1 && quote !== "`") return undefined;
    if (language === "quoted" && quote === "'" && text.charAt(end) === "\\") return undefined;
    end += text.charAt(end) === "\\" ? 2 : 1;
  }
  const value = text.slice(at + mark.length, end);
  const found = { value, end: end + mark.length, prefix: prefix.length };
  const computed = quote === "`" ? /\$\{([^{}'"`]*)\}/gu : /f/iu.test(prefix) ? /\{([^{}'"#\\]*)\}/gu : undefined;
  if (language === "quoted" && /[#$@{]\{|\{\$|#[$@]/u.test(value)) return undefined;
  if (computed === undefined) return { ...found, inside: "" };
  const plain = /f/iu.test(prefix) ? value.replaceAll(/\{\{|\}\}/gu, "") : value;
  if (new RegExp(quote === "`" ? String.raw`\$\{` : "[{}]", "u").test(plain.replaceAll(computed, ""))) return undefined;
  const inside = [...plain.matchAll(computed)].map(
    ([, one = ""]) => `(${one.replace(/![rsa]?(?=$|:)|:[^:()]*$/u, "")})`,
  );
  return { ...found, inside: inside.length === 0 ? "" : ` + ${inside.join(" + ")}` };
}
