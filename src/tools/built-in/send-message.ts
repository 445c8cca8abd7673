import type { Target } from "../../channel.ts";
import type { Channels } from "../../channels.ts";
import { DEFAULT_ACCOUNT } from "../../message.ts";
import { type Notify, noticeAddress } from "../../notice.ts";
import { isOfHeartbeat, parseUser } from "../../session/index.ts";
import { ToolError } from "../tool.ts";
import type { MessageToolOptions } from "./message.ts";

export interface SendMessageDeps {
  readonly notify: Notify;
  readonly channels: Channels;
}

/** Creates the function that sends a message to the session's chat, or to another one. */
export function createSendMessage({ notify, channels }: SendMessageDeps): MessageToolOptions["send"] {
  function targetOf(user: string): Target {
    const { channel, id } = parseUser(user);
    const target = { channel, account: DEFAULT_ACCOUNT, chat: id };
    if (channels.of(target)) return target;
    const names = channels.all.map(({ name }) => name).join(", ") || "none";
    throw new ToolError("NOT_FOUND", `There is no channel ${JSON.stringify(channel)} here; there are: ${names}`);
  }

  return async ({ text, to }, { callId, target: own, inTurn, origin, startedBy, sessionKey }) => {
    const target = to === undefined ? own : targetOf(to);
    // In a turn without a target only the caller gets the reply, which then begins with this text.
    if (!target && !inTurn) throw new ToolError("NOWHERE", "There is nowhere to send: give to, as telegram:42");
    if (target) {
      const requested = origin !== "heartbeat" && !isOfHeartbeat(startedBy);
      await notify({ ...noticeAddress(target), id: callId, type: "message", text, sessionKey, requested });
    }
    return { id: callId };
  };
}
