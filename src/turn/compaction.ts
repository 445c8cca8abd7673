import { contextWindowOf, modelName } from "../agent/index.ts";
import {
  type PromptMessage,
  type SpokenText,
  DEFAULT_KEEP_LAST_TURNS,
  DEFAULT_RESERVE_TOKENS,
  DEFAULT_TRIGGER_RATIO,
  composeSummary,
  estimatePrompt,
  extractiveProse,
  historyWindow,
  mergeLedger,
  promptFits,
  readFacts,
  shortenResults,
  summaryPrompt,
  turnMessages,
  undoneOf,
  turnTokens,
} from "../context/index.ts";
import type { Fact } from "../context/index.ts";
import { messageOf } from "../errors.ts";
import type { CompactRecord, LoggedTurn, Sequenced, Session } from "../session/index.ts";
import { type Asking, ask, firstModel, isOffline } from "./ask.ts";
import { flushTurn } from "./flush-turn.ts";
import type { TurnParts, Work } from "./parts.ts";
import { createTurnStop } from "./turn-stop.ts";

/** When long conversations are put into a summary, and how much stays. Source: docs/context.md, "Compaction". */
export interface CompactionSettings {
  /** Default true. False: what does not fit leaves the prompt without a word. */
  readonly enabled?: boolean;
  /** Part of the model's window that a prompt may fill. Default 0.85. */
  readonly triggerRatio?: number;
  /** Tokens of the window that stay free for the answer. Default 2000. */
  readonly reserveTokens?: number;
  /** Newest turns that stay as they are. Default 8. */
  readonly keepLastTurns?: number;
  /** Keep what matters of older turns in the memory before they are summarised. Default true. */
  readonly flush?: boolean;
  /** Let the model itself write to the memory before older turns are summarised: a call or two more. Default true; never with the offline model. */
  readonly flushTurn?: boolean;
  /** Most tokens of a summary. Default 4000, and never more than a quarter of the window. */
  readonly summaryTokens?: number;
}

type Reason = Exclude<CompactRecord["reason"], "edit">;

const DEFAULT_SUMMARY_TOKENS = 4000;
/** Kept turns that fill more of the budget than this are fewer: the summary and what comes next need the rest. */
const KEPT_PART = 0.75;
/** Listeners of `context.compact` are waited for so long, in milliseconds. */
const LISTENERS_MS = 10_000;
/** The model may write for so long. */
const SUMMARY_SECONDS = 60;
/** Summaries that people edit while the model writes are read again so often. */
const MOST_TRIES = 3;
/** After a provider said that the prompt is too long. */
const KEPT_AFTER_OVERFLOW = 2;

/**
 * Puts the turns of a session but for the newest ones into its summary: told to listeners first, then written by the model, then in the log. What people
 * decided, asked for and named is kept word for word whatever the model writes, and also when it writes nothing.
 *
 * @returns `undefined` when there is nothing to summarise.
 * @throws {AssistantError} Of the store; the reason of the signal.
 */
