import fc from "fast-check";

/** Any code point, halves of surrogates included: what `unit: "binary"` of `fc.string` is, which makes a table of all 1.1 million of them. */
export const anyCharacter: fc.Arbitrary<string> = fc.integer({ min: 0, max: 0x10_ff_ff }).map(
  (code) => String.fromCodePoint(code),
  (text) => {
    const code = typeof text === "string" ? text.codePointAt(0) : undefined;
    if (code === undefined || String.fromCodePoint(code) !== text) throw new TypeError("No character");
    return code;
  },
);
