const FRONTMATTER = /^\uFEFF?---\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/;
/** One that nothing closes reaches to the end, as in HTML. */
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const HEADING_OR_BLANK = /^(?: {0,3}#{1,6}(?:[ \t].*)?|\s*)$/;

/** What a persona file says to the model: its text without frontmatter and comments. Empty when nothing is left but headings (`#`) and blank lines. */
export function saidIn(file: string): string {
  const text = file.replace(FRONTMATTER, "").replace(COMMENT, "").trim();
  return text.split(/\r?\n/).every((line) => HEADING_OR_BLANK.test(line)) ? "" : text;
}
