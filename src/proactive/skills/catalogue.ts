import type { ContextScope, ContextSource } from "../../context/index.ts";
import type { MemorySpeaker } from "../../session/index.ts";
import { CATALOGUE_TOKENS } from "../../skills/index.ts";
import type { OfferedTo } from "./offered.ts";

/** Between the owner's files (15) and memory (20): skills change less often than memory. */
const SKILLS_ORDER = 18;
const INTRO = "Skills, each with what it is for; the tool skills reads them:";

/**
 * A list of the skills that the person is offered, one line each, at the beginning of the prompt. It changes only when
 * the skills do, so activations leave the cached prefix valid. Absent if the `skills` tool is not offered.
 *
 * Source: docs/skills.md, "In the prompt".
 */
export function skillCatalogue(offered: OfferedTo, isToolOffered: (scope: ContextScope) => boolean): ContextSource {
  const introduced = new WeakMap<object, string>();
  return {
    name: "skills",
    order: SKILLS_ORDER,
    budgetTokens: CATALOGUE_TOKENS,
    data: true,
    prepare: offered.prepare,
    read(scope) {
      if (!isToolOffered(scope)) return undefined;
      const skills = offered.to(speakerIn(scope), scope.agentId, scope.skills);
      if (skills.catalogue === undefined) return undefined;
      let text = introduced.get(skills);
      if (text === undefined) introduced.set(skills, (text = `${INTRO}\n${skills.catalogue}`));
      return { text, source: "skills" };
    },
  };
}

function speakerIn({ user, channel, kind, peerId, account, roles }: ContextScope): MemorySpeaker {
  return { user: user ?? channel, channel, peer: { kind, id: peerId }, account, roles };
}