export async function compact(
  parts: TurnParts,
  asking: Asking,
  {
    reason,
    keepTurns,
    budgetTokens,
  }: { readonly reason: Reason; readonly keepTurns?: number; readonly budgetTokens: number },
  tries = MOST_TRIES,
): Promise<CompactRecord | undefined> {
  const { sessions, clock, metrics, logger, compaction } = parts;
  const { session } = asking;
  const { keepLastTurns = DEFAULT_KEEP_LAST_TURNS } = compaction;
  const summaryTokens = Math.min(
    compaction.summaryTokens ?? DEFAULT_SUMMARY_TOKENS,
    Math.floor(windowOf(parts, session, asking.agent) / 4),
  );
  const { history, summary: previous } = session;
  const kept = keptTurns(history, Math.min(keepTurns ?? Infinity, Math.max(1, keepLastTurns)), {
    budgetTokens: budgetTokens * KEPT_PART,
    mostTokens: promptLimit(parts, asking),
  });
  const turns = history.slice(0, history.length - kept);
  const stays = history.slice(turns.length);
  const lastOut = turns.at(-1)?.out;
  const firstOut = turns[0]?.out;
  if (!lastOut || !firstOut) return undefined;

  const range = { from: previous?.range.to ?? firstOut.seq, to: lastOut.seq + 1 };
  await announce(parts, asking, turns, range);
  const spoken = turns.flatMap(spokenTexts);
  // A provider that found the prompt too long is not kept waiting, and a person's edit is no reason to do it twice.
  if (reason !== "overflow" && tries === MOST_TRIES) {
    await flushTurn(parts, asking, { turns, spoken, transcriptTokens: transcriptTokensOf(parts, asking) });
  }
  const facts = (previous?.facts ?? []) as unknown as readonly Fact[];
  // What was done since is no open task, also when the turn that says so stays in the prompt.
  const done = readFacts(stays.flatMap(spokenTexts)).filter(({ kind }) => kind === "done");
  const ledgerTokens = Math.floor((summaryTokens * 3) / 4);
  const ledger = mergeLedger(facts, [...readFacts(spoken), ...done], { ledgerTokens });
  const written = await writeProse(parts, asking, {
    previous: previous?.prose ?? "",
    spoken,
    ledger: ledger.facts,
    proseTokens: Math.floor(summaryTokens / 4),
  });
  // A person wrote a summary of their own meanwhile: that one is folded in, not the one before it.
  if (session.summary !== previous && tries > 1) {
    const again = { reason, budgetTokens, ...(keepTurns !== undefined && { keepTurns }) };
    return compact(parts, asking, again, tries - 1);
  }
  const composed = composeSummary({
    prose: written.prose,
    fallback: extractiveProse(spoken, Math.floor(summaryTokens / 4)),
    ...(previous && { previous: { prose: previous.prose } }),
    ledger: ledger.facts,
    budgetTokens: summaryTokens,
  });
  const keptTokens = sumOf(stays);
  const record = {
    type: "compact",
    summary: composed.text,
    prose: composed.prose,
    facts: composed.facts as unknown as CompactRecord["facts"],
    range,
    readFrom: Math.min(session.seq + 1, ...stays.map(firstSeqOf)),
    turns: (previous?.turns ?? 0) + turns.length,
    tokensBefore: sumOf(turns) + keptTokens,
    tokensAfter: composed.tokens + keptTokens,
    reason,
    ...(written.problem !== undefined && { problem: written.problem }),
  } as const;
  // A crash may have kept its line back. Before the next record, so that a line is missing of the newest only.
  if (previous) await list(parts, session, previous);
  const seq = await sessions.appendTurn(session, record);
  const stored: CompactRecord = { ...record, v: 1, at: clock.now() };
  await list(parts, session, { ...stored, seq });
  metrics.increment("compaction.run_total", {
    reason,
    outcome: written.problem === undefined ? "ok" : "without_model",
  });
  logger.info("Older turns are in a summary now", {
    session: session.key,
    reason,
    turns: turns.length,
    tokensBefore: record.tokensBefore,
    tokensAfter: record.tokensAfter,
    factsLeftOut: ledger.dropped,
  });
  return stored;
}

/** The session's log has it: the list of summaries takes it in when it is next read, or before the next summary. */
async function list(
  { summaries, logger }: Pick<TurnParts, "summaries" | "logger">,
  { key }: Session,
  record: Sequenced<CompactRecord>,
): Promise<void> {
  await summaries.add(key, record).catch((error: unknown) => {
    logger.warn("A summary could not be listed", { session: key, error: messageOf(error) });
  });
}

/** The newest turns that stay: fewer than wanted when they alone would fill the budget, and not even the very newest when no prompt has room for it. */
function keptTurns(
  history: readonly LoggedTurn[],
  wanted: number,
  { budgetTokens, mostTokens }: { readonly budgetTokens: number; readonly mostTokens: number },
): number {
  let kept = Math.min(wanted, history.length);
  while (kept > 1 && sumOf(history.slice(-kept)) > budgetTokens) kept -= 1;
  return kept === 1 && sumOf(history.slice(-1)) > mostTokens ? 0 : kept;
}

