export type { StatementKind } from "./kinds.ts";
export { type Statement, readStatements } from "./read-statements.ts";
export { simplified } from "./simplified.ts";
