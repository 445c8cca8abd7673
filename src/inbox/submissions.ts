import type { Clock } from "../clock.ts";
import { AssistantError } from "../errors.ts";
import { HOOK_CHANNEL, RUNTIME_CHANNEL } from "../host-channels.ts";
import { newId } from "../ids.ts";
import { DEFAULT_ACCOUNT, type InboundMessage } from "../message.ts";
import type { Owners } from "../policy/index.ts";
import type { SendInput } from "../reply.ts";
import { type Route, namedSessionKey, parseUser, waiterKey } from "../session/index.ts";
import type { NewMessage } from "./arrivals.ts";
import type { Router } from "./router.ts";

/** A call of the host program, the CLI or the API. */
export type Submission = SendInput & {
  /** Whether the runtime knows that the owner makes the call. */
  readonly asOwner?: boolean;
  /** Whether a program speaks, with any token. A model may have written its text, so it cannot answer requests. */
  readonly isProgram?: boolean;
  /**
   * Namespace of `session` if it is not the `channel`'s. Conversations of the page are separate from those of the
   * API, for the same speaker too.
   */
  readonly namespace?: "web";
};

export interface SubmissionsDeps {
  readonly router: Router;
  readonly owners: Pick<Owners, "rolesOf">;
  readonly clock: Clock;
}

/** Converts calls of the host program into messages. */
export type Submissions = ReturnType<typeof createSubmissions>;

export function createSubmissions({ router, owners, clock }: SubmissionsDeps) {
  /**
   * The message and the session of a call.
   * @throws {AssistantError} `OPTION_INVALID` if the user or channel is reserved for the runtime.
   */
  function describe(input: Submission): { sessionKey: string; record: NewMessage } {
    const user = input.user ?? input.channel ?? "sdk";
    const speaker = parseUser(user);
    const channel = input.channel ?? speaker.channel;
    const peer = { kind: "direct", id: speaker.id } as const;
    const isOwner = input.asOwner === true || isTerminal(user, channel);
    const reserved = [RUNTIME_CHANNEL, HOOK_CHANNEL].find((one) => channel === one || speaker.channel === one);
    if (reserved !== undefined) {
      throw new AssistantError(
        "OPTION_INVALID",
        `Cannot send as ${JSON.stringify(user)} on ${channel}: ${reserved} is reserved for the runtime`,
      );
    }
    const message: InboundMessage = {
      channel: speaker.channel,
      id: "",
      peer,
      sender: { id: speaker.id },
      text: input.text,
    };
    const route = router.route(message);
    const sessionKey =
      input.session === undefined
        ? directKey(user, isOwner, route)
        : router.sessionKeyOf(route.agentId, input.namespace ?? input.channel ?? "sdk", input.session);
    const turn = newId(clock);
    const record: NewMessage = {
      type: "in",
      id: `send:${input.id ?? turn}`,
      turn,
      text: input.text,
      user,
      roles: isOwner ? ["owner", "user"] : owners.rolesOf(user),
      channel,
      account: DEFAULT_ACCOUNT,
      // A session that is named without a user is known by its name alone.
      peer: input.user === undefined && input.session !== undefined ? { ...peer, id: input.session } : peer,
      sender: { id: speaker.id },
      ...(input.attachments && { attachments: input.attachments }),
      ...(input.context && { options: input.context }),
    };
    return { sessionKey, record };
  }

  /** The owner at the terminal uses the owner's main session. A call without a user uses the host program's own. */
  function directKey(user: string, isOwner: boolean, { agentId, sessionKey, mainSessionKey }: Route): string {
    if (user === "sdk") return namedSessionKey(agentId, "sdk", "sdk");
    return user === "cli" && isOwner && router.ownerMain ? mainSessionKey : sessionKey;
  }

  return {
    describe,
    /** Waiter key of the turn that answers this call. */
    watchKey(input: Submission & { readonly id: string }): string {
      const { sessionKey, record } = describe(input);
      return waiterKey(sessionKey, record.id);
    },
  };
}

/** Whether this is the person at the terminal, who is the owner. */
export function isTerminal(user: string, channel: string): boolean {
  return user === "cli" && channel === "cli";
}
