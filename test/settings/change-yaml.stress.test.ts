import { describe, expect, it } from "vitest";
import { changeYaml } from "../../src/settings/index.ts";
import { changeFrontmatter } from "../../src/skills/change-frontmatter.ts";
import { platform } from "../support/this-platform.ts";
import { HOSTILE } from "./hostile-yaml.ts";

const yaml = () => platform.yaml();

describe.each([
  ["changeYaml()", changeYaml],
  ["changeFrontmatter()", changeFrontmatter],
])("%s", (_, change) => {
  // The others are no harder to change than to read.
  it.each(HOSTILE.filter(([what]) => what === "keys"))("comes to an end with as many %s as fit", (_what, text) => {
    expect(change(`${text}\nz: 1\n`, { z: 1 }, { z: 2 }, yaml)).toMatch(/z: 2\n$/);
  });
});
