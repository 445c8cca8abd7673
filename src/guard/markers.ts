/** What people and models take for `<`. */
const BRACKETS = "<＜﹤‹〈⟨〈《«˂ᐸ❮❰≺⪡⧼";
/** What stands unseen, or as a blank, a slash or an escape of one, between the bracket and the name. */
const GAP = "(?:\\\\[nrtbf]|[\\s\\p{Cc}\\p{Cf}\\p{Mn}\\p{Me}\\\\/／⁄∕⧸╱]){0,32}";
const UNSEEN = "[\\s\\\\\\p{Cc}\\p{Cf}\\p{Mn}\\p{Me}]{0,32}";
const HYPHENS = "[-\\p{Pd}_−⁃˗‐‑﹣－]";

/** Letters of other alphabets that look like those of the runtime's name. */
const ALIKE: Readonly<Record<string, string>> = {
  w: "ԝѡωɯʍᴡшщ₩",
  a: "аαɑᴀӑӓàáâãäåāăąªₐ",
  k: "кκҡқᴋќĸ₭ҝ",
  e: "еєёεҽᴇèéêëēĕėęěəⅇ€ₑ",
  f: "ƒꜰſẝϝғ",
  u: "υսцᴜùúûüūŭůűųʊџ∪",
  l: "ⅼıіӏǀ|1ʟĺļľŀłɩ∣Ιιǐíìîï!",
};

/** Mathematical, circled, full-width and similar forms of the letter: those that compatibility normalisation takes back to it. */
function formsOf(letter: string): string {
  const index = letter.charCodeAt(0) - 97;
  const forms = [0xff21, 0xff41, 0x24b6, 0x24d0, 0x249c, 0x1f110, 0x1f130, 0x1f150, 0x1f170, 0x1f1e6];
  for (let start = 0x1d400; start < 0x1d6a4; start += 26) forms.push(start);
  return String.fromCodePoint(...forms.map((start) => start + index));
}

function letterClass(letter: string): string {
  const alike = ALIKE[letter] ?? "";
  return `[${letter}${letter.toUpperCase()}${alike}${alike.toUpperCase()}${formsOf(letter)}]`;
}

/** The marker's letters, with whatever unseen between them. */
const NAME = Array.from("wakeful", letterClass).join(UNSEEN);
const MARKER = new RegExp(`[${BRACKETS}](?=${GAP}${NAME}${UNSEEN}${HYPHENS})`, "gu");
const BRACKET = new RegExp(`[${BRACKETS}]`, "u");

/**
 * Foreign text that can neither close nor open a boundary of the runtime: every marker of the runtime begins with `<wakeful-` or `</wakeful-`, and the
 * bracket of whatever reads like that (other case, look-alike letters, blanks and unseen characters in between) is written `&lt;`.
 *
 * Source: docs/redaction.md, "What strangers wrote".
 */
export function withoutMarkers(text: string): string {
  return BRACKET.test(text) ? text.replace(MARKER, "&lt;") : text;
}
