import type { LogRecord } from "../../mod.ts";
import type { Arrival } from "./bot-api.ts";
import type { Acknowledged } from "./load.ts";
import type { Effect } from "./script.ts";

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
  /** One sentence for each broken promise. */
  readonly violations: readonly string[];
}

/** A reply whose mark was written is never sent again, so what is sent again arrived just before the kill. */
const MARK_WITHIN_MS = 3_000;

/** Holds what the world saw and what the log says against what was promised; pure. */
export function verify(evidence: Evidence): Verdict {
  const { acknowledged, killsAtMs, effects, sessions, ordered = true, failuresExpected = false } = evidence;
  // Where a late reply has no room for the line that says so, that line is a message of its own before it.
  const arrivals = evidence.arrivals.filter(({ key }) => !key.endsWith(".late"));
  const violations: string[] = [];
  const complain = (text: string) => void violations.push(text);

  const turnsOf = new Map<number, Set<string>>();
  for (const { ids, key } of arrivals) {
    for (const id of ids) turnsOf.set(id, (turnsOf.get(id) ?? new Set()).add(turnOf(key)));
  }
  let lost = 0;
  let doubled = 0;
  for (const { id, chat } of acknowledged) {
    const turns = turnsOf.get(id);
    if (turns === undefined) {
      lost += 1;
      complain(`update ${id} of chat ${chat} was acknowledged and never answered`);
    } else if (turns.size > 1) {
      doubled += 1;
      complain(`update ${id} of chat ${chat} was answered by the turns ${[...turns].join(" and ")}`);
    }
  }

  const again = resent(arrivals, killsAtMs, complain);
  checkOrder(arrivals, ordered, complain);
  const journal = readJournal(sessions, failuresExpected, complain);
  for (const { id } of acknowledged) {
    const outs = journal.outsOf.get(`telegram:default:${id}`) ?? 0;
    if (outs !== 1) complain(`update ${id} is answered by ${outs} replies in the log`);
  }
  const keys = new Set(arrivals.map(({ key }) => key));
  for (const [turn, parts] of journal.partsOf) {
    const missing = Array.from({ length: parts }, (_, part) => part).filter((part) => !keys.has(`${turn}.${part}`));
    if (missing.length > 0) complain(`of the ${parts} parts of the reply ${turn} never arrived: ${missing.join(", ")}`);
  }
  const { chargedTwice, lookedUpAgain } = checkEffects(effects, journal, complain);
  return {
    acknowledged: acknowledged.length,
    lost,
    doubled,
    ...again,
    chargedTwice,
    lookedUpAgain,
    interrupted: journal.interrupted,
    gathered: journal.gathered,
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
    if (ageMs > MARK_WITHIN_MS)
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
function checkOrder(arrivals: readonly Arrival[], ordered: boolean, complain: (text: string) => void): void {
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
      if (ordered && id <= (newest.get(chat) ?? 0))
        complain(`chat ${chat} was answered out of order: ${id} after ${newest.get(chat)}`);
      newest.set(chat, id);
    }
  }
}

interface Journal {
  /** How many replies name a message. */
  readonly outsOf: ReadonlyMap<string, number>;
  /** What the log says of each call: `done` or the code of its error. */
  readonly calls: ReadonlyMap<string, string>;
  /** Calls of `charge` that went well. */
  readonly charged: readonly string[];
  /** How many parts each reply has. */
  readonly partsOf: ReadonlyMap<string, number>;
  readonly interrupted: number;
  readonly gathered: number;
}

function readJournal(
  sessions: ReadonlyMap<string, readonly LogRecord[]>,
  failuresExpected: boolean,
  complain: (text: string) => void,
): Journal {
  const outsOf = new Map<string, number>();
  const calls = new Map<string, string>();
  const charged: string[] = [];
  const partsOf = new Map<string, number>();
  let interrupted = 0;
  let gathered = 0;
  for (const [key, records] of sessions) {
    const turns = new Set<string>();
    const inputs = new Set<string>();
    for (const [index, record] of records.entries()) {
      if (record["seq"] !== index + 1) complain(`${key}: record ${index + 1} has seq ${JSON.stringify(record["seq"])}`);
      if (record["type"] === "in") {
        const id = record["id"] as string;
        if (inputs.has(id)) complain(`${key}: ${id} is in the log twice`);
        inputs.add(id);
      } else if (record["type"] === "out") {
        const turn = record["turn"] as string;
        if (turns.has(turn)) complain(`${key}: the turn ${turn} has two replies`);
        turns.add(turn);
        partsOf.set(turn, (record["parts"] as readonly string[] | undefined)?.length ?? 1);
        if (record["error"] !== undefined && !failuresExpected)
          complain(`${key}: the turn ${turn} failed: ${JSON.stringify(record["error"])}`);
        const of = record["of"] as readonly string[];
        gathered += of.length - 1;
        for (const id of of) outsOf.set(id, (outsOf.get(id) ?? 0) + 1);
      } else if (record["type"] === "tool" && record["state"] === "done") {
        const call = (["turn", "step", "index"] as const).map((name) => record[name] as string | number).join(".");
        if (calls.has(call)) complain(`${key}: the call ${call} was done twice`);
        const code = (record["error"] as { code?: string } | undefined)?.code ?? "done";
        if (code === "INTERRUPTED") interrupted += 1;
        calls.set(call, code);
        if (code === "done" && record["name"] === "charge") charged.push(call);
      }
    }
  }
  return { outsOf, calls, charged, partsOf, interrupted, gathered };
}

function checkEffects(
  effects: readonly Effect[],
  { calls, charged: wentWell }: Journal,
  complain: (text: string) => void,
): { chargedTwice: number; lookedUpAgain: number } {
  const charged = new Set<string>();
  const chargedIds = new Set<number>();
  const looked = new Set<string>();
  let chargedTwice = 0;
  let lookedUpAgain = 0;
  for (const { tool, callId, ids } of effects) {
    if (tool === "lookup") {
      if (looked.has(callId)) lookedUpAgain += 1;
      looked.add(callId);
      continue;
    }
    if (charged.has(callId) || ids.some((id) => chargedIds.has(id))) {
      chargedTwice += 1;
      complain(`charge had its effect twice for ${ids.join(", ")} (call ${callId})`);
    }
    charged.add(callId);
    for (const id of ids) chargedIds.add(id);
    const state = calls.get(callId);
    if (state !== "done" && state !== "INTERRUPTED" && state !== "UNKNOWN")
      complain(`charge had an effect in the call ${callId}, which the log shows as ${state ?? "never run"}`);
  }
  for (const call of wentWell)
    if (!charged.has(call)) complain(`the log shows the call ${call} of charge as done, and it had no effect`);
  return { chargedTwice, lookedUpAgain };
}
