import type { Clock } from "../../clock.ts";
import {
  type Erasable,
  type Exportable,
  type Movable,
  eraseUnder,
  exportUnder,
  moveDocument,
} from "../../erasable/index.ts";
import { AssistantError } from "../../errors.ts";
import { idOf } from "../../ids.ts";
import { type JsonValue, type KeyMove, type Renamable, type Store, respelling, storeKey } from "../../store/index.ts";
import type { InitiativeType } from "../initiative/evaluate-initiative.ts";
import { RAISE_AGAIN_MS } from "./detect-patterns.ts";
import { DAY_MS } from "./entries.ts";
import type { Detection, FoundPattern, PatternSuggestion } from "./pattern.ts";
import { type PersonDocument, personDocument } from "./person-document.ts";

const ROOM = "patterns";
/** Limits per person: open findings, and answered or lapsed ones. The oldest are dropped first. */
const MAX_OPEN = 30;
const MAX_ANSWERED = 300;
/** How often an unanswered finding is raised at most. */
const MAX_RAISED = 3;
/**
 * Share of evidence that two findings of a detector must have in common to be the same one, even if their keys differ.
 */
const SAME_EVIDENCE = 0.5;
/** Time between two mentions of a finding to the model. */
const MENTION_AGAIN_MS = 7 * DAY_MS;
/** Prior answers that each weight starts with, half of them useful. */
const ASSUMED = 4;

/** A detected pattern, and its state. */
export interface Finding extends Pick<FoundPattern, "confidence" | "evidenceIds" | "frequency" | "language"> {
  readonly id: string;
  readonly detector: string;
  /** See `Detection.key`. */
  readonly key: string;
  readonly state: "open" | "accepted" | "declined";
  /** The text for the person and the action. Absent once the finding was answered. */
  readonly suggestion?: PatternSuggestion;
  /** When it was last raised or put off, in milliseconds since the epoch. */
  readonly raisedAt: number;
  /** How often it was raised. */
  readonly raised: number;
  /** Set once it was handed to `notify`. */
  readonly told?: true;
  /** Set once the notice was sent, not held or dropped. */
  readonly said?: true;
  /** Set when the pattern is no longer detected. A lapsed finding is not told unless it is detected again. */
  readonly lapsed?: true;
  /** The last turn in which the model was told of it, and when. */
  readonly mentioned?: { readonly turn: string; readonly at: number };
  /** When the person answered, in milliseconds since the epoch. */
  readonly decidedAt?: number;
}

/** Counts of answers to one type of initiative. */
interface Answers {
  readonly useful: number;
  readonly notUseful: number;
}

interface Kept {
  readonly v: 1;
  readonly findings: readonly Finding[];
  readonly answers: Readonly<Partial<Record<InitiativeType, Answers>>>;
}

const NOTHING: Kept = { v: 1, findings: [], answers: {} };

/** An open finding with its suggestion. */
export type OpenFinding = Finding & { readonly state: "open"; readonly suggestion: PatternSuggestion };

export interface FindingsDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
}

/** Findings and people's answers to them: one document per person. */
export type Findings = ReturnType<typeof createFindings>;

/**
 * Answered findings are not raised again. Unanswered or postponed ones may be raised again after 14 days, three times
 * in all.
 *
 * Source: docs/patterns.md, "Answering".
 */
