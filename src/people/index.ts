export { createPeopleNotes } from "./people-notes.ts";
export type { ContextFile, PeopleNotes } from "./people-notes.ts";
export { appendEntry, entriesOf, entryText, patchSection } from "./patch.ts";
export { createPeopleRenaming } from "./renaming.ts";
export { createPeopleMove } from "./move-user.ts";
