export { type Capitals, type MixedSpelling, createCapitals, mixedSpellings } from "./capitals.ts";
