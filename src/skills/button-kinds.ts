/** Kinds of buttons about skills, as their offers store them. */
export const SKILL_BUTTONS = {
  /** Asks whether a suggestion should become a skill. Choices `yes`, `later`, `never`. */
  suggestion: "skill-suggestion",
  /** Asks whether a skill was helpful. Choices `good`, `bad`. */
  feedback: "skill-feedback",
} as const;
