import { type ModelAnswer, withoutFiles } from "../agent/index.ts";
import { type PromptMessage, injectedMessage, joinedMessages, showInjections, stepMessages } from "../context/index.ts";
import { AssistantError } from "../errors.ts";
import { type Injection, publishForInjections } from "../events/index.ts";
import type { PendingApproval } from "../reply.ts";
import type { LoggedTurn, NewRecord, StepCall, StepRecord } from "../session/index.ts";
import type { ToolResult } from "../tools/index.ts";
import { ask } from "./ask.ts";
import { askingOf, learnFrom, learnFromOverflow, makeRoom } from "./compaction.ts";
import { keepFiles, stopShowing } from "./files.ts";
import { type Joined, join, joinable } from "./joining.ts";
import type { TurnParts, Work } from "./parts.ts";
import type { Ending } from "./reply.ts";
import { runtimeText } from "./texts.ts";
import { isLeftForLater, stoppedByPerson } from "./turn-stop.ts";

/** Calls that one answer of the model may ask for; further ones get an error as their result. */
const MOST_CALLS_A_STEP = 32;

export type NewStep = Omit<StepRecord, "v" | "at">;

/** Model, tools, model, tools, until the model has nothing more to call. A resumed turn enters after its last record. */
export async function takeSteps(parts: TurnParts, work: Work): Promise<Ending> {
  const { session, agent, newest } = work;
  const isOpen = session.open?.id === work.id;
  const logged = isOpen ? (session.open?.steps ?? []) : [];
  const last = logged.at(-1);
  if (last?.calls.length === 0) return { text: last.text };
  if (last) {
    const reply = await finishCalls(parts, work, last);
    if (reply !== undefined) return { text: reply };
  }
  // What the turn itself adds behind the prompt that it began with.
  const own = isOpen && session.open ? ownMessages(session.open) : [];

  // Those that joined for a model call which was cut off are logged with the one that is not.
  let before: Joined = {};
  for (let number = logged.length; number < agent.maxSteps;) {
    work.stop.goOn();
    // Said in another process, or before anybody here knew of this turn.
    if (session.stoppedAt > work.seen) throw stoppedByPerson();
    const joining = join(parts, work);
    if (joining.joined) work.messages = await keepFiles(parts, session, work.messages, work.signal);
    before = both(before, joining);
    own.push(...joinedMessages(work.messages, joining));
    const injected = await injectedBefore(parts, work, number);
    // The last step may call nothing, so that it has to be an answer.
    const isLast = number === agent.maxSteps - 1;
    let answer: ModelAnswer;
    try {
      answer = await askWithRoom(parts, work, withInjected(own, injected), isLast ? "none" : "auto");
    } catch (error) {
      if (!isLeftForLater(error) && work.stop.goOn()) continue;
      throw error;
    }
    const step: NewStep = {
      ...newStep(parts, work, answer, number),
      ...before,
      ...(injected !== undefined && { injected }),
    };
    before = {};
    if (step.calls.length === 0) return { step, text: answer.text };
    if (isLast) {
      const text = answer.text.trim() || runtimeText("STEP_LIMIT", newest.text);
      const message = { role: "assistant", content: [{ type: "text", text }] };
      return { step: { ...step, message, text, calls: [] }, text };
    }
    // What the person says now may make these calls wrong, so none of them begins.
    const skipped = joinable(parts, work).length > 0;
    await parts.sessions.appendTurn(session, [step, ...firstToolRecords(work, step, skipped)]);
    const reply = skipped ? undefined : await runCalls(parts, work, step);
    if (reply !== undefined) return { text: reply };
    own.push(...stepMessages(step, session.open?.tools ?? []));
    number += 1;
  }
  return { text: runtimeText("STEP_LIMIT", newest.text) };
}

/** What a turn that is taken up again had added to its prompt. */
function ownMessages({ inputs, steps, tools }: LoggedTurn): PromptMessage[] {
  return steps.flatMap((step) => [...joinedMessages(inputs, step), ...stepMessages(step, tools)]);
}

/** What joined for two model calls, of which the first was cut off. */
function both(one: Joined, other: Joined): Joined {
  const joined = [...(one.joined ?? []), ...(other.joined ?? [])];
  return joined.length === 0 ? {} : { joined, ...((one.brokeIn ?? other.brokeIn) && { brokeIn: true }) };
}

