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
export { DEFAULT_MIN_OCCURRENCE, DEFAULT_MIN_STEPS, learnSkills } from "./learn.ts";
export type { LearnOptions, SkillSuggestion, SuggestedParameter } from "./learn.ts";
export { tracesFromEntries } from "./traces.ts";
export type { TraceEntry, TracedTool, WorkflowTrace } from "./traces.ts";
export { draftSkill } from "./draft-skill.ts";
export type { DraftSkillOptions, SkillDraft } from "./draft-skill.ts";
export { recommendSkills } from "./recommend.ts";
export type { RecommendInput, RecommendOptions, Recommendation, RecommendedSkill } from "./recommend.ts";
