import { describe, expect, it } from "vitest";
import { readEntryFile, writeEntryFile } from "../../../src/memory/entry-file.ts";
import { platform } from "../../support/this-platform.ts";

const place = { userId: "@owner", id: "a", fileTimeMs: 0 };

describe("an entry's file that a person wrote in YAML of their own", () => {
  const text = `---
# from my notes
keywords: [tea, 茶]
slots:
  type: note
  nested: { deep: [1, two] }
created_at: 2026-02-01 09:30
mood: good
---
Likes tea`;

  it("is read by the YAML library", () => {
    expect(readEntryFile(text, place, platform.yaml)).toMatchObject({
      entry: {
        content: "Likes tea",
        keywords: ["tea", "茶"],
        slots: { type: "note", nested: { deep: [1, "two"] } },
        createdAt: new Date(Date.UTC(2026, 1, 1, 9, 30)),
      },
      extra: { mood: "good" },
    });
  });

  it("keeps the keys that a person added when it is written again", () => {
    const read = readEntryFile(text, place, platform.yaml);
    if (!("entry" in read)) throw new Error(read.message);
    expect(readEntryFile(writeEntryFile(read), place, platform.yaml)).toEqual(read);
  });

  it.each([
    { title: "a key given twice", text: '---\nid: "a"\nid: "b"\n---\nx', line: 3, message: /twice/ },
    { title: "no YAML", text: "---\nid: a\nkeywords: [a\n---\nx", line: 3, message: /YAML/ },
    { title: "a list", text: "---\n- a\n---\nx", line: 2, message: /key: value/ },
  ])("tells the line of $title", ({ text: broken, line, message }) => {
    expect(readEntryFile(broken, place, platform.yaml)).toMatchObject({ message: expect.stringMatching(message) });
    const found = readEntryFile(broken, place, platform.yaml);
    expect("entry" in found ? undefined : found.line).toBeGreaterThanOrEqual(line);
  });
});
