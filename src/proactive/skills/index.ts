export { SKILL_ACTIVATION_OPTIONS, skillActivation } from "./activation.ts";
export { skillCatalogue } from "./catalogue.ts";
export { createOfferedTo } from "./offered.ts";
export type { OfferedTo } from "./offered.ts";
