import { Zip, ZipDeflate, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { MAX_ARCHIVE_BYTES } from "../../../src/skills/install/limits.ts";
import { unpackSkill } from "../../../src/skills/install/unpack.ts";
import { HOSTILE } from "./hostile.ts";
import { expectRefused } from "./refused.ts";
import { SKILL, greet, skillMd } from "./support.ts";
import { buildZip, bytesOf, extraField, joined, noise } from "./zip-builder.ts";

const texts = ({ files }: { readonly files: readonly { readonly path: string; readonly bytes: Uint8Array }[] }) =>
  Object.fromEntries(files.map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)]));

describe("unpackSkill()", () => {
  it("gives the files of an archive, SKILL.md first", () => {
    const archive = greet([
      { name: "assets/", mode: 0o040755, stored: true },
      { name: "assets/Übersicht.txt", data: "plain", stored: true },
      { name: "a.sh", data: "echo", mode: 0o100755 },
    ]);
    const unpacked = unpackSkill(archive);
    expect(texts(unpacked)).toEqual({ "SKILL.md": SKILL(), "a.sh": "echo", "assets/Übersicht.txt": "plain" });
    expect(unpacked.files[0]?.path).toBe("SKILL.md");
    expect(unpacked.text).toBe(SKILL());
  });

  it("takes the one folder away in which everything lies, whatever its name", () => {
    const archive = buildZip([
      { name: "repo-main/", mode: 0o040755, stored: true },
      { name: "repo-main/SKILL.md", data: SKILL() },
      { name: "repo-main/docs/a.md", data: "x" },
    ]);
    expect(Object.keys(texts(unpackSkill(archive)))).toEqual(["SKILL.md", "docs/a.md"]);
  });

  it("leaves hidden files out and says which", () => {
    const hidden = [".env", ".git/config", "__MACOSX/._SKILL.md", "docs/.DS_Store"];
    const unpacked = unpackSkill(greet(hidden.map((name) => ({ name, data: "x" }))));
    expect(Object.keys(texts(unpacked))).toEqual(["SKILL.md"]);
    expect(unpacked.leftOut).toEqual(hidden);
  });

  it.each([
    ["fflate, whole", () => zipSync({ "SKILL.md": bytesOf(SKILL()), "a/b.txt": bytesOf("x".repeat(500)) })],
    ["fflate, stream by stream, with the sizes behind the data", () => streamed()],
    [
      "descriptors without a signature",
      () =>
        buildZip([
          { ...skillMd, descriptor: "plain" },
          { name: "a/b.txt", data: "x", descriptor: "signed" },
        ]),
    ],
    [
      "times, users and names in extra fields",
      () =>
        buildZip([
          {
            ...skillMd,
            extra: joined(
              extraField(0x5455, new Uint8Array(5)),
              extraField(0x7875, new Uint8Array(11)),
              extraField(0x7075, joined(new Uint8Array(5), bytesOf("SKILL.md"))),
            ),
          },
          { name: "a/b.txt", data: "x" },
        ]),
    ],
    [
      "a comment",
      () => greet([{ name: "a/b.txt", data: "x" }], { comment: "0123456789abcdef0123456789abcdef01234567" }),
    ],
  ])("reads what honest programs write: %s", (_, archive) => {
    expect(Object.keys(texts(unpackSkill(archive())))).toEqual(["SKILL.md", "a/b.txt"]);
  });

  it("takes a template of an office, which is an archive", () => {
    expect(
      Object.keys(texts(unpackSkill(greet([{ name: "a.docx", data: zipSync({ a: bytesOf("x") }) }])))),
    ).toHaveLength(2);
  });

  it("lets a short file be as empty as it likes", () => {
    expect(
      unpackSkill(
        greet([
          { name: "blank.txt", data: new Uint8Array(40_000) },
          { name: "n", data: noise(600) },
        ]),
      ).files,
    ).toHaveLength(3);
  });

  it("does not begin to read what is too large", () => {
    expect(() => unpackSkill(new Uint8Array(MAX_ARCHIVE_BYTES + 1))).toThrow(/larger than 10485760 bytes/);
  });
});

describe("an archive with", () => {
  it.each(HOSTILE)("$what is refused, and nothing is written", async (hostile) => {
    await expectRefused(hostile);
  });

  it("something wrong is one of at least forty kinds here", () => {
    expect(HOSTILE.length).toBeGreaterThanOrEqual(40);
  });
});

/** As a server writes an archive that it makes while it sends it. */
function streamed(): Uint8Array {
  const pieces: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    pieces.push(piece);
  });
  for (const [name, text] of [
    ["SKILL.md", SKILL()],
    ["a/b.txt", "x".repeat(500)],
  ] as const) {
    const file = new ZipDeflate(name, { level: 6 });
    zip.add(file);
    file.push(bytesOf(text.slice(0, 10)));
    file.push(bytesOf(text.slice(10)), true);
  }
  zip.end();
  return joined(...pieces);
}
