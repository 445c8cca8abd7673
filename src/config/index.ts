export type { AgentOptions, AssistantOptions } from "./assistant-options.ts";
export type { Config, TokenConfig } from "./config.ts";
export type {
  EmbedderConfig,
  MemoryConfig,
  ModelConfig,
  ServerConfig,
  RegistriesConfig,
  SearchConfig,
  StoreConfig,
  TelegramConfig,
  WebhookConfig,
} from "./file-options.ts";
export { configJsonSchema } from "./json-schema.ts";
export { parseConfig } from "./parse-config.ts";
export type { ParseConfigOptions } from "./parse-config.ts";
export { problemOfContext } from "./problem-of-context.ts";
export { type ReadOptions, readOptions } from "./read-options.ts";
export { validateOptions } from "./validate-options.ts";
export {
  CLAWHUB_URL,
  DEFAULT_DATA_FOLDER,
  DEFAULT_GLOBAL_SKILLS,
  DEFAULT_HOST,
  DEFAULT_PORT,
  TELEGRAM_API,
} from "./defaults.ts";
