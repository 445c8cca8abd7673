import type { LogRecord } from "../../kit.ts";
import type { Arrival } from "./bot-api.ts";
import type { Acknowledged } from "./load.ts";
import { type MemoryEvidence, verifyMemory } from "./memory.ts";
import { type Effect, answeredIds, askedIds, isCommand } from "./script.ts";

/** What happened between a first start and a last stop. */
export interface Evidence {
  readonly acknowledged: readonly Acknowledged[];
  readonly arrivals: readonly Arrival[];
  /** When each life but the last was killed, on the clock of the arrivals. */
  readonly killsAtMs: readonly number[];
  readonly effects: readonly Effect[];
  readonly sessions: ReadonlyMap<string, readonly LogRecord[]>;
  /** Messages were delivered in the order of their numbers. Default true. */
  readonly ordered?: boolean;
  /** Turns may have ended with an error that was told to the person. Default false. */
  readonly failuresExpected?: boolean;
  /** What arrived before may be without its mark, as nothing could be written; on the clock of the arrivals. Default: everything has its mark. */
  readonly marksFromMs?: number;
  /** What is remembered at the end, when everything that is to be kept has been. Default: it is not looked at. */
  readonly memory?: MemoryEvidence;
}

export interface Verdict {
  readonly acknowledged: number;
  readonly lost: number;
  readonly doubled: number;
  /** Replies that arrived again after a kill, under the key of the first time. */
  readonly resent: number;
  /** Longest time from a reply's arrival to the kill after which it came again, in milliseconds. */
  readonly resentAfterMs: number;
  readonly chargedTwice: number;
  /** Calls of the idempotent tool that were run again. */
  readonly lookedUpAgain: number;
  /** Calls of the other one that a kill cut off: the model was told that nobody knows. */
  readonly interrupted: number;
  /** Messages that were answered together with another. */
  readonly gathered: number;
  /** Messages that joined a turn while it ran. */
  readonly joined: number;
  /** Messages that a `/stop` ended. */
  readonly stopped: number;
  /** Messages that were answered again because a person asked for it. */
  readonly retried: number;
  readonly commands: number;
  /** Summaries, and those of them that were made in the middle of a turn. */
  readonly compactions: number;
  readonly compactionsWithin: number;
  /** Statements that are in the memory of who said them, and those of them that a compaction kept besides. */
  readonly remembered: number;
  readonly flushedToo: number;
  /** Statements and turns that are in no memory. */
  readonly forgotten: number;
  /** How many of the violations are of memory. */
  readonly memoryFaults: number;
  /** One sentence for each broken promise. */
  readonly violations: readonly string[];
}

/**
 * A reply whose mark was written is never sent again, so what is sent again arrived just before the kill. A machine on which the slowest acknowledgement, which
 * is a record too, took long may take as long in addition.
 */
const MARK_WITHIN_MS = 3_000;
const MAX_SLACK_MS = 10_000;

