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
  /** Called before turns leave the prompt. */
  readonly flush: ReturnType<typeof createFlush>;
  readonly writeSummary: ReturnType<typeof createSummaryWriter>;
  readonly sessions: Pick<Sessions, "appendTurn">;
  readonly summaries: Pick<Summaries, "add">;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Why turns leave the prompt, and the tokens that the history may fill. */
export interface CompactionReason {
  readonly reason: Exclude<CompactRecord["reason"], "edit">;
  /** Newest turns that stay. The smaller one of this and the option counts. */
  readonly keepTurns?: number;
  readonly budgetTokens: number;
}

export const DEFAULT_SUMMARY_TOKENS = 4000;
/** Share of the budget that kept turns may fill. The summary and the next turns need the rest. */
const KEPT_PART = 0.75;
/** Tries in total, if people edit the summary while the model writes. */
const MAX_TRIES = 3;
/** Most tokens of the conversation that the model is shown. */
const MAX_TRANSCRIPT_TOKENS = 12_000;

/** Moves older turns into the session's summary. */
export type Compaction = ReturnType<typeof createCompaction>;

export function createCompaction(deps: CompactionDeps, settings: CompactionSettings) {
  const { modelCalls, flush, writeSummary, sessions, summaries, clock, logger, metrics } = deps;
  const { enabled: isEnabled = true, flushTurn = true } = settings;

  /**
   * Moves all but the newest turns of a session into its summary: calls the listeners first, then lets the model
   * write, then appends to the log. Decisions, requests and names are kept word for word, whatever the model
   * writes, and also without a model.
   *
   * @returns `undefined` if there is nothing to summarize.
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
    // After an overflow the person waits for the answer, so the flush turn is skipped. It also runs only once if a
    // person's edit causes another try.
    const withModel = flushTurn && reason !== "overflow" && tries === MAX_TRIES;
    await flush(asking, { turns, spoken, transcriptTokens }, { range, withModel });
    const facts = (previous?.facts ?? []) as unknown as readonly Fact[];
    // A task that was completed since is not open, even if the turn that says so stays in the prompt.
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
    // A person edited the summary in the meantime, so the edited one is folded in.
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
    // A crash can have prevented the previous line. It is added before the next record, so that only
    // the newest line can be missing.
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

  /**
   * Adds the record to the list of summaries. A failure is harmless: the list is completed from the log when it is
   * next read, or before the next summary.
   */
  async function list({ key }: Session, record: Sequenced<CompactRecord>): Promise<void> {
    await summaries.add(key, record).catch((error: unknown) => {
      logger.warn("A summary could not be listed", { session: key, error: messageOf(error) });
    });
  }

  /** Largest estimate that a prompt may have, corrected by what this model's provider has reported. */
  function limitOf(asking: Pick<Asking, "agent" | "session">): number {
    return promptLimit(modelCalls.windowOf(asking), settings) / modelCalls.estimateFactor(asking);
  }

  /** Whether a part of the history would leave the prompt and must be summarized first. */
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
