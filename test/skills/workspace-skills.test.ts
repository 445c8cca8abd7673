import { describe, expect, it } from "vitest";
import { memoryStore } from "../../entry.host.ts";
import { createWorkspaceSkills } from "../../src/skills/workspace-skills.ts";
import { platform } from "../support/this-platform.ts";

const textOf = (body: string) => `---\nname: greet\ndescription: Says hello\n---\n${body}\n`;

describe("create()", () => {
  function open() {
    const loaded = { skills: [], problems: [], hidden: [], revision: 1 };
    const shelf = { load: () => Promise.resolve(loaded), invalidate: () => {} };
    return createWorkspaceSkills({ store: memoryStore(), shelf, yaml: platform.yaml });
  }

  it("takes the same text twice at once, as of two presses of a yes", async () => {
    const skills = open();
    await Promise.all([skills.create("greet", textOf("Hi.")), skills.create("greet", textOf("Hi."))]);
    expect(await skills.has("greet")).toBe(true);
  });

  it("refuses one of two texts at once", async () => {
    const skills = open();
    const both = ["Hi.", "Hello."].map((body) => skills.create("greet", textOf(body)));
    const [first, second] = await Promise.allSettled(both);
    expect(first?.status).toBe("fulfilled");
    expect(second).toMatchObject({ reason: { code: "CONFLICT" } });
  });
});
