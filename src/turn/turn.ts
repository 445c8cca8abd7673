import { isUnstored } from "../artifacts/index.ts";
import {
  DEFAULT_HISTORY_TOKENS,
  DEFAULT_INJECTION_TOKENS,
  beginningOf,
  buildContext,
  prepareContext,
  withInjections,
} from "../context/index.ts";
import { AssistantError, messageOf } from "../errors.ts";
import { type Injection, publishForInjections } from "../events/index.ts";
import { type InRecord, type LoggedTurn, type OutRecord, type Session, parseSessionKey } from "../session/index.ts";
import { commandText } from "./command-texts.ts";
import { askingOf, compact } from "./compaction.ts";
import { keepFiles } from "./files.ts";
import { hubKey } from "./hub.ts";
import { joinable, offeredTools, speakersOf } from "./joining.ts";
import type { TurnParts, Work } from "./parts.ts";
import { type Answered, type Ending, appendFailure, appendReply, toReply } from "./reply.ts";
import { takeSteps } from "./steps.ts";
import { languageIn, runtimeText } from "./texts.ts";
import { type TurnStop, createTurnStop, isLeftForLater, stoppedByPerson } from "./turn-stop.ts";
import { showTyping } from "./typing.ts";

/** Where a turn begins: at messages that wait, or at the last record of one that was begun. */
export type TurnBeginning =
  | { readonly kind: "resume"; readonly stopped: boolean }
  | {
      readonly kind: "start";
      readonly batch: readonly InRecord[];
      readonly summarized: readonly InRecord[];
      readonly stopped: boolean;
    };

/**
 * One turn: what a session's log shows as waiting or begun, to at most one reply.
 * Each step is in the log before its tools run, and the reply before it is sent, so a turn that a crash cut off goes on from its last record.
 * An empty reply is a decision to stay silent.
 *
 * @param engineSignal Aborts when the engine stops: the turn is then left in the log as it is.
 */
export async function runTurn(
  parts: TurnParts,
  session: Session,
  beginning: TurnBeginning,
  engineSignal: AbortSignal,
): Promise<void> {
  const startedAt = parts.clock.now();
  const answered = answeredBy(session, beginning);
  parts.sessions.claim(session.key, answered.of);
  let out: OutRecord;
  try {
    out = await takeTurn(parts, session, beginning, engineSignal);
  } catch (error) {
    if (engineSignal.aborted || isLeftForLater(error)) throw error;
    // A turn that cannot even be begun or ended must not be taken up for ever, with everything behind it.
    parts.logger.error("A turn could not be run", { turn: answered.id, session: session.key, error: messageOf(error) });
    // What joined it meanwhile has no other turn.
    out = await appendFailure(parts, session, session.open ? answeredBy(session, RESUMED) : answered);
  }
  settle(parts, session, out);
  count(parts, out, (parts.clock.now() - startedAt) / 1000);
}

const RESUMED: TurnBeginning = { kind: "resume", stopped: false };

async function takeTurn(
  parts: TurnParts,
  session: Session,
  given: TurnBeginning,
  engineSignal: AbortSignal,
): Promise<OutRecord> {
  const { hub, running } = parts;
  const stop = createTurnStop(parts.clock, engineSignal);
  const messages = messagesOf(session, given);
  let answering: Work | undefined;
  const end = running.begin(session.key, {
    beganAt: session.seq,
    users: () => (answering?.messages ?? messages).map(({ user }) => user),
    stop: stop.abort,
    // What cannot join it is no reason to cut anything off.
    interrupt: () => void (answering && joinable(parts, answering).length > 0 && stop.interrupt()),
  });
  try {
    const beginning = await withFiles(parts, session, given, stop);
    const work = await prepare(parts, session, beginning, stop);
    stop.limit(work.agent.maxTurnSeconds);
    const waiting = work.messages.map((message) => hubKey(session.key, message.id));
    if (work.newest.target === undefined) hub.begin(waiting, stop);
    answering = work;
    const stopTyping = showTyping(parts, work);

    let ending: Ending;
    try {
      stop.signal.throwIfAborted();
      if (beginning.stopped) throw stoppedByPerson();
      ending = work.newest.command === undefined ? await answer(parts, work, waiting) : await obey(parts, work);
    } catch (error) {
      if (engineSignal.aborted || isLeftForLater(error)) throw error;
      ending = failureEnding(parts, work, error);
    } finally {
      stopTyping();
      end();
    }
    const out = await appendReply(parts, work, ending);
    parts.life.rest(session.key, work.newest);
    announceEnd(parts, work, out);
    return out;
  } finally {
    end();
    stop.release();
  }
}

