import * as v from "valibot";
import type { Reply } from "../reply.ts";

// The JSON of the API: the SDK's names in snake_case. The OpenAPI document is built from these schemas. Schemas that
// every assistant needs are here. Those of wire-chat.ts and wire-sessions.ts belong to the optional API, since a
// bundler cannot drop a schema from a module.

export const notBlank = v.check((text: string) => text.trim() !== "", "Expected a text that is not blank");

/** `POST /messages`. */
export const MessageBody = v.strictObject({
  text: v.pipe(v.string("Expected the text of the message"), notBlank, v.description("The text of the message")),
  user: v.optional(name("The user who sends the message, as `channel:id`. Roles come from the server's configuration")),
  session: v.optional(name("Name of the conversation. Default: the user's direct chat")),
  id: v.optional(
    name("Idempotency key: a repeated id gets the first reply, and nothing runs twice. Default: a new id"),
  ),
  wait: v.optional(
    v.pipe(
      v.boolean("Expected true or false"),
      v.description("`false` answers 202 as soon as the message is durable. Default true"),
    ),
  ),
});

/** A name chosen by the caller. */
export function name(description: string) {
  return filled(512, description);
}

/** A non-blank text. */
export function filled(most: number, description: string) {
  return v.pipe(
    v.string("Expected a text"),
    notBlank,
    v.maxLength(most, `Expected at most ${most} characters`),
    v.description(description),
  );
}

/** A user, or the name of a linked person. */
export function userName(description: string) {
  return v.pipe(name(description), v.check(hasBothSides, BOTH_SIDES));
}

export const BOTH_SIDES = 'Expected a user as "channel:id", with both sides of the colon';

export function hasBothSides(user: string): boolean {
  return !/^:|:$/.test(user.trim());
}

/** The version of the file to change. */
export const FileVersion = v.pipe(
  v.nullable(v.string("Expected the version that was read, or null if there was none")),
  v.description("The version that was read: 409 if the file has changed since then. `null`: there was no file"),
);

export const FailureJson = v.strictObject({ code: v.string(), message: v.string() });
export const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

export const ReplyJson = v.strictObject({
  turn_id: v.string(),
  session_key: v.string(),
  text: v.pipe(v.string(), v.description("Markdown. Empty if the assistant sends no reply")),
  silent: v.boolean(),
  tool_calls: v.array(
    v.strictObject({
      name: v.string(),
      input: v.unknown(),
      output: v.optional(v.unknown()),
      error: v.optional(FailureJson),
      duration_ms: v.number(),
    }),
  ),
  approvals: v.array(v.strictObject({ id: v.string(), code: v.string(), name: v.string(), input: v.unknown() })),
  usage: v.strictObject({ input_tokens: Count, output_tokens: Count, cached_input_tokens: v.optional(Count) }),
  steps: Count,
  error: v.optional(FailureJson),
});

export const AcceptedJson = v.strictObject({ turn_id: v.string(), session_key: v.string() });

export const ReadyJson = v.strictObject({
  ready: v.boolean(),
  checks: v.array(v.strictObject({ name: v.string(), ok: v.boolean(), detail: v.optional(v.string()) })),
});

export const WebhookReplyJson = v.strictObject({ id: v.string(), in_reply_to: v.string(), text: v.string() });

/** Converts a reply to the API's JSON. */
export function replyJson(reply: Reply): v.InferOutput<typeof ReplyJson> {
  const { usage } = reply;
  return {
    turn_id: reply.turnId,
    session_key: reply.sessionKey,
    text: reply.text,
    silent: reply.silent,
    tool_calls: reply.toolCalls.map((call) => ({
      name: call.name,
      input: call.input,
      ...(call.error === undefined ? { output: call.output ?? null } : { error: call.error }),
      duration_ms: call.durationMs,
    })),
    approvals: reply.approvals.map(({ id, code, name, input }) => ({ id, code, name, input })),
    usage: {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      ...(usage.cachedInputTokens === undefined ? {} : { cached_input_tokens: usage.cachedInputTokens }),
    },
    steps: reply.steps,
    ...(reply.error ? { error: reply.error } : {}),
  };
}
