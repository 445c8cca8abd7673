import QuickLRU from "quick-lru";
import { NOBODY } from "../../erasable/index.ts";
import type { ReadWriteLock } from "../../memory/index.ts";
import type { InRecord, LoggedTurn, MemorySpeaker, Sessions } from "../../session/index.ts";
import type { Activations, NewActivation } from "../../skills/index.ts";
import type { ProactiveHook } from "../hook.ts";

/** Sessions whose earlier turns are known to be recorded, at least. */
const MAX_SEEN = 10_000;
/** Names of tools that are kept of one turn. */
const MAX_TOOLS = 20;

/** A turn in which skills were at work, and whose it was. */
export interface RecordedTurn {
  readonly sessionKey: string;
  readonly turn: string;
  /** The message that it answered, the newest of several. */
  readonly message: InRecord;
  /** The user of the person's own memory. */
  readonly user: string;
  readonly skills: readonly string[];
}

export interface ActivationRecorderDeps {
  readonly activations: Pick<Activations, "record">;
  /** The memory that a person has for themselves. */
  personOf(speaker: MemorySpeaker): string;
  /** Only read. */
  readonly sessions: Pick<Sessions, "load">;
  /** Nothing is recorded while a person is forgotten. */
  readonly lock: Pick<ReadWriteLock, "shared">;
  /** Asks the person whether it was of help. Default: nobody is asked. */
  askFeedback?(turn: RecordedTurn): Promise<void>;
}

/**
 * After a turn, off the reply's way: which skills were at work in it, as its first step journaled them. The first turn of a session that ends in this process is recorded
 * with the earlier ones that are loaded, since a crash may have come before they were.
 *
 * Source: docs/skills-learning.md, "Feedback".
 */
export function activationRecorder(deps: ActivationRecorderDeps): ProactiveHook {
  const { activations, personOf, sessions, lock, askFeedback } = deps;
  const seen = new QuickLRU<string, true>({ maxSize: MAX_SEEN });

  async function recordTurn(sessionKey: string, turn: LoggedTurn): Promise<RecordedTurn | undefined> {
    const message = turn.inputs.findLast((input) => input.type === "in");
    const activated = turn.steps[0]?.skills?.activated ?? [];
    if (!message || !turn.out || activated.length === 0 || message.user === NOBODY) return undefined;
    const user = personOf(message);
    const { toolCalls, error, at } = turn.out;
    const common: Omit<NewActivation, "skill" | "signals" | "score"> = {
      turn: turn.id,
      session: sessionKey,
      user,
      activatedBy: "auto",
      outcome: !error ? "success" : error.code === "ABORTED" ? "aborted" : "failure",
      toolsUsed: [...new Set(toolCalls.map(({ name }) => name))].slice(0, MAX_TOOLS),
      at,
    };
    for (const { name: skill, signals, confidence: score } of activated)
      await activations.record({ ...common, skill, signals, score });
    return { sessionKey, turn: turn.id, message, user, skills: activated.map(({ name }) => name) };
  }

  return {
    name: "skill-activations",
    async onTaskCompleted({ taskId, status }, { sessionKey, dryRun }) {
      if (dryRun) return;
      const { history } = await sessions.load(sessionKey);
      const turns = seen.get(sessionKey) ? history.filter(({ id }) => id === taskId) : history;
      if (turns.some(({ steps }) => steps[0]?.skills))
        await lock.shared(async () => {
          for (const turn of turns) {
            const recorded = await recordTurn(sessionKey, turn);
            if (recorded && turn.id === taskId && status === "completed") await askFeedback?.(recorded);
          }
        });
      seen.set(sessionKey, true);
    },
  };
}
