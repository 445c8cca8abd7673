import type { Skill, SkillTriggers } from "../../src/skills/index.ts";

/** Triggers as a test writes them: what is left out is empty, and the threshold 0.5. */
export interface GivenTriggers {
  readonly intent?: readonly string[];
  readonly tools?: readonly string[];
  readonly keywords?: readonly string[];
  readonly slots?: Readonly<Record<string, readonly string[]>>;
  readonly threshold?: number;
}

/** A skill with triggers. */
export function aSkill(name: string, triggers: GivenTriggers | undefined, more: Partial<Skill> = {}): Skill {
  return {
    name,
    description: `Does ${name}`,
    body: `Do ${name}.`,
    ...(triggers ? { triggers: triggersOf(triggers) } : {}),
    priority: 5,
    prerequisites: [],
    maxTokens: 2000,
    cooldown: 0,
    requires: { runtimes: [], channels: [], env: [], bins: [], tools: [] },
    frontmatter: {},
    ...more,
  };
}

function triggersOf({
  intent = [],
  tools = [],
  keywords = [],
  slots = {},
  threshold = 0.5,
}: GivenTriggers): SkillTriggers {
  return {
    intentPatterns: intent,
    toolSignals: tools,
    contextSignals: { keywords, slots },
    confidenceThreshold: threshold,
  };
}
