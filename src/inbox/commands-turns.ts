import type { Clock } from "../clock.ts";
import type { Engine } from "../engine/index.ts";
import { newId } from "../ids.ts";
import type { Owners } from "../policy/index.ts";
import {
  type InRecord,
  type RunningTurns,
  type Session,
  type Sessions,
  asItReads,
  sessionWakeKey,
} from "../session/index.ts";
import type { NewMessage } from "./arrivals.ts";
import { type Commands, say } from "./chat-commands.ts";
import { commandText } from "./command-texts.ts";

export interface TurnCommandsDeps {
  readonly sessions: Pick<Sessions, "append">;
  readonly running: Pick<RunningTurns, "of">;
  readonly engine: Pick<Engine, "wake">;
  /**
   * Stops work that the session's turns have handed on.
   * @returns How many works were running.
   */
  stopHandedOn(sessionKey: string): Promise<number>;
  readonly owners: Pick<Owners, "rolesOf">;
  readonly clock: Clock;
}

/** Commands that stop a turn or have one answered again. */
export function turnCommands({ sessions, running, engine, stopHandedOn, owners, clock }: TurnCommandsDeps): Commands {
  /** The roles that a person still has: a role that was taken away does not come back with an old message. */
  function rolesNow({ user, roles, target }: Pick<InRecord, "user" | "roles" | "target">): readonly string[] {
    if (!target) return roles;
    const now = owners.rolesOf(user);
    return roles.filter((role) => now.includes(role));
  }

  return {
    async stop(_argument, { sessionKey, message }, session, language) {
      const { id, user } = message;
      const isBusy = session.open !== undefined || session.waiting.length > 0 || running.of(sessionKey) !== undefined;
      if (session.seq === 0) return say(commandText("NOTHING_RUNS", { language }));
      // Logged first: after a crash the turn does not continue either, and a redelivered
      // command does not stop later work.
      const { seq } = await sessions.append(sessionKey, { type: "stop", id, by: user }, { id });
      const handedOn = await stopHandedOn(sessionKey);
      if (!isBusy && handedOn === 0) return say(commandText("NOTHING_RUNS", { language }));
      const turn = running.of(sessionKey);
      if (turn && turn.beganAt < seq) turn.stop();
      await engine.wake(sessionWakeKey(sessionKey));
      return say(commandText("STOPPED", { language }));
    },

    retry(_argument, { message }, session, language) {
      // Redelivered: the id is known, so the message is not taken twice.
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
          // Not every queue mode answers all of them in one turn.
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
