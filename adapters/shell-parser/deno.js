/* @ts-self-types="./index.d.ts" */
import { createRequire } from "node:module";

// From JSR this file is an https: module, from which nothing can be required: then the library is loaded with it. In a checkout it waits for the first call.
let library = import.meta.url.startsWith("file:") ? undefined : await import("unbash");

export const shellParser = () => (library ??= createRequire(import.meta.url)("unbash"));
