import type { Clock } from "../clock.ts";
import type { Reply } from "../reply.ts";
import type { ToolResult } from "../tools/index.ts";
import * as v from "valibot";
import { newId } from "../ids.ts";
import type { Submission } from "../inbox/index.ts";
import type { Caller } from "./auth.ts";
import { failureFor } from "./failure.ts";
import type { McpToolDescription } from "../libraries.ts";
import { messageInput, replyWithin } from "./reply-within.ts";
import { checked } from "./route.ts";
import { MessageBody } from "./wire.ts";

/** A tool that other agents may call. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly input: v.GenericSchema;
  readonly output: v.GenericSchema;
  readonly annotations: NonNullable<McpToolDescription["annotations"]>;
  /** Whether this caller is shown it. Default: everybody is. */
  isOffered?(caller: Caller): Promise<boolean>;
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

/** As the tool `memory_recall` takes it. */
const RecallInput = v.strictObject({
  query: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(500), v.description("What to look for")),
  limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(20), v.description("Default 5"))),
});

const RecallOutput = v.object({
  memories: v.array(
    v.object({
      id: v.string(),
      content: v.string(),
      date: v.pipe(v.string(), v.description("`2026-02-01`")),
      from: v.optional(v.pipe(v.string(), v.description("`long_term`, `daily` or `archive`; absent for an entry"))),
    }),
  ),
});

/** The tool `memory_recall` at the one dispatch point, with the speaker's rights. */
export interface MemoryRecall {
  run(input: { readonly query: string; readonly limit?: number | undefined }, speaker: Submission): Promise<ToolResult>;
  /** Whether the speaker's model would be shown it. */
  isOffered(speaker: Submission): Promise<boolean>;
}

export interface OfferedToolsDeps {
  send(input: Submission): Promise<Reply>;
  /** Without it `recall` is not offered. */
  readonly memoryRecall?: MemoryRecall;
  readonly clock: Clock;
}

/** What the assistant offers to other agents. A tool acts with the rights of the token, and never takes a user from the call. */
export function offeredTools({ send, memoryRecall, clock }: OfferedToolsDeps): readonly OfferedTool[] {
  return [
    {
      name: "send",
      description:
        "Says something to the assistant and waits for its reply, which may take minutes. It remembers the conversation.",
      input: SendInput,
      output: SendOutput,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
      async run(given, caller) {
        const { text, session, id = newId(clock) } = checked(SendInput, given);
        // A program speaks here, whatever the token is.
        const message = { ...messageInput(caller, { text, session }, id), isProgram: true };
        const reply = failureFor(caller, await replyWithin({ send, clock }, message, id));
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
    {
      name: "recall",
      description:
        "Looks in what the assistant remembers of the person whose token this is, from earlier conversations. Nothing is said to the assistant, and nothing changes.",
      input: RecallInput,
      output: RecallOutput,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      isOffered: async (caller) => speaks(caller) && (await memoryRecall?.isOffered(speakerIn(caller))) === true,
      async run(given, caller) {
        const found = await memoryRecall?.run(checked(RecallInput, given), speakerIn(caller));
        if (!found) return { text: "Nothing is remembered here", structured: { memories: [] }, failed: true };
        if (!found.ok) {
          const text = "error" in found ? found.error.message : "It waits for the owner's approval";
          return { text, structured: { memories: [] }, failed: true };
        }
        // Results that are too long come as a text, of which the most is left out.
        if (!v.is(RecallOutput, found.output))
          return {
            text: "More was found than fits: ask with a smaller limit",
            structured: { memories: [] },
            failed: true,
          };
        const lines = found.output.memories.map(({ date, content }) => `${date}  ${content}`);
        return { text: lines.length === 0 ? "Nothing was found" : lines.join("\n"), structured: found.output };
      },
    },
  ];
}

/** The caller as a speaker without a message. @throws {ProblemError} For a token without a user. */
function speakerIn(caller: Caller): Submission {
  return messageInput(caller, { text: "" }, "");
}

function speaks({ role, user }: Caller): boolean {
  return role === "owner" || user !== undefined;
}