export function createFindings({ store, clock }: FindingsDeps) {
  const document: PersonDocument<Kept> = personDocument(store, findingsKeyOf, NOTHING);

  function changeOne(user: string, id: string, how: (one: Finding) => Finding): Promise<Finding> {
    return document.change(user, (known) => {
      const one = known.findings.find((other) => other.id === id);
      if (!one) throw notFound(id);
      const changed = how(one);
      const findings = known.findings.map((other) => (other === one ? changed : other));
      return { next: changed === one ? null : { ...known, findings: withinLimits(findings) }, result: changed };
    });
  }

  return {
    /**
     * Stores detections. Contract: resolved = durable.
     * @param isEvidence Whether an entry still exists. An open finding that has lost all its evidence is removed.
     * @returns The findings to tell: those raised now, and those raised before but not yet told.
     */
    async raise(
      user: string,
      detections: readonly Detection[],
      isEvidence: (id: string) => boolean,
    ): Promise<readonly OpenFinding[]> {
      const now = clock.now();
      const ids = new Map<string, string>();
      for (const { key } of detections) ids.set(key, await idOf(now, `pattern ${user} ${key}`));
      return document.change(user, (known) => {
        let findings: readonly Finding[] = known.findings
          .filter((one) => one.state !== "open" || one.evidenceIds.some(isEvidence))
          .map((one) => (one.state === "open" ? standingNow(one, detections) : one));
        for (const detection of detections) {
          const at = findings.findIndex((one) => isSame(one, detection));
          const before = findings[at];
          const { subject: _subject, data: _data, ...found } = detection;
          if (before === undefined)
            findings = [...findings, { ...found, id: ids.get(found.key)!, state: "open", raisedAt: now, raised: 1 }];
          else if (isRaisable(before, now)) {
            const { told: _told, ...rest } = before;
            findings = findings.with(at, {
              ...rest,
              ...found,
              key: before.key,
              raisedAt: now,
              raised: before.raised + 1,
            });
          }
        }
        findings = [...withinLimits(findings)];
        const isUnchanged = JSON.stringify(findings) === JSON.stringify(known.findings);
        const next = isUnchanged ? null : { ...known, findings };
        return { next, result: findings.filter(isOpen).filter(({ told }) => told === undefined) };
      });
    },
    /** Notes that the finding was handed to `notify`. */
    told: async (user: string, id: string): Promise<void> =>
      void (await changeOne(user, id, (one) => (one.told ? one : { ...one, told: true }))),
    /** Notes that the notice was sent. @throws {AssistantError} `NOT_FOUND`. */
    said: async (user: string, id: string): Promise<void> =>
      void (await changeOne(user, id, (one) => (one.said ? one : { ...one, said: true }))),
    list: async (user: string): Promise<readonly Finding[]> => (await document.read(user)).findings,
    /** @throws {AssistantError} `NOT_FOUND`. */
    async get(user: string, id: string): Promise<Finding> {
      const found = (await document.read(user)).findings.find((one) => one.id === id);
      if (!found) throw notFound(id);
      return found;
    },
    /**
     * Stores the person's answer permanently. Contract: repeating the same answer changes nothing.
     * @returns Whether the answer was new.
     * @throws {AssistantError} `NOT_FOUND`.
     */
    async decide(user: string, id: string, state: "accepted" | "declined"): Promise<boolean> {
      let isNew = false;
      await changeOne(user, id, (one) => {
        isNew = one.state === "open";
        if (!isNew) return one;
        const { suggestion: _suggestion, ...rest } = one;
        return { ...rest, state, decidedAt: clock.now() };
      });
      return isNew;
    },
    /** Postpones the finding by 14 days. @throws {AssistantError} `NOT_FOUND`. */
    putOff: async (user: string, id: string): Promise<void> =>
      void (await changeOne(user, id, (one) => (one.state === "open" ? { ...one, raisedAt: clock.now() } : one))),
    /** Returns the open findings, and a weight for each type of initiative from the person's answers. */
    async standing(user: string) {
      const { findings, answers } = await document.read(user);
      return { open: findings.filter(isOpen), weights: weightsOf(answers) };
    },
    /**
     * Notes that the model is told of findings in a turn.
     * @returns Ids of the findings that it may be told of: those not mentioned in the last 7 days, and those already
     * mentioned in this turn, which a crash may have restarted.
     */
    mention(user: string, turn: string, ids: readonly string[], { dryRun = false } = {}): Promise<readonly string[]> {
      return document.change(user, (known) => {
        const now = clock.now();
        const rested = known.findings.filter((one) => ids.includes(one.id) && isRested(one, turn, now));
        const mentioned = { turn, at: now };
        const isNoted = rested.every((one) => one.mentioned?.turn === turn);
        const findings = known.findings.map((one) => (rested.includes(one) ? { ...one, mentioned } : one));
        return { next: dryRun || isNoted ? null : { ...known, findings }, result: rested.map(({ id }) => id) };
      });
    },
    /** Counts one answer to a type of initiative. */
    weigh: (user: string, type: InitiativeType, useful: boolean): Promise<void> =>
      document.change(user, (known) => {
        const before = known.answers[type] ?? { useful: 0, notUseful: 0 };
        const counted = useful ? { useful: before.useful + 1 } : { notUseful: before.notUseful + 1 };
        const answers = { ...known.answers, [type]: { ...before, ...counted } };
        return { next: { ...known, answers }, result: undefined };
      }),
    forget: (person) => eraseUnder(store, `${ROOM}/`, person),
    exportPerson: ({ userId }) => exportUnder(store, `${ROOM}/`, (key) => key === findingsKeyOf(userId)),
    async moveUser(from, to) {
      const isMoved = await moveDocument(store, findingsKeyOf(from), findingsKeyOf(to), (there, moved) => {
        const [known, more] = [there ?? NOTHING, moved] as unknown as readonly [Kept, Kept]; // written only here
        return joined(known, more) as unknown as JsonValue;
      });
      return isMoved ? 1 : 0;
    },
  } satisfies Erasable & Exportable & Movable & Record<string, unknown>;
}

