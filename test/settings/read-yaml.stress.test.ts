import { describe, expect, it } from "vitest";
import { readYaml } from "../../src/settings/index.ts";
import { wholeOnNode } from "../support/thorough.ts";
import { platform } from "../support/this-platform.ts";
import { HOSTILE } from "./hostile-yaml.ts";

describe("readYaml()", () => {
  it.each(wholeOnNode(HOSTILE, HOSTILE.length))("comes to an end with as many %s as fit", (_, text) => {
    const { problems } = readYaml(text, platform.yaml());
    expect(problems.length).toBeLessThanOrEqual(100);
  });
});
