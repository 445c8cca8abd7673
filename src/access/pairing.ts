import type { AccountRecord, AskedRecord, EndedRecord } from "./records.ts";

/** How long a code can be used. */
export const PAIRING_LIFETIME_MS = 60 * 60_000;
/** Clocks of processes on one store may be so far apart. */
export const CLOCKS_APART_MS = 60_000;
/** How many may wait on one account. A crowd cannot wear the owner down, and fills neither the store nor their chat. */
export const MAX_ASKED = 3;
/** Whoever was denied does not ask again for so long; what has ended is kept for so long. */
export const KEEP_ENDED_MS = 24 * 60 * 60_000;
/** Most that is remembered of what has ended; three an hour make 72 in a day, and the rest the owner did. */
const MAX_ENDED = 200;

/** What a request to be let in meets. */
export type RequestDecision =
  | { readonly verdict: "let-in" | "denied" | "full" | "new" }
  | { readonly verdict: "known"; readonly asked: AskedRecord };

/** Pure. Ids are compared exactly. Expects an account as `upToDate` gives it. */
export function decideRequest(account: AccountRecord, id: string): RequestDecision {
  if (account.people.some((person) => person.id === id)) return { verdict: "let-in" };
  const asked = account.asked.find((one) => one.id === id);
  if (asked) return { verdict: "known", asked };
  if (account.ended.some((ended) => ended.id === id && ended.how === "denied")) return { verdict: "denied" };
  return { verdict: account.asked.length < MAX_ASKED ? "new" : "full" };
}

/** What a code names. */
export type CodeDecision =
  | { readonly verdict: "unknown" }
  | { readonly verdict: "open"; readonly asked: AskedRecord }
  | { readonly verdict: "ended"; readonly ended: EndedRecord };

/** Pure. Expects an account as `upToDate` gives it. */
export function decideCode(account: AccountRecord, code: string): CodeDecision {
  const asked = account.asked.find((one) => one.code === code);
  if (asked) return { verdict: "open", asked };
  const ended = account.ended.find((one) => one.code === code);
  return ended ? { verdict: "ended", ended } : { verdict: "unknown" };
}

/** The account as it is at a time: requests that are too old have ended, and what ended long ago is forgotten. Pure. */
export function upToDate(account: AccountRecord, now: number): AccountRecord {
  // A clock that was set back must not make a code live longer. One that is a little behind another's sees what is yet to come.
  const isOpen = ({ expiresAt }: AskedRecord) =>
    expiresAt > now && expiresAt <= now + PAIRING_LIFETIME_MS + CLOCKS_APART_MS;
  // Nor may it keep a denial for longer than 24 hours.
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

/** The account once a request has ended. Pure. */
export function withEnded(account: AccountRecord, ended: EndedRecord): AccountRecord {
  const asked = account.asked.filter(({ code }) => code !== ended.code);
  return { ...account, asked, ended: newest([...account.ended, ended]) };
}

/** When there are too many, the oldest are forgotten, and denials last. */
function newest(ended: readonly EndedRecord[]): readonly EndedRecord[] {
  if (ended.length <= MAX_ENDED) return ended;
  const byWeight = ended.toReversed().toSorted((a, b) => Number(b.how === "denied") - Number(a.how === "denied"));
  return byWeight.slice(0, MAX_ENDED).toReversed();
}
