import type { Channels } from "../channels.ts";
import type { Target } from "../channel.ts";
import type { Clock } from "../clock.ts";
import { AssistantError } from "../errors.ts";
import { AUTOMATION, HOOK_CHANNEL } from "../host-channels.ts";
import { newId } from "../ids.ts";
import { DEFAULT_ACCOUNT } from "../message.ts";
import type { Owners } from "../policy/index.ts";
import { type Sessions, parseSessionKey, parseUser } from "../session/index.ts";
import type { Audit } from "../telemetry/index.ts";
import type { Arrivals, NewMessage } from "./arrivals.ts";
import { ownerChat } from "./owner-chat.ts";
import type { Router } from "./router.ts";

export interface AutomationsDeps {
  readonly arrivals: Pick<Arrivals, "append">;
  readonly sessions: Pick<Sessions, "addNote">;
  readonly router: Router;
  readonly owners: Pick<Owners, "all" | "rolesOf">;
  readonly channels: Pick<Channels, "all">;
  /** Address for a person whom no channel reaches. */
  hostTarget(user: string, sessionKey: string): Target;
  /** Why no unattended work may run for a user now; `undefined` if it may. */
  budget(user: string): string | undefined;
  readonly audit: Pick<Audit, "write">;
  readonly clock: Clock;
}

/** People and chats that automations may reach, from the configuration. */
export interface Recipients {
  /** The user whose session automations wake and who reads their results. Default: the first owner. */
  readonly user?: string | undefined;
  /** Further chats that they may send to, as `channel:chat`. Default none. */
  readonly chats?: readonly string[] | undefined;
}

/** A message for the person. */
export interface Wake {
  /** Idempotency key: the same id is the same call. */
  readonly id: string;
  readonly text: string;
  /** `now`: a turn tells the person. `next`: their next turn includes it. */
  readonly mode: "now" | "next";
  /** The user whose session is woken, as `channel:id`. Default: `recipient()`. */
  readonly user?: string | undefined;
  /** Whether the owner makes the call. Such a call may name any user. */
  readonly asOwner?: boolean;
}

/** Work in a session of its own. */
export interface Errand {
  /** As in `Wake`. */
  readonly id: string;
  readonly message: string;
  /** Name of the automation. */
  readonly name?: string | undefined;
  /** Session that such calls share. Default: a new one for each call. */
  readonly session?: string | undefined;
  /** Whether the reply is sent. */
  readonly deliver: boolean;
  /** Chat that the reply is sent to, as `channel:chat`. Default: the person's. */
  readonly to?: string | undefined;
  /** As in `Wake`. */
  readonly asOwner?: boolean;
}

/** An accepted call. It is durable. */
export interface TakenCall {
  readonly sessionKey: string;
  /** Absent if no turn is begun for the call. */
  readonly turnId?: string;
}

/** Without a known owner, the owner is the person at the terminal. */
const AT_THE_TERMINAL = "cli";

/**
 * Handles calls of automations as messages of a speaker of their own. That speaker has no account, has the
 * rights of a stranger who was let in, and has a separate memory. Only the configuration decides whose session
 * is woken and where replies may go.
 *
 * Source: docs/automations.md.
 */
