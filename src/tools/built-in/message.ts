import * as v from "valibot";
import { ToolError, defineTool } from "../tool.ts";
import type { AnyTool, ToolContext } from "../tool.ts";

export interface MessageToolOptions {
  /**
   * Sends a message. `to` is `channel:id`; absent for the chat of the session. Contract: the caller has checked who
   * may write there; sends once per `context.callId`; resolves when the message is sent or durably queued.
   */
  send(
    message: { readonly text: string; readonly to?: string },
    context: ToolContext,
  ): Promise<{ readonly id: string }>;
}

/** Longest text of one message, in UTF-16 code units; the channel splits it to its platform's limit. */
const MAX_TEXT = 20_000;

/**
 * `message`: sends something besides the reply. Only an owner may write to a chat other than the session's.
 *
 * Source: docs/tools.md, "Talking".
 */
export function messageTool({ send }: MessageToolOptions): Readonly<Record<string, AnyTool>> {
  const message = defineTool({
    description:
      "Sends a message at once, besides your reply: for news in the middle of long work, or (owners only) to somebody else. Never repeat in the reply what was sent here.",
    inputSchema: v.strictObject({
      text: v.pipe(
        v.string(),
        v.maxLength(MAX_TEXT),
        v.check((text) => text.trim() !== "", "must not be empty"),
        v.description("What to send, in Markdown"),
      ),
      to: v.optional(
        v.pipe(v.string(), v.description("channel:id, as telegram:42. Left out: the chat that you are in")),
      ),
    }),
    async execute({ text, to }, context) {
      const own = `${context.channel}:${context.speaker.peer.id}`;
      if (to === undefined || to === own) {
        const { id } = await send({ text }, context);
        return { sent: true, id };
      }
      if (!context.speaker.roles.includes("owner")) {
        throw new ToolError("FORBIDDEN", "Only an owner may send to another chat than this one: leave out to");
      }
      if (!/^[^:\s]+:\S/u.test(to)) {
        throw new ToolError(
          "BAD_INPUT",
          `Cannot send as to must be channel:id, as telegram:42: current value is ${JSON.stringify(to)}`,
        );
      }
      const { id } = await send({ text, to }, context);
      return { sent: true, id };
    },
    meta: { category: "ui" },
  });
  return { message };
}
