export { STATEMENT_KINDS, type StatementKind } from "./kinds.ts";
export { type Statement, isLasting, readStatements, unreadSentences } from "./read-statements.ts";
export { writtenPlainly } from "./plain.ts";
export { ownWords } from "./own-words.ts";
export { type Sentence, sentencesOf } from "./sentences.ts";
export { simplified } from "./simplified.ts";
export { readSentence } from "./work.ts";
