import { describe, expect, it } from "vitest";
import { readEntryFile, userIdIn } from "../../../src/memory/entry-file.ts";
import { platform } from "../../support/this-platform.ts";

describe("userIdIn()", () => {
  it.each([
    ["as people write it", "---\nid: x\nuser_id: telegram:42 # me\ntags:\n  - one\n---\ntext", "telegram:42"],
    ["quoted", "---\r\nuser_id: 'alice'\r\n---\r\ntext", "alice"],
    ["as a number", "---\nuser_id: 42\n---\n", "42"],
    ["not at all", "---\nid: x\n---\nuser_id: y", undefined],
    ["without frontmatter", "user_id: y", undefined],
    ["damaged", "---\nuser_id: [\n---\n", undefined],
  ])("reads whose it is %s", (_, text, expected) => {
    expect(userIdIn(text, platform.yaml)).toBe(expected);
    expect(readEntryFile(text, { userId: "@a", id: "x", fileTimeMs: 0 }, platform.yaml)).toBeDefined();
  });
});
