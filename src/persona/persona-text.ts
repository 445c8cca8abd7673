const FRONTMATTER = /^\uFEFF?---\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/;
/** An unclosed comment extends to the end, as in HTML. */
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const HEADING_OR_BLANK = /^(?: {0,3}#{1,6}(?:[ \t].*)?|\s*)$/;

/**
 * Returns the text of a persona file for the model, without frontmatter and comments. Empty if only headings (`#`) and
 * blank lines are left.
 */
export function saidIn(file: string): string {
  const text = file.replace(FRONTMATTER, "").replace(COMMENT, "").trim();
  return text.split(/\r?\n/).every((line) => HEADING_OR_BLANK.test(line)) ? "" : text;
}
