import { describe, expect, it } from "vitest";
import { peopleIn, withPeople } from "../../src/skills/skill-people.ts";
import { platform } from "../support/this-platform.ts";

const yaml = () => platform.yaml();
const skill = (frontmatter: string) => `---\nname: notes\ndescription: Takes notes\n${frontmatter}\n---\nTake notes.\n`;

describe("peopleIn()", () => {
  it.each<[string, string, readonly string[]]>([
    ["a list", "people: [telegram:1, ' @owner ']", ["telegram:1", "@owner"]],
    ["one text", "people: telegram:1", ["telegram:1"]],
    ["a group of ours", "metadata: { wakeful: { people: [a] } }", ["a"]],
    ["aliases", "x: &x a\ny: &y [*x, b]\npeople: *y", ["a", "b"]],
    ["a field that is given twice", "people: [a]\npeople: [b]", ["a", "b"]],
    ["a file with a mistake", "people: [a]\nx: [", ["a"]],
    ["numbers and groups", "people: [1, {a: b}]", []],
    ["no people", "priority: 3", []],
  ])("finds those of %s", (_, frontmatter, people) => {
    expect(peopleIn(skill(frontmatter), yaml)).toEqual(people);
  });
});

describe("withPeople()", () => {
  it("changes a file whose fields are wrong, and none whose YAML is", () => {
    expect(withPeople(skill("people: [a]\npriority: 99"), ["b"], yaml)).toMatch(/people: \[ ?b ?\]\n|people:\n *- b\n/);
    const twice = skill("people: [a]\npeople: [b]");
    expect(withPeople(twice, ["c"], yaml)).toBe(twice);
  });
});
