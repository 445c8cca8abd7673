import {
  type Fact,
  DEFAULT_KEEP_LAST_TURNS,
  composeSummary,
  extractiveProse,
  historyWindow,
  keptTurns,
  mergeLedger,
  promptLimit,
  readFacts,
  turnTokens,
} from "../context/index.ts";
import type { Clock } from "../clock.ts";
import { messageOf } from "../errors.ts";
import type { CompactRecord, LoggedTurn, Sequenced, Session, Sessions, Summaries } from "../session/index.ts";
import type { Logger, Metrics } from "../telemetry/index.ts";
import type { createFlush } from "./flush.ts";
import type { ModelCalls } from "./model-calls.ts";
import { spokenTexts } from "./spoken-texts.ts";
import type { createSummaryWriter } from "./summary-writer.ts";
import type { Asking } from "./turn-at-work.ts";
import type { CompactionSettings } from "./options.ts";

export interface CompactionDeps {
  readonly modelCalls: Pick<ModelCalls, "windowOf" | "estimateFactor">;
  /** Told before turns leave the prompt. */
  readonly flush: ReturnType<typeof createFlush>;
  readonly writeSummary: ReturnType<typeof createSummaryWriter>;
  readonly sessions: Pick<Sessions, "appendTurn">;
  readonly summaries: Pick<Summaries, "add">;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Why turns leave the prompt, and how much of the window they may fill. */
export interface CompactionReason {
  readonly reason: Exclude<CompactRecord["reason"], "edit">;
  /** Newest turns that stay; the option's when that is fewer. */
  readonly keepTurns?: number;
  readonly budgetTokens: number;
}

export const DEFAULT_SUMMARY_TOKENS = 4000;
/** Kept turns that fill more of the budget than this are fewer: the summary and what comes next need the rest. */
const KEPT_PART = 0.75;
/** Summaries that people edit while the model writes are read again so often. */
const MAX_TRIES = 3;
/** Tokens of the conversation that a model is shown at most. */
const MAX_TRANSCRIPT_TOKENS = 12_000;

/** Puts older turns into the session's summary. */
export type Compaction = ReturnType<typeof createCompaction>;

export function createCompaction(deps: CompactionDeps, settings: CompactionSettings) {
  const { modelCalls, flush, writeSummary, sessions, summaries, clock, logger, metrics } = deps;
  const { enabled: isEnabled = true, flushTurn = true } = settings;

  /**
   * Puts the turns of a session but for the newest ones into its summary: told to listeners first, then written by the model, then in the log. What people
   * decided, asked for and named is kept word for word whatever the model writes, and also when it writes nothing.
   *
   * @returns `undefined` when there is nothing to summarise.
   * @throws {AssistantError} Of the store; the reason of the signal.
   */
  async function compact(
    asking: Asking,
    { reason, keepTurns, budgetTokens }: CompactionReason,
    tries = MAX_TRIES,
  ): Promise<CompactRecord | undefined> {
    const { session } = asking;
    const { keepLastTurns = DEFAULT_KEEP_LAST_TURNS } = settings;
    const windowTokens = modelCalls.windowOf(asking);
    const summaryTokens = Math.min(settings.summaryTokens ?? DEFAULT_SUMMARY_TOKENS, Math.floor(windowTokens / 4));
    const { history, summary: previous } = session;
    const kept = keptTurns(history.length, Math.min(keepTurns ?? Infinity, keepLastTurns), {
      tokensOf: (count) => sumOf(history.slice(-count)),
      budgetTokens: budgetTokens * KEPT_PART,
      maxTokens: limitOf(asking),
    });
    const turns = history.slice(0, history.length - kept);
    const stays = history.slice(turns.length);
    const lastOut = turns.at(-1)?.out;
    const firstOut = turns[0]?.out;
    if (!lastOut || !firstOut) return undefined;

    const range = { from: previous?.range.to ?? firstOut.seq, to: lastOut.seq + 1 };
    const spoken = turns.flatMap(spokenTexts);
    const transcriptTokens = Math.min(MAX_TRANSCRIPT_TOKENS, Math.floor(windowTokens / 2));
    // A provider that found the prompt too long is not kept waiting, and a person's edit is no reason to do it twice.
    const withModel = flushTurn && reason !== "overflow" && tries === MAX_TRIES;
    await flush(asking, { turns, spoken, transcriptTokens }, { range, withModel });
    const facts = (previous?.facts ?? []) as unknown as readonly Fact[];
    // What was done since is no open task, also when the turn that says so stays in the prompt.
    const done = readFacts(stays.flatMap(spokenTexts)).filter(({ kind }) => kind === "done");
    const ledgerTokens = Math.floor((summaryTokens * 3) / 4);
    const ledger = mergeLedger(facts, [...readFacts(spoken), ...done], { ledgerTokens });
    const proseTokens = Math.floor(summaryTokens / 4);
    const written = await writeSummary(asking, {
      previous: previous?.prose ?? "",
      spoken,
      ledger: ledger.facts,
      proseTokens,
      transcriptTokens,
    });
    // A person wrote a summary of their own meanwhile: that one is folded in, not the one before it.
    if (session.summary !== previous && tries > 1) {
      const again = { reason, budgetTokens, ...(keepTurns !== undefined && { keepTurns }) };
      return compact(asking, again, tries - 1);
    }
    const composed = composeSummary({
      prose: written.prose,
      fallback: extractiveProse(spoken, proseTokens),
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
    if (previous) await list(session, previous);
    const seq = await sessions.appendTurn(session, record);
    const stored: CompactRecord = { ...record, v: 1, at: clock.now() };
    await list(session, { ...stored, seq });
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
  async function list({ key }: Session, record: Sequenced<CompactRecord>): Promise<void> {
    await summaries.add(key, record).catch((error: unknown) => {
      logger.warn("A summary could not be listed", { session: key, error: messageOf(error) });
    });
  }

  /** Most tokens that a prompt may be estimated at, after what this model's reports taught. */
  function limitOf(asking: Pick<Asking, "agent" | "session">): number {
    return promptLimit(modelCalls.windowOf(asking), settings) / modelCalls.estimateFactor(asking);
  }

  /** Would anything of the session leave the prompt that should be put into the summary first? */
  function isDue({ history }: Session, historyTokens: number): boolean {
    return isEnabled && historyTokens !== 0 && historyWindow(history, historyTokens).from !== 0;
  }

  return { isEnabled, compact, limitOf, isDue };
}

function sumOf(turns: readonly LoggedTurn[]): number {
  return turns.reduce((sum, turn) => sum + turnTokens(turn), 0);
}

function firstSeqOf({ inputs, steps, out }: LoggedTurn): number {
  return Math.min(...[...inputs, ...steps, ...(out ? [out] : [])].map(({ seq }) => seq));
}
