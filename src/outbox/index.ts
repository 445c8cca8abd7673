export { readDeadLetters } from "./dead-letters.ts";
export { createOutboxErasure } from "./erasure.ts";
export { createOutbox } from "./outbox.ts";
export type { Outbox } from "./outbox.ts";
export { addressOfLog, outboxKey, outboxLog, parseOutboxKey } from "./outbox-key.ts";
export type { OutboxAddress } from "./outbox-key.ts";
export type { DeadLetter, OutboxMessage, PartMark, QueuedEntry, QueuedMessage, ReplyPointer } from "./records.ts";
export { splitText } from "./split-text.ts";
export type { SplitOptions } from "./split-text.ts";
