export { wireCapitals } from "./capitals.ts";
export { wireErasure } from "./erasure.ts";
