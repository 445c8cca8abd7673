/** Characters that people and models read as `<`, also as a part of another character. */
const BRACKET = /[<＜﹤≮‹〈⟨〈《«˂ᐸ❮❰❬⦉⟪≺⪡⧼≪⋖⪪⪦⩹⊰]/gu;

/**
 * Characters that are invisible or look like a blank: controls, format characters, marks, ignorable code points, and
 * characters without ink.
 */
const UNSEEN = /[\s\p{C}\p{M}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\ufffc]/u;
const SLASH = /[/⁄∕⧸╱⟋]/u;
const HYPHEN = /[\p{Pd}\p{Pc}−⁃˗⎯─━➖ー一ㅡ~∼⁓]/u;
/** Letters that stand for a control character behind a backslash. */
const ESCAPES = "nrtbfv";

const NAME = "wakeful";
/** Positions in the name are a set of bits: bit 3 means that three letters have been read. */
const START = 1;
const WHOLE_NAME = 1 << NAME.length;

/**
 * Lower-case characters that look like a letter of the name, without those that compatibility decomposition (NFKD)
 * maps to the letter.
 */
const ALIKE: Readonly<Record<string, string>> = {
  w: "ԝѡωɯʍᴡшщաꮃⱳ₩",
  a: "аαɑᴀӕæⱥꭺꓮ",
  k: "кκҡқᴋҝĸƙꝁⱪꮶꓗ₭",
  e: "еєεҽᴇəɛɇⱸꭼꓰ℮€",
  f: "ƒꜰſẝϝғꞙꓝք",
  u: "υսцᴜʊџʉᵾꓴ∪⋃",
  l: "іıӏǀ|1iʟɩι∣!łɭƚⱡɫꝉꞁןا١۱ꮮꓡꓲ",
};

/**
 * First code points of alphabets of letters in frames and on discs. NFKD leaves these as they are or maps them to a
 * letter in brackets.
 */
const FRAMED = [0x249c, 0x1f110, 0x1f150, 0x1f170, 0x1f1e6];

/** For each character the positions that it can have in the name, as bits. */
const PLACES: ReadonlyMap<string, number> = new Map(
  Array.from(NAME).flatMap((letter, place) => {
    const framed = FRAMED.map((first) => String.fromCodePoint(first + letter.charCodeAt(0) - 97));
    return [letter, ...Array.from(ALIKE[letter] ?? ""), ...framed].map((sign) => [sign, 1 << place] as const);
  }),
);

/**
 * Rewrites untrusted text so that it can neither close nor open a boundary of the runtime. Every marker of the
 * runtime begins with `<wakeful-` or `</wakeful-`; the bracket of everything that reads like one is replaced by
 * `&lt;`. Case, look-alike letters, letters that decompose to ASCII, blanks, escapes, and any number of invisible
 * characters in between do not hide a marker. Takes time proportional to the text.
 *
 * Source: docs/redaction.md, "What strangers wrote".
 */
export function withoutMarkers(text: string): string {
  // Reading a name stops at the next bracket, so each character is read once.
  return text.replace(BRACKET, (bracket, at: number) => (isMarker(text, at + bracket.length) ? "&lt;" : bracket));
}

/**
 * Whether the name of a marker follows, with its hyphen. Tracks all readings at once, because `\f` may be an escape
 * or a backslash and a letter.
 */
function isMarker(text: string, from: number): boolean {
  let places = START;
  /** Positions at which a reading continues if the next letter belongs to an escape. */
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

/** Returns the positions after a character; `undefined` if it ends a marker's name. */
function placesAfter(places: number, sign: string): number | undefined {
  if ((places & WHOLE_NAME) !== 0 && HYPHEN.test(sign)) return undefined;
  const read = places & (PLACES.get(sign) ?? 0);
  return (read << 1) | (SLASH.test(sign) ? places & START : 0);
}

/** Returns the character in lower case, decomposed into simpler ones: the letter of `é`, `ｗ`, `𝐰` and `ʷ`. */
function plain(character: string): Iterable<string> {
  return character < "\x80" ? character.toLowerCase() : character.normalize("NFKD").toLowerCase();
}
