import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fileName, nameByHand, parseFileName, placeOf } from "../../adapters/storage/fs/file-name.ts";
import type { FileKind } from "../../adapters/storage/fs/file-name.ts";
import { runs } from "../support/thorough.ts";
import { anyCharacter } from "../support/any-character.ts";

const kinds: readonly FileKind[] = ["folder", "document", "log"];

/** Segments out of the pieces that file names and encodings stumble over. */
const segment = fc
  .oneof(
    fc.string({ unit: anyCharacter, minLength: 1, maxLength: 12 }),
    fc
      .array(
        fc.constantFrom(
          ..."a A b . .. ~ ~h ~u ~2e ~doc ~dir ~log.jsonl .jsonl .json .md = : + +a / % %2F @ é e\u0301 界 \ud800 con nul MEMORY.md memory.md 01JD8XK3VQ5W8T9Y2Z4N6M7P0R.md 01jd8xk3vq5w8t9y2z4n6m7p0r.md wal store.json".split(
            " ",
          ),
        ),
        { minLength: 1, maxLength: 5 },
      )
      .map((pieces) => pieces.join("")),
    fc.string({ minLength: 1, maxLength: 400 }),
  )
  .map((text) => text.replaceAll("/", "%2F"));

/** What a file system that ignores letter case and Unicode forms makes of a name. */
const folded = (name: string) => name.normalize("NFD").toLowerCase().normalize("NFC");

describe("fileName()", () => {
  it("gives two segments, or two uses of one, never one name, on any file system", () => {
    const use = fc.record({ segment, kind: fc.constantFrom(...kinds) });
    fc.assert(
      fc.property(use, use, fc.boolean(), (one, other, top) => {
        const same = one.segment === other.segment && one.kind === other.kind;
        const names = [one, other].map((each) => folded(fileName(each.segment, each.kind, top).name));
        expect(names[0] === names[1]).toBe(same);
      }),
      { numRuns: runs(3_000) },
    );
  });

  it("keeps letter case, Unicode forms and near misses apart", () => {
    const twins = [
      ["Foo", "foo"],
      ["MEMORY.md", "memory.md"],
      ["01JD8XK3VQ5W8T9Y2Z4N6M7P0R.md", "01jd8xk3vq5w8t9y2z4n6m7p0r.md"],
      ["01JD8XK3VQ5W8T9Y2Z4N6M7P0R.md", "01Jd8XK3VQ5W8T9Y2Z4N6M7P0R.md"],
      ["é", "e\u0301"],
      ["K", "\u212a"],
      ["a.", "a"],
      ["a:b", "a=b"],
      ["+a", "A"],
      ["x".repeat(400), `${"x".repeat(399)}y`],
      ["\ud800".repeat(300), "\ud801".repeat(300)],
    ] as const;
    for (const [one, other] of twins) {
      for (const kind of kinds) expect(folded(fileName(one, kind).name)).not.toBe(folded(fileName(other, kind).name));
    }
  });

  it("gives names that every file system takes, and that stay in their folder", () => {
    fc.assert(
      fc.property(segment, fc.constantFrom(...kinds), fc.boolean(), (text, kind, top) => {
        const { name } = fileName(text, kind, top);
        expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(200);
        // eslint-disable-next-line no-control-regex -- control characters are what must not be there
        expect(name).not.toMatch(/[\u0000-\u001f\u007f<>:"/\\|?*\s]|[. ]$|^\.{1,2}$/);
        expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i);
        if (top) expect(["wal", "torn", "tmp", "backup", "lock", "store.json", ".git"]).not.toContain(name);
      }),
      { numRuns: runs(3_000) },
    );
  });

  it("can be read back, unless the name was too long and is hashed", () => {
    fc.assert(
      fc.property(segment, fc.constantFrom(...kinds), fc.boolean(), (text, kind, top) => {
        const { name, hashed } = fileName(text, kind, top);
        const expected = { segment: hashed ? undefined : text, kind, hashed };
        expect(parseFileName(name, { directory: kind === "folder", top })).toEqual(expected);
      }),
      { numRuns: runs(3_000) },
    );
  });

  it("is the only way back from every name that it reads a key out of, but for Markdown that a person named", () => {
    const any = fc.oneof(fc.string({ unit: anyCharacter, minLength: 1 }), segment);
    fc.assert(
      fc.property(any, fc.boolean(), fc.boolean(), (name, directory, top) => {
        const parsed = parseFileName(name, { directory, top });
        if (parsed?.segment === undefined) return;
        const back = parsed.byHand ? nameByHand(parsed.segment, top) : fileName(parsed.segment, parsed.kind, top).name;
        expect(back).toBe(name);
      }),
      { numRuns: runs(3_000) },
    );
  });

  it.each([
    { segment: "agent:main:telegram:direct:42", kind: "folder", name: "agent=main=telegram=direct=42" },
    { segment: "log.jsonl", kind: "log", name: "log.jsonl" },
    { segment: "wakes", kind: "log", name: "wakes~log.jsonl" },
    { segment: "log.jsonl", kind: "document", name: "log.jsonl~doc" },
    { segment: "MEMORY.md", kind: "document", name: "MEMORY.md" },
    { segment: "2026-11-21.md", kind: "document", name: "2026-11-21.md" },
    { segment: ".feedback.jsonl", kind: "log", name: ".feedback.jsonl" },
    { segment: ".index", kind: "folder", name: ".index" },
    { segment: "王小明", kind: "folder", name: "王小明" },
    { segment: "john.doe", kind: "folder", name: "john.doe~dir" },
    { segment: "..", kind: "folder", name: ".~2e" },
    { segment: "U024BE7LH", kind: "folder", name: "+u024+b+e7+l+h" },
  ] as const)("names $segment as a $kind $name", ({ segment: text, kind, name }) => {
    expect(fileName(text, kind).name).toBe(name);
  });
});

describe("placeOf()", () => {
  it.each(["", "/a", "a/", "a//b"])("refuses the key %j, which has an empty segment", (key) => {
    expect(() => placeOf(key, "document")).toThrow(RangeError);
  });
});
