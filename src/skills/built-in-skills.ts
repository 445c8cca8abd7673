// Written by `node .ci/skills.ts` from the folder skills; change a skill there and run it again.
import type { BuiltInSkill } from "./built-in-source.ts";

/** The skills that come with Wakeful. */
export const BUILT_IN_SKILLS: readonly BuiltInSkill[] = [];
