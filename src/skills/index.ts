export type { ChainStep, RuntimeName, Skill, SkillRequirements, SkillTriggers } from "./skill.ts";
export type { ListedSkill, SkillFile, SkillSource } from "./source.ts";
export type { FoundSkill, SkillMeta, SkillRegistry } from "./registry.ts";
export { MAX_ARCHIVE_BYTES } from "./install/limits.ts";
export { createInstalledSkills, withoutHidden } from "./install/installed.ts";
export type { InstalledSkill, InstalledSkills, SkillChanges, VerifiedSkill } from "./install/installed.ts";
export { createSkillInstaller } from "./install/installer.ts";
export type {
  InstallPlan,
  InstallRequest,
  InstallResult,
  SkillInstaller,
  SkillInstallerDeps,
  UpdateResult,
} from "./install/installer.ts";
export type { RecoveredMoves } from "./install/moves.ts";
export type { SkillOrigin } from "./install/origin.ts";
export { openRegistries } from "./install/registries.ts";
export type { FindResult, FoundInRegistry, NamedRegistry } from "./install/registries.ts";
export type { Finding } from "./install/scan.ts";
export { skillTextOf } from "./install/skill-text.ts";
