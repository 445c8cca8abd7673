export { splitText } from "./split-text.ts";
export type { SplitOptions } from "./split-text.ts";
