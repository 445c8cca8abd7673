// Written by .ci/docs.ts from src/config/schema: change the schema, and run it.

import type { SkillSource } from "./source.ts";

/** Skills and when they are used. A list is short for `sources`. Source: docs/skills.md. */
export interface SkillsOptions {
  /** Whether there are skills; false: none comes, none is named, no tools for them. Default true. */
  readonly enabled?: boolean;
  /** Whether the skills that Wakeful brings are offered. Default true. */
  readonly builtIn?: boolean;
  /** Skills that come by themselves. */
  readonly autoActivation?: {
    /** Whether skills that fit a message come by themselves. Default true. */
    readonly enabled?: boolean;
    /** Skills that may come into one turn. Default 3. */
    readonly maxActivated?: number;
    /** Tokens that the skills of one turn may take, besides those of context.injectionTokens. Default 4000. */
    readonly tokenBudget?: number;
    /** Whether prompts name every skill in one line, so that the model can read one by itself. Default true. */
    readonly fallbackToIndex?: boolean;
  };
  /** Skills without triggers. */
  readonly recommender?: {
    /** Whether skills without triggers that may fit a message are named with it. Default false. */
    readonly enabled?: boolean;
  };
  /** Whether work that somebody does again and again is suggested to them as a skill. Default true. */
  readonly learning?: boolean;
  /**
   * Whether replies for which a skill came have buttons to say if it helped, where the channel has buttons. Default
   * false.
   */
  readonly feedbackButtons?: boolean;
  /** Whether skills of ~/.wakeful/skills are offered, which all programs of a person share. Default false. */
  readonly global?: boolean;
  /** More places that skills come from. A text is a folder of this machine, as `./skills`. Source: docs/skills.md. */
  readonly sources?: readonly (string | SkillSource)[];
}
