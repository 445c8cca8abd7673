/** What buttons about skills are for, as their offers say. */
export const SKILL_BUTTONS = {
  /** Shall this suggestion become a skill? Choices `yes`, `later`, `never`. */
  suggestion: "skill-suggestion",
  /** Was it of help? Choices `good`, `bad`. */
  feedback: "skill-feedback",
} as const;
