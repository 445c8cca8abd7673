import { RE2JS } from "re2js";
import { readabilityReader } from "../../adapters/readers/readability/index.ts";
import { shippedIntents } from "../../adapters/models/offline/index.ts";
import { createMatcher } from "../../adapters/models/offline/matcher.ts";
import { extractFlush, guardCommand, splitText } from "../../entry.host.ts";
import { createCallBlocks } from "../../src/agent/call-blocks.ts";
import { visible } from "../../src/call-text.ts";
import { mergeLedger, readFacts } from "../../src/context/compaction/index.ts";
import { withoutMarkers } from "../../src/guard/index.ts";
import { statements } from "../../src/memory/index.ts";
import { createRedactor } from "../../src/telemetry/index.ts";
import { readYaml } from "../../src/settings/index.ts";
import { problemOfPath } from "../../src/skills/install/path.ts";
import { scanSkill } from "../../src/skills/install/scan.ts";
import { plainReader } from "../../src/tools/index.ts";
import { compileGlob } from "../../src/tools/patterns/glob.ts";
import { linePattern } from "../../src/tools/patterns/line-pattern.ts";
import { re2Patterns } from "../../src/patterns/index.ts";
import { platform } from "./this-platform.ts";

/** A function that reads text from outside, and texts that a careless reader of their kind takes quadratic or exponential time for. */
export interface HostileTexts {
  readonly reader: string;
  read(text: string): unknown;
  /** Characters; a longer text is refused unread. */
  readonly maxLength?: number;
  /** Each makes a text of about this many characters. */
  readonly texts: readonly ((length: number) => string)[];
}

/** The same piece again and again, after a beginning and before an end. */
const repeated = (piece: string, start = "", end = "") => {
  return (length: number) => start + piece.repeat(Math.ceil(length / piece.length)) + end;
};
const allRepeated = (...pieces: readonly string[]) => pieces.map((piece) => repeated(piece));

const redact = createRedactor(["hunter2-and-more"]);
const match = createMatcher(shippedIntents);
const engine = re2Patterns({ RE2JS });
const page = "https://quay.example/story/1";

/** Patterns that a backtracking engine never finishes. */
export const HOSTILE_PATTERNS = [
  "(a+)+$",
  "(a|a)*$",
  "(a|aa)+$",
  "(.*)*x",
  "(a*)*b",
  "([a-z]+)*\\d",
  "(?:a?){30}a{30}b",
  "(x+x+)+y",
  "a*a*a*a*a*b",
  "(\\w+\\s?)*!",
] as const;

export const HOSTILE_GLOBS = [
  "*a".repeat(140),
  "**/".repeat(90),
  "**/*a".repeat(50),
  "?*".repeat(140),
  "[a-z]*".repeat(45),
  "*(a|b)".repeat(40),
  "{a*,*a}".repeat(6),
] as const;

