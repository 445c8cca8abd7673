export { MOST_PEOPLE, MOST_REFUSAL_LINES, OWNER_CODE_LIFETIME_MS, WRONG_CODES, createAccess } from "./access.ts";
export type { Access, AccessParts, Answerer, Asked, ClaimOutcome, RequestOutcome } from "./access.ts";
export { createAccessApi, createAccessPart } from "./api.ts";
export type { AccessApi, AccessPart } from "./api.ts";
export { isPairingCode, readOwnerCommand } from "./codes.ts";
export { KEEP_ENDED_MS, MOST_ASKED, PAIRING_LIFETIME_MS } from "./pairing.ts";
export { plainId } from "./views.ts";
export type { AccessView, AskedView, PersonView, Somebody } from "./views.ts";
