export { createBelonging } from "./belonging.ts";
export type { Belonging, BelongingDeps } from "./belonging.ts";
export { createBelongingErasure, unfinishedMoves } from "./state.ts";
export type { UnfinishedMove } from "./state.ts";
