export { brokenGoals } from "./broken-goals.ts";
export { cadenceProblem } from "./cadence.ts";
export { DEFAULT_GOAL_TOKENS, GOAL_CONTEXT_OPTIONS, goalContext } from "./goal-context.ts";
export { createHomes } from "./homes.ts";
export { type GoalsApi, createHostGoals } from "./host-goals.ts";
export { createReviewedGoals } from "./reviewed-goals.ts";
