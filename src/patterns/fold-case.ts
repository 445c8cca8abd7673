/**
 * The text without regard to case: two texts that a pattern with `i` takes for each other have the same. It may be longer (`ß` is `ss`), so places in it are
 * no places of the text.
 */
export function foldCase(text: string): string {
  // Lower case alone keeps `ſ` and `s`, `ϐ` and `β` apart, upper case alone `ẞ` and `ß`; and a sigma depends on what follows it.
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ");
}
