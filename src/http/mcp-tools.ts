import * as v from "valibot";
import { newId } from "../ids.ts";
import type { Caller } from "./auth.ts";
import type { HttpParts } from "./parts.ts";
import { messageInput, replyWithin } from "./reply-within.ts";
import { checked } from "./route.ts";
import { MessageBody } from "./wire.ts";

/** A tool that other agents may call. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly input: v.GenericSchema;
  readonly output: v.GenericSchema;
  /** Contract: what it throws is told to the caller as the tool's error. */
  run(
    input: Readonly<Record<string, unknown>>,
    caller: Caller,
  ): Promise<{ readonly text: string; readonly structured: Record<string, unknown>; readonly failed?: boolean }>;
}

/** No user: who speaks is settled by the token alone. */
const SendInput = v.pick(MessageBody, ["text", "session", "id"]);

const SendOutput = v.object({
  text: v.string(),
  turn_id: v.string(),
  session_key: v.string(),
  approvals: v.array(v.looseObject({})),
});

/** What the assistant offers to other agents. A tool acts with the rights of the token, and never takes a user from the call. */
export function offeredTools(parts: HttpParts): readonly OfferedTool[] {
  return [
    {
      name: "send",
      description:
        "Says something to the assistant and waits for its reply, which may take minutes. It remembers the conversation.",
      input: SendInput,
      output: SendOutput,
      async run(given, caller) {
        const { text, session, id = newId(parts.clock) } = checked(SendInput, given);
        const reply = await replyWithin(parts, messageInput(caller, { text, session }, id), id);
        const structured = {
          text: reply.text,
          turn_id: reply.turnId,
          session_key: reply.sessionKey,
          approvals: [...reply.approvals],
        };
        if (reply.error) return { text: reply.error.message, structured, failed: true };
        return { text: reply.text, structured };
      },
    },
  ];
}
