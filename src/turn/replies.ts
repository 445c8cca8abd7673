import type { Channel, Target } from "../channel.ts";
import type { Clock } from "../clock.ts";
import { AssistantError } from "../errors.ts";
import { type Outbox, splitText } from "../outbox/index.ts";
import type { ToolCallReport, Usage } from "../reply.ts";
import {
  type InRecord,
  type NewRecord,
  type OutRecord,
  type Session,
  type Sessions,
  type StepRecord,
  type ToolRecord,
  type Waiters,
  standingOf,
} from "../session/index.ts";
import type { Metrics } from "../telemetry/index.ts";
import type { ToolDispatch } from "../tools/index.ts";
import { turnText } from "./texts.ts";
import type { Turn } from "./turn-at-work.ts";

export type NewStep = Omit<StepRecord, "v" | "at">;

/** How a turn's steps ended. */
export interface Ending {
  /** The last step, if it is not logged yet. */
  readonly step?: NewStep;
  readonly text: string;
  readonly error?: { readonly code: string; readonly message: string };
}

/** What a turn answers and where its reply goes. */
export interface Answered {
  readonly id: string;
  readonly of: readonly string[];
  readonly text: string;
  readonly target: Target | undefined;
  readonly seen: number;
}

export interface RepliesDeps {
  readonly sessions: Pick<Sessions, "appendTurn" | "addUnhanded" | "takeUnhanded">;
  readonly outbox: Pick<Outbox, "enqueue">;
  readonly waiters: Pick<Waiters, "settle">;
  channel(target: Pick<Target, "channel" | "account">): Channel | undefined;
  /** Address for a person whom only the host program reaches. */
  hostTarget(user: string, sessionKey: string): Target;
  readonly findTool: ToolDispatch["find"];
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/** A reply of exactly this word, in any case, is silence. Inside a longer text it is an ordinary word. */
const SILENCE = /^\s*NO_REPLY\s*$/i;

/** Ends turns: journals the reply, hands it to the outbox, and resolves waiters. */
export type Replies = ReturnType<typeof createReplies>;

export function createReplies({
  sessions,
  outbox,
  waiters,
  channel,
  hostTarget,
  findTool,
  clock,
  metrics,
}: RepliesDeps) {
  /**
   * Appends the reply with the last step and hands it to the outbox in the same tick, so
   * that both become durable together.
   */
  async function end(turn: Turn, ending: Ending): Promise<OutRecord> {
    const { id, session, seen, audience } = turn;
    const { messages, newest } = audience;
    const { target } = newest;
    const isOpen = session.open?.id === id;
    const logged = isOpen ? (session.open?.steps ?? []) : [];
    const steps = ending.step ? [...logged, ending.step] : logged;
    const tools = isOpen ? (session.open?.tools ?? []) : [];
    const sent = sentTexts(steps, tools, `${newest.channel}:${newest.peer.id}`);
    const text = target
      ? ending.text
      : [...sent, SILENCE.test(ending.text) ? "" : ending.text].filter(isNew).join("\n\n");
    const silent = text.trim() === "" || SILENCE.test(text) || (target !== undefined && sent.includes(text.trim()));
    const to = target ?? (isUnasked(newest) ? hostTarget(newest.user, session.key) : undefined);
    const limits = to && channel(to)?.limits;
    const of = messages.map((message) => message.id);
    const out: Omit<OutRecord, "v" | "at"> = {
      type: "out",
      turn: id,
      of,
      text: silent ? "" : text,
      silent,
      parts:
        silent || !to ? [] : limits ? splitText(text, { maxLength: limits.maxTextLength, unit: limits.unit }) : [text],
      ...(to && { target: to }),
      toolCalls: toolReports(steps, tools),
      ...waitingCalls(tools),
      usage: steps.reduce(addUsage, { inputTokens: 0, outputTokens: 0 }),
      steps: steps.length,
      ...(ending.error && { error: ending.error }),
      ...(steps.length === 0 && { seen }),
      ...standingOf({ ...session, open: undefined }, of),
    };
    const records: NewRecord[] = ending.step ? [ending.step, out] : [out];
    await appendAndQueue(session, records, out);
    return { ...out, v: 1, at: clock.now() };
  }

  /** Ends a turn that could not run, without any step that could fail again. The person is told that it failed. */
  async function fail(session: Session, { id, of, target, seen, text: said }: Answered): Promise<OutRecord> {
    const text = turnText("FAILED", said);
    const out: Omit<OutRecord, "v" | "at"> = {
      type: "out",
      turn: id,
      of,
      text,
      silent: false,
      parts: target ? [text] : [],
      ...(target && { target }),
      toolCalls: [],
      usage: { inputTokens: 0, outputTokens: 0 },
      steps: 0,
      error: { code: "FAILED", message: "The turn could not be run; the log of the program says why" },
      seen,
      ...standingOf({ ...session, open: undefined }, of),
    };
    await appendAndQueue(session, [out], out);
    return { ...out, v: 1, at: clock.now() };
  }

  /**
   * Appends and queues in one tick, so that both become durable together. A reply that the outbox did not take is
   * handed over again when the session is next handled.
   */
  async function appendAndQueue(
    session: Session,
    records: readonly NewRecord[],
    { turn, target, parts }: Pick<OutRecord, "turn" | "target" | "parts">,
  ): Promise<void> {
    const appended = sessions.appendTurn(session, records);
    const queued = target && parts.length > 0 ? outbox.enqueue(target, { session: session.key, turn }) : undefined;
    const [append, queue] = await Promise.allSettled([appended, queued]);
    const failed = [append, queue].find((result) => result.status === "rejected");
    if (!failed) return;
    // Also if the append failed: a store can have written the reply although its answer was lost.
    if (!AssistantError.is(failed.reason, "CONFLICT")) sessions.addUnhanded(session.key, turn);
    throw failed.reason;
  }

  function toolReports(steps: readonly StepCalls[], tools: readonly ToolRecord[]): readonly ToolCallReport[] {
    return steps.flatMap((step) =>
      step.calls.map((call, index): ToolCallReport => {
        const done = doneOf(tools, step, index);
        const name = findTool(call.name)?.name ?? call.name;
        const common = { name, input: call.input, durationMs: done?.durationMs ?? 0 };
        if (done?.error) return { ...common, error: done.error };
        if (done) return { ...common, output: done.output ?? null };
        return { ...common, error: { code: "INTERRUPTED", message: "The turn ended before the call did" } };
      }),
    );
  }

  /** Resolves waiters in this process and counts the turn. */
  function settle(session: Session, out: OutRecord, seconds: number): void {
    waiters.settle(session.key, out);
    metrics.increment("turn.run_total", { status: statusOf(out) });
    metrics.observe("turn.seconds", seconds);
    metrics.increment("turn.tokens_total", { kind: "input" }, out.usage.inputTokens);
    metrics.increment("turn.tokens_total", { kind: "output" }, out.usage.outputTokens);
  }

  /** Hands over replies that a crash kept from the outbox: an `out` is durable before its delivery is requested. */
  async function recover({ key }: Session): Promise<void> {
    for (const { record } of sessions.takeUnhanded(key)) {
      if (!record.target) continue;
      await outbox.enqueue(record.target, { session: key, turn: record.turn }).catch((error: unknown) => {
        sessions.addUnhanded(key, record.turn);
        throw error;
      });
    }
  }

  return { end, fail, settle, recover };
}

type StepCalls = Pick<StepRecord, "step" | "calls">;

export function statusOf({ error }: OutRecord): "completed" | "failed" | "aborted" {
  if (!error) return "completed";
  return error.code === "ABORTED" ? "aborted" : "failed";
}

/**
 * Whether the host program must deliver the reply, because no caller waits for it and no channel takes it. The
 * terminal and the page read it in the log. The result of work is delivered by what began the work.
 */
function isUnasked({ source, origin, target, channel }: InRecord): boolean {
  return source !== undefined && origin === undefined && target === undefined && channel !== "cli" && channel !== "web";
}

/** Texts that the `message` tool sent to the turn's own chat. */
function sentTexts(steps: readonly StepCalls[], tools: readonly ToolRecord[], ownChat: string): readonly string[] {
  return steps.flatMap((step) =>
    step.calls.flatMap((call, index) => {
      if (call.name !== "message") return [];
      const { text, to } = (call.input ?? {}) as { text?: unknown; to?: unknown };
      const done = doneOf(tools, step, index);
      return typeof text === "string" && (to === undefined || to === ownChat) && done && !done.error
        ? [text.trim()]
        : [];
    }),
  );
}

function doneOf(tools: readonly ToolRecord[], { step }: StepCalls, index: number): ToolRecord | undefined {
  return tools.find((tool) => tool.step === step && tool.index === index && tool.state === "done");
}

function isNew(text: string, index: number, all: readonly string[]): boolean {
  return text !== "" && all.findIndex((other) => other.trim() === text.trim()) === index;
}

function waitingCalls(tools: readonly ToolRecord[]): Pick<OutRecord, "approvals"> {
  const approvals = tools.flatMap((record) => record.approvals ?? []);
  return approvals.length > 0 ? { approvals } : {};
}

function addUsage(sum: Usage, { usage }: Pick<StepRecord, "usage">): Usage {
  const cached = (sum.cachedInputTokens ?? 0) + (usage.cachedInputTokens ?? 0);
  return {
    inputTokens: sum.inputTokens + usage.inputTokens,
    outputTokens: sum.outputTokens + usage.outputTokens,
    ...(cached > 0 && { cachedInputTokens: cached }),
  };
}
