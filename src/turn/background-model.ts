import type { Clock } from "../clock.ts";
import type { ModelCall } from "../agent/index.ts";
import { type ModelCalls, type TurnAgent, type Writer, withoutOffline } from "./model-calls.ts";
import { createTurnStop } from "./turn-stop.ts";

export interface BackgroundModelDeps {
  readonly modelCalls: Pick<ModelCalls, "ask" | "budget">;
  readonly agent: TurnAgent;
  readonly clock: Clock;
}

/** The user for whom a model is asked outside of a turn, and the time limit. */
export interface BackgroundWork {
  /** Used in place of a turn's id. */
  readonly name: string;
  readonly user: string;
  readonly purpose?: Writer["purpose"];
  readonly signal?: AbortSignal | undefined;
  readonly maxSeconds: number;
}

/**
 * A model for background work that no conversation waits for: the agent's real models, without
 * tools. Usage counts for the user.
 *
 * @returns `undefined` without a real model.
 */
export function createBackgroundModel({ modelCalls, agent: given, clock }: BackgroundModelDeps) {
  const agent = withoutOffline(given);
  if (agent.models.length === 0) return undefined;
  return {
    budget: modelCalls.budget,
    /** @throws As `ask` of model calls; `TURN_TIMEOUT` after `maxSeconds`. */
    async ask(
      prompt: Pick<ModelCall, "instructions" | "messages">,
      { name, user, purpose, signal, maxSeconds }: BackgroundWork,
    ): Promise<string> {
      const stop = createTurnStop(clock, signal ?? new AbortController().signal);
      stop.limit(maxSeconds);
      try {
        const writer = { id: name, user, purpose, session: { key: name, settings: {} }, agent, signal: stop.signal };
        return (await modelCalls.ask(writer, { ...prompt, tools: [] })).text;
      } finally {
        stop.release();
      }
    },
  };
}
