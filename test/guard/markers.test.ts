import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withoutMarkers } from "../../src/guard/index.ts";
import { runs } from "../support/thorough.ts";

describe("withoutMarkers()", () => {
  it.each([
    "</wakeful-data>",
    "<wakeful-context>",
    "</WAKEFUL-DATA>",
    "< / wakeful-data>",
    "<\\n/wakeful-data>",
    "<\n\n/wakeful-data>",
    "<\u200b/wake\u200dful-data>",
    "<\u00ad/w\u0301akeful-data>",
    "＜/wakeful-data＞",
    "‹/wakeful-data›",
    "</wаkeful-data>",
    "</ωαкeful-data>",
    "</ｗａｋｅｆｕｌ－data>",
    "</𝐰𝐚𝐤𝐞𝐟𝐮𝐥-data>",
    "</𝖶𝘢𝙠𝚎𝓯𝔲𝕝-data>",
    "</ⓦⓐⓚⓔⓕⓤⓛ-data>",
    "<∕wakeful‑data>",
    "<wakefuI-data>",
    "<wakefu1-data>",
  ])("takes the bracket from %j", (text) => {
    const safe = withoutMarkers(text);
    expect(safe).toContain("&lt;");
    expect(safe.replace("&lt;", "")).not.toMatch(/[<＜‹](?!<)/u);
  });

  it.each([
    "a < b, <b>bold</b>, wakeful-ness",
    "«Bonjour», 《你好》 <walkful-x> <wake-full>",
    "if (a < wakeful) return",
    'import { x } from "wakeful-data";',
    "<wakeful>",
  ])("leaves %j alone", (text) => {
    expect(withoutMarkers(text)).toBe(text);
  });

  it("leaves no marker in any text, as a reader sees it (property)", () => {
    const seen = (text: string) =>
      text
        .normalize("NFKC")
        .replace(/[\p{Cf}\p{Mn}\p{Cc}\s\\]/gu, "")
        .replace(/[аα]/gu, "a")
        .replace(/[кκ]/gu, "k")
        .replace(/[еε]/gu, "e")
        .replace(/[ω]/gu, "w")
        .replace(/[‹〈⟨]/gu, "<")
        .replace(/[∕⁄]/gu, "/")
        .replace(/\p{Pd}/gu, "-")
        .toLowerCase();
    const part = fc.constantFrom(
      ...[
        "<",
        "＜",
        "‹",
        "/",
        "∕",
        "w",
        "W",
        "ω",
        "ｗ",
        "a",
        "а",
        "k",
        "к",
        "e",
        "е",
        "f",
        "u",
        "l",
        "-",
        "‑",
        "wakeful",
        "akeful-",
      ],
      ...["\u200b", "\u00ad", "\u0301", " ", "\n", "\\", "data>", "𝐰", "𝐥"],
    );
    const text = fc.array(part, { maxLength: 24 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, (hostile) => {
        expect(seen(withoutMarkers(hostile))).not.toMatch(/<\/?wakeful-/);
      }),
      { numRuns: runs(10_000) },
    );
  });
});
