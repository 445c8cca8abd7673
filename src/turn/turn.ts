import { DEFAULT_INJECTION_TOKENS, buildContext, withInjections } from "../context/index.ts";
import { AssistantError, messageOf } from "../errors.ts";
import { type Injection, publishForInjections } from "../events/index.ts";
import { sharedRoles } from "../policy/index.ts";
import { type InRecord, type OutRecord, type Session, TurnLostError, parseSessionKey } from "../session/index.ts";
import { hubKey } from "./hub.ts";
import type { TurnParts, Work } from "./parts.ts";
import { type Answered, type Ending, appendFailure, appendReply, toReply } from "./reply.ts";
import { takeSteps } from "./steps.ts";
import { languageOf, runtimeText } from "./texts.ts";
import { showTyping } from "./typing.ts";

/** Where a turn begins: at messages that wait, or at the last record of one that was begun. */
export type TurnBeginning =
  | { readonly kind: "resume" }
  | { readonly kind: "start"; readonly batch: readonly InRecord[]; readonly summarized: readonly InRecord[] };

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
    out = await appendFailure(parts, session, answered);
  }
  settle(parts, session, out);
  count(parts, out, (parts.clock.now() - startedAt) / 1000);
}

async function takeTurn(
  parts: TurnParts,
  session: Session,
  beginning: TurnBeginning,
  engineSignal: AbortSignal,
): Promise<OutRecord> {
  const { hub } = parts;
  const stop = stopBy(parts, engineSignal);
  try {
    const work = prepare(parts, session, beginning, stop.signal);
    stop.after(work.agent.maxTurnSeconds);
    const waiting = work.messages.map((message) => hubKey(session.key, message.id));
    if (work.newest.target === undefined) hub.begin(waiting, stop.controller);
    const stopTyping = showTyping(parts, work);

    let ending: Ending;
    try {
      const injections = await announce(parts, work);
      if (hub.abandoned(waiting)) throw new AssistantError("ABORTED", "Nobody waits for the answer any more");
      ending = await takeSteps(parts, {
        ...work,
        context: withInjections(work.context, injections, work.injectionTokens),
      });
    } catch (error) {
      if (engineSignal.aborted || isLeftForLater(error)) throw error;
      ending = failureEnding(parts, work, error);
    } finally {
      stopTyping();
    }
    const out = await appendReply(parts, work, ending);
    parts.life.rest(session.key, work.newest);
    announceEnd(parts, work, out);
    return out;
  } finally {
    stop.release();
  }
}

