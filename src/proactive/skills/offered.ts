import type { MemorySpeaker } from "../../session/index.ts";
import type { OfferedSkills, SkillOffers } from "../../skills/index.ts";

export interface OfferedToDeps {
  readonly offers: SkillOffers;
  /** Whose memory a message is: learnt skills belong to users of memory. */
  memoryUserOf(speaker: MemorySpeaker): string;
  /** Names of the agent's own choice of skills; all when not set. */
  skillsOf(agentId: string): readonly string[] | undefined;
}

/** The skills of whoever speaks. */
export type OfferedTo = ReturnType<typeof createOfferedTo>;

export function createOfferedTo({ offers, memoryUserOf, skillsOf }: OfferedToDeps) {
  function to(speaker: MemorySpeaker, agentId: string, chosen?: readonly string[]): OfferedSkills {
    const own = skillsOf(agentId);
    const names =
      chosen === undefined || own === undefined ? (chosen ?? own) : own.filter((name) => chosen.includes(name));
    return offers.of({ userId: memoryUserOf(speaker), names });
  }

  return {
    /** Brings the skills into memory; `undefined` when there is nothing to wait for. */
    prepare: offers.prepare,
    /** From memory: nothing before `prepare` has resolved. @param chosen Names that a prompt takes. Default all. */
    to,
    /** As the skills are now. */
    async now(speaker: MemorySpeaker, agentId: string): Promise<OfferedSkills> {
      await offers.prepare();
      return to(speaker, agentId);
    },
  };
}
