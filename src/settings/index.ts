export { changeYaml } from "./change-yaml.ts";
export { checkOptions, pathText } from "./check-option.ts";
export type { OptionPath } from "./check-option.ts";
export { ConfigError } from "./config-error.ts";
export type { ConfigIssue, ConfigWarning } from "./config-error.ts";
export type { Environment } from "./expand-env.ts";
export {
  address,
  amount,
  between,
  anyText,
  anyUser,
  choice,
  choicesOf,
  flag,
  flagOrNames,
  hostName,
  id,
  later,
  laterValue,
  list,
  made,
  names,
  network,
  only,
  optionOf,
  refused,
  secret,
  section,
  several,
  share,
  text,
  textLike,
  timezone,
  user,
  userOrHost,
  webAddress,
  whole,
  withFacts,
} from "./schema.ts";
export type { Leaf, Option, RuleBroken, Schema, Schemas, Section, Variant } from "./schema.ts";
export { nearestName, snakeCase } from "./names.ts";
export { aliasTargets, readYaml } from "./read-yaml.ts";
export type { Position, YamlFile } from "./read-yaml.ts";
export { filledText } from "./filled-text.ts";
export { yamlDocuments } from "./yaml-documents.ts";
