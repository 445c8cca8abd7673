/* @ts-self-types="./index.d.ts" */
import { createRequire } from "node:module";

// From JSR this file is an https: module, from which nothing can be required: then the library is loaded with it. In a checkout it waits for the first call.
const library = import.meta.url.startsWith("file:") ? undefined : await import("yaml");

export const yaml = () => library ?? createRequire(import.meta.url)("yaml");

export const yamlIfPresent = yaml;
