import type { Clock } from "../clock.ts";
import type { Engine } from "../engine/index.ts";
import { newId } from "../ids.ts";
import type { Owners } from "../policy/index.ts";
import {
  QUEUE_MODES,
  type InRecord,
  type QueueRules,
  type RunningTurns,
  type Session,
  type SessionLife,
  type SessionSettings,
  type Sessions,
  type Summaries,
  asItReads,
  parseSessionKey,
  sessionWakeKey,
} from "../session/index.ts";
import { nearestName } from "../settings/index.ts";
import type { NewMessage } from "./arrivals.ts";
import { type Commands, say } from "./chat-commands.ts";
import { commandText } from "./command-texts.ts";

export interface ChangingCommandsDeps {
  readonly sessions: Pick<Sessions, "append">;
  readonly summaries: Pick<Summaries, "add">;
  readonly life: Pick<SessionLife, "end">;
  readonly engine: Pick<Engine, "wake">;
  readonly running: Pick<RunningTurns, "of">;
  readonly owners: Pick<Owners, "rolesOf">;
  /** Ends what the conversation's turns handed on. @returns How many ran. */
  stopHandedOn(sessionKey: string): Promise<number>;
  rules(message: InRecord, settings: SessionSettings): QueueRules;
  /** The models of an agent, by `provider/model`: the first is asked first. */
  readonly models: {
    modelNames(agentId: string): readonly string[];
    /** The full name of the one that is meant. */
    modelNamed(agentId: string, wanted: string): string | undefined;
  };
  readonly clock: Clock;
}

/** Of a name that is said back. */
const MAX_NAME_CHARS = 64;

/** Commands that change the conversation. */
export function changingCommands(deps: ChangingCommandsDeps): Commands {
  const { sessions, summaries, life, engine, running, owners, rules, models, clock } = deps;
  const { stopHandedOn } = deps;

  /** What somebody may do today: rights that were taken away since do not come back with an old message. */
  function rolesNow({ user, roles, target }: Pick<InRecord, "user" | "roles" | "target">): readonly string[] {
    if (!target) return roles;
    const now = owners.rolesOf(user);
    return roles.filter((role) => now.includes(role));
  }

  return {
    async new(_argument, { sessionKey, message }, session, language) {
      const { id, user } = message;
      const hadTurns = session.history.length > 0 || session.open !== undefined || session.claimed.length > 0;
      // From here on nothing shows that its line may be missing.
      if (session.summary) await summaries.add(sessionKey, session.summary);
      const { duplicate } = await sessions.append(sessionKey, { type: "reset", id, by: user }, { id });
      if (!duplicate) await life.end(session, message, "new", hadTurns);
      return say(commandText("BEGAN_ANEW", { language }));
    },

    compact: (_argument, { message }) => ({ kind: "append", messages: [{ ...message, command: "compact" }] }),

    async queue(argument, { sessionKey, message }, session, language) {
      const wanted = argument.trim().toLowerCase();
      const modes = QUEUE_MODES.join(", ");
      const { mode } = rules({ ...message, v: 1, at: 0 }, session.settings);
      if (wanted === "") return say(commandText("QUEUE_IS", { language }, { mode, modes }));
      const queueMode = wanted === "default" ? null : QUEUE_MODES.find((known) => known === wanted);
      if (queueMode === undefined)
        return say(commandText("QUEUE_UNKNOWN", { language }, { mode: JSON.stringify(wanted.slice(0, 32)), modes }));
      const { id, user } = message;
      await sessions.append(sessionKey, { type: "setting", id, settings: { queueMode }, by: user }, { id });
      const settings = { ...session.settings, queueMode };
      const now = rules({ ...message, v: 1, at: 0 }, settings).mode;
      return say(commandText("QUEUE_SET", { language }, { mode: now }));
    },

    async model(argument, { sessionKey, message }, session, language) {
      const agentId = parseSessionKey(sessionKey)?.agentId ?? "";
      const names = models.modelNames(agentId);
      const listed = names.join(", ");
      const wanted = argument.trim();
      const own = models.modelNamed(agentId, session.settings.model ?? "");
      if (wanted === "")
        return say(commandText("MODEL_IS", { language }, { model: own ?? names[0] ?? "", models: listed }));
      const model = wanted.toLowerCase() === "default" ? null : models.modelNamed(agentId, wanted);
      if (model === undefined) {
        const shown = JSON.stringify(wanted.slice(0, MAX_NAME_CHARS));
        const nearest = nearestName(wanted.slice(0, MAX_NAME_CHARS), names);
        return nearest === undefined
          ? say(commandText("MODEL_UNKNOWN", { language }, { model: shown, models: listed }))
          : say(commandText("MODEL_NEAREST", { language }, { model: shown, nearest, models: listed }));
      }
      const { id, user } = message;
      await sessions.append(sessionKey, { type: "setting", id, settings: { model }, by: user }, { id });
      return say(commandText("MODEL_SET", { language }, { model: model ?? names[0] ?? "" }));
    },

    async stop(_argument, { sessionKey, message }, session, language) {
      const { id, user } = message;
      const isBusy = session.open !== undefined || session.waiting.length > 0 || running.of(sessionKey) !== undefined;
      if (session.seq === 0) return say(commandText("NOTHING_RUNS", { language }));
      // In the log first: after a crash it is not gone on with either, and delivered again it stops nothing that began since.
      const { seq } = await sessions.append(sessionKey, { type: "stop", id, by: user }, { id });
      const handedOn = await stopHandedOn(sessionKey);
      if (!isBusy && handedOn === 0) return say(commandText("NOTHING_RUNS", { language }));
      const turn = running.of(sessionKey);
      if (turn && turn.beganAt < seq) turn.stop();
      await engine.wake(sessionWakeKey(sessionKey));
      return say(commandText("STOPPED", { language }));
    },

    retry(_argument, { message }, session, language) {
      // Delivered again: known by its id, it is not taken twice.
      if (isKnown(session, message.id)) return { kind: "append", messages: [message] };
      if (session.open || session.waiting.length > 0) return say(commandText("STILL_WORKING", { language }));
      const last = session.history.at(-1);
      const asked = (last?.inputs ?? []).flatMap((input) =>
        input.type === "in" && input.command === undefined ? (asItReads(session.changes, input) ?? []) : [],
      );
      if (!last || asked.length === 0) return say(commandText("NOTHING_TO_RETRY", { language }));
      const messages = asked.map((input, index): NewMessage => {
        const { seq: _seq, v: _v, at: _at, ...old } = input as InRecord & { seq: number };
        return {
          ...old,
          id: index === 0 ? message.id : `${message.id}.${index}`,
          // Not every mode answers them in one turn.
          turn: newId(clock),
          retries: last.id,
          roles: rolesNow(old),
        };
      });
      return { kind: "append", messages };
    },
  };
}

function isKnown({ waiting, open, history }: Session, id: string): boolean {
  const inputs = [...waiting, ...(open?.inputs ?? []), ...(history.at(-1)?.inputs ?? [])];
  return inputs.some((input) => input.id === id);
}