/** Holds what the world saw and what the log says against what was promised; pure. */
export function verify(evidence: Evidence): Verdict {
  const { acknowledged, killsAtMs, effects, sessions, ordered = true, failuresExpected = false } = evidence;
  // Where a late reply has no room for the line that says so, that line is a message of its own before it.
  const arrivals = evidence.arrivals.filter(({ key }) => !key.endsWith(".late"));
  const violations: string[] = [];
  const complain = (text: string) => void violations.push(text);

  const journal = readJournal(sessions, failuresExpected, complain);
  const turnsOf = new Map<number, Set<string>>();
  for (const { ids, key } of arrivals) {
    const turn = turnOf(key);
    for (const id of ids) {
      if (!journal.isRetry(turn, id)) turnsOf.set(id, (turnsOf.get(id) ?? new Set()).add(turn));
    }
  }
  let lost = 0;
  let doubled = 0;
  let stopped = 0;
  const repliesTo = new Set(arrivals.map(({ key }) => turnOf(key)));
  for (const { id, chat, kind } of acknowledged) {
    const messageId = `telegram:default:${id}`;
    const outs = journal.outsOf.get(messageId) ?? 0;
    const isStopped = journal.stopped.has(messageId);
    if (isCommand(kind)) {
      if (outs === 0 && !repliesTo.has(`answer:${messageId}`)) {
        lost += 1;
        complain(`the command ${kind} (update ${id} of chat ${chat}) was acknowledged and never answered`);
      }
      continue;
    }
    if (outs === 0) complain(`update ${id} is answered by 0 replies in the log`);
    const turns = turnsOf.get(id);
    if (isStopped) stopped += 1;
    if (isStopped && turns !== undefined) {
      complain(`update ${id} of chat ${chat} was stopped, and answered by ${[...turns].join(" and ")}`);
    } else if (turns === undefined && !isStopped) {
      lost += 1;
      complain(`update ${id} of chat ${chat} was acknowledged and never answered`);
    } else if (turns !== undefined && turns.size > 1) {
      doubled += 1;
      complain(`update ${id} of chat ${chat} was answered by the turns ${[...turns].join(" and ")}`);
    }
  }

  const slackMs = Math.min(MAX_SLACK_MS, Math.max(0, ...acknowledged.map(({ latencyMs }) => latencyMs)));
  const marks = { withinMs: MARK_WITHIN_MS + slackMs, fromMs: evidence.marksFromMs ?? -Infinity };
  const again = resent(arrivals, killsAtMs, marks, complain);
  checkOrder(arrivals, ordered, journal.isRetry, complain);
  checkSummaries(sessions, AT_ONCE_MS + slackMs, complain);
  const keys = new Set(arrivals.map(({ key }) => key));
  for (const [turn, parts] of journal.partsOf) {
    const missing = Array.from({ length: parts }, (_, part) => part).filter((part) => !keys.has(`${turn}.${part}`));
    if (missing.length > 0) complain(`of the ${parts} parts of the reply ${turn} never arrived: ${missing.join(", ")}`);
  }
  const { chargedTwice, lookedUpAgain } = checkEffects(effects, journal, complain);
  const before = violations.length;
  const memory = evidence.memory && verifyMemory(evidence.memory, acknowledged, sessions, complain);
  return {
    acknowledged: acknowledged.length,
    lost,
    doubled,
    ...again,
    chargedTwice,
    lookedUpAgain,
    interrupted: journal.interrupted,
    gathered: journal.gathered,
    joined: journal.joined,
    stopped,
    retried: journal.retried,
    commands: acknowledged.filter(({ kind }) => isCommand(kind)).length,
    compactions: journal.compactions,
    compactionsWithin: journal.compactionsWithin,
    remembered: memory?.remembered ?? 0,
    flushedToo: memory?.flushedToo ?? 0,
    forgotten: memory?.missing ?? 0,
    memoryFaults: violations.length - before,
    violations,
  };
}

/** A reply that goes out long after it was written says so in a line of its own. */
function withoutLateLine(text: string): string {
  return text.replace(/^\(late: [^)]*\)\s*/, "");
}

function turnOf(key: string): string {
  return key.slice(0, key.lastIndexOf("."));
}

/** At most one for each chat and kill, the same text under the same key. */
function resent(
  arrivals: readonly Arrival[],
  killsAtMs: readonly number[],
  marks: { readonly withinMs: number; readonly fromMs: number },
  complain: (text: string) => void,
): { resent: number; resentAfterMs: number } {
  const previous = new Map<string, Arrival>();
  const perKill = new Map<string, number>();
  let count = 0;
  let resentAfterMs = 0;
  for (const arrival of arrivals) {
    const first = previous.get(arrival.key);
    previous.set(arrival.key, arrival);
    if (first === undefined) continue;
    count += 1;
    if (first.life === arrival.life) {
      complain(`the reply ${arrival.key} arrived twice without a kill between`);
      continue;
    }
    if (withoutLateLine(first.text) !== withoutLateLine(arrival.text))
      complain(`the reply ${arrival.key} arrived again with another text`);
    const ageMs = Math.max(0, (killsAtMs[first.life] ?? 0) - first.atMs);
    resentAfterMs = Math.max(resentAfterMs, ageMs);
    if (ageMs > marks.withinMs && first.atMs >= marks.fromMs)
      complain(
        `the reply ${arrival.key} arrived again although it had arrived ${Math.round(ageMs)} ms before the kill`,
      );
    const place = `${arrival.life} ${arrival.chat}`;
    perKill.set(place, (perKill.get(place) ?? 0) + 1);
    if (perKill.get(place) === 2)
      complain(`more than one reply was sent again to chat ${arrival.chat} after kill ${arrival.life}`);
  }
  return { resent: count, resentAfterMs };
}

