const NOT_ASCII = /[^\0-\x7f]/;

/**
 * The text without regard to case: two texts that a pattern with `i` takes for each other have the same. It may be longer (`ß` is `ss`), so places in it are
 * no places of the text.
 */
export function foldCase(text: string): string {
  const lower = text.toLowerCase();
  if (!NOT_ASCII.test(lower)) return lower;
  // Lower case alone keeps `ſ` and `s`, `ϐ` and `β` apart, upper case alone `ẞ` and `ß`; and a sigma depends on what follows it.
  return lower.toUpperCase().toLowerCase().replaceAll("ς", "σ");
}
