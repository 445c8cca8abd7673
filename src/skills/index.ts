export type { ChainStep, RuntimeName, Skill, SkillRequirements, SkillTriggers } from "./skill.ts";
export type { ListedSkill, SkillFile, SkillSource } from "./source.ts";
export type { FoundSkill, SkillMeta, SkillRegistry } from "./registry.ts";