/** In each chat replies come in the order of the messages, and the parts of a reply in theirs. */
function checkOrder(
  arrivals: readonly Arrival[],
  ordered: boolean,
  isRetry: Journal["isRetry"],
  complain: (text: string) => void,
): void {
  const seen = new Set<string>();
  const newest = new Map<string, number>();
  const parts = new Map<string, number>();
  const open = new Map<string, string>();
  for (const { chat, key, ids } of arrivals) {
    if (seen.has(key)) continue;
    seen.add(key);
    const turn = turnOf(key);
    const part = Number(key.slice(turn.length + 1));
    if (part !== (parts.get(turn) ?? 0))
      complain(`part ${part} of the reply ${turn} arrived after ${parts.get(turn) ?? 0} parts`);
    parts.set(turn, part + 1);
    if (part > 0 && open.get(chat) !== turn) complain(`a reply arrived between the parts of ${turn}`);
    open.set(chat, turn);
    for (const id of ids) {
      if (isRetry(turn, id)) continue;
      if (ordered && id <= (newest.get(chat) ?? 0))
        complain(`chat ${chat} was answered out of order: ${id} after ${newest.get(chat)}`);
      newest.set(chat, id);
    }
  }
}

interface Journal {
  /** How many replies name a message. */
  readonly outsOf: ReadonlyMap<string, number>;
  /** Messages whose turn a person stopped. */
  readonly stopped: ReadonlySet<string>;
  /** Does this turn answer the message only because a person asked for it again? */
  isRetry(turn: string, id: number): boolean;
  /** How often a message was asked to be answered again. */
  readonly retriesOf: ReadonlyMap<number, number>;
  /** What the log says of each call: `done`, the code of its error, or `stopped` with its turn. */
  readonly calls: ReadonlyMap<string, string>;
  /** Calls of `charge` that went well. */
  readonly charged: readonly string[];
  /** How many parts each reply has. */
  readonly partsOf: ReadonlyMap<string, number>;
  readonly interrupted: number;
  readonly gathered: number;
  readonly joined: number;
  readonly retried: number;
  readonly compactions: number;
  readonly compactionsWithin: number;
}

interface Input {
  readonly seq: number;
  readonly ids: readonly number[];
  readonly isRetry: boolean;
  readonly isCommand: boolean;
}

