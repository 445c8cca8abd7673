import { DEFAULT_ACCOUNT } from "../message.ts";
import type { Notice } from "../notice.ts";
import { type UnknownObject, areObjects, isObject, readDocument } from "../store/index.ts";
import {
  type AttentionDecision,
  type AttentionRule,
  type AttentionState,
  type AttentionVerdict,
  DEFAULT_PRIORITY,
  decideAttention,
  timesOf,
} from "./decide-attention.ts";
import { digestOf } from "./digest.ts";
import { type AttentionConfig, type PersonLimits, resolveLimits } from "./limits.ts";
import { shortened } from "../short-text.ts";

const ATTENTION_FORMAT = 1;
/**
 * How long said messages are kept at least; `minInterval` may extend it. Other limits look back a day at most, in any
 * zone.
 */
export const KEEP_SENT_MS = 2 * 24 * 60 * 60_000;
const MAX_SENT = 500;
/** Most held notices of one person. The least important are dropped first. */
export const MAX_HELD = 100;
/** Decisions that are kept for inspection. */
export const MAX_DECISIONS = 50;
/** Characters of a notice in the list of decisions. */
const SHOWN_CHARS = 160;
/** Types with text about other people, which is not stored in the owner's document. */
const SAYS_OF_OTHERS: readonly string[] = ["approval", "pairing"];
/** Suffix of the id of a notice that is held a second time. */
const AGAIN = "~";
/** Default lifetime of a notice. */
const DEFAULT_EXPIRY_MS = 7 * 24 * 60 * 60_000;

/** A notice with its channel. */
export type PlacedNotice = Notice & {
  readonly channel: string;
  /** For a shortened digest: its full text, for a person who cannot read it on the page. */
  readonly whole?: string;
};

export interface SentRecord {
  /** Id of the notice, or of the digest. */
  readonly id: string;
  readonly type: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** For a digest: the notices that it joined. */
  readonly ids?: readonly string[];
  readonly types?: readonly string[];
  readonly dedupeKey?: string;
  readonly dedupeKeys?: readonly string[];
}

export interface HeldRecord {
  readonly notice: PlacedNotice;
  /** When it was first held, milliseconds since the epoch. */
  readonly at: number;
  /** When it is decided again. */
  readonly until: number;
  readonly rule: AttentionRule;
  readonly verdict: Extract<AttentionVerdict, "hold" | "digest">;
}

/** A decision, kept for inspection. */
export interface DecisionRecord {
  /** Id of the notice. */
  readonly id: string;
  readonly type: string;
  readonly channel: string;
  /** The conversation that the notice belongs to. */
  readonly sessionKey: string;
  /** Beginning of the text; empty for requests of other people. */
  readonly text: string;
  readonly priority: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly verdict: AttentionVerdict;
  readonly rule: AttentionRule | "too_many";
  /** For `hold` and `digest`: when it is decided again. */
  readonly until?: number;
}

/** A person's attention, in one document. */
export interface AttentionDocument {
  readonly v: typeof ATTENTION_FORMAT;
  readonly sent: readonly SentRecord[];
  readonly held: readonly HeldRecord[];
  /** Decided to be sent, and not known to be in an outbox yet. */
  readonly leaving: readonly PlacedNotice[];
  /** The newest decisions, oldest first. */
  readonly decisions: readonly DecisionRecord[];
  readonly mutedUntil?: number;
  readonly less: Readonly<Record<string, number>>;
}

export const EMPTY: AttentionDocument = {
  v: ATTENTION_FORMAT,
  sent: [],
  held: [],
  leaving: [],
  decisions: [],
  less: {},
};

/** @throws {AssistantError} `FORMAT_TOO_NEW`; `STORE_UNSUITABLE` for another document. */
export function readAttention(value: unknown, key: string): AttentionDocument {
  const isSaid: typeof isTimed = (one) => typeof one["id"] === "string" && isTimed(one);
  return readDocument(
    value,
    key,
    ATTENTION_FORMAT,
    ({ sent, held, leaving, decisions, less }) =>
      areObjects(sent, isSaid) &&
      areObjects(held, (one) => isTimed(one) && typeof one["until"] === "number" && isObject(one["notice"])) &&
      areObjects(leaving) &&
      areObjects(decisions, isSaid) &&
      isObject(less),
  ) as unknown as AttentionDocument; // only this file writes it
}

