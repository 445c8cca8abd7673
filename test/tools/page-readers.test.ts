import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readabilityReader } from "../../adapters/readers/readability/index.ts";
import { plainReader } from "../../src/tools/index.ts";
import { decodeEntities } from "../../src/tools/readers/entities.ts";
import { htmlPieces } from "../../src/tools/readers/html-tags.ts";
import { CHINESE_PAGE, ENGLISH_PAGE, INDEX_PAGE, MALFORMED_PAGE } from "./web-pages.ts";
import { runs } from "../support/thorough.ts";

const URL_OF_PAGE = "https://quay.example/story/1";
const READERS = [
  ["plainReader()", plainReader()],
  ["readabilityReader()", readabilityReader()],
] as const;

describe.each(READERS)("%s", (_, reader) => {
  it("reads an English article without what is around it", async () => {
    const { title, text } = await reader.read(ENGLISH_PAGE, URL_OF_PAGE);
    expect(title).toBe("How the harbour bridge was moved — The Quay Gazette");
    expect(text).toContain("the better part of a day & a night.\n\nEngineers had waited");
    expect(text).toContain("“You get one chance a month,” said Mira Holt, who led");
    expect(text).toMatch(/^## What happens next$/m);
    expect(text).toMatch(/^- +New piers are poured in May\.$/m);
    expect(text).toMatch(/^Deck \| 260 t$/m);
    expect(text).toContain("tide  = 4.1 m\n");
    for (const noise of [
      "tracking",
      "not text",
      "not a paragraph",
      "written later",
      "cookies",
      "Sport",
      "Ten soups",
      "© 2026",
      "<",
      "bridge.jpg",
    ])
      expect(text).not.toContain(noise);
  });

  it("lists where a page leads, absolute, each once, and only to the web", async () => {
    const { links } = await reader.read(ENGLISH_PAGE, URL_OF_PAGE);
    const urls = links.map(({ url }) => url);
    expect(new Set(urls)).toEqual(
      new Set([
        "https://quay.example/",
        "https://quay.example/news",
        "https://quay.example/sport?tab=1",
        "https://quay.example/people/mira-holt",
        "https://town.example/plans/bridge",
        "https://quay.example/a1",
      ]),
    );
    expect(urls).toHaveLength(6);
    expect(links.find(({ url }) => url.endsWith("mira-holt"))?.text).toBe("Mira Holt");
  });

  it("reads Chinese", async () => {
    const { title, text, links } = await reader.read(CHINESE_PAGE, URL_OF_PAGE);
    expect(title).toBe("老城茶馆的一天_晨报");
    expect(text).toContain("清晨五点半，城南的老茶馆已经亮起了灯。");
    expect(text).toContain("更多故事见茶馆专题。");
    expect(text).not.toContain("不是正文");
    expect(links).toContainEqual({ text: "茶馆专题", url: "https://quay.example/culture/tea/2026.html" });
  });

  it("reads what is broken", async () => {
    const { title, text, links } = await reader.read(MALFORMED_PAGE, URL_OF_PAGE);
    expect(title).toBe("Broken <b>but readable");
    expect(text).toContain("First <paragraph> © 2026");
    expect(text).toContain("a < b && c > d");
    for (const shown of ["Second link", "crossed", "item one", "deep", "visible", "the end"])
      expect(text).toContain(shown);
    for (const hidden of ["document.write", "markup", "echo", "raw", "secret", "onclick"])
      expect(text).not.toContain(hidden);
    expect(links.map(({ url }) => url)).toEqual(["https://quay.example/relative?x=1&y=2"]);
  });

  it("reads a page of links, from the base that it names", async () => {
    const { text, links } = await reader.read(INDEX_PAGE, URL_OF_PAGE);
    expect(text).toContain("Item 79");
    expect(links).toHaveLength(80);
    expect(links[3]).toEqual({ text: "Item 3", url: "https://cdn.example/base/item/3" });
  });

  it.each([
    ["", ""],
    ["plain text", "plain text"],
    ["<p>one<p>two", "one"],
    ["<nav>never closed<p>the text of the page", "the text of the page"],
    ["<p>before<nav>never closed<p>the text of the page", "the text of the page"],
    ["<!doctype html><title>t</title>", ""],
    ["<html><head><script>", ""],
    ["<html><body onload=x()>body only", "body only"],
    ["&lt;script&gt;alert(1)&lt;/script&gt;", "<script>alert(1)</script>"],
  ])("makes of %j a text that holds %j", async (html, text) => {
    expect((await reader.read(html, URL_OF_PAGE)).text).toContain(text);
  });

  it("never throws", async () => {
    const scrap = fc.constantFrom(
      "<",
      ">",
      "</",
      "<a href=",
      "<p>",
      "<div>",
      "</div>",
      "<script>",
      "</script>",
      "<title>",
      "<table><tr><td>",
      "<svg>",
      "<base href='",
      "&#x",
      "&amp",
      '"',
      "'",
      "<!--",
      "-->",
      "text ",
      "\0",
      "文",
      "<html>",
      "<body>",
      "</body>",
      "<template>",
      "<a href='http://[bad'>",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(scrap, fc.string({ maxLength: 5 })), { maxLength: 40 }), async (parts) => {
        const page = await reader.read(parts.join(""), URL_OF_PAGE);
        expect(typeof page.text).toBe("string");
        for (const { url } of page.links) expect(url).toMatch(/^https?:/);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe("htmlPieces()", () => {
  it("gives back all the text of a page without tags", () => {
    fc.assert(
      fc.property(
        fc.string().map((text) => text.replaceAll(/[<&]/g, "")),
        (text) => {
          expect([...htmlPieces(text)].map((piece) => (piece.kind === "text" ? piece.text : "")).join("")).toBe(text);
        },
      ),
    );
  });

  it("reads attributes in all their forms", () => {
    const [piece] = htmlPieces(`<A one two=2 three = "3 > &amp; 'x'" four='"4"' FIVE=a/b one=again>`);
    expect(piece?.kind === "open" && [piece.name, Object.fromEntries(piece.attributes)]).toEqual([
      "a",
      { one: "", two: "2", three: "3 > & 'x'", four: '"4"', five: "a/b" },
    ]);
  });
});

describe("decodeEntities()", () => {
  it.each([
    ["&amp;lt;", "&lt;"],
    ["&eacute;&Eacute;&yuml;&nbsp;", "éÉÿ\u00a0"],
    ["&#20013;&#x6587;&#X1F600;", "中文😀"],
    ["&#0;&#xD800;&#x110000;", "\ufffd\ufffd\ufffd"],
    ["&notknown; & &; &#; &#x;", "&notknown; & &; &#; &#x;"],
    ["fish &amp chips", "fish & chips"],
  ])("makes of %j %j", (text, decoded) => {
    expect(decodeEntities(text)).toBe(decoded);
  });
});
