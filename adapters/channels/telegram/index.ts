export { telegram } from "./telegram.ts";
export type { TelegramOptions } from "./telegram.ts";
