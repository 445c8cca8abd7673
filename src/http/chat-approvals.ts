import type { FollowUps } from "../inbox/index.ts";
import * as v from "valibot";
import { AssistantError } from "../errors.ts";
import type { Caller } from "./auth.ts";
import { answererOf, type ApprovalsPart } from "./approvals.ts";
import { eventsFor } from "./failure.ts";
import { type UiChunk, createUiTranslator } from "./ui-stream.ts";

/** An answer of `addToolApprovalResponse`. `useChat` sends it back inside the assistant's message. */
const AnsweredPart = v.looseObject({
  state: v.literal("approval-responded"),
  toolCallId: v.string(),
  approval: v.looseObject({ id: v.string(), approved: v.boolean(), reason: v.optional(v.string()) }),
});

export type ApprovalResponse = v.InferOutput<typeof AnsweredPart>;

/** Returns the answers in the last message of a chat if it is the assistant's. The person then sent no text. */
export function approvalResponses(
  messages: readonly { readonly role: string; readonly parts: readonly unknown[] }[],
): readonly ApprovalResponse[] {
  const last = messages.at(-1);
  if (last?.role !== "assistant") return [];
  return last.parts.filter((part) => v.is(AnsweredPart, part));
}

/** Approval requests that a chat answers. */
export interface AnsweredApprovals {
  readonly answer: ApprovalsPart["answer"];
  /** Returns the results of answers as a stream. */
  followUps(): FollowUps;
}

/** Submits the answers, reports each call's result, then streams the assistant's reaction. */
export async function* answerChunks(
  approvals: AnsweredApprovals,
  responses: readonly ApprovalResponse[],
  caller: Caller,
  describe: (error: unknown) => string,
): AsyncGenerator<UiChunk> {
  const translator = createUiTranslator();
  yield* translator.start();
  try {
    const followUps = approvals.followUps();
    for (const { toolCallId, approval } of responses) {
      const { id, approved, reason } = approval;
      const watched = await followUps.watch(id);
      try {
        const answer = { answer: approved ? "once" : "deny", ...(reason !== undefined && { reason }) } as const;
        const result = await approvals.answer(id, { ...answer, ...answererOf(caller) });
        watched.confirm();
        if (result.state === "approved" && !result.ok)
          yield { type: "tool-output-available", toolCallId, output: result.error.message, dynamic: true };
        else if (result.ok) yield { type: "tool-output-available", toolCallId, output: result.output, dynamic: true };
        else if (approved) yield errorChunk(toolCallId, `${result.error.code}: ${result.error.message}`);
        else yield { type: "tool-output-denied", toolCallId };
      } catch (error) {
        watched.drop();
        if (!AssistantError.is(error)) throw error;
        yield errorChunk(toolCallId, error.message);
      }
    }
    for await (const event of eventsFor(caller, followUps.events)) yield* translator.push(event);
  } catch (error) {
    yield* translator.fail(describe(error));
  }
  yield* translator.end();
}

function errorChunk(toolCallId: string, errorText: string): UiChunk {
  return { type: "tool-output-error", toolCallId, errorText, dynamic: true };
}
