export { eraseUnder, isKeyOf, waitsInSessionOf } from "./erase-under.ts";
export { exportUnder, unreadFile } from "./export-under.ts";
export { otherIds } from "./ids.ts";
export type { OtherIds } from "./ids.ts";
export { cannotJoin, isSameValue, moveDocument } from "./move-document.ts";
export type { Erasable, Exportable, Exported, ExportedPerson, ForgottenPerson, Movable, Named } from "./port.ts";
export { FORGOTTEN, NOBODY, isSaidOf, quotesOf, replacing } from "./words.ts";
export type { Words } from "./words.ts";
export { isWorkOf } from "./work-of.ts";