async function answer(parts: TurnParts, work: Work, waiting: readonly string[]): Promise<Ending> {
  const injections = await announce(parts, work);
  if (parts.hub.abandoned(waiting)) throw new AssistantError("ABORTED", "Nobody waits for the answer any more");
  const wanted = work.withMemory ? injections : injections.filter(({ type }) => type !== "memory_recall");
  work.context = withInjections(work.context, wanted, work.injectionTokens);
  return takeSteps(parts, work);
}

/** A command that writes the session's log has a turn of its own, in which no model answers. */
async function obey(parts: TurnParts, work: Work): Promise<Ending> {
  const { session, newest } = work;
  const { historyTokens = DEFAULT_HISTORY_TOKENS } = parts.contextOptions(newest);
  const language = languageIn(session, newest.text);
  const asking = { ...askingOf(work), signal: work.signal };
  const done = await compact(parts, asking, { reason: "command", budgetTokens: historyTokens });
  if (!done) return { text: commandText("NOTHING_TO_COMPACT", language) };
  const { turns, tokensBefore: before, tokensAfter: after } = done;
  return { text: commandText("COMPACTED", language, { turns, before, after }) };
}

/** A turn that is taken up again has shown its messages before, so their files are known. */
async function withFiles(
  parts: TurnParts,
  session: Session,
  beginning: TurnBeginning,
  stop: TurnStop,
): Promise<TurnBeginning> {
  const { kind, stopped } = beginning;
  if (kind === "resume" || stopped || !beginning.batch.some(({ attachments }) => isUnstored(attachments)))
    return beginning;
  try {
    return { ...beginning, batch: await keepFiles(parts, session, beginning.batch, stop.signal) };
  } catch (error) {
    // A person who stops this stops the turn, which says so itself.
    if (stop.signal.aborted) return beginning;
    throw error;
  }
}

function messagesOf({ open }: Session, beginning: TurnBeginning): readonly InRecord[] {
  if (beginning.kind === "start") return [...beginning.summarized, ...beginning.batch];
  return (open?.inputs ?? []).filter((input) => input.type === "in");
}

/** What a turn answers, known before anything that can fail. */
function answeredBy(session: Session, beginning: TurnBeginning): Answered {
  const messages = messagesOf(session, beginning);
  const newest = messages.at(-1);
  const id = (beginning.kind === "resume" ? session.open?.id : messages[0]?.turn) ?? "unknown";
  return {
    id,
    of: messages.map((message) => message.id),
    text: newest?.text ?? "",
    target: newest?.target,
    seen: session.seq,
  };
}

function settle({ hub }: TurnParts, session: Session, out: OutRecord): void {
  hub.settle(
    out.of.map((id) => hubKey(session.key, id)),
    toReply(session.key, out),
  );
}

function count({ metrics }: TurnParts, out: OutRecord, seconds: number): void {
  metrics.increment("turn.run_total", { status: statusOf(out) });
  metrics.observe("turn.seconds", seconds);
  metrics.increment("turn.tokens_total", { kind: "input" }, out.usage.inputTokens);
  metrics.increment("turn.tokens_total", { kind: "output" }, out.usage.outputTokens);
}

function statusOf({ error }: OutRecord): "completed" | "failed" | "aborted" {
  if (!error) return "completed";
  return error.code === "ABORTED" ? "aborted" : "failed";
}

async function prepare(parts: TurnParts, session: Session, beginning: TurnBeginning, stop: TurnStop): Promise<Work> {
  const { open, inputs, messages, summarized } = readBeginning(session, beginning);
  const seen = session.seq;
  const [oldest] = messages;
  const newest = messages.at(-1);
  if (!oldest || !newest)
    throw new RangeError(`The open turn of ${session.key} answers nothing: its messages are not in the log`);

  const { agentId = "main" } = parseSessionKey(session.key) ?? {};
  const agent = parts.agent(agentId);
  const options = { ...parts.contextOptions(newest), ...newest.options };
  const prompt = {
    session,
    agent,
    inputs,
    summarized,
    options,
    sources: parts.sources,
    timezone: parts.timezone,
    person: parts.person(newest.user),
    clock: parts.clock,
  };
  const preparing = prepareContext(prompt);
  if (preparing) await preparing;
  const context = buildContext({ ...prompt, block: open?.steps[0]?.block });
  for (const cut of context.cuts) {
    parts.metrics.increment("context.cut_total", { part: cut.split(":", 1)[0] ?? "" });
    parts.logger.debug("Something was left out of a prompt", { session: session.key, cut });
  }
  const id = open?.id ?? oldest.turn;
  const tell = parts.hub.listenerFor(messages.map((message) => hubKey(session.key, message.id)));
  const caller = {
    taskId: id,
    ...speakersOf(messages, session.key, agent.id),
    ...(newest.target && { target: newest.target }),
    inTurn: true,
    signal: stop.signal,
  };
  const { excludeTools = [] } = options;
  const work: Work = {
    id,
    session,
    agent,
    inputs,
    messages,
    newest,
    summarized,
    seen,
    caller,
    context,
    rebuild: () => buildContext({ ...prompt, block: work.context.block }),
    injectionTokens: options.injectionTokens ?? DEFAULT_INJECTION_TOKENS,
    unshown: new Set(),
    withMemory: options.strategy !== "custom" || options.includeMemory !== false,
    tools: offeredTools(parts, caller, excludeTools),
    excludedTools: excludeTools,
    tell,
    stop,
    signal: stop.signal,
  };
  return work;
}

