export { createConversations } from "./conversations.ts";
export { createEraser } from "./erase-person.ts";
export { createErasure } from "./erasure.ts";
export { createPersonExport } from "./export-person.ts";
