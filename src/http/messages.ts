import { newId } from "../ids.ts";
import { readJson } from "./body.ts";
import { streamReply } from "./chat.ts";
import { failureFor } from "./failure.ts";
import type { HttpParts } from "./parts.ts";
import { messageInput, replyWithin } from "./reply-within.ts";
import { checked, json, type GuardedRoute } from "./route.ts";
import { AcceptedJson, MessageBody, ReplyJson, replyJson } from "./wire.ts";

export function messageRoutes(parts: HttpParts): readonly GuardedRoute[] {
  return [
    {
      method: "POST",
      path: "/api/v1/messages",
      summary: "Says something to the assistant and waits for its reply",
      access: ["owner", "user"],
      body: MessageBody,
      answers: {
        200: {
          description: "The reply; with `Accept: text/event-stream` its UI message stream",
          schema: ReplyJson,
          stream: true,
        },
        202: { description: "With `wait: false`: the message is durable and will be answered", schema: AcceptedJson },
      },
      async handle({ request, caller }) {
        const body = checked(MessageBody, await readJson(request, parts.clock));
        const id = body.id ?? newId(parts.clock);
        const input = messageInput(caller, body, id);
        if (body.wait === false) {
          const { turnId, sessionKey } = await parts.submit(input);
          return json({ turn_id: turnId, session_key: sessionKey }, 202);
        }
        if (acceptsEvents(request)) return streamReply(parts, input, caller);
        return json(replyJson(failureFor(caller, await replyWithin(parts, input, id))));
      },
    },
  ];
}

function acceptsEvents(request: Request): boolean {
  return /(^|,)\s*text\/event-stream\s*(;|,|$)/i.test(request.headers.get("accept") ?? "");
}