/** Whether all times are valid dates. */
function isTimed({ at, until = at }: UnknownObject): boolean {
  return [at, until].every((time) => typeof time === "number" && !Number.isNaN(new Date(time).getTime()));
}

/** The document after a step, and the decisions made in it. */
export interface AttentionStep {
  readonly document: AttentionDocument;
  readonly decided: readonly DecisionRecord[];
}

/** A step that took in one notice. */
export interface TakenStep extends AttentionStep {
  /** Verdict of the notice, also if it was decided before. */
  readonly verdict: AttentionVerdict;
  /** For `send`: another message, a digest, includes it. */
  readonly isJoined?: true;
}

/** Takes in a notice; pure. A notice that was already decided, before a crash, is not decided again. */
export function takeNotice(
  document: AttentionDocument,
  notice: PlacedNotice,
  config: AttentionConfig,
  now: number,
): TakenStep {
  const known = verdictOf(document, notice.id);
  if (known !== undefined) {
    const isJoined = known === "send" && !document.sent.some(({ id }) => id === notice.id);
    return { document, decided: [], verdict: known, ...(isJoined && { isJoined }) };
  }
  const decision = decide(document, notice, config, now);
  const { verdict, until } = decision;
  const decided = [recordOf(notice, decision, now)];
  if (verdict === "send")
    return finish({ ...document, sent: [...document.sent, sentOf(notice, now)] }, decided, { now, config }, verdict);
  if (verdict === "drop" || until === undefined) return finish(document, decided, { now, config }, "drop");

  const { expiresAtMs = now + DEFAULT_EXPIRY_MS } = notice;
  const held: HeldRecord = {
    notice: { ...notice, expiresAtMs },
    at: now,
    until: until.getTime(),
    rule: decision.rule,
    verdict,
  };
  const isSame = ({ notice: other }: HeldRecord) =>
    notice.dedupeKey !== undefined && other.dedupeKey === notice.dedupeKey;
  const replaced = document.held
    .filter(isSame)
    .map((one) => recordOf(one.notice, { verdict: "drop", rule: "duplicate" }, now));
  const all = [...document.held.filter((one) => !isSame(one)), held];
  const over = all.length > MAX_HELD ? leastImportant(all) : undefined;
  const dropped = over === undefined ? [] : [recordOf(over.notice, { verdict: "drop", rule: "too_many" }, now)];
  return finish(
    { ...document, held: all.filter((one) => one !== over) },
    [...replaced, ...decided, ...dropped],
    { now, config },
    over === held ? "drop" : verdict,
  );
}

/**
 * Decides again on a notice that was to be said and was not sent; pure. A notice that is held now gets a new id, as the
 * old one is in an outbox.
 * @returns `verdict`: `send` when it may still be said.
 */
export function takeBackNotice(
  document: AttentionDocument,
  notice: PlacedNotice,
  config: AttentionConfig,
  now: number,
): TakenStep {
  const again = { ...notice, id: `${notice.id}${AGAIN}` };
  const known = verdictOf(document, again.id);
  if (known !== undefined) return { document, decided: [], verdict: known === "send" ? "drop" : known };
  const before = { ...document, sent: document.sent.filter(({ id }) => id !== notice.id) };
  const step = takeNotice(before, again, config, now);
  return step.verdict === "send" ? { document, decided: [], verdict: "send" } : step;
}

/**
 * Decides again on notices whose hold is over; pure. Notices for one place are joined in one message, with one question
 * at most.
 */
