import { type CodeLanguage, judgedCode } from "./judged-code.ts";
import { judgePath } from "./path-arguments.ts";
import { type Argument, type Place, type Scan, UNKNOWN } from "./scan.ts";
import { isWholePlace } from "./whole-place.ts";

/** Functions with which programs in scripting languages start other programs. */
const SPAWNS =
  /\b(?:system|popen[234]?|execv[pe]*|execl[pe]*|execSync|execFile\w*|execa|spawn\w*|posix_spawn\w*|fork\w*|subprocess|child_process|worker_threads|ProcessBuilder|getRuntime|shell_exec|passthru|proc_open|pcntl\w*|Open3|syscall|do shell script)\b|(?<![.\w$])exec\b|\bKernel\b|\bos\s*\.\s*execute|\bDeno\s*\.\s*(?:run|Command)|\bBun\s*\.\s*(?:spawn|\$)|\bqx\b|%x|\bos\s*\.\s*(?:kill|setuid|startfile|chroot)|\bprocess\s*\.\s*kill/u;
/** Ways to run a text, or to hide a name. */
const HIDES =
  /(?<![.\w$])(?:eval|evalfile|instance_eval|class_eval|loadstring|load|compile|exec)\s*\(|\b(?:__import__|importlib|__builtins__|builtins|globals\s*\(|getattr|marshal|pickle|ctypes|cffi|codecs|b64decode|base64|fromhex|unhexlify|atob|fromCharCode|fromCodePoint|MIME::|unpack\s*\(|process\s*\.\s*(?:binding|dlopen|mainModule)|runInThisContext|runInNewContext|new\s+Function|Function\s*\(|constructor\s*(?:\.|\[)|Reflect\b|public_send|const_get)|\bchr\s*\(/u;
const CONNECTS =
  /\b(?:socket\w*|urllib\d?|requests|httpx|aiohttp|http\.client|http\.server|smtplib|ftplib|telnetlib|paramiko|xmlrpc|XMLHttpRequest|WebSocket\w*|EventSource|LWP|HTTP::|Net::|IO::Socket|TCPSocket|UDPSocket|TCPServer|open-uri|URI\s*\.\s*open|fsockopen|curl_\w+|stream_socket\w*|sendBeacon|listen)\b|\bfetch\s*\(|(?:require\s*\(|import\s*\(|from|import)\s*['"](?:node:)?(?:https?|http2|net|tls|dgram|dns|inspector|cluster|vm|repl|ws|undici|axios|got)(?:\/\w+)?['"]|\bDeno\s*\.\s*(?:connect|listen|serve)|\bBun\s*\.\s*(?:connect|listen|serve)/u;
const LOOKS_OUTSIDE =
  /\b(?:expanduser|homedir|Path\.home|gethome|userInfo|getpwnam|getpwuid|Dir\.home|environ|chdir|chroot)\b|\bHOME\b/u;
const FILES =
  /\b(?:open|opendir|listdir|scandir|walk|glob|rglob|iterdir|readdir\w*|rm\w*|unlink\w*|rename\w*|remove\w*|chmod\w*|chown\w*|copy\w*|cp\w*|readFile\w*|writeFile\w*|Path|File|Dir|FileUtils|fs|shutil|os)\b/u;

/** Whether backticks start a program in this language. */
const runsBackticks = (language: CodeLanguage) => !/^(?:python|javascript)$/u.test(language);

/**
 * Judges a program that is given as a text, as in `python3 -c` and `node -e`. Names and literals that could start a
 * program, hide one, connect, or reach a file outside are refused; in mode restricted also every name that is not
 * known to be harmless.
 */
export function judgeCode(scan: Scan, code: Argument, place: Place, language: CodeLanguage): void {
  const { text, source } = code;
  if (text.includes(UNKNOWN)) {
    if (scan.mode === "restricted")
      scan.refuse({
        danger: "unjudged expansion",
        offending: source,
        why: "part of the program is known only when it runs",
        instead: "write the program out, or put it into a file of the workspace",
      });
    else if (/\b(?:curl|wget|base64|xxd)\b/u.test(source))
      refuseCode(scan, source, "it runs what it downloads or decodes");
    return;
  }
  if (SPAWNS.test(text) || (runsBackticks(language) && text.includes("`")))
    return refuseCode(scan, source, "the program starts other programs");
  if (HIDES.test(text)) return refuseCode(scan, source, "the program runs a text of its own, or hides a name");
  if (CONNECTS.test(text)) {
    scan.refuse({
      danger: "exfiltration",
      offending: source,
      why: "the program reaches other machines",
      instead: "ask for a web page with the tool for web pages",
    });
    return;
  }
  if (scan.mode === "restricted" && LOOKS_OUTSIDE.test(text)) {
    scan.refuse({
      danger: "outside the workspace",
      offending: source,
      why: "the program looks for folders outside",
      instead: "use paths inside the workspace, relative to it",
    });
    return;
  }
  const touchesFiles = FILES.test(text);
  const use =
    /\b(?:rm\w*|unlink\w*|remove\w*|write\w*|rename\w*|chmod\w*|truncate\w*|append\w*)\b|['"](?:w|a|r\+|w\+|wb|ab)['"]|['"]\s*>/u.test(
      text,
    )
      ? "write"
      : "read";
  const removes = /\b(?:rm\w*|rmtree|remove\w*|unlink\w*)\b/u.test(text);
  for (const [, , raw = ""] of text.matchAll(/(['"`])((?:\\.|(?!\1)[^\\])*)\1/gsu)) {
    const literal = raw.replaceAll(
      /\\x([0-9a-f]{2})|\\u\{?([0-9a-f]{1,4})\}?|\\([0-7]{3})/giu,
      (_, hex: string | undefined, long: string | undefined, octal: string | undefined) =>
        String.fromCharCode(Number.parseInt(octal ?? hex ?? long ?? "0", octal === undefined ? 16 : 8)),
    );
    if (literal !== raw && SPAWNS.test(literal)) return refuseCode(scan, source, "the program hides a name");
    if (runsBackticks(language) && /^\s*\||\|\s*$/u.test(literal) && literal.trim().length > 1)
      return refuseCode(scan, source, "the program starts other programs");
    const path = literal.replace(/^[<>+|\s]+/u, "").replace(/^file:\/*/u, "/");
    if (removes && path !== "." && isWholePlace(scan, path)) {
      scan.refuse({
        danger: "disk",
        offending: source,
        why: `the program deletes everything under ${JSON.stringify(path)}`,
        instead: "name the files or folders of the workspace that should go",
      });
      return;
    }
    const isAbsolute = /^(?:\/[\w.]|~)/u.test(path) || (/^\/+$/u.test(path) && touchesFiles && use === "write");
    if (isAbsolute || /(?:^|\/)\.\.(?:\/|$)/u.test(path) || (touchesFiles && /^[\w./-]+$/u.test(path)))
      judgePath(scan, { text: path === "" ? "." : path, source }, place, use);
    if (scan.isRefused()) return;
  }
  if (scan.mode === "restricted") judgeWhatIsKnown(scan, code, place, language);
}

/** Allows only programs whose every part is known, because a path can be built in more ways than can be listed. */
function judgeWhatIsKnown(scan: Scan, { text, source }: Argument, place: Place, language: CodeLanguage): void {
  const { unjudged, opened } = judgedCode(text, language);
  if (unjudged !== undefined)
    scan.refuse({
      danger: "unjudged code",
      offending: source,
      why: `what the program does cannot be told: ${unjudged}`,
      instead: "use the tools for files and texts, or put the program into a file of the workspace and run that",
    });
  for (const path of opened) judgePath(scan, { text: path === "" ? "." : path, source }, place, "read");
}

function refuseCode(scan: Scan, source: string, why: string): void {
  scan.refuse({
    danger: "hidden command",
    offending: source,
    why,
    instead: "write the commands themselves, or put the program into a file of the workspace and run that",
  });
}