/** One model call with a prompt that fits the window; once more with a shorter one when the provider says that it did not. */
async function askWithRoom(
  parts: TurnParts,
  work: Work,
  own: readonly PromptMessage[],
  toolChoice: "auto" | "none",
): Promise<ModelAnswer> {
  const call = (shown: readonly PromptMessage[]) => {
    const { instructions, messages } = work.context;
    return ask(parts, askingOf(work), {
      instructions,
      messages: withoutFiles(shown.length === 0 ? messages : [...messages, ...shown], work.unshown),
      tools: work.tools,
      toolChoice,
    });
  };
  let shown = await makeRoom(parts, work, own);
  let answer: ModelAnswer;
  try {
    answer = await call(shown);
  } catch (error) {
    if (!AssistantError.is(error, "CONTEXT_OVERFLOW")) throw error;
    learnFromOverflow(parts, work, shown);
    shown = await makeRoom(parts, work, own, true);
    answer = await call(shown);
  }
  if (answer.unshown) await stopShowing(parts, work, answer);
  learnFrom(parts, work, shown, { model: answer.model, inputTokens: answer.usage.inputTokens });
  return answer;
}

/** What hooks injected around the tools of the step before, and now: shown to this model call, and journaled with its answer. */
async function injectedBefore(
  { events, clock }: TurnParts,
  { id, session, injectionTokens, withMemory }: Work,
  number: number,
): Promise<string | undefined> {
  const around = (session.open?.tools ?? []).flatMap(({ step, injections = [] }) =>
    step === number - 1 ? injections : [],
  );
  const now: readonly Injection[] = events.has("iteration.started")
    ? await publishForInjections(events, (inject) => ({
        type: "iteration.started",
        sessionId: session.key,
        timestamp: clock.now(),
        payload: { taskId: id, step: number + 1, inject },
      }))
    : [];
  const wanted = [...around, ...now].filter(({ type }) => withMemory || type !== "memory_recall");
  return wanted.length === 0 ? undefined : showInjections(wanted, injectionTokens).text;
}

function withInjected(messages: readonly PromptMessage[], injected: string | undefined): readonly PromptMessage[] {
  return injected === undefined ? messages : [...messages, injectedMessage(injected)];
}

function newStep({ dispatch }: TurnParts, work: Work, answer: ModelAnswer, number: number): NewStep {
  const calls = answer.calls.map((call, index): StepCall => {
    const tooMany = index >= MOST_CALLS_A_STEP ? `No more than ${MOST_CALLS_A_STEP} calls in one step` : undefined;
    const tool = dispatch.find(call.name);
    const invalid =
      tool && !work.excludedTools.includes(tool.name)
        ? (call.invalid ?? tooMany)
        : `There is no tool ${JSON.stringify(call.name)}`;
    return {
      toolCallId: call.toolCallId,
      name: call.name,
      input: call.input,
      ...(invalid === undefined ? {} : { invalid }),
    };
  });
  const { block } = work.context;
  return {
    type: "step",
    turn: work.id,
    step: number,
    ...(number === 0 && {
      of: work.messages.map((message) => message.id),
      seen: work.seen,
      ...(block !== undefined && { block }),
      ...(work.summarized.length > 0 && { summarized: work.summarized }),
    }),
    message: answer.message,
    text: answer.text,
    calls,
    usage: answer.usage,
    finish: answer.finish,
    model: answer.model,
  };
}

const SKIPPED = { code: "SKIPPED", message: "Not run: a new message came in before it began. Read that first" };
const CUT_OFF = {
  code: "INTERRUPTED",
  message: "Cut off because a new message came in: it may or may not have had its effect. Check before you do it again",
};

/** What stands in the log with the step, before any tool runs: which calls begin, and the results of those that cannot. */
function firstToolRecords(work: Work, step: NewStep, skipped: boolean): NewRecord[] {
  return step.calls.map((call, index): NewRecord => {
    const common = { type: "tool", turn: work.id, step: step.step, index, name: call.name } as const;
    if (skipped) return { ...common, state: "done", error: SKIPPED, durationMs: 0 };
    if (call.invalid === undefined) return { ...common, state: "started" };
    return { ...common, state: "done", error: { code: "BAD_CALL", message: call.invalid }, durationMs: 0 };
  });
}

/** Runs a step's valid calls side by side. @returns The reply, if a call ended the turn with one. */
async function runCalls(
  parts: TurnParts,
  work: Work,
  step: Pick<StepRecord, "step" | "calls">,
): Promise<string | undefined> {
  const replies = await allDone(
    step.calls.map((call, index) =>
      call.invalid === undefined
        ? runCall(parts, work, step.step, index, call)
        : tellInvalid(parts, work, step.step, index, call),
    ),
  );
  return replies.find((reply) => reply !== undefined);
}

/**
 * The calls of a step that a crash cut off: a result that is logged stands; a call that had begun runs again only if its tool is idempotent,
 * otherwise the model is told that nobody knows what it did; one that had not begun runs now.
 */
