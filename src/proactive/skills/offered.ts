import type { MemorySpeaker } from "../../session/index.ts";
import type { OfferedSkills, SkillOffers } from "../../skills/index.ts";

export interface OfferedToDeps {
  readonly offers: SkillOffers;
  /** The memory user of a message. Learnt skills belong to memory users. */
  memoryUserOf(speaker: MemorySpeaker): string;
  /** Names of the skills chosen for an agent, or undefined for all. */
  skillsOf(agentId: string): readonly string[] | undefined;
}

/** Returns the skills that a speaker is offered. */
export type OfferedTo = ReturnType<typeof createOfferedTo>;

export function createOfferedTo({ offers, memoryUserOf, skillsOf }: OfferedToDeps) {
  function to(speaker: MemorySpeaker, agentId: string, chosen?: readonly string[]): OfferedSkills {
    const own = skillsOf(agentId);
    const names =
      chosen === undefined || own === undefined ? (chosen ?? own) : own.filter((name) => chosen.includes(name));
    return offers.of({ userId: memoryUserOf(speaker), names });
  }

  return {
    /** Loads the skills into memory. `undefined` if they are loaded. */
    prepare: offers.prepare,
    /**
     * Reads the loaded skills; empty before `prepare` has resolved.
     * @param chosen Names that a prompt takes. Default all.
     */
    to,
    /** Loads the skills and returns the current ones. */
    async now(speaker: MemorySpeaker, agentId: string): Promise<OfferedSkills> {
      await offers.prepare();
      return to(speaker, agentId);
    },
  };
}
