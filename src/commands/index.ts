export { guardCommand } from "./guard-command.ts";
export type { GuardCommandOptions, GuardedCommand } from "./guard-command.ts";
export type { CommandDanger } from "./finding.ts";