const NO_TURN: Pick<LoggedTurn, "inputs" | "steps"> = { inputs: [], steps: [] };

function readBeginning(session: Session, beginning: TurnBeginning) {
  if (beginning.kind === "resume") {
    const { open = NO_TURN } = session;
    const messages = open.inputs.filter((input) => input.type === "in");
    // Those that joined later stand before the steps which they joined for.
    const { inputs, summarized = [] } = beginningOf(open);
    // A copy: the log's own list grows with what joins later, and what the prompt begins with does not.
    return { open: session.open, inputs: [...inputs], messages, summarized };
  }
  const messages = [...beginning.summarized, ...beginning.batch];
  return {
    open: undefined,
    inputs: [...session.notes, ...session.heard, ...messages],
    messages,
    summarized: beginning.summarized.map((message) => message.id),
  };
}

function failureEnding(parts: TurnParts, work: Work, error: unknown): Ending {
  const { logger, redact } = parts;
  const reason: unknown = work.signal.aborted ? work.signal.reason : error;
  const code = AssistantError.is(reason) ? reason.code : "FAILED";
  const fields = { turn: work.id, session: work.session.key, code, error: messageOf(reason) };
  const message = redact(messageOf(reason));
  if (code === "ABORTED") {
    logger.info("A turn was ended before it had an answer", fields);
    return { text: "", error: { code, message } };
  }
  logger.error("A turn could not be answered", fields);
  const text = budgetText(parts, code, work.newest.text);
  return { text: text ?? runtimeText(isTold(code) ? code : "FAILED", work.newest.text), error: { code, message } };
}

/** Which budget is used up, and when it is open again. */
function budgetText({ usage, timezone }: TurnParts, code: string, said: string): string | undefined {
  const state = usage.check();
  if (code !== "BUDGET_EXCEEDED" || state.ok) return undefined;
  const time = `${state.opensAt} (${timezone})`;
  return runtimeText(state.budget === "daily" ? "BUDGET_DAILY" : "BUDGET_MONTHLY", said, { time });
}

/** Failures that people are told of in words of their own. */
const TOLD = ["MODEL_UNAVAILABLE", "TURN_TIMEOUT", "BUDGET_EXCEEDED", "CONTEXT_OVERFLOW"] as const;

function isTold(code: string): code is (typeof TOLD)[number] {
  return TOLD.some((told) => told === code);
}

/** @returns What hooks want the model to know. A turn that is taken up again was announced before, and what was injected then is in its journal. */
async function announce(
  { events, clock, life }: TurnParts,
  { id, session, messages, newest }: Work,
): Promise<readonly Injection[]> {
  const { user, channel, peer, roles, account, text } = newest;
  await life.begin(session, messages[0] ?? newest);
  if (session.open || !events.has("task.started")) return [];
  return publishForInjections(events, (inject) => ({
    type: "task.started",
    sessionId: session.key,
    timestamp: clock.now(),
    payload: {
      taskId: id,
      text,
      user,
      channel,
      peer,
      roles,
      account,
      source: newest.source === undefined ? "message" : "approval",
      inject,
    },
  }));
}

/** Listeners come after the reply and never stand in its way. */
function announceEnd({ events, clock }: TurnParts, { id, session, newest }: Work, out: OutRecord): void {
  if (!events.has("task.completed")) return;
  const payload = {
    taskId: id,
    status: statusOf(out),
    toolCalls: out.toolCalls.length,
    usage: out.usage,
    user: newest.user,
    channel: newest.channel,
    peer: newest.peer,
    roles: newest.roles,
    account: newest.account,
    text: out.text,
  } as const;
  events.publishAsync({ type: "task.completed", sessionId: session.key, timestamp: clock.now(), payload });
}