export function releaseDue(document: AttentionDocument, config: PersonLimits, now: number): AttentionStep {
  const due = document.held.filter(({ until }) => until <= now);
  const groups = new Map<string, HeldRecord[]>();
  for (const one of due) groups.set(placeOf(one.notice), [...(groups.get(placeOf(one.notice)) ?? []), one]);
  const decided: DecisionRecord[] = [];
  let next: AttentionDocument = { ...document, held: document.held.filter(({ until }) => until > now) };
  for (const group of groups.values()) {
    const ready: PlacedNotice[] = [];
    for (const one of group) {
      const { notice } = one;
      const decision = withOneQuestion(decide(next, notice, config, now), notice, ready, config, now);
      const { verdict, until } = decision;
      decided.push(recordOf(notice, decision, now));
      if (verdict === "send") ready.push(notice);
      else if (verdict !== "drop" && until !== undefined)
        next = { ...next, held: [...next.held, { ...one, until: until.getTime(), rule: decision.rule, verdict }] };
    }
    const message = joined(ready);
    if (message === undefined) continue;
    next = { ...next, sent: [...next.sent, sentOf(message, now, ready)], leaving: [...next.leaving, message] };
  }
  return finish(next, decided, { now, config });
}

/** With two questions in one message, a plain "yes" would be ambiguous. */
function withOneQuestion(
  decision: AttentionDecision,
  notice: Notice,
  ready: readonly Notice[],
  config: AttentionConfig,
  now: number,
): AttentionDecision {
  const isSecond = decision.verdict === "send" && notice.offer !== undefined && ready.some(({ offer }) => offer);
  if (!isSecond) return decision;
  return { verdict: "hold", rule: "min_interval", until: new Date(now + resolveLimits(config).minIntervalMs) };
}

/** Removes notices that are known to be in an outbox; pure. */
export function withoutLeaving(document: AttentionDocument, ids: ReadonlySet<string>): AttentionDocument {
  const leaving = document.leaving.filter(({ id }) => !ids.has(id));
  return leaving.length === document.leaving.length ? document : { ...document, leaving };
}

/** Removes what belongs to these conversations; pure. */
export function withoutSessions(document: AttentionDocument, sessions: ReadonlySet<string>): AttentionDocument {
  const isGone = ({ sessionKey }: Pick<Notice, "sessionKey">) => sessions.has(sessionKey);
  const { held, leaving, decisions } = document;
  if (!decisions.some(isGone) && !leaving.some(isGone) && !held.some(({ notice }) => isGone(notice))) return document;
  return {
    ...document,
    held: held.filter(({ notice }) => !isGone(notice)),
    leaving: leaving.filter((one) => !isGone(one)),
    decisions: decisions.filter((one) => !isGone(one)),
  };
}

/** Joins two documents of one person; pure. Joining the same again changes nothing. */
export function joinDocuments(there: AttentionDocument, moved: AttentionDocument): AttentionDocument {
  const mutedUntil = Math.max(there.mutedUntil ?? 0, moved.mutedUntil ?? 0);
  const less: Record<string, number> = { ...there.less };
  for (const [type, count] of Object.entries(moved.less)) less[type] = Math.max(count, timesOf(less, type));
  return {
    v: ATTENTION_FORMAT,
    sent: union(there.sent, moved.sent, ({ id }) => id),
    held: union(there.held, moved.held, ({ notice }) => notice.id),
    leaving: union(there.leaving, moved.leaving, ({ id }) => id),
    decisions: union(there.decisions, moved.decisions, ({ id, at }) => `${at} ${id}`)
      .toSorted((one, other) => one.at - other.at)
      .slice(-MAX_DECISIONS),
    ...(mutedUntil > 0 && { mutedUntil }),
    less,
  };
}

/** The earliest time at which a held notice is decided again; `undefined`: none is held. */
export function nextLook({ held }: AttentionDocument): number | undefined {
  return held.length === 0 ? undefined : Math.min(...held.map(({ until }) => until));
}

function verdictOf({ sent, held, decisions }: AttentionDocument, id: string): AttentionVerdict | undefined {
  if (sent.some((one) => one.id === id || one.ids?.includes(id) === true)) return "send";
  const waiting = held.find(({ notice }) => notice.id === id);
  if (waiting) return waiting.verdict;
  // A held notice is decided again, so an earlier `hold` does not count.
  return decisions.findLast((one) => one.id === id && (one.verdict === "drop" || one.verdict === "send"))?.verdict;
}

