import { type Erasable, NOBODY } from "../erasable/index.ts";
import { type Store, listKeys, rewriteLog } from "../store/index.ts";
import type { Audit } from "./audit.ts";

/**
 * Creates the erasure of the audit log. A line that names a forgotten person keeps only its format, time, actor, act
 * and verdict, and the actor is replaced if they are that person.
 */
export function createAuditErasure({
  store,
  audit,
}: {
  readonly store: Store;
  readonly audit: Pick<Audit, "settled">;
}): Erasable {
  return {
    async forget({ isUser, words }) {
      await audit.settled();
      for (const day of await listKeys(store, "audit/")) {
        await rewriteLog(store, day, (line) => {
          const { v, at, who, what, verdict } = line;
          const isWho = typeof who === "string" && who !== NOBODY && isUser(who);
          if (!isWho && !words.isNamed(JSON.stringify(line))) return line;
          const isNamed = isWho || (typeof who === "string" && words.isNamed(who));
          const bare = { v, at, who: isNamed ? NOBODY : who, what, verdict };
          return JSON.stringify(bare) === JSON.stringify(line) ? line : bare;
        });
      }
    },
  };
}
