import type { Clock } from "../clock.ts";
import { createRateCounter, timingSafeEqual } from "../guard/index.ts";
import type { InboundMessage } from "../message.ts";
import { OWNER_ROLE, type Owners, rolesOf } from "../policy/index.ts";
import type { Audit, Logger } from "../telemetry/index.ts";
import { newOwnerCode, ownerCodeOf, readOwnerCommand } from "./codes.ts";
import type { Ledger } from "./ledger.ts";
import { CLOCKS_APART_MS } from "./pairing.ts";
import type { OwnerRecord } from "./records.ts";
import { isUsableId, userOf } from "./stable-id.ts";
import { sha256 } from "../hash.ts";

/** Lifetime of the owner code. */
const OWNER_CODE_LIFETIME_MS = 60 * 60_000;
/** Tries per sender and minute that are checked, and wrong codes per minute, of all senders, that are answered. */
export const WRONG_CODES = { sender: 5, all: 30 } as const;
const MINUTE_MS = 60_000;

/**
 * The result for a message that may claim ownership. `none`: an ordinary message. `ignored`: too many
 * wrong codes, so no answer is sent.
 */
export type ClaimOutcome =
  | { readonly verdict: "claimed"; readonly user: string }
  | { readonly verdict: "wrong" | "ignored" | "none" };

export interface OwnershipParts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly logger: Logger;
  /** The owners in the configuration, as `channel:id`. */
  readonly ownerIds: readonly string[];
  readonly roles?: Readonly<Record<string, readonly string[]>>;
  /** Reads the documents. */
  recover(): Promise<void>;
  /** Reads the documents if another process may have changed them. */
  fresh(): Promise<void>;
}

/** Determines the owners: those in the configuration, or, if there are none, the person who sends the owner code. */
export function createOwnership(parts: OwnershipParts) {
  const { ledger, clock, audit, logger, roles = {} } = parts;
  let ids: readonly string[] = [...new Set(parts.ownerIds)];
  const claims = createRateCounter({ clock, windowMs: MINUTE_MS, limit: WRONG_CODES.sender });
  const wrongCodes = createRateCounter({ clock, windowMs: MINUTE_MS, limit: WRONG_CODES.all });
  const listeners = new Set<() => void>();

  function follow(): void {
    const claimed = ledger.owner().owners.map(({ user }) => user);
    const before = ids;
    ids = [...new Set([...parts.ownerIds, ...claimed])];
    if (before.length === ids.length && before.every((id, at) => id === ids[at])) return;
    for (const listener of listeners) listener();
  }

  const owners: Owners = {
    ids: () => ids,
    all: () => [...ids, ...(roles[OWNER_ROLE] ?? [])],
    rolesOf: (user) => rolesOf(user, { ownerIds: ids, roles }),
  };

  /**
   * Creates a code that makes the first sender of `/owner CODE` in a direct chat the owner. It replaces the previous
   * code. It is valid for an hour, and only its hash is stored.
   * @returns `null` if there is an owner, so that ownership cannot be claimed.
   */
  async function ownerCode(): Promise<string | null> {
    await parts.recover();
    const code = newOwnerCode();
    const hash = await sha256(ownerCodeOf(code));
    const isKept = await ledger.changeOwner((owner) => {
      if (hasOwner(owner)) return { result: false };
      return { record: { ...owner, code: { hash, expiresAt: clock.now() + OWNER_CODE_LIFETIME_MS } }, result: true };
    });
    follow();
    if (isKept) audit.write({ who: "runtime", what: "access.owner_code", verdict: "ok" });
    return isKept ? code : null;
  }

  /**
   * Makes the sender the owner if the message is `/owner` with the right code. Counts only in a direct
   * chat and while there is no owner.
   */
  async function claim(message: InboundMessage): Promise<ClaimOutcome> {
    const given = readOwnerCommand(message.text);
    const isSaid = (message.kind ?? "message") === "message" && message.peer.kind === "direct";
    if (given === null || !isSaid || !isUsableId(message.sender.id)) return { verdict: "none" };
    await parts.fresh();
    const user = userOf(message);
    if (ledger.owner().owners.some((owner) => owner.user === user)) return { verdict: "claimed", user }; // the same message again
    if (hasOwner(ledger.owner())) return { verdict: "none" };
    if (claims.hit(user).hits > WRONG_CODES.sender) return { verdict: "ignored" };
    // Another process may just have created a code.
    if (ledger.owner().code === undefined) await parts.recover();
    const { code: kept } = ledger.owner();
    if (kept === undefined || hasOwner(ledger.owner())) return { verdict: "none" };
    const isRight = await timingSafeEqual(await sha256(ownerCodeOf(given)), kept.hash);
    const isClaimed =
      isRight &&
      (await ledger.changeOwner((owner) => {
        const now = clock.now();
        const leftMs = kept.expiresAt - now;
        const isOpen =
          owner.code?.hash === kept.hash && leftMs > 0 && leftMs <= OWNER_CODE_LIFETIME_MS + CLOCKS_APART_MS;
        if (!isOpen || hasOwner(owner)) return { result: false };
        return { record: { v: owner.v, owners: [{ user, at: now }] }, result: true };
      }));
    follow();
    if (isClaimed) {
      audit.write({ who: user, what: "access.owner_claimed", target: user, verdict: "ok" });
      logger.warn("Somebody became the owner by the owner code", { user });
      return { verdict: "claimed", user };
    }
    if (wrongCodes.hit("").hits > WRONG_CODES.all) return { verdict: "ignored" };
    audit.write({ who: user, what: "access.owner_claimed", verdict: "refused", reason: "wrong or old owner code" });
    return { verdict: "wrong" };
  }

  function hasOwner({ owners }: OwnerRecord): boolean {
    return owners.length > 0 || parts.ownerIds.length > 0 || (roles[OWNER_ROLE]?.length ?? 0) > 0;
  }

  /** Takes back ownership that came from a code. */
  async function remove(user: string): Promise<void> {
    await ledger.changeOwner((owner) => ({
      record: { ...owner, owners: owner.owners.filter((one) => one.user !== user) },
      result: undefined,
    }));
    follow();
  }

  return {
    owners,
    follow,
    onChanged: (listener: () => void): void => void listeners.add(listener),
    ownerCode,
    claim,
    remove,
    /** Whether this user may decide who is let in. */
    mayAnswer: (user: string): boolean =>
      user === "cli" || ids.includes(user) || roles[OWNER_ROLE]?.includes(user) === true,
  };
}
