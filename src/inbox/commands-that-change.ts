import {
  type InRecord,
  QUEUE_MODES,
  type QueueRules,
  type SessionLife,
  type SessionSettings,
  type Sessions,
  type Summaries,
  parseSessionKey,
} from "../session/index.ts";
import { nearestName } from "../settings/index.ts";
import { type Commands, say } from "./chat-commands.ts";
import { commandText } from "./command-texts.ts";

export interface ChangingCommandsDeps {
  readonly sessions: Pick<Sessions, "append">;
  readonly summaries: Pick<Summaries, "add">;
  readonly life: Pick<SessionLife, "end">;
  rules(message: InRecord, settings: SessionSettings): QueueRules;
  /** An agent's models, as `provider/model`, in the order in which they are asked. */
  readonly models: {
    modelNames(agentId: string): readonly string[];
    /** The full name of the model that is meant. */
    modelNamed(agentId: string, wanted: string): string | undefined;
  };
}

/** Characters of a name that a reply repeats. */
const MAX_NAME_CHARS = 64;

export function changingCommands({ sessions, summaries, life, rules, models }: ChangingCommandsDeps): Commands {
  return {
    async new(_argument, { sessionKey, message }, session, language) {
      const { id, user } = message;
      const hadTurns = session.history.length > 0 || session.open !== undefined || session.claimed.length > 0;
      // After the reset, nothing shows any more that this summary's line may be missing.
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
  };
}
