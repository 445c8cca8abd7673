import type { Target } from "../channel.ts";
import { AssistantError } from "../errors.ts";
import { splitText } from "../outbox/index.ts";
import type { Reply, ToolCallReport, Usage } from "../reply.ts";
import {
  type InRecord,
  type NewRecord,
  type OutRecord,
  type Session,
  type StepRecord,
  type ToolRecord,
  standingOf,
} from "../session/index.ts";
import type { TurnParts, Work } from "./parts.ts";
import type { NewStep } from "./steps.ts";
import { runtimeText } from "./texts.ts";

/** How a turn's steps ended. */
export interface Ending {
  /** The last step, when it is not in the log yet. */
  readonly step?: NewStep;
  readonly text: string;
  readonly error?: { readonly code: string; readonly message: string };
}

/** A reply of exactly this word, in any case, is silence; inside a longer text it is a word like any other. */
const SILENCE = /^\s*NO_REPLY\s*$/i;

/** Appends the reply, together with the last step, and hands it to the outbox in the same tick, so that both share one durable point. */
export async function appendReply(parts: TurnParts, work: Work, ending: Ending): Promise<OutRecord> {
  const { clock } = parts;
  const { session, newest } = work;
  const { target } = newest;
  const steps = stepsOf(work, ending);
  const tools = session.open?.id === work.id ? session.open.tools : [];
  const sent = sentTexts(steps, tools, `${newest.channel}:${newest.peer.id}`);
  const text = target
    ? ending.text
    : [...sent, SILENCE.test(ending.text) ? "" : ending.text].filter(isNew).join("\n\n");
  const silent = text.trim() === "" || SILENCE.test(text) || (target !== undefined && sent.includes(text.trim()));
  const to = target ?? (isUnasked(newest) ? parts.hostTarget(newest.user, session.key) : undefined);
  const limits = to && parts.channel(to)?.limits;
  const out: Omit<OutRecord, "v" | "at"> = {
    type: "out",
    turn: work.id,
    of: work.messages.map((message) => message.id),
    text: silent ? "" : text,
    silent,
    parts:
      silent || !to ? [] : limits ? splitText(text, { maxLength: limits.maxTextLength, unit: limits.unit }) : [text],
    ...(to && { target: to }),
    toolCalls: toolReports(steps, tools, parts),
    ...waitingCalls(tools),
    usage: steps.reduce(addUsage, { inputTokens: 0, outputTokens: 0 }),
    steps: steps.length,
    ...(ending.error && { error: ending.error }),
    ...(steps.length === 0 && { seen: work.seen }),
    ...standingOf(
      { ...session, open: undefined },
      work.messages.map((message) => message.id),
    ),
  };
  const records: NewRecord[] = ending.step ? [ending.step, out] : [out];
  await appendAndQueue(parts, work, records, out);
  return { ...out, v: 1, at: clock.now() };
}

/** What nobody waits for, and no channel takes, is delivered to the host program; the terminal and the page read it in the log. */
function isUnasked({ source, target, channel }: InRecord): boolean {
  return source !== undefined && target === undefined && channel !== "cli" && channel !== "web";
}

/** Both in one tick, so that they share one durable point; a reply that the outbox did not take is handed to it when the session is next looked at. */
async function appendAndQueue(
  { sessions, outbox }: TurnParts,
  { session, id }: Pick<Work, "session" | "id">,
  records: readonly NewRecord[],
  { target, parts }: Pick<OutRecord, "target" | "parts">,
): Promise<void> {
  const appended = sessions.appendTurn(session, records);
  const queued = target && parts.length > 0 ? outbox.enqueue(target, { session: session.key, turn: id }) : undefined;
  const [append, queue] = await Promise.allSettled([appended, queued]);
  const failed = [append, queue].find((result) => result.status === "rejected");
  if (!failed) return;
  // Also when the reply itself was not taken: a store may have written it although its answer was lost.
  if (!AssistantError.is(failed.reason, "CONFLICT")) sessions.addUnhanded(session.key, id);
  throw failed.reason;
}

/** What a turn answers and where its reply goes. */
export interface Answered {
  readonly id: string;
  readonly of: readonly string[];
  readonly text: string;
  readonly target: Target | undefined;
  readonly seen: number;
}

/** Ends a turn that could not be run, with nothing that could fail again: the person hears that it failed. */
export async function appendFailure(parts: TurnParts, session: Session, answered: Answered): Promise<OutRecord> {
  const { id, of, target, seen } = answered;
  const text = runtimeText("FAILED", answered.text);
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
  await appendAndQueue(parts, { session, id }, [out], out);
  return { ...out, v: 1, at: parts.clock.now() };
}

/** What the caller of `send` gets. */
export function toReply(sessionKey: string, out: OutRecord): Reply {
  return {
    turnId: out.turn,
    sessionKey,
    text: out.text,
    silent: out.silent,
    toolCalls: out.toolCalls,
    approvals: out.approvals ?? [],
    usage: out.usage,
    steps: out.steps,
    ...(out.error && { error: out.error }),
  };
}

function stepsOf({ session, id }: Work, ending: Ending): readonly NewStep[] {
  const logged = session.open?.id === id ? session.open.steps : [];
  return ending.step ? [...logged, ending.step] : logged;
}

/** Texts that the `message` tool sent to the turn's own chat. */
function sentTexts(
  steps: readonly Pick<StepRecord, "step" | "calls">[],
  tools: readonly ToolRecord[],
  ownChat: string,
): readonly string[] {
  return steps.flatMap((step) =>
    step.calls.flatMap((call, index) => {
      if (call.name !== "message") return [];
      const { text, to } = (call.input ?? {}) as { text?: unknown; to?: unknown };
      const done = tools.find((tool) => tool.step === step.step && tool.index === index && tool.state === "done");
      return typeof text === "string" && (to === undefined || to === ownChat) && done && !done.error
        ? [text.trim()]
        : [];
    }),
  );
}

function isNew(text: string, index: number, all: readonly string[]): boolean {
  return text !== "" && all.findIndex((other) => other.trim() === text.trim()) === index;
}

function toolReports(
  steps: readonly Pick<StepRecord, "step" | "calls">[],
  tools: readonly ToolRecord[],
  { dispatch }: TurnParts,
): readonly ToolCallReport[] {
  return steps.flatMap((step) =>
    step.calls.map((call, index): ToolCallReport => {
      const done = tools.find((tool) => tool.step === step.step && tool.index === index && tool.state === "done");
      const name = dispatch.find(call.name)?.name ?? call.name;
      const common = { name, input: call.input, durationMs: done?.durationMs ?? 0 };
      if (done?.error) return { ...common, error: done.error };
      if (done) return { ...common, output: done.output ?? null };
      return { ...common, error: { code: "INTERRUPTED", message: "The turn ended before the call did" } };
    }),
  );
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