function decide(
  document: AttentionDocument,
  notice: PlacedNotice,
  config: PersonLimits,
  now: number,
): AttentionDecision {
  const { expiresAtMs: expiresAt = Infinity, ...notification } = notice;
  // Also on a disabled channel, like notices that are said at once.
  if (config.enabled === false && expiresAt > now) return { verdict: "send", rule: "ok" };
  return decideAttention({ ...notification, expiresAt }, stateOf(document), config, now);
}

/** The state that limits need. */
export function stateOf({ sent, mutedUntil, less }: AttentionDocument): AttentionState {
  return { sent, mutedUntil, less };
}

interface Moment {
  readonly now: number;
  readonly config: AttentionConfig;
}

function finish(document: AttentionDocument, decided: readonly DecisionRecord[], moment: Moment): AttentionStep;
function finish(
  document: AttentionDocument,
  decided: readonly DecisionRecord[],
  moment: Moment,
  verdict: AttentionVerdict,
): AttentionStep & { readonly verdict: AttentionVerdict };
function finish(
  document: AttentionDocument,
  decided: readonly DecisionRecord[],
  { now, config }: Moment,
  verdict?: AttentionVerdict,
) {
  const keepMs = Math.max(KEEP_SENT_MS, resolveLimits(config).minIntervalMs);
  const kept: AttentionDocument = {
    ...document,
    sent: document.sent.filter(({ at }) => at > now - keepMs).slice(-MAX_SENT),
    decisions: [...document.decisions, ...decided].slice(-MAX_DECISIONS),
  };
  return { document: kept, decided, ...(verdict !== undefined && { verdict }) };
}

function recordOf(
  { id, type, channel, sessionKey, text, priority }: PlacedNotice,
  { verdict, rule, until }: Omit<AttentionDecision, "rule"> & { readonly rule: DecisionRecord["rule"] },
  at: number,
): DecisionRecord {
  const shown = SAYS_OF_OTHERS.includes(type) ? "" : text.replaceAll(/\s+/g, " ").trim();
  return {
    id,
    type,
    channel,
    sessionKey,
    text: shortened(shown, SHOWN_CHARS),
    priority: priority ?? DEFAULT_PRIORITY,
    at,
    verdict,
    rule,
    ...(until && { until: until.getTime() }),
  };
}

function sentOf({ id, type, dedupeKey }: Notice, at: number, joinedOf: readonly Notice[] = []): SentRecord {
  if (joinedOf.length < 2) return { id, type, at, ...(dedupeKey !== undefined && { dedupeKey }) };
  return {
    id,
    type: "digest",
    at,
    ids: joinedOf.map((one) => one.id),
    types: [...new Set(joinedOf.map((one) => one.type))],
    dedupeKeys: joinedOf.flatMap((one) => one.dedupeKey ?? []),
  };
}

function joined(ready: readonly PlacedNotice[]): PlacedNotice | undefined {
  const [first, ...more] = ready;
  return first === undefined || more.length === 0 ? first : digestOf(first, ready);
}

function leastImportant(held: readonly HeldRecord[]): HeldRecord | undefined {
  return held.reduce((least, one) =>
    (one.notice.priority ?? DEFAULT_PRIORITY) < (least.notice.priority ?? DEFAULT_PRIORITY) ? one : least,
  );
}

function placeOf({
  user,
  channel,
  account = DEFAULT_ACCOUNT,
  chat = user.slice(channel.length + 1),
  thread,
}: PlacedNotice): string {
  return JSON.stringify([user, channel, account, chat, thread]);
}

function union<T>(some: readonly T[], others: readonly T[], keyOf: (one: T) => string): readonly T[] {
  const known = new Set(some.map(keyOf));
  return [...some, ...others.filter((one) => !known.has(keyOf(one)))];
}
