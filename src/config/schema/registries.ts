import { made } from "../../settings/index.ts";

/** In code: objects. */
export const registries = made(
  "readonly SkillRegistry[]",
  { SkillRegistry: "skills/index.ts" },
  {
    what: "Where skills are found and installed from; without any, the tools `find_skills` and `install_skill` are not there",
    inCode: "From `wakeful/registries/…`, or your own. Source: docs/skills-install.md.",
  },
);
