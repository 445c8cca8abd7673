export { PATTERN_DETECTORS, type DetectPatternsOptions, detectPatterns } from "./detect-patterns.ts";
export type {
  Detection,
  FoundPattern,
  PatternAction,
  PatternDetector,
  PatternEntry,
  PatternMoment,
  PatternSuggestion,
} from "./pattern.ts";
export { PATTERN_OFFER, createNoteSaid, createTellFinding } from "./tell-finding.ts";
export { createLookForPatterns } from "./look-for-patterns.ts";
export { ownDetector } from "./own-detector.ts";
export { createPatternPromises } from "./promises.ts";
export { createRecogniser, lookKeyOf } from "./recogniser.ts";
export { createEvidence, createEvidenceRenaming } from "./evidence.ts";
export { type Finding, createFindings, createFindingsRenaming } from "./findings.ts";
export { type PatternAnswer, createPatternAnswers } from "./answers.ts";
export { type ProactiveApi, createProactiveApi } from "./proactive-api.ts";