/** What a turn answers, known before anything that can fail. */
function answeredBy(session: Session, beginning: TurnBeginning): Answered {
  const inputs =
    beginning.kind === "resume" ? (session.open?.inputs ?? []) : [...beginning.summarized, ...beginning.batch];
  const messages = inputs.filter((input) => input.type === "in");
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

function prepare(parts: TurnParts, session: Session, beginning: TurnBeginning, signal: AbortSignal): Work {
  const { open, inputs, messages, summarized } = readBeginning(session, beginning);
  const [oldest] = messages;
  const newest = messages.at(-1);
  if (!oldest || !newest)
    throw new RangeError(`The open turn of ${session.key} answers nothing: its messages are not in the log`);

  const { agentId = "main" } = parseSessionKey(session.key) ?? {};
  const agent = parts.agent(agentId);
  const options = { ...parts.contextOptions(newest), ...newest.options };
  const context = buildContext({
    session,
    agent,
    inputs,
    summarized,
    block: open?.steps[0]?.block,
    options,
    timezone: parts.timezone,
    person: parts.person(newest.user),
    clock: parts.clock,
  });
  const id = open?.id ?? oldest.turn;
  const tell = parts.hub.listenerFor(messages.map((message) => hubKey(session.key, message.id)));
  const caller = {
    taskId: id,
    user: newest.user,
    userRoles: sharedRoles(messages.map((message) => message.roles)),
    ...speakersOf(messages),
    language: languageOf(newest.text),
    channel: newest.channel,
    accountId: newest.account,
    chatId: newest.peer.id,
    peerKind: newest.peer.kind,
    sessionKey: session.key,
    ...(newest.target && { target: newest.target }),
    agentId: agent.id,
    inTurn: true,
    signal,
  };
  const { excludeTools = [] } = options;
  const visible = parts.dispatch.visible(caller);
  const tools = excludeTools.length === 0 ? visible : visible.filter((tool) => !excludeTools.includes(tool.name));
  return {
    id,
    session,
    agent,
    inputs,
    messages,
    newest,
    summarized,
    seen: session.seq,
    caller,
    context,
    injectionTokens: options.injectionTokens ?? DEFAULT_INJECTION_TOKENS,
    tools,
    excludedTools: excludeTools,
    tell,
    signal,
  };
}

/** A turn may answer several people at once: then nothing that was allowed to one of them holds. */
function speakersOf(messages: readonly InRecord[]): { readonly speakers?: readonly string[] } {
  const speakers = [...new Set(messages.map(({ user }) => user))];
  return speakers.length > 1 ? { speakers } : {};
}

function readBeginning(session: Session, beginning: TurnBeginning) {
  if (beginning.kind === "resume") {
    const inputs = session.open?.inputs ?? [];
    const messages = inputs.filter((input) => input.type === "in");
    return { open: session.open, inputs, messages, summarized: session.open?.steps[0]?.summarized ?? [] };
  }
  const messages = [...beginning.summarized, ...beginning.batch];
  return {
    open: undefined,
    inputs: [...session.notes, ...messages],
    messages,
    summarized: beginning.summarized.map((message) => message.id),
  };
}

/** The turn's own signal: aborts when the engine stops, when the turn's time is over, or when nobody waits any more. */
function stopBy({ clock }: TurnParts, engineSignal: AbortSignal) {
  const controller = new AbortController();
  let cancelTimer = () => {};
  const onEngineStop = () => controller.abort(engineSignal.reason);
  engineSignal.addEventListener("abort", onEngineStop, { once: true });
  if (engineSignal.aborted) onEngineStop();
  return {
    controller,
    signal: controller.signal,
    after(seconds: number) {
      cancelTimer = clock.at(clock.now() + seconds * 1000, () =>
        controller.abort(new AssistantError("TURN_TIMEOUT", `The turn took longer than ${seconds} s`)),
      );
    },
    release() {
      cancelTimer();
      engineSignal.removeEventListener("abort", onEngineStop);
    },
  };
}

/** A store that fails, or a turn that another process took: nothing more is written here, and the log tells what to do later. */
function isLeftForLater(error: unknown): boolean {
  return (
    error instanceof TurnLostError ||
    (AssistantError.is(error) && (error.code === "CONFLICT" || error.code.startsWith("STORE_")))
  );
}

function failureEnding({ logger, redact }: TurnParts, work: Work, error: unknown): Ending {
  const reason: unknown = work.signal.aborted ? work.signal.reason : error;
  const code = AssistantError.is(reason) ? reason.code : "FAILED";
  logger.error("A turn could not be answered", {
    turn: work.id,
    session: work.session.key,
    code,
    error: messageOf(reason),
  });
  const message = redact(messageOf(reason));
  if (code === "ABORTED") return { text: "", error: { code, message } };
  const text = code === "MODEL_UNAVAILABLE" || code === "TURN_TIMEOUT" ? code : "FAILED";
  return { text: runtimeText(text, work.newest.text), error: { code, message } };
}

/** @returns What hooks want the model to know. A turn that is taken up again was announced before, and what was injected then is in its journal. */
async function announce(
  { events, clock, life }: TurnParts,
  { id, session, messages, newest }: Work,
): Promise<readonly Injection[]> {
  const { user, channel, text } = newest;
  await life.begin(session, messages[0] ?? newest);
  if (session.open || !events.has("task.started")) return [];
  return publishForInjections(events, (inject) => ({
    type: "task.started",
    sessionId: session.key,
    timestamp: clock.now(),
    payload: { taskId: id, text, user, channel, source: newest.source === undefined ? "message" : "approval", inject },
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
    text: out.text,
  } as const;
  events.publishAsync({ type: "task.completed", sessionId: session.key, timestamp: clock.now(), payload });
}
