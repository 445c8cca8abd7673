export { ConfigError } from "./config.ts";
export type {
  Config,
  ConfigIssue,
  ConfigWarning,
  ModelConfig,
  ServerConfig,
  StoreConfig,
  TelegramConfig,
  TokenConfig,
  WebhookConfig,
} from "./config.ts";
export { configJsonSchema } from "./json-schema.ts";
export { parseConfig } from "./parse-config.ts";
export type { ParseConfigOptions } from "./parse-config.ts";
export { validateChannelAccess, validateOptions } from "./validate-options.ts";
export { nearestName } from "./names.ts";
