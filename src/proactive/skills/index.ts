export { SKILL_ACTIVATION_OPTIONS, skillActivation, skillSlots } from "./activation.ts";
export { skillCatalogue } from "./catalogue.ts";
export { createOfferedTo } from "./offered.ts";
export type { OfferedTo } from "./offered.ts";
export {
  LEARN_AFTER_MS,
  MAX_TRACES,
  SKILL_LEARNING_OPTIONS,
  createLearningErasure,
  createLearningMove,
  createLearningRenaming,
  createSkillLearning,
} from "./learning.ts";
export type { SkillLearning, SkillLearningDeps } from "./learning.ts";
export { activationRecorder } from "./recorder.ts";
export { createFeedbackButtons, createSkillFeedback } from "./feedback.ts";
export type { SkillVerdict } from "./feedback.ts";
export { skillsForTool } from "./for-tool.ts";
