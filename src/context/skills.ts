import QuickLRU from "quick-lru";
import { estimateTokenCount } from "tokenx";
import type { ContextOptions } from "../channel.ts";
import type { ActivatedSkill, Injection } from "../events/index.ts";
import { skillBoundary } from "./boundaries.ts";
import { type BuiltContext, withPart } from "./context.ts";
import type { ContextPart } from "./parts.ts";

/** Heading of every prompt's skills; the rules in the instructions name it. */
const HEADING = "# Activated skills";

/** Cache of token counts by a skill's text. The same skills recur, and counting one takes as long as a plain turn. */
const counted = new QuickLRU<string, number>({ maxSize: 64 });

function tokensOf(text: string): number {
  const tokens = counted.get(text) ?? estimateTokenCount(text);
  counted.set(text, tokens);
  return tokens;
}

/** The skills that a turn follows. Journaled with its first step, so that a resumed turn shows the same bytes. */
export interface ShownSkills {
  /** The text for the prompt. */
  readonly shown: string;
  /** The skills in it. */
  readonly activated: readonly ActivatedSkill[];
}

/**
 * Picks the skills among injections, each in its own boundary, by priority. A skill that does not fit is left out,
 * and a smaller one may still fit: half a skill would be followed wrongly.
 */
export function showSkills(injections: readonly Injection[], budgetTokens: number): ShownSkills | undefined {
  const texts: string[] = [];
  const activated: ActivatedSkill[] = [];
  let left = budgetTokens;
  for (const { content, skill } of injections.toSorted((a, b) => b.priority - a.priority)) {
    if (skill === undefined || activated.some(({ name }) => name === skill.name)) continue;
    const tokens = tokensOf(content);
    if (tokens > left) continue;
    left -= tokens;
    texts.push(skillBoundary(skill.name, skill.confidence, skill.hash, content.trim()));
    activated.push(skill);
  }
  return texts.length === 0 ? undefined : { shown: [HEADING, ...texts].join("\n\n"), activated };
}

/** Separates injections into notes and skills. A custom prompt may name the skills that it takes. */
export function partSkills(
  injections: readonly Injection[],
  { strategy, includeSkills }: Pick<ContextOptions, "strategy" | "includeSkills">,
): { readonly notes: readonly Injection[]; readonly skills: readonly Injection[] } {
  if (!injections.some(({ skill }) => skill)) return { notes: injections, skills: [] };
  const taken = strategy === "custom" ? includeSkills : undefined;
  return {
    notes: injections.filter(({ skill }) => skill === undefined),
    skills: injections.filter(({ skill }) => skill && (taken?.includes(skill.name) ?? true)),
  };
}

/** Adds skills before the newest message. Everything before that stays byte-identical. Later turns do not show them. */
export function withSkills(context: BuiltContext, skills: ShownSkills | undefined): BuiltContext {
  if (skills === undefined) return context;
  let tokens: number | undefined;
  const part: ContextPart = {
    name: "activated-skills",
    get tokens() {
      return (tokens ??= estimateTokenCount(skills.shown));
    },
    source: skills.activated.map(({ name, confidence }) => `${name} ${confidence.toFixed(2)}`).join(", "),
  };
  const messages = context.messages.toSpliced(-1, 0, { role: "user", content: skills.shown });
  return withPart(context, part, messages, context.block);
}
