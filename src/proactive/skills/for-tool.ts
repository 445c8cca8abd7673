import type { MemoryUsers } from "../../session/index.ts";
import type { OpenedSkills } from "../../skills/index.ts";
import type { SkillsToolDeps } from "../../tools/index.ts";
import type { GiveSkillFeedback } from "./feedback.ts";
import type { SkillLearning } from "./learning.ts";
import type { OfferedTo } from "./offered.ts";

export interface SkillsForToolDeps {
  readonly opened: Pick<OpenedSkills, "filesOf" | "fileOf" | "suggestions">;
  readonly offered: OfferedTo;
  readonly learning: Pick<SkillLearning, "accept" | "decline">;
  readonly giveFeedback: GiveSkillFeedback;
  readonly users: Pick<MemoryUsers, "memoryUserOf" | "personOf">;
}

/** Creates the dependencies of the `skills` tool: the skills and suggestions of the speaker. */
export function skillsForTool({ opened, offered, learning, giveFeedback, users }: SkillsForToolDeps): SkillsToolDeps {
  return {
    offeredTo: (speaker) => offered.now(speaker, speaker.agentId),
    readFile: opened.fileOf,
    filesOf: opened.filesOf,
    async giveFeedback(speaker, skill, helpful) {
      await giveFeedback({ user: users.personOf(speaker), skill, session: speaker.sessionKey, helpful, via: "tool" });
    },
    suggestions: {
      list: async (speaker) =>
        (await opened.suggestions.list(users.memoryUserOf(speaker), { state: "open" })).map(
          ({ name, description }) => ({
            name,
            description,
          }),
        ),
      accept: (speaker, name) => learning.accept(users.memoryUserOf(speaker), name),
      decline: async (speaker, name) => void (await learning.decline(users.memoryUserOf(speaker), name)),
    },
  };
}
