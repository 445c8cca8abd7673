import type { Clock } from "../clock.ts";
import type { Outbox, OutboxMessage } from "../outbox/index.ts";
import { OWNER_ROLE } from "../policy/index.ts";
import { type Language, type RunningTurns, type Session, type Sessions, languageIn } from "../session/index.ts";
import { type Audit, type Logger, leftOut } from "../telemetry/index.ts";
import type { Arrivals, Arrived, NewMessage } from "./arrivals.ts";
import type { createCommandLimit } from "./command-limit.ts";
import { commandText } from "./command-texts.ts";
import type { ChatCommand } from "./commands.ts";
import { said } from "./said.ts";

/** The person who gives a command, and where. */
export interface CommandSource {
  readonly sessionKey: string;
  /** The message that would be appended if it were no command. */
  readonly message: NewMessage;
}

/** The result of a command: a reply, or messages that begin a turn. */
export type CommandOutcome =
  | { readonly kind: "say"; readonly text: string; readonly buttons?: OutboxMessage["buttons"] }
  | { readonly kind: "append"; readonly messages: readonly NewMessage[] };

export type Command = (
  argument: string,
  source: CommandSource,
  session: Session,
  language: Language,
) => CommandOutcome | Promise<CommandOutcome>;

export type Commands = Readonly<Record<string, Command>>;

export interface ChatCommandsDeps {
  readonly commands: Commands;
  readonly refuseFlood: ReturnType<typeof createCommandLimit>;
  readonly sessions: Pick<Sessions, "load">;
  readonly running: Pick<RunningTurns, "of">;
  readonly arrivals: Pick<Arrivals, "append">;
  readonly outbox: Pick<Outbox, "enqueue">;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly logger: Pick<Logger, "error">;
}

/** Commands of rooms that can be missing. */
const NOT_YET: readonly string[] = ["skills"];
/**
 * Commands for all people who are let in: they concern only the person who gives them. Most others change the
 * session, which in a group is the owner's decision.
 */
const FOR_ALL: readonly string[] = [
  "help",
  "start",
  "status",
  "whoami",
  "owner",
  "memory",
  "jobs",
  "mute",
  "held",
  ...NOT_YET,
];

/** Owners only, everywhere: which models exist and what they cost is the owner's business. */
const FOR_OWNERS: readonly string[] = ["model"];

/** Commands in chats, on every channel. Source: docs/commands.md. */
export type ChatCommands = ReturnType<typeof createChatCommands>;

export function createChatCommands(deps: ChatCommandsDeps) {
  const { commands, refuseFlood, sessions, running, arrivals, outbox, audit, clock, logger } = deps;

  /** Executes a command here, or in a turn of its own. */
  async function obey(command: ChatCommand, source: CommandSource): Promise<Arrived> {
    const { sessionKey, message } = source;
    const outcome = await outcomeOf(command, source);
    if (outcome.kind === "append") {
      const [first = message, ...rest] = outcome.messages;
      return arrivals.append(sessionKey, first, rest);
    }
    const { target, id } = message;
    const { text, buttons = [] } = outcome;
    const answer = { id: `answer:${id}`, text, ...(buttons.length > 0 && { buttons }) };
    if (target) await outbox.enqueue(target, { message: answer });
    return said(clock, sessionKey, outcome.text);
  }

  async function outcomeOf({ name, argument }: ChatCommand, source: CommandSource): Promise<CommandOutcome> {
    const { sessionKey, message } = source;
    const session = await sessions.load(sessionKey);
    const language = languageIn(session, message.text);
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    const exists = command !== undefined || NOT_YET.includes(name);
    const refusal = exists ? (isAllowed(name, source) ? undefined : "OWNERS_ONLY") : "UNKNOWN";
    // Commands that only read leave no audit line.
    if (refusal !== undefined || !FOR_ALL.includes(name)) {
      audit.write({
        who: message.user,
        what: "command",
        target: `${sessionKey} /${name}`,
        verdict: refusal === undefined ? "ok" : "refused",
        ...(refusal !== undefined && { reason: refusal === "UNKNOWN" ? "no such command" : "only the owner may" }),
      });
    }
    if (refusal !== undefined) return say(commandText(refusal, { language }, { name }));
    if (!command) return say(commandText("NOT_YET", { language }, { name }));
    try {
      return await command(argument, source, session, language);
    } catch (error) {
      // On redelivery the command would fail again and block the messages after it.
      leftOut(logger)(error);
      return say(commandText("DAMAGED", { language }));
    }
  }

  function isAllowed(name: string, { sessionKey, message }: CommandSource): boolean {
    if (message.roles.includes(OWNER_ROLE)) return true;
    if (FOR_OWNERS.includes(name)) return false;
    if (message.peer.kind === "direct" || FOR_ALL.includes(name)) return true;
    return name === "stop" && running.of(sessionKey)?.users().includes(message.user) === true;
  }

  return { obey, refuseFlood };
}

export function say(text: string): CommandOutcome {
  return { kind: "say", text };
}
