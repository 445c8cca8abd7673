import { createRequire } from "node:module";

// The parser of shell is needed by the guard of commands alone, which is synchronous, and loading it takes longer than most of a start.
let library;

export const shellParser = () => (library ??= createRequire(import.meta.url)("unbash"));
