import type { Clock } from "../clock.ts";
import type { Injection } from "../events/index.ts";
import type { PendingApproval } from "../reply.ts";
import type { NewRecord, Sessions, StepCall, StepRecord } from "../session/index.ts";
import { isAmong } from "../tool-lists.ts";
import type { RegisteredTool, ToolCaller, ToolDispatch, ToolResult } from "../tools/index.ts";
import type { Turn } from "./turn-at-work.ts";

export interface ToolCallsDeps {
  readonly dispatch: Pick<ToolDispatch, "find" | "visible" | "run">;
  readonly sessions: Pick<Sessions, "appendTurn">;
  /** The approval request of a call, if it asked the owner. */
  approvalOf(callId: string): Promise<{ readonly id: string; readonly code: string } | null>;
  /**
   * Tells what a call waited for that the call was cut off. A message did that before a
   * crash, so the target may not know.
   */
  letGo(call: {
    readonly sessionKey: string;
    readonly callId: string;
    readonly name: string;
    readonly input: unknown;
  }): Promise<void>;
  readonly clock: Clock;
}

/** The calls of one step, as the model asked for them. */
export type StepCalls = Pick<StepRecord, "step" | "calls">;

/** Calls per model answer. Further ones get an error as their result. */
const MAX_CALLS_A_STEP = 32;

/** Why calls do not begin. */
interface ToolError {
  readonly code: string;
  readonly message: string;
}

export const SKIPPED: ToolError = {
  code: "SKIPPED",
  message: "Not run: a new message came in before it began. Read that first",
};
const CUT_OFF = {
  code: "INTERRUPTED",
  message: "Cut off because a new message came in: it may or may not have had its effect. Check before you do it again",
};
const UNKNOWN_OUTCOME = {
  code: "INTERRUPTED",
  message: "The program stopped while this ran: it may or may not have had its effect. Check before you do it again",
};

/** Tool calls of turns: which tools are offered, and each call journaled before and after it runs. */
export type ToolCalls = ReturnType<typeof createToolCalls>;

