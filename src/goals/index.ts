export { NO_GOALS, nameOf, progressOf } from "./goals.ts";
export type { Drive, Goal, KeyResult, PersonGoals } from "./goals.ts";
export { MAX_CHARS } from "./goal-file.ts";
export { createGoalFiles, createGoalRenaming, goalUserOf, isUnreadable } from "./goal-files.ts";
export type { GoalFiles, KeptGoals } from "./goal-files.ts";
export { changeGoal, findGoal } from "./change-goal.ts";
export type { GoalChange } from "./change-goal.ts";
