export type { StatementKind } from "./kinds.ts";
export { type Statement, readStatements } from "./read-statements.ts";
export { type Sentence, sentencesOf } from "./sentences.ts";
export { simplified } from "./simplified.ts";
export { readSentence } from "./work.ts";