async function finishCalls(parts: TurnParts, work: Work, step: StepRecord): Promise<string | undefined> {
  const { session } = work;
  const logged = (session.open?.tools ?? []).filter((record) => record.step === step.step);
  const replies = await allDone(
    step.calls.map(async (call, index) => {
      const records = logged.filter((record) => record.index === index);
      const done = records.find((record) => record.state === "done");
      if (done) return done.reply;
      const common = { type: "tool", turn: work.id, step: step.step, index, name: call.name } as const;
      if (call.invalid !== undefined) {
        await parts.sessions.appendTurn(session, {
          ...common,
          state: "done",
          error: { code: "BAD_CALL", message: call.invalid },
          durationMs: 0,
        });
        return undefined;
      }
      const begun = records.length > 0;
      const waiting = begun ? await parts.approvalOf(`${work.id}.${step.step}.${index}`) : null;
      if (waiting) {
        await parts.sessions.appendTurn(session, {
          ...common,
          state: "done",
          ...awaiting(parts, waiting, call),
          durationMs: 0,
        });
        return undefined;
      }
      if (begun && !parts.dispatch.find(call.name)?.idempotent) {
        const error = {
          code: "INTERRUPTED",
          message:
            "The program stopped while this ran: it may or may not have had its effect. Check before you do it again",
        };
        await parts.sessions.appendTurn(session, { ...common, state: "done", error, durationMs: 0 });
        return undefined;
      }
      if (!begun) await parts.sessions.appendTurn(session, { ...common, state: "started" });
      return runCall(parts, work, step.step, index, call);
    }),
  );
  return replies.find((reply) => reply !== undefined);
}

async function runCall(
  parts: TurnParts,
  work: Work,
  step: number,
  index: number,
  call: StepCall,
): Promise<string | undefined> {
  const { clock, dispatch, sessions } = parts;
  const callId = `${work.id}.${step}.${index}`;
  work.tell?.({ type: "tool-start", callId, name: call.name, input: call.input });
  const startedAt = clock.now();
  const injections: Injection[] = [];
  const approvals: PendingApproval[] = [];
  const { phase } = work.stop;
  const given = await dispatch.run(call.name, call.input, { ...work.caller, signal: phase }, callId, {
    injected: (injection) => void injections.push(injection),
    asked(approval) {
      approvals.push(approval);
      work.tell?.({ type: "approval", ...approval });
    },
  });
  // A call that was cut off has no result; one that finished has, also when the turn was stopped meanwhile.
  if (!given.ok && "error" in given) work.signal.throwIfAborted();
  const result: ToolResult = !given.ok && "error" in given && phase.aborted ? { ok: false, error: CUT_OFF } : given;
  const durationMs = clock.now() - startedAt;
  const outcome = outcomeOf(parts, call, result);
  const record: NewRecord = {
    type: "tool",
    turn: work.id,
    step,
    index,
    name: call.name,
    state: "done",
    durationMs,
    ...outcome,
    ...(injections.length > 0 && { injections }),
    ...(approvals.length > 0 && { approvals }),
  };
  await sessions.appendTurn(work.session, record, { flush: false });
  const end = { type: "tool-end", callId, name: call.name, durationMs } as const;
  if (!result.ok && "approval" in result) work.tell?.({ ...end, output: awaitingText(result.approval.code) });
  else if (!result.ok) work.tell?.({ ...end, error: result.error });
  else if (result.forUser !== null) work.tell?.({ ...end, output: result.forUser ?? result.output });
  work.signal.throwIfAborted();
  return result.ok ? result.reply : undefined;
}

function outcomeOf({ dispatch }: TurnParts, call: StepCall, result: ToolResult) {
  if (!result.ok && "approval" in result) return { output: awaitingText(result.approval.code) };
  const untrusted = dispatch.find(call.name)?.untrusted === true && ({ untrusted: true } as const);
  if (!result.ok) return { error: result.error, ...untrusted };
  return { output: result.output, ...untrusted, ...(result.reply !== undefined && { reply: result.reply }) };
}

/** A call that asked before the crash: its answer may be there already. */
function awaiting(
  { dispatch }: TurnParts,
  { id, code }: { readonly id: string; readonly code: string },
  call: StepCall,
) {
  const name = dispatch.find(call.name)?.name ?? call.name;
  return { output: awaitingText(code), approvals: [{ id, code, name, input: call.input }] };
}

/** What the model reads instead of a result while the owner is asked: the turn goes on, and the session stays free. */
function awaitingText(code: string): string {
  return `awaiting approval ${code}: the owner has been asked and nothing ran yet. Its result will come as a message of its own; do not call it again, and say that it waits`;
}

async function tellInvalid(
  _parts: TurnParts,
  work: Work,
  step: number,
  index: number,
  call: StepCall,
): Promise<undefined> {
  const callId = `${work.id}.${step}.${index}`;
  work.tell?.({ type: "tool-start", callId, name: call.name, input: call.input });
  work.tell?.({
    type: "tool-end",
    callId,
    name: call.name,
    error: { code: "BAD_CALL", message: call.invalid ?? "" },
    durationMs: 0,
  });
}

/** As `Promise.all`, but no call is left running behind a failure: its result would come to nothing, and the call would be taken for interrupted. */
async function allDone<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(work);
  return settled.map((one) => {
    if (one.status === "rejected") throw one.reason;
    return one.value;
  });
}
