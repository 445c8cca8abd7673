/** What people and models take for `<`, also as a part of another sign. */
const BRACKET = /[<＜﹤≮‹〈⟨〈《«˂ᐸ❮❰❬⦉⟪≺⪡⧼≪⋖⪪⪦⩹⊰]/gu;

/** What stands unseen or as a blank: controls, format characters, marks, whatever need not be shown, and signs without ink. */
const UNSEEN = /[\s\p{C}\p{M}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\ufffc]/u;
const SLASH = /[/⁄∕⧸╱⟋]/u;
const HYPHEN = /[\p{Pd}\p{Pc}−⁃˗⎯─━➖ー一ㅡ~∼⁓]/u;
/** Letters that stand for a control character behind a backslash. */
const ESCAPES = "nrtbfv";

const NAME = "wakeful";
/** A set of places in the name, as bits: bit 3 stands for three letters read. */
const START = 1;
const WHOLE_NAME = 1 << NAME.length;

/** Signs that look like a letter of the name, in lower case. Those that compatibility decomposition (NFKD) takes back to the letter are not here. */
const ALIKE: Readonly<Record<string, string>> = {
  w: "ԝѡωɯʍᴡшщաꮃⱳ₩",
  a: "аαɑᴀӕæⱥꭺꓮ",
  k: "кκҡқᴋҝĸƙꝁⱪꮶꓗ₭",
  e: "еєεҽᴇəɛɇⱸꭼꓰ℮€",
  f: "ƒꜰſẝϝғꞙꓝք",
  u: "υսцᴜʊџʉᵾꓴ∪⋃",
  l: "іıӏǀ|1iʟɩι∣!łɭƚⱡɫꝉꞁןا١۱ꮮꓡꓲ",
};

/** Letters in frames and on discs, which NFKD leaves as they are or takes for a letter in brackets: where their alphabets begin. */
const FRAMED = [0x249c, 0x1f110, 0x1f150, 0x1f170, 0x1f1e6];

/** For each sign the places that it may take in the name, as bits. */
const PLACES: ReadonlyMap<string, number> = new Map(
  Array.from(NAME).flatMap((letter, place) => {
    const framed = FRAMED.map((first) => String.fromCodePoint(first + letter.charCodeAt(0) - 97));
    return [letter, ...Array.from(ALIKE[letter] ?? ""), ...framed].map((sign) => [sign, 1 << place] as const);
  }),
);

/**
 * Foreign text that can neither close nor open a boundary of the runtime: every marker of the runtime begins with `<wakeful-` or `</wakeful-`, and the
 * bracket of whatever reads like that is written `&lt;`. Neither case nor look-alike letters, letters that decompose to ASCII, blanks, escapes, and any
 * number of unseen characters in between hide a marker. Takes time in proportion to the text.
 *
 * Source: docs/redaction.md, "What strangers wrote".
 */
export function withoutMarkers(text: string): string {
  // Reading a name stops at the next bracket, so each character is read once.
  return text.replace(BRACKET, (bracket, at: number) => (isMarker(text, at + bracket.length) ? "&lt;" : bracket));
}

/** Does the name of a marker follow, with its hyphen? Follows every reading at once, as `\f` may be an escape or a backslash and a letter. */
function isMarker(text: string, from: number): boolean {
  let places = START;
  /** Where a reading goes on if the next letter belongs to an escape. */
  let escaped = 0;
  for (let at = from; at < text.length;) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    at += character.length;
    const signs = PLACES.has(character) ? [character] : plain(character);
    for (const sign of signs) {
      const backslash = sign === "\\";
      const next = backslash || UNSEEN.test(sign) ? places : placesAfter(places, sign);
      if (next === undefined) return true;
      places = next | (ESCAPES.includes(sign) ? escaped : 0);
      escaped = backslash ? places : 0;
    }
    if (places === 0) return false;
  }
  return false;
}

/** The places that a sign leads to; `undefined`: it ends a marker's name. */
function placesAfter(places: number, sign: string): number | undefined {
  if ((places & WHOLE_NAME) !== 0 && HYPHEN.test(sign)) return undefined;
  const read = places & (PLACES.get(sign) ?? 0);
  return (read << 1) | (SLASH.test(sign) ? places & START : 0);
}

/** The character without case, and as the simpler ones that it is made of: the letter of `é`, `ｗ`, `𝐰` and `ʷ`. */
function plain(character: string): Iterable<string> {
  return character < "\x80" ? character.toLowerCase() : character.normalize("NFKD").toLowerCase();
}