function readJournal(
  sessions: ReadonlyMap<string, readonly LogRecord[]>,
  failuresExpected: boolean,
  complain: (text: string) => void,
): Journal {
  const outsOf = new Map<string, number>();
  const stopped = new Set<string>();
  const retriesOf = new Map<number, number>();
  const retryTurns = new Map<string, Set<number>>();
  const calls = new Map<string, string>();
  const charged: string[] = [];
  const partsOf = new Map<string, number>();
  const count = { interrupted: 0, gathered: 0, joined: 0, retried: 0, compactions: 0, compactionsWithin: 0 };
  for (const [key, records] of sessions) {
    if (isSummaries(key)) continue;
    const turns = new Set<string>();
    const inputs = new Map<string, Input>();
    const begun = new Map<string, string>();
    let stopSeq = 0;
    let openTurn: string | undefined;
    for (const [index, record] of records.entries()) {
      const seq = index + 1;
      if (record["seq"] !== seq) complain(`${key}: record ${seq} has seq ${JSON.stringify(record["seq"])}`);
      if (record["type"] === "in") {
        const id = record["id"] as string;
        if (inputs.has(id)) complain(`${key}: ${id} is in the log twice`);
        const ids = askedIds((record["text"] as string | undefined) ?? "");
        const isRetry = record["retries"] !== undefined;
        inputs.set(id, { seq, ids, isRetry, isCommand: record["command"] !== undefined });
        if (isRetry) {
          count.retried += 1;
          for (const one of ids) retriesOf.set(one, (retriesOf.get(one) ?? 0) + 1);
        }
        checkFile(key, record, complain);
      } else if (record["type"] === "stop") {
        stopSeq = seq;
      } else if (record["type"] === "step") {
        openTurn = record["turn"] as string;
        count.joined += ((record["joined"] as readonly string[] | undefined) ?? []).length;
      } else if (record["type"] === "compact") {
        count.compactions += 1;
        if (openTurn !== undefined || record["reason"] === "window") count.compactionsWithin += 1;
      } else if (record["type"] === "out") {
        const turn = record["turn"] as string;
        if (turns.has(turn)) complain(`${key}: the turn ${turn} has two replies`);
        turns.add(turn);
        openTurn = undefined;
        partsOf.set(turn, (record["parts"] as readonly string[] | undefined)?.length ?? 1);
        const code = (record["error"] as { code?: string } | undefined)?.code;
        const of = record["of"] as readonly string[];
        // What arrived before the stop, at least some of it, was what the turn answered.
        const isStopped = code === "ABORTED" && of.some((id) => (inputs.get(id)?.seq ?? Infinity) < stopSeq);
        if (code !== undefined && !isStopped && !failuresExpected)
          complain(`${key}: the turn ${turn} failed: ${JSON.stringify(record["error"])}`);
        count.gathered += of.length - 1;
        for (const id of of) {
          outsOf.set(id, (outsOf.get(id) ?? 0) + 1);
          if (isStopped) stopped.add(id);
          if (isStopped && (inputs.get(id)?.seq ?? 0) > stopSeq)
            complain(`${key}: ${id} came after the stop, and was stopped with the turn ${turn}`);
        }
        for (const [call, its] of begun) if (its === turn && isStopped && !calls.has(call)) calls.set(call, "stopped");
        const answers = of.flatMap((id) => inputs.get(id) ?? []);
        const again = new Set(answers.flatMap(({ isRetry, ids }) => (isRetry ? ids : [])));
        for (const { isRetry, ids } of answers) if (!isRetry) for (const id of ids) again.delete(id);
        retryTurns.set(turn, again);
        const isAnswer = code === undefined && !failuresExpected && !answers.some((answer) => answer.isCommand);
        if (isAnswer && typeof record["text"] === "string") {
          const wanted = [...new Set(answers.flatMap(({ ids }) => ids))].toSorted((a, b) => a - b).join(" ");
          const named = [...new Set(answeredIds(record["text"]))].toSorted((a, b) => a - b).join(" ");
          if (named !== wanted) complain(`${key}: the turn ${turn} answers ${wanted}, and its reply names ${named}`);
        }
      } else if (record["type"] === "tool") {
        const turn = record["turn"] as string;
        const call = (["turn", "step", "index"] as const).map((name) => record[name] as string | number).join(".");
        begun.set(call, turn);
        if (record["state"] !== "done") continue;
        if (calls.has(call)) complain(`${key}: the call ${call} was done twice`);
        const code = (record["error"] as { code?: string } | undefined)?.code ?? "done";
        if (code === "INTERRUPTED") count.interrupted += 1;
        calls.set(call, code);
        if (code === "done" && record["name"] === "charge") charged.push(call);
      }
    }
    for (const [id] of inputs) {
      const outs = outsOf.get(id) ?? 0;
      if (outs !== 1) complain(`${key}: ${id} is answered by ${outs} replies in the log`);
    }
  }
  const isRetry = (turn: string, id: number) => retryTurns.get(turn)?.has(id) === true;
  return { outsOf, stopped, isRetry, retriesOf, calls, charged, partsOf, ...count };
}

