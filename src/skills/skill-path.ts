import { storeKey } from "../store/index.ts";

/** The file that makes a folder a skill. */
export const SKILL_FILE = "SKILL.md";
/** Largest part of a file beside `SKILL.md` that is read, in bytes. */
export const MAX_SKILL_FILE_BYTES = 1_048_576;
/** Where the store keeps skills. */
export const SKILLS_ROOM = "skills";

/** The key of a skill's `SKILL.md` in the store, or of a file beside it. */
export function skillKey(name: string, ...path: readonly string[]): string {
  return storeKey(SKILLS_ROOM, name, ...(path.length > 0 ? path : [SKILL_FILE]));
}

/** Whether a folder may be that of a skill: those that begin with a dot are for work on skills that are not there yet. */
export function isSkillFolder(name: string): boolean {
  return name !== "" && !name.startsWith(".") && !/[/\\\0]/u.test(name);
}

/** The parts of a path within a skill's folder; `undefined` for one that leads out of it, or begins anywhere else. */
export function partsWithin(path: string): readonly string[] | undefined {
  const parts = path.split("/");
  const isOutside = parts.some((part) => part === "" || part === "." || part === ".." || /[\\\0]/u.test(part));
  return isOutside ? undefined : parts;
}
