import { withoutFiles } from "../agent/index.ts";
import {
  type BuiltContext,
  type ContextSources,
  type Person,
  type PromptMessage,
  DEFAULT_HISTORY_TOKENS,
  DEFAULT_INJECTION_TOKENS,
  type ShownSkills,
  buildContext,
  estimatePrompt,
  partSkills,
  prepareContext,
  promptFits,
  shortenResults,
  showInjections,
  showSkills,
  withInjections,
  withSkills,
} from "../context/index.ts";
import type { Injection } from "../events/index.ts";
import type { Clock } from "../clock.ts";
import type { CompactRecord } from "../session/index.ts";
import { DEFAULT_TOKEN_BUDGET } from "../skills/index.ts";
import type { Logger, Metrics } from "../telemetry/index.ts";
import type { Compaction } from "./compaction.ts";
import type { ModelCalls } from "./model-calls.ts";
import { type Turn, askingOf } from "./turn-at-work.ts";

export interface PromptsDeps {
  readonly modelCalls: Pick<ModelCalls, "learn" | "learnOverflow">;
  readonly compaction: Pick<Compaction, "isEnabled" | "limitOf" | "compact">;
  /** What rooms and the host add to prompts. */
  readonly sources: ContextSources | undefined;
  /** Of people of whom nothing else is known. */
  readonly timezone: string;
  /** What the configuration knows of a user. */
  person(user: string): Person | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** What the model calls of one turn are shown. `own` is what the turn itself has added behind what it began with. */
export interface Prompt {
  /** The newest message's block of what is the case now: journaled with the first step, so that it stays the same bytes. */
  readonly block: string | undefined;
  /** The skills that the turn follows: journaled with the first step too. */
  readonly skills: ShownSkills | undefined;
  /** What hooks injected between steps, as one text. */
  shownBetween(injections: readonly Injection[]): string | undefined;
  /** From now on without these files: a model's server did not take them. */
  leaveOut(artifacts: readonly string[]): void;
  /**
   * Makes the next prompt fit into the model's window: older turns go into the summary, then long results of this turn's own tools are shortened.
   *
   * @param overflowed The provider said that the last prompt was too long.
   * @returns `own` as the prompt shows it.
   */
  fit(own: readonly PromptMessage[], overflowed?: boolean): Promise<readonly PromptMessage[]>;
  call(shown: readonly PromptMessage[]): { readonly instructions: string; readonly messages: readonly PromptMessage[] };
  /** A provider reported how long a prompt was. */
  learn(shown: readonly PromptMessage[], reported: { readonly model: string; readonly inputTokens: number }): void;
  learnOverflow(shown: readonly PromptMessage[]): void;
}

/** After a provider said that the prompt is too long, so many turns stay. */
const KEPT_AFTER_OVERFLOW = 2;

/** Prompts of turns: sources, budgets, and room in the window. */
export type Prompts = ReturnType<typeof createPrompts>;

/** @param options.skillTokens Tokens of the skills that one turn follows, estimated. Default `DEFAULT_TOKEN_BUDGET`. */
export function createPrompts(
  { modelCalls, compaction, sources, timezone, person, clock, logger, metrics }: PromptsDeps,
  { skillTokens = DEFAULT_TOKEN_BUDGET }: { readonly skillTokens?: number | undefined } = {},
) {
  /** The prompt that a turn begins with. */
  async function build(turn: Turn, injected: readonly Injection[]): Promise<Prompt> {
    const { session, agent, inputs, summarized, options, audience } = turn;
    const { injectionTokens = DEFAULT_INJECTION_TOKENS } = options;
    const withMemory = options.strategy !== "custom" || options.includeMemory !== false;
    const wanted = (injections: readonly Injection[]) =>
      withMemory ? injections : injections.filter(({ type }) => type !== "memory_recall");
    const about = { session, agent, inputs, summarized, options, sources, timezone };
    const input = { ...about, person: person(audience.newest.user), clock };
    const preparing = prepareContext(input);
    if (preparing) await preparing;
    const first = buildContext({ ...input, block: session.open?.steps[0]?.block });
    for (const cut of first.cuts) {
      metrics.increment("context.cut_total", { part: cut.split(":", 1)[0] ?? "" });
      logger.debug("Something was left out of a prompt", { session: session.key, cut });
    }
    const { notes, skills: followed } = partSkills(injected, options);
    const skills = session.open ? session.open.steps[0]?.skills : showSkills(followed, skillTokens);
    let context: BuiltContext = withSkills(withInjections(first, wanted(notes), injectionTokens), skills);
    const unshown = new Set<string>();

    return {
      get block() {
        return context.block;
      },
      skills,
      shownBetween(injections) {
        const shown = wanted(injections);
        return shown.length === 0 ? undefined : showInjections(shown, injectionTokens).text;
      },
      leaveOut(artifacts) {
        for (const artifact of artifacts) unshown.add(artifact);
      },
      async fit(own, overflowed = false) {
        if (!compaction.isEnabled && !overflowed) return own;
        const asking = askingOf(turn);
        const limit = compaction.limitOf(asking);
        const fits = (messages: readonly PromptMessage[]) => promptFits(context, messages, audience.tools, limit);
        if (!overflowed && fits(own)) return own;
        if (compaction.isEnabled && session.history.length > 0) {
          const compacted = await compaction.compact(asking, {
            reason: overflowed ? "overflow" : "window",
            ...(overflowed && { keepTurns: KEPT_AFTER_OVERFLOW }),
            budgetTokens: limit / 2,
          });
          // With what the session's log says now; the turn's own block stays.
          if (compacted) context = withSkills(buildContext({ ...input, block: context.block }), skills);
        }
        return fits(own) ? own : shortenResults(own, fits);
      },
      call(shown) {
        const { instructions, messages } = context;
        return {
          instructions,
          messages: withoutFiles(shown.length === 0 ? messages : [...messages, ...shown], unshown),
        };
      },
      learn: (shown, reported) =>
        modelCalls.learn(turn, reported, () => estimatePrompt(context, shown, audience.tools)),
      learnOverflow: (shown) => modelCalls.learnOverflow(turn, estimatePrompt(context, shown, audience.tools)),
    };
  }

  /** Puts older turns into the summary now, as a person asked. @returns `undefined` when there is nothing to summarise. */
  function compact(turn: Turn): Promise<CompactRecord | undefined> {
    const { historyTokens: budgetTokens = DEFAULT_HISTORY_TOKENS } = turn.options;
    return compaction.compact({ ...askingOf(turn), signal: turn.stop.signal }, { reason: "command", budgetTokens });
  }

  return { build, compact };
}
