import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import { aSkill } from "./a-skill.ts";
import { createLibrary, explainMatch, re2Patterns } from "./door.ts";

const engine = re2Patterns({ RE2JS });

describe("of what is long", () => {
  it("an end is put to what engines do for a message, and skills of high priority come first", () => {
    let read = 0;
    const counted: typeof engine = {
      compile(pattern) {
        const compiled = engine.compile(pattern);
        return {
          test(text) {
            read += text.length;
            return compiled.test(text);
          },
        };
      },
    };
    const skills = Array.from({ length: 1000 }, (_, index) =>
      aSkill(`skill-${index}`, { intent: ["(re)*search.*trends?"] }, { priority: index === 700 ? 10 : 5 }),
    );
    const library = createLibrary(skills, { engine: counted });
    const touched = (taskInput: string) => explainMatch(library, { taskInput });
    expect(touched("Do some research on the trends of this year").leftOut).toHaveLength(997);
    read = 0;
    const { results } = touched(`${"x ".repeat(1970)}\n research on the trends`);
    expect(results[0]?.name).toBe("skill-700");
    expect(read).toBeLessThan(70_000);
  });
});
