import { describe, expect, it } from "vitest";
import { says } from "../../../src/testing/scripted-model.ts";
import { testAssistant } from "../../support/assistant.ts";
import { until } from "../../support/until.ts";

const skill = (name: string, more: string, body: string) =>
  `---\nname: ${name}\ndescription: Does ${name}\n${more}---\n${body}\n`;

const SKILLS = [
  skill("look-up", "", "Look it up in three places."),
  skill("write-up", "", "Write it up in five lines."),
  skill("tidy-up", "", "Tidy it up."),
  skill("polish", "chain:\n  - { skill: tidy-up }\n", "Polishes."),
  skill(
    "research",
    "chain:\n  - { skill: look-up, output_as: findings, params: { depth: 2 } }\n  - { skill: write-up, input_from: findings, output_as: text }\n  - { skill: polish, input_from: text }\n",
    "Researches.",
  ),
];

describe("a chain of skills", () => {
  it("runs as a workflow, step by step, and is resumed where it failed", async () => {
    let broken = true;
    const t = await testAssistant({
      skills: { builtIn: false },
      script: (prompt) => {
        const asked = JSON.stringify(prompt.at(-1)?.content);
        if (asked.includes("in three places")) return says("three findings about tea");
        if (asked.includes("in five lines"))
          return asked.includes("three findings about tea") && !broken ? says("five lines") : says("");
        return says(asked.includes("five lines") ? "polished" : "nothing to polish");
      },
    });
    for (const text of SKILLS) await t.assistant.skills.write(text);
    expect((await t.assistant.workflows.definitions()).filter(({ source }) => source === "skill")).toMatchObject([
      { name: "polish", steps: 1 },
      { name: "research", steps: 3 },
    ]);
    const { runId } = await t.assistant.workflows.run("research", { inputs: { task: "tea" } });
    const first = await t.during(t.assistant.workflows.finished(runId));
    expect(first.steps.map(({ id, run, status }) => [id, run, status])).toEqual([
      ["s1-findings", "skill", "done"],
      ["s2-text", "skill", "done"],
      ["s3-polish", "workflow", "done"],
    ]);
    expect(first.output).toBe("nothing to polish");

    broken = false;
    const calls = t.model.callCount;
    await t.assistant.workflows.retry(runId, "s2-text");
    await until(t.clock, async () => (await t.assistant.workflows.get(runId)).status === "done");
    expect((await t.assistant.workflows.get(runId)).output).toBe("polished");
    // What was found stands: the second and the third alone were done again.
    expect(t.model.callCount - calls).toBe(2);
  });

  it("shows a skill no task where none was given", async () => {
    const t = await testAssistant({ skills: { builtIn: false } });
    for (const text of SKILLS) await t.assistant.skills.write(text);
    const { runId } = await t.assistant.workflows.run("research");
    expect((await t.during(t.assistant.workflows.finished(runId))).status).toBe("done");
    const [asked] = t.model.requests.map(({ prompt }) => JSON.stringify(prompt.at(-1)));
    expect(asked).toContain("depth");
    expect(asked).not.toContain("null");
  });

  it("has parameters that look like references as they are written", async () => {
    const t = await testAssistant({
      skills: { builtIn: false },
      script: (prompt) => says(JSON.stringify(prompt.at(-1)?.content).includes("${HOME}/notes") ? "as written" : "no"),
    });
    for (const text of [
      skill("tidy-up", "", "Tidy it up."),
      skill("tidy", "chain:\n  - { skill: tidy-up, params: { where: ['${HOME}/notes'] } }\n", "Tidies."),
    ])
      await t.assistant.skills.write(text);
    const { runId } = await t.assistant.workflows.run("tidy");
    const run = await t.during(t.assistant.workflows.finished(runId));
    expect(run).toMatchObject({ status: "done", output: "as written" });
  });
});