/** Documents of findings have user ids in their keys. */
export function createFindingsRenaming({ store }: { readonly store: Store }): Renamable {
  return {
    async userMoves(from, to): Promise<KeyMove[]> {
      const isThere = (await store.get(findingsKeyOf(from))) !== null;
      return isThere ? [{ from: findingsKeyOf(from), to: findingsKeyOf(to), respell: respelling(from, to) }] : [];
    },
  };
}

function findingsKeyOf(user: string): string {
  return storeKey(ROOM, user);
}

function isOpen(one: Finding): one is OpenFinding {
  return one.state === "open" && one.lapsed === undefined && one.suggestion !== undefined;
}

/**
 * Whether a detection is a known finding. The key may change as evidence is added; the shared evidence identifies it.
 */
function isSame(known: Finding, { detector, key, evidenceIds }: Detection): boolean {
  if (known.detector !== detector) return false;
  if (known.key === key) return true;
  const both = known.evidenceIds.filter((id) => evidenceIds.includes(id)).length;
  return both > 0 && both >= SAME_EVIDENCE * Math.min(known.evidenceIds.length, evidenceIds.length);
}

function standingNow(one: Finding, detections: readonly Detection[]): Finding {
  const isFound = detections.some((detection) => isSame(one, detection));
  if (isFound === (one.lapsed === undefined)) return one;
  const { lapsed: _lapsed, ...rest } = one;
  return isFound ? rest : { ...rest, lapsed: true };
}

/** A finding with a future `raisedAt`, from before the clock was set back, is not raised. */
function isRaisable({ state, raised, raisedAt }: Finding, now: number): boolean {
  return state === "open" && raised < MAX_RAISED && now - raisedAt >= RAISE_AGAIN_MS;
}

function isRested({ mentioned }: Finding, turn: string, now: number): boolean {
  return (
    mentioned === undefined || mentioned.turn === turn || now - mentioned.at >= MENTION_AGAIN_MS || mentioned.at > now
  );
}

function withinLimits(findings: readonly Finding[]): readonly Finding[] {
  const newest = (some: readonly Finding[], most: number) =>
    new Set(some.toSorted((one, other) => one.raisedAt - other.raisedAt).slice(-most));
  const open = newest(findings.filter(isOpen), MAX_OPEN);
  const answered = newest(
    findings.filter((one) => !isOpen(one)),
    MAX_ANSWERED,
  );
  return findings.filter((one) => open.has(one as OpenFinding) || answered.has(one));
}

/** Weights between 0 and 2. 1 if there are no answers yet. */
function weightsOf(answers: Kept["answers"]): Readonly<Partial<Record<InitiativeType, number>>> {
  const weights = Object.entries(answers).map(([type, { useful, notUseful }]) => [
    type,
    (2 * (useful + ASSUMED / 2)) / (useful + notUseful + ASSUMED),
  ]);
  return Object.fromEntries(weights) as Partial<Record<InitiativeType, number>>;
}

/** Merges two documents. Of two findings with one key it keeps the answered one, else the first. */
function joined(known: Kept, more: Kept): Kept {
  const byKey = new Map<string, Finding>();
  for (const one of [...known.findings, ...more.findings]) {
    const before = byKey.get(one.key);
    if (before === undefined || (before.state === "open" && one.state !== "open")) byKey.set(one.key, one);
  }
  const answers: Partial<Record<InitiativeType, Answers>> = { ...known.answers };
  for (const [type, { useful, notUseful }] of Object.entries(more.answers) as [InitiativeType, Answers][]) {
    const before = answers[type] ?? { useful: 0, notUseful: 0 };
    // Takes the maximum, not the sum: a move that a crash interrupted runs again.
    answers[type] = { useful: Math.max(before.useful, useful), notUseful: Math.max(before.notUseful, notUseful) };
  }
  return { v: 1, findings: withinLimits([...byKey.values()]), answers };
}

function notFound(id: string): AssistantError {
  return new AssistantError("NOT_FOUND", `There is no finding ${JSON.stringify(id.slice(0, 64))}`);
}
