import QuickLRU from "quick-lru";
import type { Clock } from "../../clock.ts";
import type { EventBus } from "../../events/index.ts";
import type { JsonValue } from "../../store/index.ts";
import { NOBODY } from "../../erasable/index.ts";
import type { ReadWriteLock } from "../../memory/index.ts";
import type { InRecord, LoggedTurn, MemorySpeaker, Sessions } from "../../session/index.ts";
import type { Activations, NewActivation } from "../../skills/index.ts";
import type { ProactiveHook } from "../hook.ts";

/** Sessions whose earlier turns are known to be recorded, at least. */
const MAX_SEEN = 10_000;
/** Names of tools that are kept of one turn. */
const MAX_TOOLS = 20;
const SKILLS_TOOL = "skills";

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
  /** Names of the skills that a chain is made of; none for another skill. */
  stepsOf(skill: string): readonly string[];
  readonly events: Pick<EventBus, "publishAsync" | "has">;
  readonly clock: Pick<Clock, "now">;
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

/** What a turn followed: skills that came by themselves, those that the model read, and the steps of chains among both; each once. */
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

/** Was a skill's own text read, and not a file beside it? */
function isShown(input: JsonValue, output: JsonValue | undefined): input is JsonValue & { readonly name: string } {
  if (typeof input !== "object" || input === null || !("action" in input) || typeof output !== "object") return false;
  return input["action"] === "show" && typeof input["name"] === "string" && input["file"] === undefined;
}

function outcomeOf({ error }: NonNullable<LoggedTurn["out"]>): NewActivation["outcome"] {
  return !error ? "success" : error.code === "ABORTED" ? "aborted" : "failure";
}
