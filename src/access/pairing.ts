import type { AccountRecord, AskedRecord, EndedRecord } from "./records.ts";

/** Lifetime of a code. */
export const PAIRING_LIFETIME_MS = 60 * 60_000;
/** Largest clock difference between processes on one store. */
export const CLOCKS_APART_MS = 60_000;
/**
 * Requests that may wait per account. A crowd can neither wear the owner down nor fill the store or the owner's chat.
 */
export const MAX_ASKED = 3;
/** Time for which a denied person cannot ask again, and for which ended requests are kept. */
export const KEEP_ENDED_MS = 24 * 60 * 60_000;
/** Ended requests that are remembered. Three an hour make 72 a day; the rest are the owner's doing. */
const MAX_ENDED = 200;

/** The result of a request to be let in. */
export type RequestDecision =
  | { readonly verdict: "let-in" | "denied" | "full" | "new" }
  | { readonly verdict: "known"; readonly asked: AskedRecord };

/** Pure. Compares ids exactly. Expects an account from `upToDate`. */
export function decideRequest(account: AccountRecord, id: string): RequestDecision {
  if (account.people.some((person) => person.id === id)) return { verdict: "let-in" };
  const asked = account.asked.find((one) => one.id === id);
  if (asked) return { verdict: "known", asked };
  if (account.ended.some((ended) => ended.id === id && ended.how === "denied")) return { verdict: "denied" };
  return { verdict: account.asked.length < MAX_ASKED ? "new" : "full" };
}

/** What a code refers to. */
export type CodeDecision =
  | { readonly verdict: "unknown" }
  | { readonly verdict: "open"; readonly asked: AskedRecord }
  | { readonly verdict: "ended"; readonly ended: EndedRecord };

/** Pure. Expects an account from `upToDate`. */
export function decideCode(account: AccountRecord, code: string): CodeDecision {
  const asked = account.asked.find((one) => one.code === code);
  if (asked) return { verdict: "open", asked };
  const ended = account.ended.find((one) => one.code === code);
  return ended ? { verdict: "ended", ended } : { verdict: "unknown" };
}

/** The account at a given time: expired requests have ended, and old ended ones are dropped. Pure. */
export function upToDate(account: AccountRecord, now: number): AccountRecord {
  // A clock that was set back must not extend a code's life. A clock slightly behind another
  // process's sees times in the future.
  const isOpen = ({ expiresAt }: AskedRecord) =>
    expiresAt > now && expiresAt <= now + PAIRING_LIFETIME_MS + CLOCKS_APART_MS;
  // It must not keep a denial for more than 24 hours either.
  const isAhead = ({ at }: EndedRecord) => at > now + CLOCKS_APART_MS;
  const isKept = ({ at }: EndedRecord) => at + KEEP_ENDED_MS > now;
  if (account.asked.every(isOpen) && account.ended.every((one) => isKept(one) && !isAhead(one))) return account;
  const ended = account.ended.map((one) => (isAhead(one) ? { ...one, at: now } : one));
  const expired = account.asked
    .filter((asked) => !isOpen(asked))
    .map(({ code, id, expiresAt }): EndedRecord => ({ code, id, how: "expired", at: Math.min(expiresAt, now) }));
  return {
    ...account,
    asked: account.asked.filter(isOpen),
    ended: newest([...ended, ...expired].filter(isKept)),
  };
}

/** The account after a request has ended. Pure. */
export function withEnded(account: AccountRecord, ended: EndedRecord): AccountRecord {
  const asked = account.asked.filter(({ code }) => code !== ended.code);
  return { ...account, asked, ended: newest([...account.ended, ended]) };
}

/** Drops the oldest if there are too many, denials last. */
function newest(ended: readonly EndedRecord[]): readonly EndedRecord[] {
  if (ended.length <= MAX_ENDED) return ended;
  const byWeight = ended.toReversed().toSorted((a, b) => Number(b.how === "denied") - Number(a.how === "denied"));
  return byWeight.slice(0, MAX_ENDED).toReversed();
}
