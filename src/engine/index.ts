export type { Engine } from "./port.ts";
