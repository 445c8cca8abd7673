export type { ChainStep, RuntimeName, Skill, SkillRequirements, SkillTriggers } from "./skill.ts";
export type { ListedSkill, SkillFile, SkillSource } from "./source.ts";
export type { FoundSkill, SkillMeta, SkillRegistry } from "./registry.ts";
export type { SkillsOptions } from "./options.ts";
export { DEFAULT_MAX_ACTIVATED } from "./defaults.ts";
export type {
  ExplainedMatch,
  InstalledSkill,
  SkillDetail,
  SkillIssue,
  SkillPlace,
  SkillStats,
  SkillVerification,
  SkillView,
  SkillsApi,
  SuggestedSkill,
} from "./api.ts";
export { MAX_RECORDS, activationId, createActivationRenaming, createActivations } from "./activations.ts";
export type {
  ActivatedBy,
  Activations,
  ActivationsDeps,
  FeedbackGiven,
  NewActivation,
  SkillActivation,
  SkillStatistics,
} from "./activations.ts";
export { MAX_DECIDED, MAX_OPEN, OFFER_AGAIN_MS, createSuggestionRenaming, createSuggestions } from "./suggestions.ts";
export type { KeptSuggestion, LearntSkill, Suggestions, SuggestionsDeps } from "./suggestions.ts";
export { SKILL_BUTTONS } from "./button-kinds.ts";