export const HOSTILE_TEXTS: readonly HostileTexts[] = [
  {
    reader: "createRedactor()",
    read: redact,
    texts: allRepeated(
      ...["://a:", "eyJa.", "eyJ-", "-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\na-", "sk-", "1:"],
      ...["7Q~", "Bearer ", "token=", "token=a1", "Cookie: a=b; ", "a=", String.raw`\nsk-a`, "SG.", " \n"],
      "hunter2-and-",
    ),
  },
  {
    reader: "withoutMarkers()",
    read: withoutMarkers,
    texts: allRepeated(
      ...["<", "< ", "</wakeful", "<w\u200b", "<\\n", "＜/", "<wake\\f\\f\\f\\f", "<\u200b\u0301\ufe0f", "≮é"],
    ),
  },
  ...(["chars", "bytes"] as const).map((unit) => ({
    reader: `splitText() in ${unit}`,
    read: (text: string) => splitText(text, { maxLength: 4096, unit }),
    texts: [
      ...allRepeated("x", "a ", "`", "```\nx\n```\n", ".", "👩‍👩‍👧‍👦"),
      repeated(" ", "", "x"),
      repeated("\n", "a", "x"),
      repeated(" \n", "a", "x"),
      repeated(" ", "```\n", "\n```"),
      repeated("\u0301", "a"),
    ],
  })),
  {
    reader: "readFacts()",
    read: (text) => readFacts([{ role: "user", text }]),
    texts: [
      ...allRepeated("a", "1 ", "a-", "/a", "a.", "a@", "AB12 ", '"A ', "`", "#1", "1-", "remind ", "my x "),
      ...allRepeated("please by ", "记得", "请前", "\n", "- ", "? ", "is was "),
    ],
  },
  {
    reader: "scanSkill()",
    read: (text) => scanSkill([{ path: "a.md", bytes: new TextEncoder().encode(text) }]),
    texts: [
      ...allRepeated(
        "curl ",
        "base64 ",
        "eval(",
        "A",
        "rm -",
        "rm ",
        "-r ",
        "ignore ",
        "all ",
        "忽略",
        "~/.",
        "env | ",
        "<",
        "npx ",
        "a|",
        "\n",
        "fetch process.env",
      ),
      repeated("A ", "", "|sh"),
    ],
  },
  {
    reader: "readYaml()",
    read: (text) => readYaml(text, platform.yaml()),
    texts: [
      repeated("*a,", "a: &a x\nb: [", "]"),
      repeated("&b 1,*b,", "b: [", "]"),
      (length) =>
        `b: {${Array.from({ length: Math.ceil(length / 5) }, (_, at) => at.toString(36).padStart(4, "k")).join(",")}}`,
      ...["1,", "{a,a},"].map((item) => (length: number) => {
        const half = Math.ceil(length / 2);
        return `? ${"k".repeat(half)}\n: [${item.repeat(Math.ceil(half / item.length))}]`;
      }),
      ...allRepeated("a:\n", "- ", "? ", "&a "),
    ],
  },
  {
    reader: "problemOfPath()",
    read: (text) => problemOfPath(text.slice(0, 200)),
    texts: allRepeated("/", "a/", ".", " ", "con.", "ﷺ"),
  },
  {
    reader: "mergeLedger()",
    read: (text) => mergeLedger([], readFacts(text.split("\n").map((line) => ({ role: "user", text: line })))),
    texts: [
      (length) =>
        Array.from({ length: Math.ceil(length / 100) }, (_, index) => {
          const order = `TODO: order part number ${index} for the ${index % 7} th machine as PART-${10_000 + index}.`;
          return `${order} Done: sent part ${index}.`;
        }).join("\n"),
    ],
  },
  {
    reader: "statements()",
    read: (text) => statements(text),
    texts: [
      ...allRepeated("I ", "my ", "我", "i will ", "以后", "I have a ", "my a, ", "every day\n", "my cat. ", "we pay "),
      ...allRepeated("the key is in ", "我把", "我家", "我的a在", "mum is ", "when you "),
    ],
  },
  {
    reader: "extractFlush()",
    read: (content) =>
      extractFlush([{ role: "user", content: [{ type: "text", text: content }] }], {
        limit: 5,
        sessionId: "s",
        userId: "app:ada",
      }),
    texts: [repeated("[attached: ", "I prefer tea. ")],
  },
  {
    reader: "the offline model",
    read: match,
    texts: ["", "write ", "replace ", "把", "send a message saying "].flatMap((start) =>
      [
        ...["write ", "replace with in ", " to", "把里的改成", "写入", "\"'“", "!?。", "send a message saying to "],
        ...["what time is it in ", "请", "my name is ", "   ", "a", "我叫", "谢谢"],
      ].map((piece) => repeated(piece, start)),
    ),
  },
  ...(["restricted", "open"] as const).map((mode) => ({
    reader: `guardCommand(), ${mode}`,
    read: (command: string) => guardCommand(command, { workspace: "/srv/assistant/workspace", mode }),
    maxLength: 56_000,
    texts: [
      ...allRepeated("`", "a=b ", "x ", "ls {a,b}{a,b}{a,b}{a,b}\n"),
      repeated("print x ", "awk '", "' x"),
      repeated("*a", "ls ~/"),
      repeated('"a', "node -e '", "'"),
      (length: number) => `for a in ${"1 2 3 4 5 6 7 ".repeat(6)}; do ${"ls $a;".repeat(length / 7)} done`,
      repeated("a", "$(".repeat(20)),
      repeated('f"{a}" ', "python3 -c '", "'"),
      repeated('require("fs").', "node -e '", "'"),
      repeated(")/", "node -e '", "'"),
      repeated("a,", "python3 -c '", "'"),
      repeated("(", "perl -pe 's/"),
    ],
  })),
  ...[
    { name: "plainReader()", reader: plainReader() },
    { name: "readabilityReader()", reader: readabilityReader() },
  ].map(({ name, reader }) => ({
    reader: name,
    read: (html: string) => reader.read(html, page),
    texts: [
      ...allRepeated("<div>", "<a ", "<span> a </span>", "<!-- "),
      repeated('x="', "<a "),
      repeated("</div></form>", "<nav>".repeat(500)),
      repeated("<td>a, b", "<table><tr>"),
      repeated(" ", `<p>${"x".repeat(300)}`, "y"),
      repeated("<br>", "<div>"),
    ],
  })),
  {
    reader: "createCallBlocks()",
    read(answer) {
      const blocks = createCallBlocks({ onText: () => {}, onCall: () => {} });
      for (let from = 0; from < answer.length; from += 4) blocks.push(answer.slice(from, from + 4));
      blocks.end();
    },
    texts: [
      ...allRepeated("a", "`<tool_call>"),
      repeated(" ", "<tool_call>"),
      repeated(" ", '<tool_call>{"name":"add"}</tool_call>'),
      repeated("b", '<tool_call>{"name":"add","arguments":{"a":"', '"}}</tool_call>'),
    ],
  },
  { reader: "visible()", read: visible, texts: allRepeated("\\") },
  ...HOSTILE_PATTERNS.map((pattern) => ({
    reader: `linePattern(${pattern})`,
    read: async (line: string) => (await linePattern(pattern, platform.load, engine)).test(line),
    texts: [(length: number) => `${"a".repeat(length / 4)}!`],
  })),
  ...HOSTILE_GLOBS.map((glob) => ({
    reader: `compileGlob(${glob.slice(0, 9)}…)`,
    read: compileGlob(glob),
    texts: [(length: number) => "a".repeat(length / 16), (length: number) => "a/".repeat(length / 32)],
  })),
];
