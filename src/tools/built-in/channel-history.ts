import * as v from "valibot";
import { calendarOrUtc } from "../../calendar.ts";
import type { Target } from "../../channel.ts";
import { AUTOMATION } from "../../host-channels.ts";
import { type ChatHistory, type MemoryUsers, userOf } from "../../session/index.ts";
import { defineTool } from "../tool.ts";
import type { AnyTool } from "../tool.ts";
import { shortened } from "../../short-text.ts";

export interface ChannelHistoryOptions {
  readonly chatHistory: ChatHistory;
  readonly users: Pick<MemoryUsers, "memoryUserOf" | "canonicalUser">;
  timezoneOf(user: string): string;
}

const STANDARD_LIMIT = 20;
const MAX_LIMIT = 50;
/** Longest text of one message, in characters. */
const MAX_TEXT = 2000;

/**
 * `channel_history`: the messages of the session's own chat, including those before `/new`. No other chat can be
 * read. A group's history contains what everyone said; a direct chat's only what its person said and was answered.
 *
 * Source: docs/sessions.md, "What was said".
 */
export function channelHistoryTool(options: ChannelHistoryOptions): Readonly<Record<string, AnyTool>> {
  const { chatHistory, users, timezoneOf } = options;

  /**
   * Whether an automation's message was answered to this person: in their chat, or by the host program if no channel
   * reaches them.
   */
  function isToldTo(target: Target | undefined, person: string): boolean {
    if (target === undefined) return false;
    return [userOf(target.channel, target.chat), target.chat].some((user) => users.canonicalUser(user) === person);
  }

  const channel_history = defineTool({
    description:
      "Reads what was said in this chat earlier, word for word, also before what you see of it. The newest first page; go on with before.",
    inputSchema: v.strictObject({
      before: v.optional(
        v.pipe(v.number(), v.integer(), v.minValue(1), v.description("next_before of the page before")),
      ),
      limit: v.optional(
        v.pipe(
          v.number(),
          v.integer(),
          v.minValue(1),
          v.maxValue(MAX_LIMIT),
          v.description(`How many messages. Default ${STANDARD_LIMIT}`),
        ),
      ),
    }),
    async execute({ before, limit = STANDARD_LIMIT }, { sessionKey, speaker }) {
      const isGroup = speaker.peer.kind !== "direct";
      const person = users.memoryUserOf(speaker);
      const { messages, nextBefore } = await chatHistory(sessionKey, {
        before,
        limit,
        // Several people can share one session for their direct chats.
        isSeen: (message) =>
          isGroup ||
          (message.type === "in" &&
            (users.memoryUserOf(message) === person ||
              (message.user === AUTOMATION && isToldTo(message.target, person)))),
      });
      const { show } = calendarOrUtc(timezoneOf(speaker.user));
      return {
        messages: messages.map(({ atMs, from, name, text }) => ({
          at: show(atMs),
          from,
          ...(name !== undefined && { name }),
          text: shortened(text, MAX_TEXT),
        })),
        ...(nextBefore !== undefined && { next_before: nextBefore }),
      };
    },
    // The history contains other people's texts.
    meta: { category: "ui", idempotent: true, untrusted: true },
  });
  return { channel_history };
}
