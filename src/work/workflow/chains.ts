import type { MemorySpeaker } from "../../session/index.ts";
import type { OfferedSkills, ShelvedSkill } from "../../skills/index.ts";
import type { RunPlace, WorkflowDefinition } from "../../workflow/index.ts";
import { chainWorkflow } from "./chain-workflow.ts";

export interface ChainsDeps {
  /** Reads the skills that a speaker is offered. */
  readonly offered: {
    now(speaker: MemorySpeaker, agentId: string): Promise<Pick<OfferedSkills, "skills" | "find">>;
  };
  /** Whether skills are enabled. */
  readonly enabled: boolean;
}

type Person = Pick<RunPlace, "user" | "roles" | "channel" | "account" | "peer" | "agentId">;

/** Skills for steps of workflows, and chains of skills as workflows. */
export function createChains({ offered, enabled }: ChainsDeps) {
  async function skill(name: string, { agentId, ...person }: Person): Promise<ShelvedSkill | undefined> {
    if (!enabled) return undefined;
    return (await offered.now(person, agentId)).find(name);
  }

  async function chainsOf({ agentId, ...person }: Person): Promise<readonly WorkflowDefinition[]> {
    if (!enabled) return [];
    const { skills, find } = await offered.now(person, agentId);
    const isChain = (name: string) => find(name)?.skill.chain !== undefined;
    return skills.flatMap((one) => (one.skill.chain === undefined ? [] : [chainWorkflow(one.skill, isChain)]));
  }

  return {
    /** Finds a chain of skills by name, if this person may use it. */
    find: async (name: string, place: Person): Promise<WorkflowDefinition | undefined> =>
      (await chainsOf(place)).find((one) => one.name === name),
    async skillOf(name: string, place: Person): Promise<{ readonly body: string; readonly hash: string } | undefined> {
      const found = await skill(name, place);
      return found && { body: found.skill.body, hash: found.hash };
    },
    /** Lists the chains that a person may use. */
    all: chainsOf,
  };
}
