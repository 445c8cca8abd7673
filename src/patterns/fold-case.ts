const NOT_ASCII = /[^\0-\x7f]/;

/**
 * Returns the case-folded text: two texts that a pattern with `i` cannot distinguish give the same. It may be longer
 * (`ß` is `ss`), so its positions do not match those of the text.
 */
export function foldCase(text: string): string {
  const lower = text.toLowerCase();
  if (!NOT_ASCII.test(lower)) return lower;
  // Lower case alone does not unify `ſ` and `s`, `ϐ` and `β`; upper case alone does not unify `ẞ` and `ß`. The form
  // of a sigma depends on what follows it.
  return lower.toUpperCase().toLowerCase().replaceAll("ς", "σ");
}
