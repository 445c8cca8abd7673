export { evaluateInitiative } from "./evaluate-initiative.ts";
export type { Initiative, InitiativeProfile, InitiativeType, OpenPattern } from "./evaluate-initiative.ts";
export { INITIATIVE_OPTIONS, initiativeHook } from "./initiative-hook.ts";
