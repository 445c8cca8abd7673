import { DEFAULT_GLOBAL_SKILLS } from "../defaults.ts";
import { flag, list, made, section, text, whole } from "../../settings/index.ts";
import { DEFAULT_MAX_ACTIVATED, DEFAULT_TOKEN_BUDGET } from "../../skills/index.ts";

const global = (whenLeftOut: boolean) =>
  flag({
    what: "Whether skills in ~/.wakeful/skills, which all programs of a person share, are offered",
    default: whenLeftOut,
  });

const keys = {
  enabled: flag({
    what: "Whether there are skills; false: none is activated or listed, and there are no tools for them",
    default: true,
  }),
  builtIn: flag({ what: "Whether the skills that ship with Wakeful are offered", default: true }),
  autoActivation: section(
    {
      enabled: flag({ what: "Whether skills that match a message are activated automatically", default: true }),
      maxActivated: whole(1, { what: "Maximum skills activated in one turn", max: 10, default: DEFAULT_MAX_ACTIVATED }),
      tokenBudget: whole(100, {
        what: "Maximum tokens of the skills of one turn, in addition to context.injectionTokens",
        default: DEFAULT_TOKEN_BUDGET,
      }),
      fallbackToIndex: flag({
        what: "Whether prompts list every skill in one line, so that the model can read one itself",
        default: true,
      }),
    },
    { what: "Automatic activation of skills" },
  ),
  recommender: section(
    {
      enabled: flag({
        what: "Whether the prompt names skills without triggers that may fit the message",
        default: false,
      }),
    },
    { what: "Skills without triggers" },
  ),
  learning: flag({
    what: "Whether work that a person repeats is suggested to them as a skill",
    default: true,
  }),
  feedbackButtons: flag({
    what: "Whether replies that used a skill have buttons to say if it helped, on channels with buttons",
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
        what: "Further places that skills come from",
        inCode: "A string is a folder on this machine, such as `./skills`. Source: docs/skills.md.",
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
    sources: list(text({ what: "A folder of skills, relative to this file's folder", example: "./skills" }), {
      what: "Further folders that skills come from",
      inSample: false,
    }),
  },
  { what: "Skills and when they are used", type: "config/file-options.ts#SkillsConfig" },
);
