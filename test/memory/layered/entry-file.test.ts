import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readEntryFile, writeEntryFile, type EntryFile } from "../../../src/memory/entry-file.ts";
import type { JsonValue } from "../../../src/store/index.ts";
import { runs } from "../../support/thorough.ts";
import { platform } from "../../support/this-platform.ts";
import { anyCharacter } from "../../support/any-character.ts";

const place = { userId: "@owner", id: "01JQXW8G00ABCDEFGHJKMNPQRS", fileTimeMs: Date.UTC(2026, 0, 5) };

const times = fc.integer({ min: 0, max: 253_402_300_799_999 }).map((ms) => new Date(ms));
const slots = fc.dictionary(fc.string(), fc.jsonValue() as fc.Arbitrary<JsonValue>, { maxKeys: 4 });
const files: fc.Arbitrary<EntryFile> = fc.record({
  entry: fc
    .record({
      content: fc.oneof(
        fc.string({ unit: anyCharacter }),
        fc.string({ unit: fc.constantFrom("\n", "\r", "-", "---\n", " ", "a", "\uFEFF", "\ud800", "```") }),
      ),
      keywords: fc.array(fc.string()),
      slots,
      createdAt: times,
      updatedAt: times,
    })
    .chain((entry) =>
      fc.option(times, { nil: undefined }).map((expiresAt) => ({
        ...entry,
        id: place.id,
        userId: place.userId,
        ...(expiresAt && { expiresAt }),
      })),
    ),
  extra: fc.dictionary(
    fc.string({ minLength: 1 }).filter((key) => !/^(id|user_id|keywords|slots|.*_at|merged_into|__proto__)$/.test(key)),
    fc.jsonValue() as fc.Arbitrary<JsonValue>,
    { maxKeys: 3 },
  ),
});

describe("an entry's file", () => {
  it("gives back exactly what was written", () => {
    fc.assert(
      fc.property(files, (file) => {
        fc.pre(file.entry.content.trim() !== "");
        const found = readEntryFile(writeEntryFile(file), place, platform.yaml);
        expect(found).toEqual(JSON.parse(JSON.stringify(file), revive));
      }),
      { numRuns: runs(300) },
    );
  });

  it("keeps its frontmatter to itself whatever signs a value holds", () => {
    const [slot, at] = ["b\u2029---\u2029\u0085c", new Date(place.fileTimeMs)];
    const keywords = ['a\u2028---\u2028expires_at: "2001-01-01T00:00:00Z"\u2028---\u2028'];
    const { id, userId } = place;
    const entry = { id, userId, content: "tea", keywords, slots: { type: slot }, createdAt: at, updatedAt: at };
    const text = writeEntryFile({ entry, extra: {} });
    expect(text).not.toMatch(/[\u0085\u2028\u2029]/);
    for (const written of [text, text.replaceAll("\\u2028", "\u2028").replaceAll("\\u2029", "\u2029")])
      expect(readEntryFile(written, place, platform.yaml)).toEqual({ entry, extra: {} });
  });

  it("looks as a person would write it", () => {
    const text = writeEntryFile({
      entry: {
        id: place.id,
        userId: "@owner",
        content: "Prefers tea.",
        keywords: ["tea", "drinks"],
        slots: { type: "note" },
        createdAt: new Date(Date.UTC(2026, 1, 1, 9, 30)),
        updatedAt: new Date(Date.UTC(2026, 1, 2)),
        expiresAt: new Date(Date.UTC(2027, 0, 1)),
      },
      extra: { mood: "good" },
    });
    expect(text).toBe(`---
id: "01JQXW8G00ABCDEFGHJKMNPQRS"
user_id: "@owner"
keywords: ["tea","drinks"]
slots: {"type":"note"}
created_at: "2026-02-01T09:30:00.000Z"
updated_at: "2026-02-02T00:00:00.000Z"
expires_at: "2027-01-01T00:00:00.000Z"
mood: "good"
---

Prefers tea.
`);
  });

  it("is mended from its place when a person left things out", () => {
    const found = readEntryFile("Feed the cat at seven.\n", { ...place, id: "cat" }, platform.yaml);
    expect(found).toMatchObject({
      entry: { id: "cat", userId: "@owner", content: "Feed the cat at seven.", keywords: [], slots: {} },
    });
    expect(found).toMatchObject({
      entry: { createdAt: new Date(place.fileTimeMs), updatedAt: new Date(place.fileTimeMs) },
    });
    const ulid = readEntryFile(
      '---\nkeywords: ["a"]\n---\nx',
      { ...place, id: "01ARZ3NDEKTSV4RRFFQ69G5FAV" },
      platform.yaml,
    );
    expect(ulid).toMatchObject({ entry: { content: "x", createdAt: new Date(1_469_922_850_259) } });
  });

  it("is read with the line ends and the mark of a Windows editor", () => {
    const found = readEntryFile('\uFEFF---\r\nkeywords: ["a"]\r\n---\r\n\r\nTwo\r\nlines\r\n', place, platform.yaml);
    expect(found).toMatchObject({ entry: { content: "Two\r\nlines", keywords: ["a"] } });
  });

  it.each([
    { title: "an open frontmatter", text: "---\nid: 1\n", line: 1, message: /expected a line ---/ },
    {
      title: "a time that is none",
      text: '---\nid: "a"\ncreated_at: "yesterday"\n---\nx',
      line: 3,
      message: /created_at.*2026-/,
    },
    { title: "keywords that are no list", text: '---\nkeywords: {"a":1}\n---\nx', line: 2, message: /keywords.*list/ },
    { title: "slots that are no map", text: "---\n\nslots: [1]\n---\nx", line: 3, message: /slots.*map|JSON/ },
    { title: "a text that is too long", text: "x".repeat(262_145), line: 1, message: /262144/ },
  ])("tells the line of $title, and what was expected", ({ text, line, message }) => {
    const found = readEntryFile(text, place, platform.yaml);
    expect(found).toMatchObject({ message: expect.stringMatching(message) });
    // Where there is no YAML library, the first line that is not ours is told.
    if (!("entry" in found) && !/written as JSON/.test(found.message)) expect(found.line).toBe(line);
  });
});

function revive(_: string, value: unknown): unknown {
  return typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? new Date(value) : value;
}
