import { made } from "../../settings/index.ts";

/** Registries in code are objects. */
export const registries = made(
  "readonly SkillRegistry[]",
  { SkillRegistry: "skills/index.ts" },
  {
    what: "Registries in which skills are found and from which they are installed; without one, the tools `find_skills` and `install_skill` do not exist",
    inCode: "From `wakeful/registries/…`, or your own. Source: docs/skills-install.md.",
  },
);
