import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AssistantError } from "../../../entry.host.ts";
import { unpackSkill } from "../../../src/skills/install/unpack.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { runs } from "../../support/thorough.ts";
import { BOMBS } from "./bombs.ts";
import { expectRefused } from "./refused.ts";
import { skillMd } from "./support.ts";
import { type RawEntry, buildZip, extraField, joined } from "./zip-builder.ts";

describe("an archive with", () => {
  it.each(BOMBS)("$what is refused, and nothing is written", async (hostile) => {
    await expectRefused(hostile);
  });
});

describe("whatever bytes an archive has", () => {
  const honest = buildZip([
    skillMd,
    { name: "docs/", mode: 0o040755, stored: true },
    { name: "docs/a.md", data: "Hello ".repeat(40), descriptor: "signed" },
    { name: "b.txt", data: "plain", stored: true, extra: extraField(0x5455, new Uint8Array(5)) },
  ]);
  const mutation = fc.oneof(
    fc.record({ at: fc.nat(honest.length - 1), value: fc.nat(255) }),
    fc.record({ cut: fc.nat(honest.length), from: fc.nat(honest.length) }),
    fc.record({ into: fc.nat(honest.length), bytes: fc.uint8Array({ maxLength: 40 }) }),
  );

  it("it is unpacked or refused with an AssistantError, and what comes out keeps the rules", () => {
    const property = fc.property(fc.array(mutation, { minLength: 1, maxLength: 4 }), (mutations) => {
      let bytes: Uint8Array = honest.slice();
      for (const one of mutations) {
        if ("at" in one) bytes[one.at % Math.max(1, bytes.length)] = one.value;
        else if ("cut" in one)
          bytes = joined(bytes.slice(0, Math.min(one.cut, one.from)), bytes.slice(Math.max(one.cut, one.from)));
        else bytes = joined(bytes.slice(0, one.into), one.bytes, bytes.slice(one.into));
      }
      try {
        for (const { path } of unpackSkill(bytes).files) expect(path).not.toMatch(/^\/|\.\.|\\|\0/);
      } catch (error) {
        expect(error).toMatchObject({ code: "SKILL_REFUSED" });
      }
    });
    fc.assert(property, { numRuns: runs(20_000) });
  });

  it("noise is refused", () => {
    const property = fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(() => unpackSkill(bytes)).toThrow(AssistantError);
    });
    fc.assert(property, { numRuns: runs(2000) });
  });

  it("names made of whatever characters come out as plain paths or not at all", () => {
    const segment = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 8 }),
      fc.constantFrom("..", ".", "", "con", "a ", "A", "a", "C:", "\\"),
    );
    const property = fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), (segments) => {
      const entry: RawEntry = { name: segments.join("/").replaceAll(/\p{Cs}/gu, "?"), data: "x", stored: true };
      try {
        const { files } = unpackSkill(buildZip([skillMd, entry]));
        for (const { path } of files) expect(path).toMatch(/^[^/\\\0:]+(?:\/[^/\\\0:]+)*$/u);
      } catch (error) {
        expect(error).toMatchObject({ code: "SKILL_REFUSED" });
      }
    });
    fc.assert(property, { numRuns: runs(5000) });
  });
});
