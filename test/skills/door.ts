// What the tests of matching import, from where programs do.
export { createLibrary, expandChain, learnSkills, matchSkills, parseSkill } from "../../entry.host.ts";
export { draftSkill, explainMatch, re2Patterns, recommendSkills, tracesFromEntries } from "../../kit.ts";