function sumOf(turns: readonly LoggedTurn[]): number {
  return turns.reduce((sum, turn) => sum + turnTokens(turn), 0);
}

function firstSeqOf({ inputs, steps, out }: LoggedTurn): number {
  return Math.min(...[...inputs, ...steps, ...(out ? [out] : [])].map(({ seq }) => seq));
}

async function announce(
  { events, clock, logger }: TurnParts,
  { session, user, channel, peer, roles, account, signal }: Asking,
  turns: readonly LoggedTurn[],
  range: CompactRecord["range"],
): Promise<void> {
  if (!events.has("context.compact")) return;
  const messages = turns.flatMap((turn) => turnMessages(turn));
  const payload = { messages, range, userId: user, channel, peer, roles, account };
  const done = new AbortController();
  const heard = events
    .publish({ type: "context.compact", sessionId: session.key, timestamp: clock.now(), payload })
    .then(() => true);
  const late = clock.sleep(LISTENERS_MS, AbortSignal.any([done.signal, signal])).then(() => false);
  late.catch(() => {}); // it loses by being cancelled
  const inTime = await Promise.race([heard, late]).finally(() => done.abort());
  if (!inTime)
    logger.warn("Listeners of context.compact took too long and were not waited for", { session: session.key });
}

/** What a turn said, without what the runtime added. */
function spokenTexts(turn: LoggedTurn): readonly SpokenText[] {
  const { inputs, steps, tools, out } = turn;
  const undone = undoneOf(turn);
  const texts: (SpokenText & { readonly seq: number })[] = [];
  for (const input of inputs) {
    if (input.type === "note") {
      texts.push({ role: "tool", text: input.text, seq: input.seq, at: input.at });
      continue;
    }
    const isData = input.type === "in" && input.source !== undefined;
    const isGroup = input.type === "heard" || input.peer.kind !== "direct";
    texts.push({
      role: isData ? "tool" : "user",
      text: input.text,
      seq: input.seq,
      at: input.at,
      ...(isGroup && { speaker: input.sender.name ?? input.sender.id }),
      ...(undone.has(input.id) && { undone: true }),
    });
  }
  for (const { text, seq, at } of steps) if (text.trim() !== "") texts.push({ role: "assistant", text, seq, at });
  for (const { output, state, seq, at } of tools) {
    if (state !== "done" || output === undefined) continue;
    texts.push({ role: "tool", text: typeof output === "string" ? output : JSON.stringify(output), seq, at });
  }
  const isSaid = steps.at(-1)?.text === out?.text;
  if (out && !out.error && out.text !== "" && !isSaid)
    texts.push({ role: "assistant", text: out.text, seq: out.seq, at: out.at });
  return texts.toSorted((a, b) => a.seq - b.seq);
}

/** Asks the model. A model that fails, or one that only plays a model, is no reason not to go on. */
async function writeProse(
  parts: TurnParts,
  asking: Asking,
  {
    previous,
    spoken,
    ledger,
    proseTokens,
  }: {
    readonly previous: string;
    readonly spoken: readonly SpokenText[];
    readonly ledger: readonly Fact[];
    readonly proseTokens: number;
  },
): Promise<{ readonly prose: string; readonly problem?: string }> {
  const { agent, session, signal } = asking;
  const model = firstModel(agent, session);
  if (model && isOffline(model)) return { prose: "", problem: "the offline model writes no summaries" };
  const transcriptTokens = transcriptTokensOf(parts, asking);
  const { instructions, messages } = summaryPrompt({ previous, turns: spoken, ledger, proseTokens, transcriptTokens });
  const stop = createTurnStop(parts.clock, signal);
  stop.limit(SUMMARY_SECONDS);
  try {
    const { id, user } = asking;
    const writer = { id, user, session, agent, signal: stop.signal };
    const answer = await ask(parts, writer, { instructions, messages, tools: [] });
    return { prose: answer.text };
  } catch (error) {
    signal.throwIfAborted();
    parts.logger.warn("A summary was written without a model", { session: session.key, error: messageOf(error) });
    return { prose: "", problem: parts.redact(messageOf(error)) };
  } finally {
    stop.release();
  }
}

