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
  /** The request of a call that asked the owner. */
  approvalOf(callId: string): Promise<{ readonly id: string; readonly code: string } | null>;
  /** A message cut this call off before a crash: what it waited for may not know that. */
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

/** Calls that one answer of the model may ask for; further ones get an error as their result. */
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

/** Tool calls of turns: what is offered, and each call journaled before it runs and after. */
export type ToolCalls = ReturnType<typeof createToolCalls>;

export function createToolCalls({ dispatch, sessions, approvalOf, letGo, clock }: ToolCallsDeps) {
  /** What the model is shown. @param excluded Tools that this turn may not call although the policy would let it. */
  function offered(caller: ToolCaller, excluded: readonly string[]): readonly RegisteredTool[] {
    const visible = dispatch.visible(caller);
    return excluded.length === 0 ? visible : visible.filter(({ name }) => !isAmong(excluded, name));
  }

  /** The calls of an answer, with what is wrong with those that cannot run. */
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

  /** Runs a step's valid calls side by side. @returns The reply, if a call ended the turn with one. */
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
   * The calls of a step that a crash cut off: a result that is logged stands; a call that had begun runs again only if its tool is idempotent,
   * otherwise the model is told that nobody knows what it did; one that had not begun runs now.
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
    // A call that was cut off has no result; one that finished has, also when the turn was stopped meanwhile.
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

  /** A call that asked before the crash: its answer may be there already. */
  function awaiting({ id, code }: { readonly id: string; readonly code: string }, call: StepCall) {
    const name = dispatch.find(call.name)?.name ?? call.name;
    return { output: awaitingText(code), approvals: [{ id, code, name, input: call.input }] };
  }

  return { offered, check, run, finish };
}

/** Where a call stands in its turn. */
interface Place {
  readonly step: number;
  readonly index: number;
}

type ToolRecordDone = Extract<NewRecord, { readonly type: "tool" }>;

/** Providers use their own ids again. */
function callIdOf({ id }: Turn, { step, index }: Place): string {
  return `${id}.${step}.${index}`;
}

/** What stands in the log with the step, before any tool runs: which calls begin, and the results of those that cannot. */
export function firstToolRecords(turn: string, { step, calls }: StepCalls, skipped?: ToolError): NewRecord[] {
  return calls.map((call, index): NewRecord => {
    const common = { type: "tool", turn, step, index, name: call.name } as const;
    if (skipped) return { ...common, state: "done", error: skipped, durationMs: 0 };
    if (call.invalid === undefined) return { ...common, state: "started" };
    return { ...common, state: "done", error: { code: "BAD_CALL", message: call.invalid }, durationMs: 0 };
  });
}

/** What the model reads instead of a result while the owner is asked: the turn goes on, and the session stays free. */
function awaitingText(code: string): string {
  return `awaiting approval ${code}: the owner has been asked and nothing ran yet. Its result will come as a message of its own; do not call it again, and say that it waits`;
}

function tellInvalid({ audience }: Turn, { name, input, invalid = "" }: StepCall, callId: string): undefined {
  audience.tell?.({ type: "tool-start", callId, name, input });
  audience.tell?.({ type: "tool-end", callId, name, error: { code: "BAD_CALL", message: invalid }, durationMs: 0 });
}

/** As `Promise.all`, but no call is left running behind a failure: its result would come to nothing, and the call would be taken for interrupted. */
async function allDone<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(work);
  return settled.map((one) => {
    if (one.status === "rejected") throw one.reason;
    return one.value;
  });
}
