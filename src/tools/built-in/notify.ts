import * as v from "valibot";
import { AUTOMATION } from "../../host-channels.ts";
import type { Notify } from "../../notice.ts";
import { isOfHeartbeat } from "../../session/index.ts";
import { ToolError, defineTool } from "../tool.ts";
import type { AnyTool } from "../tool.ts";

/** Longest text of one notice, in UTF-16 code units. */
const MAX_TEXT = 20_000;
const MAX_TITLE = 200;

const text = (most: number, what: string) =>
  v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(most), v.description(what));

/**
 * `notify`: says something unasked to the person of the turn, only in their direct chat.
 *
 * Source: docs/tools.md, "Talking".
 */
export function notifyTool({ notify }: { readonly notify: Notify }): Readonly<Record<string, AnyTool>> {
  const tool = defineTool({
    description:
      "Tells the person something they did not ask for just now, in their direct chat: for work that nobody waits for, as a heartbeat, whose reply reaches nobody. In a conversation answer instead. Never repeat in the reply what was said here.",
    inputSchema: v.strictObject({
      text: text(MAX_TEXT, "What they should read, in Markdown"),
      title: v.optional(text(MAX_TITLE, "What it is about, in a few words")),
      priority: v.optional(
        v.pipe(
          v.number(),
          v.minValue(0),
          v.maxValue(1),
          v.description(
            "How much it matters to them: 0.9 for what they would be glad to be interrupted for, 0.5 for what can be left out",
          ),
        ),
      ),
    }),
    async execute({ title, text: said, priority }, { callId, speaker, target, sessionKey, origin, startedBy }) {
      const { user, channel, account, peer } = speaker;
      if (peer.kind !== "direct") {
        throw new ToolError("FORBIDDEN", "In a group others would not know of it: say it in the reply, or not at all");
      }
      const verdict = await notify({
        id: callId,
        user,
        text: title === undefined ? said : `**${title.replaceAll(/\s+/g, " ")}**\n\n${said}`,
        sessionKey,
        // A heartbeat acts on its own; for all other work the person knows that it runs, so it counts as requested.
        ...(origin === "heartbeat" || isOfHeartbeat(startedBy)
          ? { type: "heartbeat" }
          : { type: "note", requested: true }),
        ...(priority !== undefined && { priority }),
        channel,
        account,
        ...(target && { chat: target.chat, ...(target.thread !== undefined && { thread: target.thread }) }),
      });
      if (verdict === "drop") return { notified: false, reason: "They want to be told less, or it came too late" };
      return verdict === "hold" || verdict === "digest" ? { notified: true, later: true } : { notified: true };
    },
    // Idempotent: the notice has the id of the call.
    meta: {
      category: "ui",
      idempotent: true,
      // An automation cannot be notified: its message is its reply, which goes where the configuration says.
      visibleTo: ({ userId }) => userId !== AUTOMATION,
    },
  });
  return { notify: tool };
}