/** A file that came in an address is kept beside the log, not in it. */
function checkFile(key: string, record: LogRecord, complain: (text: string) => void): void {
  if (!/\bu\d+a\b/.test((record["text"] as string | undefined) ?? "")) return;
  const [file] = (record["attachments"] as readonly { url?: string; artifact?: string }[] | undefined) ?? [];
  if (file?.artifact === undefined || file.url?.startsWith("data:") === true)
    complain(`${key}: the file of ${JSON.stringify(record["id"])} is not kept: ${JSON.stringify(file).slice(0, 200)}`);
}

function isSummaries(key: string): boolean {
  return key.endsWith("/summary.jsonl");
}

/** What is written within so long may have been under way at the same time. */
const AT_ONCE_MS = 500;

/** Every summary has its line in the list, but for the newest, whose line is added when the list is read. */
function checkSummaries(
  sessions: ReadonlyMap<string, readonly LogRecord[]>,
  atOnceMs: number,
  complain: (text: string) => void,
): void {
  for (const [key, records] of sessions) {
    if (isSummaries(key)) continue;
    const lines = sessions.get(key.replace(/log\.jsonl$/, "summary.jsonl")) ?? [];
    // A line names the record that it tells of by the same word that the others have for their own place.
    const listed = lines.map(({ seq }) => seq);
    // One that was being written while `/new` came tells of a conversation that is over, and stands for nothing.
    const begins = records.flatMap(({ type, seq, at }) =>
      type === "reset" ? [{ seq: seq as number, at: at as number }] : [],
    );
    const isOver = (record: LogRecord) => {
      const { seq, at, range } = record as unknown as { seq: number; at: number; range: { to: number } };
      return begins.some((begin) => (begin.seq < seq ? range.to <= begin.seq : begin.at - at < atOnceMs));
    };
    const written = records.filter((record) => record["type"] === "compact" && !isOver(record)).map(({ seq }) => seq);
    for (const seq of written.slice(0, -1))
      if (!listed.includes(seq)) complain(`${key}: the summary ${JSON.stringify(seq)} is not in the list of summaries`);
    if (new Set(listed).size !== listed.length) complain(`${key}: a summary is listed twice`);
  }
}

const MAY_HAVE_HAD_EFFECT: readonly string[] = ["done", "INTERRUPTED", "UNKNOWN", "ABORTED", "stopped"];

function checkEffects(
  effects: readonly Effect[],
  { calls, charged: wentWell, retriesOf }: Journal,
  complain: (text: string) => void,
): { chargedTwice: number; lookedUpAgain: number } {
  const charged = new Set<string>();
  const chargedIds = new Map<number, number>();
  const looked = new Set<string>();
  let chargedTwice = 0;
  let lookedUpAgain = 0;
  for (const { tool, callId, ids } of effects) {
    if (tool === "lookup") {
      if (looked.has(callId)) lookedUpAgain += 1;
      looked.add(callId);
      continue;
    }
    // Whoever has a message answered again has its tools called again.
    if (charged.has(callId) || ids.some((id) => (chargedIds.get(id) ?? 0) > (retriesOf.get(id) ?? 0))) {
      chargedTwice += 1;
      complain(`charge had its effect twice for ${ids.join(", ")} (call ${callId})`);
    }
    charged.add(callId);
    for (const id of ids) chargedIds.set(id, (chargedIds.get(id) ?? 0) + 1);
    const state = calls.get(callId);
    if (state === undefined || !MAY_HAVE_HAD_EFFECT.includes(state))
      complain(`charge had an effect in the call ${callId}, which the log shows as ${state ?? "never run"}`);
  }
  for (const call of wentWell)
    if (!charged.has(call)) complain(`the log shows the call ${call} of charge as done, and it had no effect`);
  return { chargedTwice, lookedUpAgain };
}
