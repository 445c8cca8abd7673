import type { SkillFile } from "../source.ts";
import { isOfficeFile } from "./path.ts";

/** Something in a skill's files that people should check before they trust it. */
export interface Finding {
  /** Path within the skill's folder. */
  readonly file: string;
  /** From 1; 0 for the file as a whole. */
  readonly line: number;
  /** What it does, in a few words. */
  readonly what: string;
}

/** Most findings that are reported. */
export const MAX_FINDINGS = 50;

/** A longer line is scanned in overlapping pieces, so that no pattern takes long. */
const PIECE_CHARACTERS = 1000;
const OVERLAP_CHARACTERS = 200;

/** Most bytes of one file that are scanned: 1 MiB. */
const MAX_FILE_BYTES = 1024 * 1024;
/** Most bytes that are scanned in total: 8 MiB. */
const MAX_BYTES = 8 * 1024 * 1024;

type Rule = readonly [what: string, pattern: RegExp];

// Each pattern has at most one gap, of limited length, so that it takes linear time.
const RULES: readonly Rule[] = [
  ["runs what it downloads", /\b(?:curl|wget|fetch)\b.{0,160}\|\s{0,8}(?:sudo\s{1,8})?(?:ba|z|da|k)?sh\b/i],
  ["runs what it downloads", /\b(?:curl|wget)\b.{0,160}\|\s{0,8}(?:sudo\s{1,8})?(?:python|node|perl|ruby|php)\d?\b/i],
  ["runs what it downloads", /\b(?:bash|sh|source|eval)\b\s{0,8}(?:-c\s{0,8})?["'<]?[<$]\(\s{0,8}(?:curl|wget)\b/i],
  [
    "runs what it downloads",
    /\b(?:iex|invoke-expression)\b.{0,160}\b(?:downloadstring|iwr|irm|invoke-webrequest|invoke-restmethod)\b/i,
  ],
  [
    "runs what it downloads",
    /\b(?:iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring)\b.{0,160}\|\s{0,8}(?:iex|invoke-expression)\b/i,
  ],
  [
    "decodes base64 and runs it",
    /\bbase64\b.{0,80}\|\s{0,8}(?:sudo\s{1,8})?(?:(?:ba|z|da|k)?sh|python\d?|node|perl|ruby)\b/i,
  ],
  [
    "decodes base64 and runs it",
    /\b(?:eval|exec|Function)\s{0,8}\(.{0,80}(?:atob|b64decode|frombase64string|from_base64|base64)/i,
  ],
  ["decodes base64 and runs it", /-(?:enc|encodedcommand)\s{1,8}[A-Za-z0-9+/=]{24}/i],
  ["holds a long text in base64", /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{240}/],
  [
    "reads keys or passwords",
    /(?:~|\$HOME|\$\{HOME\}|\/root|\/home\/\w{1,32}|expanduser.{0,8})\/?\.(?:ssh|aws|gnupg|kube|docker|netrc|npmrc|pypirc|config\/gcloud)\b/i,
  ],
  [
    "reads keys or passwords",
    /\bid_(?:rsa|ed25519|ecdsa|dsa)\b|\/etc\/(?:shadow|sudoers)\b|\blogin\.keychain|\bsecurity\s{1,8}find-(?:generic|internet)-password\b/i,
  ],
  [
    "reads what browsers or wallets keep",
    /\b(?:Login Data|Cookies\.sqlite|logins\.json|wallet\.dat|MetaMask|keystore\/UTC)\b/i,
  ],
  [
    "sends the environment away",
    /\b(?:printenv|env|export\s{1,8}-p)\b\s{0,8}\|.{0,80}\b(?:curl|wget|nc|ncat|netcat)\b/i,
  ],
  [
    "sends the environment away",
    /\b(?:curl|wget|fetch|requests\.\w{3,8}|axios)\b.{0,160}(?:process\.env\b(?!\.\w)|os\.environ\b(?!\.get|\[)|\$\((?:printenv|env)\))/i,
  ],
  ["removes whole folders", /\brm\s(?:[^|;&]{0,30}\s)?-\w{0,6}r\w{0,6}\s/i],
  [
    "removes whole folders",
    /\b(?:Remove-Item|rd|rmdir)\b.{0,80}(?:-Recurse|\/s\b).{0,80}(?:-Force|\/q\b)|\bshutil\.rmtree\s{0,8}\(/i,
  ],
  [
    "opens a connection that takes commands",
    /\/dev\/(?:tcp|udp)\/|\b(?:nc|ncat|netcat)\b.{0,40}\s-\w{0,4}e\b|\bbash\s{1,8}-i\b/i,
  ],
  [
    "stays on the machine",
    /\bcrontab\s{1,8}-|\blaunchctl\s{1,8}load\b|\bschtasks\b.{0,40}\/create|(?:>>|tee\s{1,8}-a)\s{0,8}~?\S{0,40}\.(?:bashrc|zshrc|profile|bash_profile)\b/i,
  ],
  [
    "switches protection off",
    /\bsudo\b|\bchmod\s{1,8}(?:-R\s{1,8})?[0-7]?777\b|\bset-executionpolicy\b.{0,40}bypass|\bxattr\s{1,8}-\w{0,4}d\b.{0,40}quarantine|\bspctl\b.{0,40}disable/i,
  ],
  [
    "tells the model to put rules aside",
    /\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:previous|prior|above|earlier|all|any|your|system|safety)\b.{0,40}\b(?:instructions?|rules?|prompts?|guidelines?|polic(?:y|ies)|guardrails?|restrictions?)\b/i,
  ],
  ["tells the model to put rules aside", /(?:忽略|无视|不要遵守|忘记|绕过).{0,12}(?:指令|规则|提示|限制|要求|安全)/],
  [
    "tells the model to act without the person",
    /\b(?:do not|don't|never|without)\b.{0,24}\b(?:tell|telling|ask|asking|inform|informing|notify|notifying|mention|mentioning|show|showing)\b.{0,24}\b(?:the )?(?:user|owner|human|operator)\b/i,
  ],
  [
    "tells the model to act without the person",
    /(?:不要|别|无需|不必).{0,6}(?:告诉|告知|询问|通知|提示).{0,6}(?:用户|主人|所有者)/,
  ],
  [
    "speaks as if it were the system",
    /<\s{0,4}\/?\s{0,4}(?:system|instructions|im_start|wakeful)\b|\[\/?(?:INST|SYSTEM)\]|<\|(?:im_start|system)/i,
  ],
  [
    "asks for approvals to be given beforehand",
    /\b(?:auto-?approve|always approve|approve (?:all|every)|skip (?:the )?(?:approval|confirmation)s?|--dangerously-skip-permissions|--yolo)\b/i,
  ],
  [
    "asks to install other things",
    /\b(?:clawhub|npx\s{1,8}(?:-y\s{1,8})?\S{1,60}|openclaw)\s{1,8}(?:skills?\s{1,8})?(?:install|add)\b|\bpip3?\s{1,8}install\s{1,8}(?:git\+|https?:)/i,
  ],
  [
    "contains invisible characters",
    /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069]|[\u{e0000}-\u{e007f}]/u,
  ],
];

const PROGRAMS: readonly (readonly [what: string, signature: readonly number[]])[] = [
  ["is a compiled program", [0x7f, 0x45, 0x4c, 0x46]],
  ["is a compiled program", [0x4d, 0x5a]],
  ["is a compiled program", [0xcf, 0xfa, 0xed, 0xfe]],
  ["is a compiled program", [0xca, 0xfe, 0xba, 0xbe]],
  ["is a compiled program", [0x00, 0x61, 0x73, 0x6d]],
];

/**
 * Lists places in a skill's files that people should check. This is advice: a skill that hides what it does is not
 * found, and many findings are harmless.
 *
 * Source: docs/skills-install.md, "What is looked at".
 */
export function scanSkill(files: readonly SkillFile[]): readonly Finding[] {
  const findings: Finding[] = [];
  let left = MAX_BYTES;
  for (const { path, bytes } of files) {
    const most = Math.min(left, MAX_FILE_BYTES);
    left -= Math.min(most, bytes.length);
    for (const finding of scanFile(path, bytes, most)) {
      if (findings.length >= MAX_FINDINGS) return findings;
      findings.push(finding);
    }
  }
  return findings;
}

/** Reports each rule at most once per line. */
function* scanFile(file: string, bytes: Uint8Array, most: number): Iterable<Finding> {
  const program = PROGRAMS.find(([, signature]) => signature.every((byte, index) => bytes[index] === byte));
  if (program) yield { file, line: 0, what: program[0] };
  if (isOfficeFile(file)) yield { file, line: 0, what: "is an archive that is not looked into" };
  if (bytes.length > most) yield { file, line: 0, what: `is long: only its first ${most} bytes are looked at` };
  // Binary files contain a NUL.
  const beginning = bytes.subarray(0, most);
  if (beginning.includes(0)) return;
  const lines = new TextDecoder().decode(beginning).split(/\r\n|[\n\r\u2028\u2029]/);
  for (const [index, line] of lines.entries()) {
    const told = new Set<string>();
    for (const piece of piecesOf(line))
      for (const [what, pattern] of RULES) {
        if (told.has(what) || !pattern.test(piece)) continue;
        told.add(what);
        yield { file, line: index + 1, what };
      }
  }
}

function* piecesOf(line: string): Iterable<string> {
  for (let at = 0; at === 0 || at < line.length; at += PIECE_CHARACTERS)
    yield line.slice(at, at + PIECE_CHARACTERS + OVERLAP_CHARACTERS);
}
