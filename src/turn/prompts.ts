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
  /** Time zone of people without a configured one. */
  readonly timezone: string;
  /** The configuration of a user. */
  person(user: string): Person | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** What the model calls of one turn are shown. `own` is what the turn itself has appended to its beginning. */
export interface Prompt {
  /**
   * The block of current facts before the newest message. Journaled with the first step,
   * so that it stays byte-identical.
   */
  readonly block: string | undefined;
  /** The skills that the turn follows. Also journaled with the first step. */
  readonly skills: ShownSkills | undefined;
  /** What hooks injected between steps, as one text. */
  shownBetween(injections: readonly Injection[]): string | undefined;
  /** Leaves these files out from now on, because a model's server refused them. */
  leaveOut(artifacts: readonly string[]): void;
  /**
   * Makes the next prompt fit the model's window: moves older turns into the summary, then shortens long
   * results of this turn's own tools.
   *
   * @param overflowed The provider said that the last prompt was too long.
   * @returns `own` as the prompt shows it.
   */
  fit(own: readonly PromptMessage[], overflowed?: boolean): Promise<readonly PromptMessage[]>;
  call(shown: readonly PromptMessage[]): { readonly instructions: string; readonly messages: readonly PromptMessage[] };
  /** Takes in the prompt's length that a provider reported. */
  learn(shown: readonly PromptMessage[], reported: { readonly model: string; readonly inputTokens: number }): void;
  learnOverflow(shown: readonly PromptMessage[]): void;
}

/** Newest turns that stay after a provider said that the prompt is too long. */
const KEPT_AFTER_OVERFLOW = 2;

/** Builds prompts of turns: sources, budgets, and room in the window. */
export type Prompts = ReturnType<typeof createPrompts>;

/** @param options.skillTokens Estimated tokens of the skills that one turn follows. Default `DEFAULT_TOKEN_BUDGET`. */
export function createPrompts(
  { modelCalls, compaction, sources, timezone, person, clock, logger, metrics }: PromptsDeps,
  { skillTokens = DEFAULT_TOKEN_BUDGET }: { readonly skillTokens?: number | undefined } = {},
) {
  /** Builds the prompt that a turn begins with. */
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
          // Rebuilt from the session's current log; the turn's own block stays.
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

  /**
   * Moves older turns into the summary now, on a person's request.
   * @returns `undefined` if there is nothing to summarize.
   */
  function compact(turn: Turn): Promise<CompactRecord | undefined> {
    const { historyTokens: budgetTokens = DEFAULT_HISTORY_TOKENS } = turn.options;
    return compaction.compact({ ...askingOf(turn), signal: turn.stop.signal }, { reason: "command", budgetTokens });
  }

  return { build, compact };
}
