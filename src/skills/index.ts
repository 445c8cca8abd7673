export type { ChainStep, RuntimeName, Skill, SkillRequirements, SkillTriggers } from "./skill.ts";
export type { ListedSkill, SkillFile, SkillSource } from "./source.ts";
export type { FoundSkill, SkillMeta, SkillRegistry } from "./registry.ts";
export { createLibrary } from "./library.ts";
export type { LibraryOptions, SkillLibrary, SkillProblem } from "./library.ts";
export { DEFAULT_MAX_ACTIVATED, DEFAULT_TOKEN_BUDGET, explainMatch, matchSkills } from "./match.ts";
export type {
  LeftOutCause,
  LeftOutSkill,
  MatchExplanation,
  MatchOptions,
  MatchResult,
  SkillFeedback,
} from "./match.ts";
export type { MatchInput, MatchSignal } from "./signals.ts";
export { expandChain } from "./expand-chain.ts";
export type { ExpandChainOptions } from "./expand-chain.ts";
