import { storeKey } from "../store/index.ts";

/** The file that makes a folder a skill. */
export const SKILL_FILE = "SKILL.md";
/** Most bytes that are read of a file next to `SKILL.md`. */
export const MAX_SKILL_FILE_BYTES = 1_048_576;
/** The store's folder of skills. */
export const SKILLS_ROOM = "skills";

/** The key of a skill's `SKILL.md` in the store, or of a file next to it. */
export function skillKey(name: string, ...path: readonly string[]): string {
  return storeKey(SKILLS_ROOM, name, ...(path.length > 0 ? path : [SKILL_FILE]));
}

/** Whether a folder can be a skill's. Folders that begin with a dot hold skills that are being installed. */
export function isSkillFolder(name: string): boolean {
  return name !== "" && !name.startsWith(".") && !/[/\\\0]/u.test(name);
}

/** Splits a path within a skill's folder; `undefined` for a path that leads out of it. */
export function partsWithin(path: string): readonly string[] | undefined {
  const parts = path.split("/");
  const isOutside = parts.some((part) => part === "" || part === "." || part === ".." || /[\\\0]/u.test(part));
  return isOutside ? undefined : parts;
}
