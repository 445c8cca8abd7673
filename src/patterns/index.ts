export { foldCase } from "./fold-case.ts";
export { linearEngineOf, re2Patterns } from "./pattern.ts";
export type { PatternEngine } from "./pattern.ts";
export { plainPattern } from "./plain-pattern.ts";
export type { PlainPattern } from "./plain-pattern.ts";
export { alternativesOf, requiredTexts } from "./required-texts.ts";
