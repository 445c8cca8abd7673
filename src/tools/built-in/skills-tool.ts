import * as v from "valibot";
import { type OfferedSkills, type ShelvedSkill, expandChain } from "../../skills/index.ts";
import type { Speaker } from "../../speaker.ts";
import { type AnyTool, ToolError, defineTool } from "../tool.ts";
import { told } from "./told.ts";

export interface SkillsToolDeps {
  /** The skills that the speaker is offered. */
  offeredTo(speaker: Speaker): Promise<OfferedSkills>;
  /** Reads a file next to a skill's `SKILL.md` as text; null if there is none, or it is not text. */
  readFile(skill: ShelvedSkill, path: string): Promise<string | null>;
  /** Names of files next to `SKILL.md`; empty if unknown. */
  filesOf(skill: ShelvedSkill): Promise<readonly string[]>;
  /** @throws {AssistantError} `NOT_FOUND` if no such skill was activated lately. */
  giveFeedback(speaker: Speaker, name: string, helpful: boolean): Promise<void>;
  /** Suggestions of skills for the person. */
  readonly suggestions: {
    list(speaker: Speaker): Promise<readonly { readonly name: string; readonly description: string }[]>;
    /** @returns The name of the new skill. */
    accept(speaker: Speaker, name: string): Promise<string>;
    decline(speaker: Speaker, name: string): Promise<void>;
  };
}

const MAX_LISTED = 100;
const MAX_FOUND = 10;
const MAX_FILE_CHARS = 32_768;

const NEEDED = { show: "name", search: "query", feedback: "name", accept: "name", decline: "name" } as const;

/**
 * `skills`: reads skills, records feedback on them, and answers suggestions.
 *
 * Source: docs/skills.md, "The tool".
 */
export function skillsTool(deps: SkillsToolDeps): Readonly<Record<string, AnyTool>> {
  const { offeredTo, readFile, filesOf, giveFeedback, suggestions } = deps;

  const skills = defineTool({
    description:
      "Skills are instructions for tasks that come again. show: reads one, to be followed for this task, or a file beside it. list, search: which there are. feedback: the person said whether a skill helped. accept, decline: the person answered a suggestion to make a skill of what they do often; never answer for them.",
    inputSchema: v.strictObject({
      action: v.picklist(["list", "show", "search", "feedback", "accept", "decline"]),
      name: v.optional(v.pipe(v.string(), v.maxLength(64), v.description("The skill, or the suggestion"))),
      file: v.optional(v.pipe(v.string(), v.maxLength(200), v.description("For show: a file that the skill names"))),
      query: v.optional(v.pipe(v.string(), v.maxLength(200))),
      helpful: v.optional(v.boolean()),
    }),
    async execute({ action, name = "", file, query = name, helpful }, { speaker }) {
      const needed = action === "list" ? undefined : NEEDED[action];
      if ((needed === "name" && name === "") || (needed === "query" && query === ""))
        throw new ToolError("BAD_INPUT", `Cannot ${action} as ${needed} is missing`);
      const offered = await offeredTo(speaker);
      switch (action) {
        case "list":
          return {
            skills: offered.skills.slice(0, MAX_LISTED).map(brief),
            suggestions: await suggestions.list(speaker),
          };
        case "search":
          return { skills: search(offered, query) };
        case "show":
          return file === undefined ? show(offered, name) : showFile(offered, name, file);
        case "feedback": {
          if (helpful === undefined)
            throw new ToolError("BAD_INPUT", "Cannot tell as helpful is missing: true or false");
          await told(() => giveFeedback(speaker, name, helpful));
          return { noted: name, helpful };
        }
        case "accept":
          return { made: await told(() => suggestions.accept(speaker, name)) };
        case "decline":
          await told(() => suggestions.decline(speaker, name));
          return { declined: name };
      }
    },
    meta: { category: "skills", idempotent: true },
  });

  async function show(offered: OfferedSkills, name: string) {
    const found = offered.find(name);
    if (!found) throw unknown(offered, name);
    const { skill } = found;
    const files = await filesOf(found);
    return {
      name,
      instructions: skill.chain === undefined ? skill.body : expandChain(offered.library, skill),
      ...(files.length > 0 && { files }),
    };
  }

  async function showFile(offered: OfferedSkills, name: string, file: string) {
    const found = offered.find(name);
    if (!found) throw unknown(offered, name);
    const text = await readFile(found, file);
    if (text === null) throw new ToolError("NOT_FOUND", `The skill ${name} has no text file ${file}`);
    const isCut = text.length > MAX_FILE_CHARS;
    return { name, file, text: text.slice(0, MAX_FILE_CHARS), ...(isCut && { cut: true }) };
  }

  return { skills };
}

function brief({ skill: { name, description } }: OfferedSkills["skills"][number]) {
  return { name, description };
}

/** Finds skills by words in name or description, those with more hits first. */
function search({ skills }: OfferedSkills, query: string) {
  const words = query.toLowerCase().match(/\p{Script=Han}|[\p{L}\p{N}]+/gu) ?? [];
  return skills
    .map((one) => {
      const text = `${one.skill.name} ${one.skill.description}`.toLowerCase();
      return { one, hits: words.filter((word) => text.includes(word)).length };
    })
    .filter(({ hits }) => hits > 0)
    .toSorted((a, b) => b.hits - a.hits)
    .slice(0, MAX_FOUND)
    .map(({ one }) => brief(one));
}

function unknown({ skills }: OfferedSkills, name: string): ToolError {
  const names = skills.slice(0, MAX_LISTED).map(({ skill }) => skill.name);
  return new ToolError(
    "NOT_FOUND",
    `There is no skill ${JSON.stringify(name)}; there are: ${names.join(", ") || "none"}`,
  );
}