/** Most tokens of the conversation that a model is shown. */
function transcriptTokensOf(parts: TurnParts, { session, agent }: Asking): number {
  return Math.min(12_000, Math.floor(windowOf(parts, session, agent) / 2));
}

function windowOf({ modelInfo, contextWindow }: TurnParts, session: Session, agent: Asking["agent"]): number {
  const model = firstModel(agent, session);
  return model ? contextWindowOf(model, { modelInfo, contextWindow }) : contextWindow;
}

/** Most tokens that a prompt may be estimated at, after what this model's reports taught. */
function promptLimit(parts: TurnParts, { session, agent }: Asking): number {
  const { triggerRatio = DEFAULT_TRIGGER_RATIO, reserveTokens = DEFAULT_RESERVE_TOKENS } = parts.compaction;
  const window = windowOf(parts, session, agent);
  const model = firstModel(agent, session);
  const factor = model ? parts.calibration.factor(modelName(model)) : 1;
  return Math.max(0, Math.min(window - reserveTokens, window * triggerRatio)) / factor;
}

/**
 * Makes the next prompt fit into the model's window: older turns go into the summary, then long results of this turn's own tools are shortened.
 *
 * @param own What the turn itself added behind `work.context.messages`.
 * @param overflowed The provider said that the last prompt was too long.
 * @returns `own` as the prompt shows it.
 */
export async function makeRoom(
  parts: TurnParts,
  work: Work,
  own: readonly PromptMessage[],
  overflowed = false,
): Promise<readonly PromptMessage[]> {
  if (parts.compaction.enabled === false && !overflowed) return own;
  const asking = askingOf(work);
  const limit = promptLimit(parts, asking);
  const fits = (messages: readonly PromptMessage[]) => promptFits(work.context, messages, work.tools, limit);
  if (!overflowed && fits(own)) return own;
  if (parts.compaction.enabled !== false && work.session.history.length > 0) {
    const compacted = await compact(parts, asking, {
      reason: overflowed ? "overflow" : "window",
      ...(overflowed && { keepTurns: KEPT_AFTER_OVERFLOW }),
      budgetTokens: limit / 2,
    });
    if (compacted) work.context = work.rebuild();
  }
  return fits(own) ? own : shortenResults(own, fits);
}

/** What a provider reported teaches how far estimates are off; counted only where it matters. */
export function learnFrom(
  parts: TurnParts,
  work: Work,
  own: readonly PromptMessage[],
  reported: { readonly model: string; readonly inputTokens: number },
): void {
  if (reported.inputTokens < windowOf(parts, work.session, work.agent) / 4) return;
  parts.calibration.learn(reported.model, estimatePrompt(work.context, own, work.tools), reported.inputTokens);
}

/** A prompt that the provider found too long, although it was estimated to fit, was longer than its window. */
export function learnFromOverflow(parts: TurnParts, work: Work, own: readonly PromptMessage[]): void {
  const model = firstModel(work.agent, work.session);
  if (!model) return;
  const window = windowOf(parts, work.session, work.agent);
  const estimated = estimatePrompt(work.context, own, work.tools);
  if (estimated < window) parts.calibration.learn(modelName(model), estimated, window);
}

/** Would anything of the session leave the prompt that should be put into the summary first? */
export function isOverBudget({ compaction }: TurnParts, { history }: Session, historyTokens: number): boolean {
  return compaction.enabled !== false && historyTokens !== 0 && historyWindow(history, historyTokens).from !== 0;
}

export function askingOf({ id, session, agent, newest, excludedTools, stop, tell }: Work): Asking {
  const { user, channel, peer, roles, account } = newest;
  return { id, session, agent, user, channel, peer, roles, account, excludedTools, signal: stop.phase, tell };
}
