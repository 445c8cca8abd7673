import type { Channel } from "../channel.ts";
import type { Clock } from "../clock.ts";
import { DEFAULT_ACCOUNT, type InboundMessage } from "../message.ts";
import { OWNER_ROLE } from "../policy/index.ts";
import type { Reply, StreamEvent } from "../reply.ts";
import { type MemorySpeaker, type Waiters, parseUser, userOf } from "../session/index.ts";
import type { Automations, Errand, TakenCall, Wake } from "./automations.ts";
import { checkSendInput } from "./check-send-input.ts";
import type { Accepted, Inbox } from "./inbox.ts";
import type { Submission, Submissions } from "./submissions.ts";
import { watchReply } from "./watch-reply.ts";

export interface HostCallsDeps {
  readonly inbox: Pick<Inbox, "submit" | "accept">;
  readonly submissions: Pick<Submissions, "watchKey">;
  readonly waiters: Pick<Waiters, "watch">;
  readonly clock: Clock;
  /** What is wrong with a call's `context`, if anything. */
  problemOfContext: Parameters<typeof checkSendInput>[1];
  readonly automations: Automations;
  /** Resolves once the assistant runs. */
  start(): Promise<void>;
  /** Resolves once no data of this person is being removed any more. */
  passed(speaker: MemorySpeaker): Promise<void>;
}

/** Entry points for messages of the host program, the API and channels. Each starts the assistant if needed. */
export function createHostCalls({
  inbox,
  submissions,
  waiters,
  clock,
  automations,
  problemOfContext,
  start,
  passed,
}: HostCallsDeps) {
  async function submit(input: Submission) {
    checkSendInput(input, problemOfContext);
    await ready(input.user ?? input.channel ?? "sdk", input.asOwner === true ? [OWNER_ROLE] : []);
    return inbox.submit(input);
  }

  async function ready(user: string, roles: readonly string[] = []): Promise<void> {
    await start();
    const { channel, id } = parseUser(user);
    await passed({ user, channel, peer: { kind: "direct", id }, roles, account: DEFAULT_ACCOUNT });
  }

  return {
    /** Resolves when the message is durable. */
    submit,
    async send(input: Submission): Promise<Reply> {
      // An untyped program can pass nothing; `submit` then reports what is missing.
      input?.signal?.throwIfAborted();
      const accepted = await submit(input);
      return accepted.reply(input.signal);
    },
    stream(input: Submission): AsyncIterable<StreamEvent> {
      const begin = async () => {
        checkSendInput(input, problemOfContext);
        await start();
      };
      return watchReply(input, { inbox, submissions, waiters, clock, begin });
    },
    /** Calls of automations. */
    hooks: {
      async wake(call: Wake): Promise<TakenCall> {
        await ready(call.user ?? automations.recipient());
        return automations.wake(call);
      },
      async run(call: Errand): Promise<TakenCall> {
        await ready(automations.recipient());
        return automations.run(call);
      },
    },
    /** Accepts a message of a channel. Resolves when it is durable. */
    async accept(channel: Channel, message: InboundMessage): Promise<Accepted> {
      await start();
      const user = userOf(message.channel, message.sender.id);
      const { peer, account = DEFAULT_ACCOUNT } = message;
      await passed({ user, channel: message.channel, account, peer, roles: [] });
      return inbox.accept(channel, message);
    },
  };
}
