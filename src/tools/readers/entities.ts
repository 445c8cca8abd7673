/** Names of the characters from U+00A0 to U+00FF in order. Source: the HTML Standard, "Named character references". */
const LATIN_1 = (
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm " +
  "raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde " +
  "Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave " +
  "eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml"
).split(" ");

/** Other references that pages use often. */
const OTHERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
    hellip: "…",
    mdash: "—",
    ndash: "–",
    lsquo: "‘",
    rsquo: "’",
    sbquo: "‚",
    ldquo: "“",
    rdquo: "”",
    bdquo: "„",
    lsaquo: "‹",
    rsaquo: "›",
    bull: "•",
    trade: "™",
    euro: "€",
    larr: "←",
    uarr: "↑",
    rarr: "→",
    darr: "↓",
    le: "≤",
    ge: "≥",
    ne: "≠",
    minus: "−",
    infin: "∞",
    ensp: " ",
    emsp: " ",
    thinsp: " ",
    zwj: "\u200d",
    zwnj: "\u200c",
    check: "✓",
  }),
);

/** Replaces the character references of HTML text. Unknown names stay as they are. */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(
    /&(?:#x([0-9a-f]{1,8})|#([0-9]{1,8})|([a-z][a-z0-9]{1,15}));?/giu,
    (whole, hex, decimal, name) => {
      if (hex !== undefined) return character(Number.parseInt(hex, 16));
      if (decimal !== undefined) return character(Number(decimal));
      const latin = LATIN_1.indexOf(name);
      return latin === -1 ? (OTHERS.get(name) ?? whole) : String.fromCodePoint(0xa0 + latin);
    },
  );
}

function character(code: number): string {
  const valid = code > 0 && code <= 0x10_ffff && !(code >= 0xd800 && code <= 0xdfff);
  return valid ? String.fromCodePoint(code) : "\ufffd";
}
