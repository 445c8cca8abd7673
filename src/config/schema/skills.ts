import { DEFAULT_GLOBAL_SKILLS } from "../defaults.ts";
import { flag, list, made, section, text, whole } from "../../settings/index.ts";
import { DEFAULT_MAX_ACTIVATED, DEFAULT_TOKEN_BUDGET } from "../../skills/index.ts";

const global = (whenLeftOut: boolean) =>
  flag({
    what: "Whether skills of ~/.wakeful/skills are offered, which all programs of a person share",
    default: whenLeftOut,
  });

const keys = {
  enabled: flag({
    what: "Whether there are skills; false: none comes, none is named, no tools for them",
    default: true,
  }),
  builtIn: flag({ what: "Whether the skills that Wakeful brings are offered", default: true }),
  autoActivation: section(
    {
      enabled: flag({ what: "Whether skills that fit a message come by themselves", default: true }),
      maxActivated: whole(1, { what: "Skills that may come into one turn", max: 10, default: DEFAULT_MAX_ACTIVATED }),
      tokenBudget: whole(100, {
        what: "Tokens that the skills of one turn may take, besides those of context.injectionTokens",
        default: DEFAULT_TOKEN_BUDGET,
      }),
      fallbackToIndex: flag({
        what: "Whether prompts name every skill in one line, so that the model can read one by itself",
        default: true,
      }),
    },
    { what: "Skills that come by themselves" },
  ),
  recommender: section(
    {
      enabled: flag({
        what: "Whether skills without triggers that may fit a message are named with it",
        default: false,
      }),
    },
    { what: "Skills without triggers" },
  ),
  learning: flag({
    what: "Whether work that somebody does again and again is suggested to them as a skill",
    default: true,
  }),
  feedbackButtons: flag({
    what: "Whether replies for which a skill came have buttons to say if it helped, where the channel has buttons",
    default: false,
  }),
};

/** Skills in code, where a source may be an object too. */
export const skills = section(
  {
    ...keys,
    global: global(false),
    sources: made(
      "readonly (string | SkillSource)[]",
      { SkillSource: "skills/source.ts" },
      {
        what: "More places that skills come from",
        inCode: "A text is a folder of this machine, as `./skills`. Source: docs/skills.md.",
      },
    ),
  },
  {
    what: "Skills and when they are used",
    inCode: "A list is short for `sources`. Source: docs/skills.md.",
    type: "skills/options.ts#SkillsOptions",
    short: { text: "readonly (string | SkillSource)[]", from: { SkillSource: "skills/index.ts" } },
  },
);

/** Skills in the configuration file. */
export const fileSkills = section(
  {
    ...keys,
    global: global(DEFAULT_GLOBAL_SKILLS),
    sources: list(text({ what: "A folder of skills, from the file's own folder on", example: "./skills" }), {
      what: "More folders that skills come from",
      inSample: false,
    }),
  },
  { what: "Skills and when they are used", type: "config/file-options.ts#SkillsConfig" },
);
