import QuickLRU from "quick-lru";
import type { Clock } from "../../clock.ts";
import type { EventBus } from "../../events/index.ts";
import type { JsonValue } from "../../store/index.ts";
import { NOBODY } from "../../erasable/index.ts";
import type { ReadWriteLock } from "../../memory/index.ts";
import type { InRecord, LoggedTurn, MemorySpeaker, Sessions } from "../../session/index.ts";
import type { Activations, NewActivation } from "../../skills/index.ts";
import type { ProactiveHook } from "../hook.ts";

/** Least capacity of the cache of sessions whose earlier turns are recorded. */
const MAX_SEEN = 10_000;
/** Maximum number of tool names stored per turn. */
const MAX_TOOLS = 20;
const SKILLS_TOOL = "skills";

/** A turn that used skills, and its person. */
export interface RecordedTurn {
  readonly sessionKey: string;
  readonly turn: string;
  /** The newest message that the turn answered. */
  readonly message: InRecord;
  /** The person's own memory user. */
  readonly user: string;
  readonly skills: readonly string[];
}

export interface ActivationRecorderDeps {
  readonly activations: Pick<Activations, "record">;
  /** The person's own memory user, in groups too. */
  personOf(speaker: MemorySpeaker): string;
  /** Read only. */
  readonly sessions: Pick<Sessions, "load">;
  /** Read lock: nothing is recorded while a person is erased. */
  readonly lock: Pick<ReadWriteLock, "shared">;
  /** Names of the skills in a chain; empty for another skill. */
  stepsOf(skill: string): readonly string[];
  readonly events: Pick<EventBus, "publishAsync" | "has">;
  readonly clock: Pick<Clock, "now">;
  /** Asks the person whether the skills helped. Default: no question. */
  askFeedback?(turn: RecordedTurn): Promise<void>;
}

/**
 * After a turn, without delaying the reply, records the skills of the turn as its first step journaled them. The first
 * time a turn of a session ends in this process, it also records the earlier loaded turns, because a crash may have
 * prevented that.
 *
 * Source: docs/skills-learning.md, "Feedback".
 */
export function activationRecorder(deps: ActivationRecorderDeps): ProactiveHook {
  const { activations, personOf, sessions, lock, stepsOf, events, clock, askFeedback } = deps;
  const seen = new QuickLRU<string, true>({ maxSize: MAX_SEEN });

  async function recordTurn(
    sessionKey: string,
    turn: LoggedTurn,
    endedJustNow: boolean,
  ): Promise<RecordedTurn | undefined> {
    const message = turn.inputs.findLast((input) => input.type === "in");
    const used = usedIn(turn, stepsOf);
    if (!message || !turn.out || used.length === 0 || message.user === NOBODY) return undefined;
    const user = personOf(message);
    const { toolCalls, at } = turn.out;
    const common: Omit<NewActivation, "skill" | "signals" | "score" | "activatedBy"> = {
      turn: turn.id,
      session: sessionKey,
      user,
      outcome: outcomeOf(turn.out),
      toolsUsed: [...new Set(toolCalls.map(({ name }) => name))].slice(0, MAX_TOOLS),
      at,
    };
    for (const one of used) await activations.record({ ...common, ...one }, endedJustNow);
    return { sessionKey, turn: turn.id, message, user, skills: used.map(({ skill }) => skill) };
  }

  function tell(sessionId: string, turn: LoggedTurn, user: string): void {
    for (const { skill, activatedBy } of usedIn(turn, stepsOf)) {
      const payload = { taskId: turn.id, user, skill };
      const timestamp = clock.now();
      if (activatedBy === "manual" && events.has("proactive.skill.manual_activated"))
        events.publishAsync({ type: "proactive.skill.manual_activated", sessionId, timestamp, payload });
      if (turn.out && stepsOf(skill).length > 0 && events.has("proactive.skill.chain_completed")) {
        const ended = { ...payload, outcome: outcomeOf(turn.out) };
        events.publishAsync({ type: "proactive.skill.chain_completed", sessionId, timestamp, payload: ended });
      }
    }
  }

  return {
    name: "skill-activations",
    async onTaskCompleted({ taskId, status }, { sessionKey, dryRun }) {
      if (dryRun) return;
      const { history } = await sessions.load(sessionKey);
      const turns = seen.get(sessionKey) ? history.filter(({ id }) => id === taskId) : history;
      if (turns.some((turn) => usedIn(turn, stepsOf).length > 0))
        await lock.shared(async () => {
          for (const turn of turns) {
            const recorded = await recordTurn(sessionKey, turn, turn.id === taskId);
            if (!recorded || turn.id !== taskId) continue;
            tell(sessionKey, turn, recorded.message.user);
            if (status === "completed") await askFeedback?.(recorded);
          }
        });
      seen.set(sessionKey, true);
    },
  };
}

type Used = Pick<NewActivation, "skill" | "activatedBy" | "signals" | "score">;

/**
 * Returns the skills that a turn used, each once: activated ones, those that the model read, and the steps of chains.
 */
function usedIn({ steps, out }: LoggedTurn, stepsOf: (skill: string) => readonly string[]): readonly Used[] {
  const used = new Map<string, Used>();
  for (const { name: skill, signals, confidence: score } of steps[0]?.skills?.activated ?? [])
    used.set(skill, { skill, activatedBy: "auto", signals, score });
  const add = (skill: string, activatedBy: Used["activatedBy"]) =>
    used.has(skill) || used.set(skill, { skill, activatedBy, signals: [], score: 0 });
  for (const { name, input, output, error } of out?.toolCalls ?? [])
    if (name === SKILLS_TOOL && !error && isShown(input, output)) add(input.name, "manual");
  for (const skill of [...used.keys()]) for (const step of stepsOf(skill)) add(step, "chain");
  return [...used.values()];
}

/** Whether a call showed the skill's own text, not another file of the skill. */
function isShown(input: JsonValue, output: JsonValue | undefined): input is JsonValue & { readonly name: string } {
  if (typeof input !== "object" || input === null || !("action" in input) || typeof output !== "object") return false;
  return input["action"] === "show" && typeof input["name"] === "string" && input["file"] === undefined;
}

function outcomeOf({ error }: NonNullable<LoggedTurn["out"]>): NewActivation["outcome"] {
  return !error ? "success" : error.code === "ABORTED" ? "aborted" : "failure";
}