export function createAutomations(deps: AutomationsDeps, { user, chats = [] }: Recipients = {}) {
  const { arrivals, sessions, router, owners, channels, hostTarget, budget, audit, clock } = deps;

  /** The user that automations currently work for. */
  function recipient(): string {
    const all = owners.all();
    return user ?? all.find((one) => chatOf(one) !== undefined) ?? all[0] ?? AT_THE_TERMINAL;
  }

  function chatOf(person: string): Target | undefined {
    const { channel } = parseUser(person);
    return ownerChat([person], { channel, account: DEFAULT_ACCOUNT }, channels.all);
  }

  /** The session of a person's direct chat with the assistant. */
  function homeOf(person: string): string {
    const { channel, id } = parseUser(person);
    const { sessionKey, mainSessionKey } = router.route({
      channel,
      id: "",
      peer: { kind: "direct", id },
      sender: { id },
      text: "",
    });
    return person === AT_THE_TERMINAL && router.ownerMain ? mainSessionKey : sessionKey;
  }

  /**
   * @throws {AssistantError} `FORBIDDEN` for a chat that the configuration does not name; `NOT_FOUND`
   * for one that no channel reaches.
   */
  function targetOf(to: string, sessionKey: string, asOwner = false): Target {
    const isPerson = asOwner || to === recipient();
    if (!isPerson && !chats.includes(to)) throw refused(to, "not among server.hooks.chats");
    const chat = chatOf(to);
    if (chat !== undefined) return chat;
    if (isPerson) return hostTarget(to, sessionKey);
    throw new AssistantError("NOT_FOUND", `No channel can reach ${JSON.stringify(to)} here`);
  }

  function refused(to: string, reason: string): AssistantError {
    audit.write({ who: AUTOMATION, what: "hook.refused", target: to, verdict: "denied", reason });
    return new AssistantError("FORBIDDEN", `A hook may not send to ${JSON.stringify(to)}: it is ${reason}`);
  }

  function inboundOf(id: string, text: string, source: string, target: Target | undefined): NewMessage {
    const { id: self } = parseUser(AUTOMATION);
    return {
      type: "in",
      id: recordId(id),
      turn: newId(clock),
      text,
      source,
      origin: "hook",
      user: AUTOMATION,
      roles: owners.rolesOf(AUTOMATION),
      channel: HOOK_CHANNEL,
      account: DEFAULT_ACCOUNT,
      peer: { kind: "direct", id: self },
      sender: { id: self },
      ...(target && { target }),
    };
  }

  /** @throws {AssistantError} `BUDGET_EXCEEDED`. */
  async function take(what: string, sessionKey: string, message: NewMessage): Promise<TakenCall> {
    const reason = budget(AUTOMATION);
    if (reason !== undefined) throw new AssistantError("BUDGET_EXCEEDED", `Nothing was started: ${reason}`);
    const { turnId } = await arrivals.append(sessionKey, message);
    audit.write({ who: AUTOMATION, what, target: sessionKey, verdict: "ok" });
    return { sessionKey, turnId };
  }

  return {
    recipient,
    /**
     * Tells the person something, now or in their next turn.
     * @throws {AssistantError} `BUDGET_EXCEEDED`; `FORBIDDEN` for another person.
     */
    async wake({ id, text, mode, user: person = recipient(), asOwner }: Wake): Promise<TakenCall> {
      if (asOwner !== true && person !== recipient()) throw refused(person, "not server.hooks.user");
      const sessionKey = homeOf(person);
      if (mode === "now") {
        return take("hook.wake", sessionKey, inboundOf(id, text, SOURCE, targetOf(person, sessionKey, asOwner)));
      }
      await sessions.addNote(sessionKey, { id: recordId(id), text, source: SOURCE });
      audit.write({ who: AUTOMATION, what: "hook.wake", target: sessionKey, verdict: "ok" });
      return { sessionKey };
    },
    /**
     * Runs a task in a session of its own.
     * @throws {AssistantError} `BUDGET_EXCEEDED`; `FORBIDDEN` or `NOT_FOUND` for a chat that it may not send to.
     */
    async run({ id, message, name, session, deliver, to = recipient(), asOwner }: Errand): Promise<TakenCall> {
      const agentId = parseSessionKey(homeOf(recipient()))?.agentId ?? "";
      const sessionKey = router.sessionKeyOf(agentId, HOOK_CHANNEL, session ?? `call/${id}`);
      const target = deliver ? targetOf(to, sessionKey, asOwner) : undefined;
      const source = name === undefined ? SOURCE : `${SOURCE} ${name}`;
      return take("hook.agent", sessionKey, inboundOf(id, message, source, target));
    },
  };
}

/** Calls of automations. */
export type Automations = ReturnType<typeof createAutomations>;

const SOURCE = "automation";

function recordId(id: string): string {
  return `hook:${id}`;
}
