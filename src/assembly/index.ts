export { wireBelonging } from "./belonging.ts";
export { wireCapitals } from "./capitals.ts";
export { damagedDocuments } from "./damaged.ts";
export { wireErasure } from "./erasure.ts";
