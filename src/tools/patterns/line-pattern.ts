import { messageOf } from "../../errors.ts";
import { type Platform, REMEDIES } from "../../platform.ts";
import { type PatternEngine, plainPattern, re2Patterns } from "../../patterns/index.ts";
import { ToolError } from "../tool.ts";

/** Asks one line after the other. */
export interface LinePattern {
  test(line: string): boolean;
  /** How much of a line is looked at, in characters; absent when it is all. */
  readonly lookedCharacters?: number;
  /** True when what was asked so far may already have taken too long: stop. */
  isSpent(): boolean;
}

const MAX_PATTERN = 500;
/** Longer lines are looked at up to here where the engine is not linear. */
const MAX_PLAIN_LINE = 2000;
/** Characters looked at, over all lines, before a search gives up. */
const MAX_PLAIN_COST = 300_000_000;

/**
 * A model's pattern for lines. Plain text is searched as text; everything else needs an engine that is linear (RE2), and where there is none a pattern that
 * the runtime's own engine cannot be slowed down with.
 *
 * @throws {ToolError} `BAD_INPUT` for what is no pattern or could take for ever, saying how to write it.
 */
export async function linePattern(
  pattern: string,
  load: Platform["load"],
  given?: PatternEngine,
): Promise<LinePattern> {
  if (pattern.length > MAX_PATTERN)
    throw new ToolError(
      "BAD_INPUT",
      `Cannot search as the pattern has ${pattern.length} characters: at most ${MAX_PATTERN} are taken`,
    );
  const plain = plainPattern(pattern);
  if (plain.ok && plain.literal !== undefined) {
    const { literal } = plain;
    return { test: (line) => line.includes(literal), isSpent: () => false };
  }
  const library = given ? null : await load("re2js");
  const engine = given ?? (library === null ? undefined : re2Patterns(library));
  if (engine) return linear(engine, pattern);

  if (!plain.ok) {
    throw new ToolError(
      "BAD_INPUT",
      `Cannot search for ${JSON.stringify(pattern)} as ${plain.reason}, which could take for ever here: search for plain text or for a pattern with at most one * or + (${REMEDIES.re2js} for all others)`,
    );
  }
  let cost = 0;
  return {
    lookedCharacters: MAX_PLAIN_LINE,
    test(line) {
      const looked = line.slice(0, MAX_PLAIN_LINE);
      cost += plain.costOf(looked.length);
      return plain.expression.test(looked);
    },
    isSpent: () => cost > MAX_PLAIN_COST,
  };
}

function linear(engine: PatternEngine, pattern: string): LinePattern {
  try {
    const compiled = engine.compile(pattern);
    return { test: (line) => compiled.test(line), isSpent: () => false };
  } catch (error) {
    throw new ToolError(
      "BAD_INPUT",
      `Cannot search for ${JSON.stringify(pattern)}: ${messageOf(error)}. Write a regular expression without backreferences and lookarounds, and \\ before signs that stand for themselves`,
      { cause: error },
    );
  }
}
