import { draftSkill } from "./draft-skill.ts";
import { type SkillSuggestion, learnSkills } from "./learn.ts";
import type { SkillShelf } from "./shelf.ts";
import { type TraceEntry, tracesFromEntries } from "./traces.ts";
import type { WorkspaceSkills } from "./workspace-skills.ts";

/** Learns skills from a person's work and writes them. */
export interface Lessons {
  /**
   * Returns suggestions of skills, from entries of one person's memory.
   * Contract: the same entries and skills give the same suggestions; what an existing skill covers is not suggested.
   */
  learn(entries: readonly TraceEntry[]): Promise<readonly SkillSuggestion[]>;
  /**
   * Writes a suggestion as a skill for its person alone.
   * Contract: resolved = durable; the same suggestion and name again change nothing. @throws {AssistantError}
   * `CONFLICT` if another skill has the name.
   */
  write(suggestion: SkillSuggestion, name: string): Promise<void>;
}

export function createLessons({
  shelf,
  workspace,
}: {
  readonly shelf: Pick<SkillShelf, "load">;
  readonly workspace: Pick<WorkspaceSkills, "create">;
}): Lessons {
  return {
    async learn(entries) {
      const library = (await shelf.load()).skills.map(({ skill }) => skill);
      return learnSkills(tracesFromEntries(entries), { library });
    },
    write: (suggestion, name) => workspace.create(name, draftSkill(suggestion, { name }).text),
  };
}
