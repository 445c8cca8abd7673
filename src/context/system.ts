import { BOUNDARY_RULES, DEFAULT_INSTRUCTIONS, GROUP_RULES } from "./instructions.ts";
import type { SystemPart } from "./sources.ts";
import { tokensOfTold } from "./tokens.ts";

/** The agent's instructions and the rules, before any source. */
interface Base {
  readonly own: string;
  readonly rules: string;
  readonly text: string;
  readonly ownTokens: number;
  readonly rulesTokens: number;
}

/** The instructions of a prompt, and their parts. */
export interface System {
  readonly base: Base;
  readonly added: readonly SystemPart[];
  readonly text: string;
  /** Estimated on first access. */
  readonly tokens: number;
}

interface SystemInput {
  /** Key of the cache: with the same parts as last time, the text is not rebuilt. */
  readonly session: object;
  readonly agent: { readonly name?: string | undefined; readonly instructions?: string | undefined };
  readonly isGroup: boolean;
  readonly added: readonly SystemPart[];
}

const lastTold = new WeakMap<object, System>();

export function instructionsOf({ session, agent, isGroup, added }: SystemInput): System {
  const base = baseOf(agent, isGroup);
  const last = lastTold.get(session);
  if (last?.base === base && isSame(last.added, added)) return last;
  const texts = added.flatMap(({ text }) => (text === "" ? [] : text));
  const told: System = {
    base,
    added,
    text: [base.text, ...texts].join("\n\n"),
    get tokens() {
      return base.ownTokens + base.rulesTokens + added.reduce((sum, { tokens }) => sum + tokens, 0);
    },
  };
  lastTold.set(session, told);
  return told;
}

function isSame(before: readonly SystemPart[], now: readonly SystemPart[]): boolean {
  return before.length === now.length && before.every((part, index) => part === now[index]);
}

const bases = new WeakMap<object, { direct?: Base; group?: Base }>();

function baseOf(agent: SystemInput["agent"], isGroup: boolean): Base {
  let both = bases.get(agent);
  if (!both) bases.set(agent, (both = {}));
  return (both[isGroup ? "group" : "direct"] ??= makeBase(agent, isGroup));
}

function makeBase({ name, instructions = DEFAULT_INSTRUCTIONS }: SystemInput["agent"], isGroup: boolean): Base {
  const own = name === undefined ? instructions : `Your name is ${name}.\n\n${instructions}`;
  const rules = isGroup ? `${BOUNDARY_RULES}\n\n${GROUP_RULES}` : BOUNDARY_RULES;
  let tokens: readonly [number, number] | undefined;
  const count = () => (tokens ??= [tokensOfTold(own), tokensOfTold(rules)]);
  return {
    own,
    rules,
    text: `${own}\n\n${rules}`,
    get ownTokens() {
      return count()[0];
    },
    get rulesTokens() {
      return count()[1];
    },
  };
}
