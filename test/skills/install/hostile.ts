import { zipSync } from "fflate";
import { SKILL, greet, skillMd } from "./support.ts";
import { type RawEntry, buildZip, bytesOf, extraField, joined, noise, packed } from "./zip-builder.ts";

/** An archive that must not be used, and what is said of it. */
export interface Hostile {
  readonly what: string;
  archive(): Uint8Array;
  readonly reason: RegExp;
}

const one = (what: string, more: RawEntry | readonly RawEntry[], reason: RegExp): Hostile => ({
  what,
  archive: () => greet(Array.isArray(more) ? (more as readonly RawEntry[]) : [more as RawEntry]),
  reason,
});
const path = (name: string | Uint8Array, reason: RegExp): Hostile =>
  one(
    `the path ${typeof name === "string" ? JSON.stringify(name.slice(0, 40)) : "of broken UTF-8"}`,
    { name, data: "x" },
    reason,
  );

const zeros = (length: number) => new Uint8Array(length);

export const HOSTILE: readonly Hostile[] = [
  // Paths
  path("/etc/passwd", /is absolute/),
  path("../../etc/passwd", /leads out of/),
  path("a/../../b", /leads out of/),
  path("./a", /leads out of/),
  path("．．/a", /leads out of/),
  path("..\\..\\a", /backslash/),
  path("C:/windows/a", /drive letter/),
  path("C:a", /drive letter/),
  path("a.txt:stream", /not every file system/),
  path("a\0b", /invisible/),
  path("a\nb", /invisible/),
  path("a\u202egnp.sh", /invisible/),
  path("%2e%2e/a", /encoded/),
  path("a//b", /empty name/),
  path("a/ ", /space/),
  path("a./b", /ends with a space or a dot/),
  path("aux", /device/),
  path("docs/COM1.txt", /device/),
  path("nul.tar.md", /device/),
  path("a/constructor", /reserve/),
  path("x".repeat(201), /longer than 200/),
  path(`${"x".repeat(120)}/a`, /more than 100 bytes/),
  path(Array.from({ length: 11 }, () => "d").join("/"), /deeper than 10/),
  path(Uint8Array.of(0x61, 0xff, 0x62), /not UTF-8/),
  path("", /is empty/),
  // Names that meet
  one(
    "a path twice",
    [
      { name: "a", data: "1" },
      { name: "a", data: "2" },
    ],
    /twice/,
  ),
  one("SKILL.md twice", { name: "SKILL.md", data: "other" }, /twice/),
  one(
    "paths that differ in letter case",
    [
      { name: "a.md", data: "1" },
      { name: "A.md", data: "2" },
    ],
    /one path where/,
  ),
  one(
    "paths that differ in the form of Unicode",
    [
      { name: "\u00e9.md", data: "1" },
      { name: "e\u0301.md", data: "2" },
    ],
    /one path where/,
  ),
  one(
    "paths that differ in a ligature",
    [
      { name: "ﬁle", data: "1" },
      { name: "file", data: "2" },
    ],
    /one path where/,
  ),
  one(
    "folders that differ in letter case",
    [
      { name: "Docs/a", data: "1" },
      { name: "docs/b", data: "2" },
    ],
    /one path where/,
  ),
  one(
    "a file and a folder of one name",
    [
      { name: "a", data: "1" },
      { name: "a/b", data: "2" },
    ],
    /both a file and a folder/,
  ),
  // Kinds
  one("a link", { name: "link", data: "/etc/passwd", mode: 0o120777 }, /is a link/),
  one("a link that says it comes from DOS", { name: "link", data: "/etc", mode: 0o120777, dos: 0x20 }, /is a link/),
  one("a device", { name: "dev", mode: 0o060666 }, /is a device/),
  one("a pipe", { name: "pipe", mode: 0o010666 }, /is a device/),
  one("a socket", { name: "socket", mode: 0o140666 }, /is a device/),
  one("a reparse point", { name: "junction", data: "x", dos: 0x400 }, /link, a device or a label/),
  one("a volume's label", { name: "label", dos: 0x08 }, /label/),
  one("a folder by its kind alone", { name: "folder", mode: 0o040755 }, /by its name or by its kind/),
  one("a folder by its name alone", { name: "folder/", mode: 0o100644, stored: true }, /by its name or by its kind/),
  one("a folder that holds data", { name: "folder/", mode: 0o040755, data: "x" }, /folder that holds data/),
  one("Unix fields that make a link", { name: "a", data: "x", extra: extraField(0x756e, noise(14)) }, /Unix fields/),
  // Encryption and features
  one("an encrypted entry", { name: "a", data: "x", flags: 1 }, /encrypted/),
  one("a strongly encrypted entry", { name: "a", data: "x", flags: 0x40 }, /encrypted/),
  one("a masked header", { name: "a", data: "x", flags: 0x2000 }, /encrypted/),
  one("an entry encrypted with AES", { name: "a", data: "x", extra: extraField(0x9901, noise(7)) }, /encrypted/),
  one("patched data", { name: "a", data: "x", flags: 0x20 }, /feature/),
  one("LZMA", { name: "a", data: "x", method: 14 }, /packed in a way/),
  one(
    "a second name",
    { name: "a", data: "x", extra: extraField(0x7075, joined(Uint8Array.of(1, 0, 0, 0, 0), bytesOf("b"))) },
    /two names/,
  ),
  one(
    "an extra field that is cut off",
    { name: "a", data: "x", extra: Uint8Array.of(0x55, 0x54, 0x09, 0x00, 1) },
    /broken extra/,
  ),
  // Sizes and checksums
  one("a bomb by its ratio", { name: "zeros", data: zeros(8_000_000) }, /100 times/),
  one("a bomb that says it is small", { name: "a", data: noise(100_000), size: 10, localSize: 10 }, /more comes out/),
  one("less than it says", { name: "a", data: "xyz", size: 900 }, /less comes out/),
  one("a wrong checksum", { name: "a", data: "xyz", crc: 0x12345678 }, /checksum/),
  one("a wrong checksum of what is not packed", { name: "a", data: "xyz", stored: true, crc: 0x12345678 }, /checksum/),
  one(
    "data that is not deflated",
    { name: "a", data: "xyz", packedData: Uint8Array.of(0xff, 0xff, 0xff, 0xff) },
    /is damaged/,
  ),
  one(
    "data that ends in the middle",
    { name: "a", data: "xyz".repeat(99), packedData: Uint8Array.of(0x4b) },
    /is damaged/,
  ),
  one("two sizes of what is not packed", { name: "a", data: "xyz", stored: true, size: 4 }, /two sizes/),
  one("sizes of ZIP64", { name: "a", data: "x", size: 0xffffffff, extra: extraField(1, noise(16)) }, /ZIP64/),
  one("a field of ZIP64 beside plain sizes", { name: "a", data: "x", extra: extraField(1, noise(16)) }, /ZIP64/),
  // The two headers
  one("another name in front", { name: "good.md", localName: "evil.md", data: "x" }, /not what the directory says/),
  one("another method in front", { name: "a", data: "x", localMethod: 0 }, /not what the directory says/),
  one("other flags in front", { name: "a", data: "x", localFlags: 2 }, /not what the directory says/),
  one("another size in front", { name: "a", data: "x", localSize: 2 }, /not what the directory says/),
  one("another checksum in front", { name: "a", data: "x", localCrc: 1 }, /not what the directory says/),
  one(
    "a link by a field in front alone",
    { name: "a", data: "x", localExtra: extraField(0x756e, noise(14)) },
    /Unix fields/,
  ),
  one(
    "a descriptor that lies",
    { name: "a", data: "xyz", descriptor: packed([4, 0x08074b50], [4, 1], [4, 5], [4, 3]) },
    /behind its data/,
  ),
  one("a descriptor of ZIP64", { name: "a", data: "xyz", descriptor: noise(24) }, /behind its data/),
  one("a descriptor that no flag announces", { name: "a", data: "xyz", descriptor: "signed", flags: 0, localCrc: undefined as never, localSize: 3 }, /not what the directory says/), // prettier-ignore
  one("an announced descriptor that is not there", { name: "a", data: "xyz", flags: 8 }, /behind its data/),
  // Places
  one(
    "an entry that overlaps with another",
    { name: "b", data: "x", offset: 0, inDirectoryOnly: true },
    /overlaps|directory says/,
  ),
  one(
    "packed data that reaches into the next entry",
    [
      { name: "a", data: "x", packed: 60, localPacked: 60 },
      { name: "b", data: "y" },
    ],
    /overlaps/,
  ),
  one(
    "an entry that the directory does not name",
    { name: "evil.sh", data: "x", notInDirectory: true },
    /belong to no entry/,
  ),
  one("an entry where there is none", { name: "a", offset: 7, inDirectoryOnly: true }, /directory says|overlaps/),
  one(
    "an entry behind the end",
    { name: "a", offset: 99_999, inDirectoryOnly: true },
    /cut off|overlaps|belong to no entry/,
  ),
  one("an entry in another part", { name: "a", data: "x", disk: 1 }, /another part/),
  {
    what: "junk in front",
    archive: () => greet([], { prefix: bytesOf("#!/bin/sh\n") }),
    reason: /does not stand where/,
  },
  { what: "junk in front that offsets know of", archive: () => greet([], { prefix: bytesOf("#!/bin/sh\n"), offsetsWithPrefix: true }), reason: /before its first/ }, // prettier-ignore
  { what: "junk behind", archive: () => greet([], { suffix: bytesOf("junk") }), reason: /behind its end/ },
  {
    what: "junk before the directory",
    archive: () => greet([], { beforeDirectory: bytesOf("junk") }),
    reason: /belong to no entry/,
  },
  {
    what: "junk before the end",
    archive: () => greet([], { beforeEnd: bytesOf("junk") }),
    reason: /does not stand where/,
  },
  {
    what: "a second end in the comment",
    archive: () => greet([], { comment: buildZip([skillMd]).slice(-22) }),
    reason: /several ends/,
  },
  {
    what: "two archives one behind the other",
    archive: () => joined(greet(), greet()),
    reason: /does not stand where/,
  },
  { what: "a directory elsewhere", archive: () => greet([], { directoryOffset: 3 }), reason: /does not stand where/ },
  {
    what: "a directory that is too short",
    archive: () => greet([{ name: "a", data: "x" }], { count: 1 }),
    reason: /not as long/,
  },
  { what: "a directory that is too long", archive: () => greet([], { count: 2 }), reason: /directory is broken/ },
  { what: "a count of entries that differs", archive: () => greet([], { countOnDisk: 2 }), reason: /part of a larger/ },
  { what: "one part of several", archive: () => greet([], { disk: 1 }), reason: /part of a larger/ },
  { what: "counts of ZIP64", archive: () => greet([], { count: 0xffff }), reason: /ZIP64/ },
  { what: "a locator of ZIP64", archive: () => greet([], { beforeEnd: packed([4, 0x07064b50], [4, 0], [4, 0], [4, 0], [4, 1]) }), reason: /ZIP64/ }, // prettier-ignore
  { what: "an end that is cut off", archive: () => greet().slice(0, -5), reason: /cut off/ },
  {
    what: "a beginning that is cut off",
    archive: () => greet([{ name: "a", data: noise(900) }]).slice(500),
    reason: /does not stand where/,
  },
  { what: "no bytes at all", archive: () => new Uint8Array(), reason: /not a ZIP archive/ },
  { what: "a page of HTML", archive: () => bytesOf(`<!doctype html>${"x".repeat(400)}`), reason: /not a ZIP archive/ },
  { what: "no entries", archive: () => buildZip([]), reason: /is empty/ },
  { what: "more than 10 MiB", archive: () => zeros(10 * 1024 * 1024 + 1), reason: /larger than 10485760/ },
  { what: "501 files", archive: () => greet(Array.from({ length: 500 }, (_, at) => ({ name: `f${at}`, data: "x", stored: true }))), reason: /501 files/ }, // prettier-ignore
  { what: "1001 entries", archive: () => greet(Array.from({ length: 1000 }, (_, at) => ({ name: `d${at}/`, mode: 0o040755, stored: true }))), reason: /1001 entries/ }, // prettier-ignore
  // What a skill is
  { what: "no SKILL.md", archive: () => buildZip([{ name: "README.md", data: "x" }]), reason: /no SKILL\.md/ },
  {
    what: "a SKILL.md in small letters",
    archive: () => buildZip([{ name: "skill.md", data: SKILL() }]),
    reason: /must be spelled/,
  },
  { what: "two skills", archive: () => buildZip([{ name: "a/SKILL.md", data: SKILL() }, { name: "b/SKILL.md", data: SKILL() }]), reason: /2 files named/ }, // prettier-ignore
  {
    what: "a SKILL.md too deep",
    archive: () => buildZip([{ name: "a/b/SKILL.md", data: SKILL() }]),
    reason: /at its top/,
  },
  { what: "files beside its folder", archive: () => buildZip([{ name: "a/SKILL.md", data: SKILL() }, { name: "b.sh", data: "x" }]), reason: /outside of the skill/ }, // prettier-ignore
  {
    what: "a SKILL.md that is hidden",
    archive: () => buildZip([{ name: ".a/SKILL.md", data: SKILL() }]),
    reason: /no SKILL\.md/,
  },
  { what: "a SKILL.md that is no text", archive: () => buildZip([{ name: "SKILL.md", data: Uint8Array.of(0xff, 0xfe, 0x00) }]), reason: /not UTF-8 text/ }, // prettier-ignore
  { what: "a SKILL.md of more than 1 MiB", archive: () => buildZip([{ name: "SKILL.md", data: noise(1_048_577) }]), reason: /SKILL\.md is larger/ }, // prettier-ignore
  {
    what: "no frontmatter",
    archive: () => buildZip([{ name: "SKILL.md", data: "Say hello" }]),
    reason: /no frontmatter/,
  },
  { what: "another name", archive: () => buildZip([{ name: "SKILL.md", data: SKILL("deep-research") }]), reason: /is named "deep-research", not greet/ }, // prettier-ignore
  { what: "a bomb of YAML", archive: () => buildZip([{ name: "SKILL.md", data: `---\nname: greet\na: &a [x,x,x,x,x,x,x,x,x]\n${Array.from("bcdefghi").map((name, at) => `${name}: &${name} [${Array.from({ length: 9 }, () => `*${"abcdefghi"[at]}`).join(",")}]`).join("\n")}\ndescription: x\n---\nHi\n` }]), reason: /cannot be used.*aliases/ }, // prettier-ignore
  one("an origin file of its own", { name: ".skill-origin.json", data: "{}" }, /only an installation writes/),
  one("an origin file in other letters", { name: ".Skill-Origin.JSON", data: "{}" }, /only an installation writes/),
  one(
    "an archive in it",
    { name: "more.bin", data: zipSync({ a: bytesOf("x") }), stored: true },
    /itself an archive \(ZIP\)/,
  ),
  one(
    "a tar in it",
    { name: "more", data: joined(new Uint8Array(257), bytesOf("ustar\0")) },
    /itself an archive \(tar\)/,
  ),
  one("a gzip in it", { name: "more.gz", data: Uint8Array.of(0x1f, 0x8b, 8, 0) }, /itself an archive \(gzip\)/),
];
