// Written by .ci/docs.ts from src/config/schema: change the schema, and run it.

import type { SkillSource } from "./source.ts";

/** Skills and when they are used. A list is short for `sources`. Source: docs/skills.md. */
export interface SkillsOptions {
  /** Whether there are skills; false: none is activated or listed, and there are no tools for them. Default true. */
  readonly enabled?: boolean;
  /** Whether the skills that ship with Wakeful are offered. Default true. */
  readonly builtIn?: boolean;
  /** Automatic activation of skills. */
  readonly autoActivation?: {
    /** Whether skills that match a message are activated automatically. Default true. */
    readonly enabled?: boolean;
    /** Maximum skills activated in one turn. Default 3. */
    readonly maxActivated?: number;
    /** Maximum tokens of the skills of one turn, in addition to context.injectionTokens. Default 4000. */
    readonly tokenBudget?: number;
    /** Whether prompts list every skill in one line, so that the model can read one itself. Default true. */
    readonly fallbackToIndex?: boolean;
  };
  /** Skills without triggers. */
  readonly recommender?: {
    /** Whether the prompt names skills without triggers that may fit the message. Default false. */
    readonly enabled?: boolean;
  };
  /** Whether work that a person repeats is suggested to them as a skill. Default true. */
  readonly learning?: boolean;
  /** Whether replies that used a skill have buttons to say if it helped, on channels with buttons. Default false. */
  readonly feedbackButtons?: boolean;
  /** Whether skills in ~/.wakeful/skills, which all programs of a person share, are offered. Default false. */
  readonly global?: boolean;
  /**
   * Further places that skills come from. A string is a folder on this machine, such as `./skills`. Source:
   * docs/skills.md.
   */
  readonly sources?: readonly (string | SkillSource)[];
}