export function createToolCalls({ dispatch, sessions, approvalOf, letGo, clock }: ToolCallsDeps) {
  /**
   * The tools that the model is shown.
   * @param excluded Tools that this turn may not call although the policy allows them.
   */
  function offered(caller: ToolCaller, excluded: readonly string[]): readonly RegisteredTool[] {
    const visible = dispatch.visible(caller);
    return excluded.length === 0 ? visible : visible.filter(({ name }) => !isAmong(excluded, name));
  }

  /** The calls of an answer. Calls that cannot run get an error. */
  function check(
    calls: readonly {
      readonly toolCallId: string;
      readonly name: string;
      readonly input: StepCall["input"];
      readonly invalid?: string | undefined;
    }[],
    excluded: readonly string[],
  ): readonly StepCall[] {
    return calls.map((call, index): StepCall => {
      const tooMany = index >= MAX_CALLS_A_STEP ? `No more than ${MAX_CALLS_A_STEP} calls in one step` : undefined;
      const tool = dispatch.find(call.name);
      const isKnown = tool && !isAmong(excluded, tool.name);
      const invalid = isKnown ? (call.invalid ?? tooMany) : `There is no tool ${JSON.stringify(call.name)}`;
      const { toolCallId, name, input } = call;
      return { toolCallId, name, input, ...(invalid === undefined ? {} : { invalid }) };
    });
  }

  /**
   * Runs a step's valid calls in parallel.
   * @returns The reply, if a call ended the turn with one.
   */
  async function run(turn: Turn, { step, calls }: StepCalls): Promise<string | undefined> {
    const replies = await allDone(
      calls.map(async (call, index) =>
        call.invalid === undefined
          ? runOne(turn, call, { step, index })
          : tellInvalid(turn, call, callIdOf(turn, { step, index })),
      ),
    );
    return replies.find((reply) => reply !== undefined);
  }

  /**
   * Finishes the calls of a step after a crash. A logged result stands. A call that had begun runs again only if its
   * tool is idempotent; otherwise the model is told that its outcome is unknown. A call that had not begun runs now.
   */
  async function finish(turn: Turn, { step, calls }: StepCalls): Promise<string | undefined> {
    const { session } = turn;
    const logged = (session.open?.tools ?? []).filter((record) => record.step === step);
    const replies = await allDone(
      calls.map(async (call, index) => {
        const records = logged.filter((record) => record.index === index);
        const done = records.find((record) => record.state === "done");
        if (done) {
          if (done.error?.code === CUT_OFF.code)
            await letGo({ sessionKey: session.key, callId: callIdOf(turn, { step, index }), ...call });
          return done.reply;
        }
        const common = { type: "tool", turn: turn.id, step, index, name: call.name } as const;
        const end = async (outcome: Pick<ToolRecordDone, "output" | "error" | "approvals">) => {
          await sessions.appendTurn(session, { ...common, state: "done", ...outcome, durationMs: 0 });
          return undefined;
        };
        if (call.invalid !== undefined) return end({ error: { code: "BAD_CALL", message: call.invalid } });
        const begun = records.length > 0;
        const waiting = begun ? await approvalOf(callIdOf(turn, { step, index })) : null;
        if (waiting) return end(awaiting(waiting, call));
        if (begun && !dispatch.find(call.name)?.idempotent) return end({ error: UNKNOWN_OUTCOME });
        if (!begun) await sessions.appendTurn(session, { ...common, state: "started" });
        return runOne(turn, call, { step, index });
      }),
    );
    return replies.find((reply) => reply !== undefined);
  }

  async function runOne(turn: Turn, call: StepCall, place: Place): Promise<string | undefined> {
    const { session, audience, stop } = turn;
    const callId = callIdOf(turn, place);
    audience.tell?.({ type: "tool-start", callId, name: call.name, input: call.input });
    const startedAt = clock.now();
    const injections: Injection[] = [];
    const approvals: PendingApproval[] = [];
    const { phase } = stop;
    const given = await dispatch.run(call.name, call.input, { ...audience.caller, signal: phase }, callId, {
      injected: (injection) => void injections.push(injection),
      asked(approval) {
        approvals.push(approval);
        audience.tell?.({ type: "approval", ...approval });
      },
    });
    // An aborted call has no result. A finished call has one, even if the turn was stopped in the meantime.
    if (!given.ok && "error" in given) stop.signal.throwIfAborted();
    const result: ToolResult = !given.ok && "error" in given && phase.aborted ? { ok: false, error: CUT_OFF } : given;
    const durationMs = clock.now() - startedAt;
    const record: NewRecord = {
      type: "tool",
      turn: turn.id,
      ...place,
      name: call.name,
      state: "done",
      durationMs,
      ...outcomeOf(call, result),
      ...(injections.length > 0 && { injections }),
      ...(approvals.length > 0 && { approvals }),
    };
    await sessions.appendTurn(session, record, { flush: false });
    const end = { type: "tool-end", callId, name: call.name, durationMs } as const;
    if (!result.ok && "approval" in result) audience.tell?.({ ...end, output: awaitingText(result.approval.code) });
    else if (!result.ok) audience.tell?.({ ...end, error: result.error });
    else if (result.forUser !== null) audience.tell?.({ ...end, output: result.forUser ?? result.output });
    stop.signal.throwIfAborted();
    return result.ok ? result.reply : undefined;
  }

  function outcomeOf(call: StepCall, result: ToolResult) {
    if (!result.ok && "approval" in result) return { output: awaitingText(result.approval.code) };
    const untrusted = dispatch.find(call.name)?.untrusted === true && ({ untrusted: true } as const);
    if (!result.ok) return { error: result.error, ...untrusted };
    return { output: result.output, ...untrusted, ...(result.reply !== undefined && { reply: result.reply }) };
  }

  /** A call that asked for approval before the crash. Its answer may already exist. */
  function awaiting({ id, code }: { readonly id: string; readonly code: string }, call: StepCall) {
    const name = dispatch.find(call.name)?.name ?? call.name;
    return { output: awaitingText(code), approvals: [{ id, code, name, input: call.input }] };
  }

  return { offered, check, run, finish };
}

/** The place of a call in its turn. */
interface Place {
  readonly step: number;
  readonly index: number;
}

type ToolRecordDone = Extract<NewRecord, { readonly type: "tool" }>;

/** Identifies a call. Providers reuse their own ids. */
function callIdOf({ id }: Turn, { step, index }: Place): string {
  return `${id}.${step}.${index}`;
}

/**
 * The tool records that are logged with a step before any tool runs: calls that begin,
 * and results of those that cannot.
 */
export function firstToolRecords(turn: string, { step, calls }: StepCalls, skipped?: ToolError): NewRecord[] {
  return calls.map((call, index): NewRecord => {
    const common = { type: "tool", turn, step, index, name: call.name } as const;
    if (skipped) return { ...common, state: "done", error: skipped, durationMs: 0 };
    if (call.invalid === undefined) return { ...common, state: "started" };
    return { ...common, state: "done", error: { code: "BAD_CALL", message: call.invalid }, durationMs: 0 };
  });
}

/** The model reads this instead of a result while the owner is asked. The turn goes on, and the session stays free. */
function awaitingText(code: string): string {
  return `awaiting approval ${code}: the owner has been asked and nothing ran yet. Its result will come as a message of its own; do not call it again, and say that it waits`;
}

function tellInvalid({ audience }: Turn, { name, input, invalid = "" }: StepCall, callId: string): undefined {
  audience.tell?.({ type: "tool-start", callId, name, input });
  audience.tell?.({ type: "tool-end", callId, name, error: { code: "BAD_CALL", message: invalid }, durationMs: 0 });
}

/**
 * Like `Promise.all`, but waits for all calls even if one fails. A call left running would lose its
 * result and count as interrupted.
 */
async function allDone<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(work);
  return settled.map((one) => {
    if (one.status === "rejected") throw one.reason;
    return one.value;
  });
}
