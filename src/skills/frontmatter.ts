/** The parts of a `SKILL.md`; joined they are the text. */
export interface SkillText {
  /** Up to and including the first line `---`. */
  readonly head: string;
  /** The YAML between the two lines. */
  readonly yaml: string;
  /** The second line `---`. */
  readonly close: string;
  /** The text after it. */
  readonly rest: string;
}

/** Blank lines before the first `---` are skipped: some editors leave them. */
const HEAD = /^\uFEFF?(?:[ \t]*\r?\n)*---[ \t]*\r?\n/;
/**
 * Only at the beginning of a line: YAML's own texts are indented. The first one ends the frontmatter; a later one
 * belongs to the body.
 */
const CLOSE = /(?<=^|\n)---[ \t]*(?:\r?\n|\r?$)/;

/** Splits a text into its parts; if it has no frontmatter, says which border is missing. */
export function splitSkillText(text: string): SkillText | { readonly missing: "begin" | "end" } {
  const head = HEAD.exec(text)?.[0];
  if (head === undefined) return { missing: "begin" };
  const after = text.slice(head.length);
  const close = CLOSE.exec(after);
  if (close === null) return { missing: "end" };
  return {
    head,
    yaml: after.slice(0, close.index),
    close: close[0],
    rest: after.slice(close.index + close[0].length),
  };
}

/** The Markdown below the frontmatter, with `\n` line ends and trimmed. */
export function bodyOf({ rest }: SkillText): string {
  return rest.replaceAll("\r\n", "\n").trim();
}

/**
 * The YAML with as many empty lines before it as the file has lines there, so that line numbers are those of the
 * file.
 */
export function yamlInPlace({ head, yaml }: SkillText): string {
  return "\n".repeat(head.split("\n").length - 1) + yaml.replaceAll("\r\n", "\n");
}

/** `key: a value`, with nothing before the key. */
const PLAIN_LINE = /^([A-Za-z][\w-]*):[ \t]+([^\s"'[\]{}|>&*!%#@`,?-].*|-[^\s].*)$/;

/**
 * Fixes the most common YAML mistakes of skill authors, line for line: a text with a colon, or with ` #`, that should
 * be quoted, and a group in braces that is not indented. Other readers of skills accept these too. Returns the same
 * text if there are none.
 */
export function mendYaml(yaml: string): string {
  const lines = yaml.split("\n");
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? "";
    if (/^[[\]{}"]/.test(line)) lines[index] = ` ${line}`;
    const [, key, value] = PLAIN_LINE.exec(line) ?? [];
    if (key === undefined || value === undefined) continue;
    let end = index;
    while (/^[ \t]+\S/.test(lines[end + 1] ?? "")) end += 1;
    const whole = [value, ...lines.slice(index + 1, end + 1)];
    if (!whole.some((one) => /:(?:\s|$)/.test(one))) continue;
    const quoted = whole.map((one) => one.replaceAll(/[\\"]/g, String.raw`\$&`));
    lines.splice(index, whole.length, ...quoted);
    lines[index] = `${key}: "${quoted[0] ?? ""}`;
    lines[end] = `${(lines[end] ?? "").trimEnd()}"`;
    index = end;
  }
  return lines.join("\n");
}
