export type { ChainStep, RuntimeName, Skill, SkillRequirements, SkillTriggers } from "./skill.ts";
export type { ListedSkill, SkillFile, SkillSource } from "./source.ts";
export type { FoundSkill, SkillMeta, SkillRegistry } from "./registry.ts";
export type { SkillsOptions } from "./options.ts";
export type {
  ExplainedMatch,
  InstalledSkill,
  SkillDetail,
  SkillIssue,
  SkillStats,
  SkillView,
  SkillsApi,
  SuggestedSkill,
} from "./api.ts";
export { parseSkill, readSkill } from "./parse-skill.ts";
export type { ParseSkillOptions } from "./parse-skill.ts";
export { writeSkill } from "./write-skill.ts";
export type { SkillDraft } from "./write-skill.ts";
export { SKILL_LIMITS, isSkillName } from "./skill-fields.ts";
export { MAX_SKILL_FILE_BYTES, SKILL_FILE, isSkillFolder, partsWithin } from "./skill-path.ts";
export { createSkillGate, missingFor } from "./gating.ts";
export { storeSkillSource } from "./store-source.ts";
export { folderSkillSource } from "./folder-source.ts";
export { builtInSkillSource } from "./built-in-source.ts";
export type { BuiltInSkill } from "./built-in-source.ts";
export { SKILL_CACHE_MS, createSkillShelf } from "./shelf.ts";
export type { SkillShelfDeps } from "./shelf.ts";
export type { ShelvedSkill, SkillObjection } from "./loaded.ts";
export { createLibrary } from "./library.ts";
export type { LibraryOptions, SkillProblem as LibraryProblem, SkillLibrary } from "./library.ts";
export type { Lessons } from "./lessons.ts";
export { openSkills } from "./open-skills.ts";
export type { OpenedSkills } from "./open-skills.ts";
export { CATALOGUE_TOKENS } from "./catalogue.ts";
export type { OfferedSkills, SkillOffers } from "./offered-skills.ts";
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
export { MAX_ACTIVATION_RECORDS, createActivationRenaming, createActivations } from "./activations.ts";
export type { Activations, FeedbackGiven, NewActivation, SkillActivation } from "./activations.ts";
export { MAX_OPEN_SUGGESTIONS, OFFER_AGAIN_MS, createSuggestionRenaming, createSuggestions } from "./suggestions.ts";
export type { KeptSuggestion, Suggestions } from "./suggestions.ts";
export { learnSkills } from "./learn.ts";
export type { LearnOptions, SkillSuggestion, SuggestedParameter } from "./learn.ts";
export { tracesFromEntries } from "./traces.ts";
export type { TraceEntry, TracedTool, WorkflowTrace } from "./traces.ts";
export { draftSkill } from "./draft-skill.ts";
export type { DraftSkillOptions, SkillDraft as DraftedSkill } from "./draft-skill.ts";
export { recommendSkills } from "./recommend.ts";
export type { RecommendInput, RecommendOptions, Recommendation, RecommendedSkill } from "./recommend.ts";
export { SKILL_BUTTONS } from "./button-kinds.ts";
export { MAX_ARCHIVE_BYTES } from "./install/limits.ts";
export { createInstalledSkills, withoutHidden } from "./install/installed.ts";
export { createSkillInstaller } from "./install/installer.ts";
export type { InstallPlan, InstallRequest, SkillInstaller, SkillInstallerDeps } from "./install/installer.ts";
export { openRegistries } from "./install/registries.ts";
export type { Finding } from "./install/scan.ts";
export { skillTextOf } from "./install/skill-text.ts";
export { createSkillsApi } from "./skills-api.ts";
export { createSkillErasure } from "./erasure.ts";
