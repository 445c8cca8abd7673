import type { Clock } from "../clock.ts";
import { newId } from "../ids.ts";
import type { Submission } from "../inbox/index.ts";
import type { Reply } from "../reply.ts";
import type { StreamReply } from "./stream-reply.ts";
import { failureFor } from "./failure.ts";
import { messageInput, replyWithin } from "./reply-within.ts";
import { json, type GuardedRoute } from "./route.ts";
import { AcceptedJson, MessageBody, ReplyJson, replyJson } from "./wire.ts";
import { checkedBody } from "./checked-body.ts";

export interface MessageRoutesDeps {
  send(input: Submission): Promise<Reply>;
  /** Makes the message durable and returns the turn's id immediately. */
  submit(input: Submission): Promise<{ readonly turnId: string; readonly sessionKey: string }>;
  readonly streamReply: StreamReply;
  readonly clock: Clock;
}

export function messageRoutes({ send, submit, streamReply, clock }: MessageRoutesDeps): readonly GuardedRoute[] {
  return [
    {
      method: "POST",
      path: "/api/v1/messages",
      summary: "Sends a message to the assistant and waits for its reply",
      access: ["owner", "user"],
      body: MessageBody,
      answers: {
        200: {
          description: "The reply; with `Accept: text/event-stream`, its UI message stream",
          schema: ReplyJson,
          also: "text/event-stream",
        },
        202: { description: "With `wait: false`: the message is durable and will be answered", schema: AcceptedJson },
      },
      async handle({ request, caller }) {
        const body = await checkedBody(MessageBody, request, clock);
        const id = body.id ?? newId(clock);
        const input = messageInput(caller, body, id);
        if (body.wait === false) {
          const { turnId, sessionKey } = await submit(input);
          return json({ turn_id: turnId, session_key: sessionKey }, 202);
        }
        if (acceptsEvents(request)) return streamReply.tell(input, caller);
        return json(replyJson(failureFor(caller, await replyWithin({ send, clock }, input, id))));
      },
    },
  ];
}

function acceptsEvents(request: Request): boolean {
  return /(^|,)\s*text\/event-stream\s*(;|,|$)/i.test(request.headers.get("accept") ?? "");
}
