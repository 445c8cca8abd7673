import { messageOf } from "../errors.ts";
import type { NoticeAddress } from "../notice.ts";
import type { JsonValue } from "../store/index.ts";
import type { ModelRedactor } from "../telemetry/index.ts";
import { abortable } from "../time-limit.ts";
import { asJson } from "./as-json.ts";
import type { RegisteredTool } from "./registry.ts";
import { type PendingCall, type ToolCaller, type ToolResult, refusal } from "./tool-call.ts";
import { type PendingWork, type ToolContext, ToolError, isToolOutcome } from "./tool.ts";

export interface ToolRunnerDeps {
  readonly redact: ModelRedactor;
  /** Stores a result that is too long for a prompt, and returns what replaces it. */
  keepLong(
    output: JsonValue,
    call: { readonly name: string; readonly callId: string; readonly sessionKey: string; readonly user: string },
  ): Promise<JsonValue>;
  /** Called when a tool said that its result comes later. */
  expectLater(pending: PendingCall, work: PendingWork): Promise<void>;
}

/** Runs tools that passed all checks, and turns their values into results. */
export type ToolRunner = ReturnType<typeof createToolRunner>;

export function createToolRunner({ redact, keepLong, expectLater }: ToolRunnerDeps) {
  /**
   * Runs one tool. Never throws: a failure is a result. The result is JSON, without secrets, and no longer than a
   * prompt shows.
   */
  async function run(
    tool: RegisteredTool,
    input: unknown,
    context: ToolContext,
    caller: ToolCaller,
  ): Promise<ToolResult> {
    const outcome = await attempt(tool, input, context);
    if (!outcome.ok) return refusal(outcome.error.code, redact(outcome.error.message));
    const { callId } = context;
    const { sessionKey: madeIn, user } = caller.speaker;
    const { sessionKey: home = madeIn } = caller.home ?? {};
    try {
      if (outcome.pending) {
        const call = { callId, name: tool.name, sessionKey: home, ...(home !== madeIn && { madeIn }) };
        await expectLater({ ...call, tell: whereabouts(caller) }, outcome.pending);
      }
      // The session in which the model reads the output.
      const sessionKey = caller.inTurn ? madeIn : home;
      const redacted = redact(outcome.output);
      const output = caller.wholeResult
        ? redacted
        : await keepLong(redacted, { name: tool.name, callId, sessionKey, user });
      return {
        ok: true,
        output,
        ...(outcome.forUser !== undefined && { forUser: redact(outcome.forUser) }),
        ...(outcome.reply !== undefined && { reply: redact(outcome.reply) }),
      };
    } catch (error) {
      return refusal("FAILED", `${tool.name} ran, but its result could not be kept: ${redact(messageOf(error))}`);
    }
  }

  return { run };
}

type Attempted =
  | {
      readonly ok: true;
      readonly output: JsonValue;
      readonly forUser?: JsonValue | null;
      readonly reply?: string;
      readonly pending?: PendingWork;
    }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } };

async function attempt(tool: RegisteredTool, input: unknown, context: ToolContext): Promise<Attempted> {
  try {
    const value = await untilAborted(tool.tool.execute(input as never, context), context.signal);
    if (!isToolOutcome(value)) return { ok: true, output: asJson(value, tool.name) };
    return {
      ok: true,
      output: asJson(value.forModel, tool.name),
      ...(value.silent ? { forUser: null } : value.forUser === undefined ? {} : { forUser: value.forUser }),
      ...(value.reply === undefined ? {} : { reply: value.reply }),
      ...(value.pending === undefined ? {} : { pending: value.pending }),
    };
  } catch (error) {
    if (error instanceof ToolError) return { ok: false, error: { code: error.code, message: error.message } };
    if (context.signal.aborted) {
      const message = `${tool.name} was stopped: ${messageOf(context.signal.reason)}`;
      return { ok: false, error: { code: "ABORTED", message } };
    }
    return { ok: false, error: { code: "FAILED", message: `${tool.name} failed: ${messageOf(error)}` } };
  }
}

/** Stops waiting for a tool when its turn ends, even if the tool ignores its signal; its late result has no effect. */
function untilAborted<T>(work: Promise<T> | T, signal: AbortSignal): Promise<T> | T {
  return work instanceof Promise ? abortable(work, signal) : work;
}

/** Where the person who asked for a call is notified of its result. */
function whereabouts({ speaker: { user, channel, account }, home, target = home?.target }: ToolCaller): NoticeAddress {
  if (target === undefined) return { user, channel, account };
  const { replyTo: _once, ...chat } = target;
  return { user, ...chat };
}
