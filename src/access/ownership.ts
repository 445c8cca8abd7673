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

/** How long the code can be used that makes somebody the owner. */
const OWNER_CODE_LIFETIME_MS = 60 * 60_000;
/** Tries of one sender that are looked at in a minute, and wrong ones of all together that are answered. */
export const WRONG_CODES = { sender: 5, all: 30 } as const;
const MINUTE_MS = 60_000;

/** What became of a message that may be a claim. `none`: it is an ordinary message. `ignored`: too many wrong codes, and nothing is said. */
export type ClaimOutcome =
  | { readonly verdict: "claimed"; readonly user: string }
  | { readonly verdict: "wrong" | "ignored" | "none" };

export interface OwnershipParts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly logger: Logger;
  /** `channel:id` of the owners whom the configuration names. */
  readonly ownerIds: readonly string[];
  readonly roles?: Readonly<Record<string, readonly string[]>>;
  /** Reads what is kept. */
  recover(): Promise<void>;
  /** Does so when another process may have changed it. */
  fresh(): Promise<void>;
}

/** Who is the owner: whom the configuration names, and without any, whoever sends the code that was given out. */
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
   * A new code that makes the first who sends `/owner CODE` in a direct chat the owner; one that was given out before is dead. It holds for an hour, and
   * is not kept, only its hash.
   * @returns `null` when somebody is the owner: then nobody can become it so.
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

  /** Makes the sender the owner when their message is `/owner` with the right code. Only a direct chat counts, and only while nobody is the owner. */
  async function claim(message: InboundMessage): Promise<ClaimOutcome> {
    const given = readOwnerCommand(message.text);
    const isSaid = (message.kind ?? "message") === "message" && message.peer.kind === "direct";
    if (given === null || !isSaid || !isUsableId(message.sender.id)) return { verdict: "none" };
    await parts.fresh();
    const user = userOf(message);
    if (ledger.owner().owners.some((owner) => owner.user === user)) return { verdict: "claimed", user }; // the same message once more
    if (hasOwner(ledger.owner())) return { verdict: "none" };
    if (claims.hit(user).hits > WRONG_CODES.sender) return { verdict: "ignored" };
    // Another process may have given one out just now.
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

  /** Takes ownership back that was had by a code. */
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
    /** Is this one of those who say who is let in? */
    mayAnswer: (user: string): boolean =>
      user === "cli" || ids.includes(user) || roles[OWNER_ROLE]?.includes(user) === true,
  };
}
