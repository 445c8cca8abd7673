import { newId } from "../ids.ts";
import type { MemoryApi } from "../memory/index.ts";
import { OWNER_ROLE, type Owners } from "../policy/index.ts";
import type { InRecord, QueueMode, Session } from "../session/index.ts";
import type { Audit } from "../telemetry/index.ts";
import { commandText } from "./command-texts.ts";
import type { ChatCommand } from "./commands.ts";
import { type HandlerParts, sessionWakeKey } from "./handler.ts";
import { type Language, languageIn } from "./texts.ts";
import { stoppedByPerson } from "./turn-stop.ts";

/** A message as the inbox appends it. */
export type NewMessage = Omit<InRecord, "v" | "at">;

/** Who gives a command, and where. */
export interface CommandSource {
  readonly sessionKey: string;
  /** The message as it would be appended if it were none. */
  readonly message: NewMessage;
}

/** What a command comes to: words, or messages that begin a turn. */
export type CommandOutcome =
  | { readonly kind: "say"; readonly text: string }
  | { readonly kind: "append"; readonly messages: readonly NewMessage[] };

export interface ChatCommandParts extends HandlerParts {
  readonly audit: Audit;
  readonly owners: Pick<Owners, "ids" | "rolesOf">;
  /** For `/memory`: what the conversation remembers. Absent: nothing is remembered. */
  readonly recollection?: Pick<MemoryApi, "counts" | "recall"> & {
    /** Whose memory a conversation has. */
    memoryUserOf(message: Pick<InRecord, "user" | "channel" | "peer" | "roles">): string;
  };
  /** For `/status`: the session's model, the tokens of its next prompt, and what was used today. */
  describe(session: Session): Promise<{
    readonly model: string;
    readonly tokens: number;
    readonly windowTokens: number;
    readonly usedToday: number;
  }>;
}

export const QUEUE_MODES: readonly QueueMode[] = ["collect", "followup", "steer", "interrupt"];
/** Of rooms that are not there yet. */
const NOT_YET: readonly string[] = ["jobs", "skills"];
/** Lines of what `/memory WORDS` finds. */
const MOST_FOUND = 5;
const LONGEST_LINE = 200;
/** Everybody who is let in may give these; the others change the conversation, which in a group is the owner's business. */
const FOR_ALL: readonly string[] = ["help", "status", "whoami", "memory", ...NOT_YET];

