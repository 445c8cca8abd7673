export { PATTERN_DETECTORS, type DetectPatternsOptions, RAISE_AGAIN_MS, detectPatterns } from "./detect-patterns.ts";
export type {
  Detection,
  FoundPattern,
  PatternAction,
  PatternDetector,
  PatternEntry,
  PatternMoment,
  PatternSuggestion,
} from "./pattern.ts";
