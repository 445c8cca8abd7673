export { wireBelonging } from "./belonging.ts";
export { wireCapitals } from "./capitals.ts";
export { wireErasure } from "./erasure.ts";
