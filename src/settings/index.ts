export { checkOptions, pathText } from "./check-option.ts";
export type { OptionPath } from "./check-option.ts";
export { ConfigError } from "./config-error.ts";
export type { ConfigIssue, ConfigWarning } from "./config-error.ts";
export type { Environment } from "./expand-env.ts";
export {
  address,
  amount,
  anything,
  anyText,
  choice,
  flag,
  hostName,
  id,
  later,
  list,
  names,
  network,
  secret,
  section,
  share,
  text,
  timezone,
  user,
  webAddress,
  whole,
} from "./kinds.ts";
export type { Facts, Leaf, List, Names, Option, RuleBroken, Section } from "./kinds.ts";
export { nearestName, snakeCase } from "./names.ts";
export { readYaml } from "./read-yaml.ts";
export type { Position, YamlFile } from "./read-yaml.ts";
