import { messageOf } from "../../errors.ts";
import { type Platform, REMEDIES } from "../../platform.ts";
import { type PatternEngine, plainPattern, re2Patterns } from "../../patterns/index.ts";
import { ToolError } from "../tool.ts";

/** Tests one line after another. */
export interface LinePattern {
  test(line: string): boolean;
  /** Characters of a line that are searched; absent if all are. */
  readonly lookedCharacters?: number;
  /** Whether the tests so far may already have taken too long, so the search must stop. */
  isSpent(): boolean;
}

const MAX_PATTERN = 500;
/** Without a linear engine, only this many characters of a line are searched. */
const MAX_PLAIN_LINE = 2000;
/** Cost over all lines, in characters, at which a search gives up. */
const MAX_PLAIN_COST = 300_000_000;

/**
 * Compiles a model's pattern for lines. Plain text is searched as text. Any other pattern needs a linear engine
 * (RE2); without one it must be a pattern that cannot slow down the runtime's own engine.
 *
 * @throws {ToolError} `BAD_INPUT` for an invalid or potentially endless pattern, with advice on how to write it.
 */
export async function linePattern(
  pattern: string,
  load: Platform["load"],
  given?: PatternEngine,
): Promise<LinePattern> {
  if (pattern.length > MAX_PATTERN)
    throw new ToolError(
      "BAD_INPUT",
      `Cannot search as the pattern has ${pattern.length} characters: at most ${MAX_PATTERN} are allowed`,
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
      `Cannot search for ${JSON.stringify(pattern)} as ${plain.reason}, which could take forever here: search for plain text or for a pattern with at most one * or + (${REMEDIES.re2js} for all others)`,
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
      `Cannot search for ${JSON.stringify(pattern)}: ${messageOf(error)}. Write a regular expression without backreferences and lookarounds, and \\ before special characters that are meant literally`,
      { cause: error },
    );
  }
}