/** The commands of conversations, on every channel. Source: docs/commands.md. */
export function createChatCommands(parts: ChatCommandParts) {
  const { sessions, engine, clock, running, life, audit } = parts;

  async function obey(command: ChatCommand, source: CommandSource): Promise<CommandOutcome> {
    const { sessionKey, message } = source;
    const session = await sessions.load(sessionKey);
    const language = languageIn(session, message.text);
    const exists = Object.hasOwn(COMMANDS, command.name) || NOT_YET.includes(command.name);
    const refusal = exists ? (isAllowed(command.name, source) ? undefined : "OWNERS_ONLY") : "UNKNOWN";
    // Looking changes nothing, so it leaves no line.
    if (refusal !== undefined || !FOR_ALL.includes(command.name)) {
      audit.write({
        who: message.user,
        what: "command",
        target: `${sessionKey} /${command.name}`,
        verdict: refusal === undefined ? "ok" : "refused",
        ...(refusal !== undefined && { reason: refusal === "UNKNOWN" ? "no such command" : "only the owner may" }),
      });
    }
    if (refusal !== undefined) return say(commandText(refusal, language, { name: command.name }));
    if (NOT_YET.includes(command.name)) return say(commandText("NOT_YET", language, { name: command.name }));
    return COMMANDS[command.name]!(command.argument, source, session, language);
  }

  function isAllowed(name: string, { sessionKey, message }: CommandSource): boolean {
    if (message.peer.kind === "direct" || FOR_ALL.includes(name) || message.roles.includes(OWNER_ROLE)) return true;
    return name === "stop" && running.of(sessionKey)?.users().includes(message.user) === true;
  }

  type Command = (
    argument: string,
    source: CommandSource,
    session: Session,
    language: Language,
  ) => CommandOutcome | Promise<CommandOutcome>;

  const COMMANDS: Readonly<Record<string, Command>> = {
    help: (_argument, _source, _session, language) => say(commandText("HELP", language)),

    whoami: (_argument, { sessionKey, message }, _session, language) =>
      say(
        commandText("WHOAMI", language, {
          user: message.user,
          roles: message.roles.join(", "),
          session: sessionKey,
        }),
      ),

    async status(_argument, { message }, session, language) {
      const { model, tokens, windowTokens, usedToday } = await parts.describe(session);
      const { summary, history, waiting, claimed, open } = session;
      const { mode } = parts.rules({ ...message, v: 1, at: 0 }, session.settings);
      const isWorking = open !== undefined || claimed.length > 0;
      const status = commandText("STATUS", language, {
        model,
        tokens,
        window: windowTokens,
        turns: history.length,
        summary: summary ? commandText("SUMMARY", language, { turns: summary.turns }) : "",
        mode,
        waiting: waiting.filter(({ id }) => !claimed.includes(id)).length,
        state: commandText(isWorking ? "WORKING" : "RESTING", language),
      });
      // What all conversations used together is nobody's business but the owner's.
      const isOwner = message.roles.includes(OWNER_ROLE);
      return say(isOwner ? `${status}\n${commandText("USED", language, { used: usedToday })}` : status);
    },

    async memory(argument, { message }, _session, language) {
      const { recollection } = parts;
      if (!recollection) return say(commandText("NOT_YET", language, { name: "memory" }));
      // Whoever asks sees the memory of this conversation, the owner too: others' are for the console.
      const userId = recollection.memoryUserOf(message);
      const text = argument.trim();
      if (text === "") {
        const { entries, archived, days, facts } = await recollection.counts(userId);
        return say(commandText("MEMORY", language, { entries, archived, days, facts }));
      }
      const hits = await recollection.recall({ userId, text, limit: MOST_FOUND });
      if (hits.length === 0) return say(commandText("MEMORY_NONE", language));
      const lines = hits.slice(0, MOST_FOUND).map(({ entry: { content, createdAt } }) => {
        const line = content.replace(/\s+/gu, " ").trim();
        const shown = line.length > LONGEST_LINE ? `${Array.from(line).slice(0, LONGEST_LINE).join("")}…` : line;
        return `${createdAt.toISOString().slice(0, 10)}  ${shown}`;
      });
      return say(lines.join("\n"));
    },

    async new(_argument, { sessionKey, message }, session, language) {
      const { id, user } = message;
      const hadTurns = session.history.length > 0 || session.open !== undefined || session.claimed.length > 0;
      // From here on nothing shows that its line may be missing.
      if (session.summary) await parts.summaries.add(sessionKey, session.summary);
      const { duplicate } = await sessions.append(sessionKey, { type: "reset", id, by: user }, { id });
      if (!duplicate) await life.end(session, message, "new", hadTurns);
      return say(commandText("BEGAN_ANEW", language));
    },

    compact: (_argument, { message }) => ({ kind: "append", messages: [{ ...message, command: "compact" }] }),

    async queue(argument, { sessionKey, message }, session, language) {
      const wanted = argument.trim().toLowerCase();
      const modes = QUEUE_MODES.join(", ");
      const { mode } = parts.rules({ ...message, v: 1, at: 0 }, session.settings);
      if (wanted === "") return say(commandText("QUEUE_IS", language, { mode, modes }));
      const queueMode = wanted === "default" ? null : QUEUE_MODES.find((known) => known === wanted);
      if (queueMode === undefined)
        return say(commandText("QUEUE_UNKNOWN", language, { mode: JSON.stringify(wanted.slice(0, 32)), modes }));
      const { id, user } = message;
      await sessions.append(sessionKey, { type: "setting", id, settings: { queueMode }, by: user }, { id });
      const settings = { ...session.settings, queueMode };
      const now = parts.rules({ ...message, v: 1, at: 0 }, settings).mode;
      return say(commandText("QUEUE_SET", language, { mode: now }));
    },

    async stop(_argument, { sessionKey, message }, session, language) {
      const { id, user } = message;
      const isBusy = session.open !== undefined || session.waiting.length > 0 || running.of(sessionKey) !== undefined;
      if (session.seq === 0) return say(commandText("NOTHING_RUNS", language));
      // In the log first: after a crash it is not gone on with either, and delivered again it stops nothing that began since.
      const { seq } = await sessions.append(sessionKey, { type: "stop", id, by: user }, { id });
      if (!isBusy) return say(commandText("NOTHING_RUNS", language));
      const turn = running.of(sessionKey);
      if (turn && turn.beganAt < seq) turn.stop(stoppedByPerson());
      await engine.wake(sessionWakeKey(sessionKey));
      return say(commandText("STOPPED", language));
    },

    retry(_argument, { message }, session, language) {
      // Delivered again: known by its id, it is not taken twice.
      if (isKnown(session, message.id)) return { kind: "append", messages: [message] };
      if (session.open || session.waiting.length > 0) return say(commandText("STILL_WORKING", language));
      const last = session.history.at(-1);
      const asked = (last?.inputs ?? []).filter((input) => input.type === "in" && input.command === undefined);
      if (!last || asked.length === 0) return say(commandText("NOTHING_TO_RETRY", language));
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

  /** What somebody may do today: rights that were taken away since do not come back with an old message. */
  function rolesNow({ user, roles, target }: Pick<InRecord, "user" | "roles" | "target">): readonly string[] {
    if (!target) return roles;
    const now = parts.owners.rolesOf(user);
    return roles.filter((role) => now.includes(role));
  }

  return { obey };
}

function isKnown({ waiting, open, history }: Session, id: string): boolean {
  const inputs = [...waiting, ...(open?.inputs ?? []), ...(history.at(-1)?.inputs ?? [])];
  return inputs.some((input) => input.id === id);
}

function say(text: string): CommandOutcome {
  return { kind: "say", text };
}
