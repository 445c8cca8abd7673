/** Position of a JSON syntax error. Lines and columns count from 1. */
export interface JsonErrorPosition {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

type Expected = "value" | "first-item" | "first-key" | "key" | "colon" | "comma" | "end";

const BLANK = /[ \t\n\r]*/y;
const SCALAR = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;

/**
 * Finds the first character that makes a text invalid JSON (RFC 8259); `null` if it is valid. Used only after
 * `JSON.parse` failed, because runtimes report the position differently or not at all.
 */
export function findJsonError(text: string): JsonErrorPosition | null {
  const offset = errorOffset(text);
  if (offset === null) return null;
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { offset, line: before.split("\n").length, column: offset - lineStart + 1 };
}

function errorOffset(text: string): number | null {
  // Open brackets, as a list instead of recursion, so that deep nesting cannot overflow the stack.
  const open: ("[" | "{")[] = [];
  let expected: Expected = "value";
  let at = 0;
  const afterValue = (): Expected => (open.length === 0 ? "end" : "comma");

  for (;;) {
    BLANK.lastIndex = at;
    BLANK.test(text);
    at = BLANK.lastIndex;
    if (at >= text.length) return expected === "end" ? null : at;
    const character = text[at];

    if (expected === "end") return at;
    if (expected === "colon") {
      if (character !== ":") return at;
      at++;
      expected = "value";
    } else if (expected === "comma") {
      const inside = open.at(-1);
      if (character === ",") expected = inside === "[" ? "value" : "key";
      else if (character === (inside === "[" ? "]" : "}")) {
        open.pop();
        expected = afterValue();
      } else return at;
      at++;
    } else if (expected === "key" || expected === "first-key") {
      if (character === "}" && expected === "first-key") {
        open.pop();
        expected = afterValue();
        at++;
        continue;
      }
      if (character !== '"') return at;
      const string = readString(text, at);
      if (!string.closed) return string.at;
      at = string.at;
      expected = "colon";
    } else if (character === "]" && expected === "first-item") {
      open.pop();
      expected = afterValue();
      at++;
    } else if (character === "[" || character === "{") {
      open.push(character);
      expected = character === "[" ? "first-item" : "first-key";
      at++;
    } else if (character === '"') {
      const string = readString(text, at);
      if (!string.closed) return string.at;
      at = string.at;
      expected = afterValue();
    } else {
      SCALAR.lastIndex = at;
      if (!SCALAR.test(text)) return at;
      at = SCALAR.lastIndex;
      expected = afterValue();
    }
  }
}

/** Reads the string that starts at `start`. @returns The offset after its end, or of the error in it. */
function readString(text: string, start: number): { at: number; closed: boolean } {
  let at = start + 1;
  while (at < text.length) {
    const character = text[at]!;
    if (character === '"') return { at: at + 1, closed: true };
    if (character < " ") return { at, closed: false };
    if (character !== "\\") {
      at++;
      continue;
    }
    const escaped = text[at + 1];
    if (escaped === "u") {
      if (!/^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6))) return { at, closed: false };
      at += 6;
    } else if (escaped !== undefined && '"\\/bfnrt'.includes(escaped)) at += 2;
    else return { at, closed: false };
  }
  return { at: text.length, closed: false };
}
