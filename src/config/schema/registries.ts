import { flag, made, secret, section, text, webAddress } from "../../settings/index.ts";
import { CLAWHUB_URL } from "../defaults.ts";

/** In code: objects. */
export const registries = made(
  "readonly SkillRegistry[]",
  { SkillRegistry: "skills/index.ts" },
  {
    what: "Where skills are found and installed from; without any, the tools `find_skills` and `install_skill` are not there",
    inCode: "From `wakeful/registries/…`, or your own. Source: docs/skills-install.md.",
  },
);

/** In the file: what is data there is made into objects by the command line. */
export const fileRegistries = section(
  {
    clawhub: section(
      {
        enabled: flag({ what: "Whether it is asked; it needs no key", default: false }),
        baseUrl: webAddress({ what: "The registry's address", default: CLAWHUB_URL }),
        token: secret({ what: "A token of ClawHub, for higher rate limits", example: "CLAWHUB_TOKEN" }),
      },
      { what: "ClawHub, a public registry in which anybody may publish" },
    ),
    folder: section(
      {
        root: text({
          what: "A folder with an archive <slug>.zip for each skill",
          required: true,
          example: "skill-archives",
        }),
      },
      { what: "A folder of this machine" },
    ),
  },
  {
    what: "Where skills are found and installed from",
    type: "config/file-options.ts#RegistriesConfig",
  },
);
