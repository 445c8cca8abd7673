export { telegram } from "./telegram.ts";
export type { TelegramChannel, TelegramOptions } from "./telegram.ts";
