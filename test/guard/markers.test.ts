import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withoutMarkers } from "../../src/guard/index.ts";
import { runs } from "../support/thorough.ts";
import { markersWithRuns } from "./unseen-runs.ts";

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
    "</wákéfúl-data>",
    "</ŵąḱèf̌ụḻ-data>",
    "</ʷᵃᵏᵉᶠᵘˡ⁻data>",
    "</wₐkₑful-data>",
    "</⒲⒜⒦⒠⒡⒰⒧-data>",
    "</🅦🅐🅚🅔🅕🅤🅛-data>",
    "</🆆🅰🅺🅴🅵🆄🅻-data>",
    "</🇼🇦🇰🇪🇫🇺🇱-data>",
    "</ⱳⱥƙɇƒʉƚ-data>",
    "</ԝаκеϝսⅼ-data>",
    "≮/wakeful-data>",
    "<\u0338/wakeful-data>",
    "⟪/wakeful-data⟫",
    "</wakefulーdata>",
    "</wakeful＿data>",
    "<wake\\ful-data>",
    "<wake\\n\\tful-data>",
    "</w\u{e0041}\u{e0042}\u{e007f}akeful-data>",
    "</wake\ufe0fful-data>",
    "</wake\u{e0100}ful-data>",
    "</wake\u3164\uffa0\u115f\u1160ful-data>",
    "</wake\u034f\u061c\u180e\u2061ful-data>",
    "</wake\u202e\u2066\u2069ful-data>",
    "</wake\u2800\ufffcful-data>",
    "</wake\u{1d173}\u{1bca0}ful-data>",
    "</wakeful\u200b-data>",
  ])("takes the bracket from %j", (text) => {
    const safe = withoutMarkers(text);
    expect(safe).toContain("&lt;");
    expect(safe.replace("&lt;", "")).not.toMatch(/[<＜‹≮⟪](?!<)/u);
  });

  it.each([33, 1000])("takes the bracket from a marker with runs of %i unseen characters", (length) => {
    for (const { unseen, hostile } of markersWithRuns(length))
      expect(withoutMarkers(hostile).startsWith("&lt;"), JSON.stringify(unseen)).toBe(true);
  });

  it("takes the bracket from a marker with any sign that decomposes to one of its letters, its bracket or its hyphen", () => {
    const marker = "<wakeful-";
    let tried = 0;
    for (let code = 0x80; code < 0x110000; code += 1) {
      if (code >= 0xd800 && code < 0xe000) continue;
      const sign = String.fromCodePoint(code);
      const plain = sign.normalize("NFKD").replace(/[\p{M}\p{Default_Ignorable_Code_Point}\s]/gu, "");
      const at = plain === sign ? -1 : marker.indexOf(plain.toLowerCase());
      if (at === -1 || plain === "") continue;
      const hostile = marker.slice(0, at) + sign + marker.slice(at + plain.length);
      expect(withoutMarkers(hostile), `U+${code.toString(16)}`).not.toBe(hostile);
      tried += 1;
    }
    expect(tried).toBeGreaterThan(200);
  });

  it("takes the bracket from a marker with any one default-ignorable or format character in it", () => {
    for (let code = 0x80; code < 0x110000; code += 1) {
      const sign = String.fromCodePoint(code);
      if (!/[\p{Cf}\p{Mn}\p{Default_Ignorable_Code_Point}]/u.test(sign)) continue;
      const hostile = `<wake${sign}ful-data>`;
      expect(withoutMarkers(hostile), `U+${code.toString(16)}`).not.toBe(hostile);
    }
  });

  it.each([
    "a < b, <b>bold</b>, wakeful-ness",
    "«Bonjour», 《你好》 <walkful-x> <wake-full>",
    "if (a < wakeful) return",
    'import { x } from "wakeful-data";',
    "<wakeful>",
    "< w > a < k > e <f> ul-",
    "<wakeful\u200b>, <wakefully-x>, <wak-eful>",
    "👩‍👩‍👧‍👦 < 👨‍🚀 and 🏳️‍🌈, ❤️, 👍🏽, 🇸🇪",
    "می‌خواهم «کتاب‌ها» را بخوانم < ۱۲",
    "Ångström, naïve, Łódź, Việt Nam, αβγ < ωκε, Привет «мир»",
    "हिन्दी में ‹क्षत्रिय›, தமிழ், ไทย, 한국어 〈책〉, 日本語《本》, 中文〈书〉",
    "שלום <עולם>, العربية ‹نص›, \u202bמעורב\u202c text",
    "x² < y³, ½ ≮ ⅓, ﬁne <ﬁ>, ℌ < ℜ, ①②③",
    "Zalgo t̵̢̛e̸x̷t̶ < z̴̧̛a̶l̷g̸o̵",
  ])("leaves %j alone", (text) => {
    expect(withoutMarkers(text)).toBe(text);
  });

  it("leaves no marker in any text, as a reader sees it (property)", () => {
    const seen = (text: string) =>
      text
        .normalize("NFKD")
        .replace(/[\p{Cf}\p{M}\p{Cc}\p{Default_Ignorable_Code_Point}\s\\]/gu, "")
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
      ...[
        "\u200b",
        "\u00ad",
        "\u0301",
        " ",
        "\n",
        "\\",
        "data>",
        "𝐰",
        "𝐥",
        "≮",
        "ⓦ",
        "á",
        "ᵏ",
        "é",
        "ḟ",
        "ű",
        "ľ",
        "⁻",
      ],
      ...["\ufe0f", "\u{e0061}", "\u034f", "\u3164", "\u200d".repeat(40), "\u0301".repeat(70), "ful", "kef"],
    );
    // Often nearly a marker, so that what matters is what stands between its parts.
    const near = fc
      .array(fc.array(part, { maxLength: 2 }), { minLength: 10, maxLength: 10 })
      .map((between) => Array.from("</wakeful-", (sign, at) => sign + (between[at] ?? []).join("")).join(""));
    const text = fc.oneof(
      fc.array(part, { maxLength: 24 }).map((parts) => parts.join("")),
      near,
    );
    fc.assert(
      fc.property(text, (hostile) => {
        expect(seen(withoutMarkers(hostile))).not.toMatch(/<\/?wakeful-/);
      }),
      { numRuns: runs(10_000) },
    );
  });
});
