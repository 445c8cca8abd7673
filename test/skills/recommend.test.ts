import { describe, expect, it } from "vitest";
import { recommendSkills } from "./door.ts";
import { aSkill } from "./a-skill.ts";

const DAY = 24 * 60 * 60 * 1000;
const on = (...channels: readonly string[]) => ({ requires: { runtimes: [], channels, env: [], bins: [], tools: [] } });
const skills = [
  aSkill("meeting-notes", undefined, { description: "Turns a transcript into notes 会议纪要" }),
  aSkill("slack-digest", undefined, { description: "A digest of notes for Slack", ...on("slack") }),
  aSkill("triggered", { intent: ["notes"] }, { description: "Notes" }),
  aSkill("private", undefined, { description: "Notes of one person", people: ["@owner"] }),
];

describe("recommendSkills()", () => {
  it("adds channel, words, history and recency", () => {
    const { ranked, isClose } = recommendSkills(
      skills,
      { taskInput: "Write notes of this meeting", channel: "slack" },
      {
        now: 14 * DAY,
        history: { "meeting-notes": { activations: 3, helpful: 3, notHelpful: 0 } },
        lastActivated: { "meeting-notes": 7 * DAY },
      },
    );
    expect(ranked).toMatchObject(
      [
        { name: "slack-digest", score: 0.5, parts: { channel: 0.4, keyword: 0.1, history: 0, recency: 0 } },
        { name: "meeting-notes", score: 0.53, parts: { channel: 0.2, keyword: 0.2, history: 0.08, recency: 0.05 } },
      ].reverse(),
    );
    expect(isClose).toBe(true);
  });

  it.each<[string, Parameters<typeof recommendSkills>[1], Parameters<typeof recommendSkills>[2], readonly string[]]>([
    ["Chinese words", { taskInput: "整理会议纪要" }, {}, ["meeting-notes"]],
    ["no word in common", { taskInput: "Good morning" }, {}, []],
    ["an empty list of names: all", { taskInput: "notes" }, { names: [] }, ["meeting-notes", "slack-digest"]],
    ["one name", { taskInput: "notes" }, { names: ["slack-digest"] }, ["slack-digest"]],
    ["a limit", { taskInput: "notes" }, { limit: 1 }, ["meeting-notes"]],
    [
      "the person of a skill",
      { taskInput: "notes", userId: "@owner" },
      {},
      ["meeting-notes", "private", "slack-digest"],
    ],
  ])("knows %s", (_, input, options, names) => {
    expect(recommendSkills(skills, input, options).ranked.map(({ name }) => name)).toEqual(names);
  });

  it("is not close when one skill is alone or far ahead", () => {
    expect(recommendSkills(skills, { taskInput: "transcript" }).isClose).toBe(false);
    expect(recommendSkills(skills, { taskInput: "notes", channel: "telegram" }).isClose).toBe(false);
  });
});
