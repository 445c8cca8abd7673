import { AssistantError } from "../errors.ts";
import type { Store, StoreCaps } from "./port.ts";

/** What a room needs of its store. A missing member means no requirement. */
export interface StoreNeeds {
  /** Logs with sequence numbers. */
  readonly append?: boolean;
  /** Scope of compare-and-set; `true` is the same as `process`. */
  readonly cas?: boolean | "process" | "host" | "global";
  /** What a resolved write must survive: a killed process (`os`) or a power loss (`power`). */
  readonly durable?: "os" | "power";
}

const CAS_REACH: readonly StoreCaps["cas"][] = ["none", "process", "host", "global"];
const SURVIVES: Record<StoreCaps["durable"], readonly string[]> = {
  none: [],
  os: ["os"],
  server: ["os", "power"],
  fsync: ["os", "power"],
};

/**
 * Refuses a store that lacks what a room needs, at start instead of at the first loss.
 *
 * Source: docs/storage.md, "How to choose".
 *
 * @param room The stored data, as a plural that begins the message: `"Sessions"`.
 * @throws {AssistantError} `STORE_UNSUITABLE`, with what is missing and which stores have it.
 */
export function requireCaps(store: Pick<Store, "caps">, needs: StoreNeeds, room: string): void {
  const { caps } = store;
  const refuse = (lack: string, remedy: string) => {
    throw new AssistantError("STORE_UNSUITABLE", `${room} cannot be kept in this store as it ${lack}: ${remedy}`);
  };
  // A store without compare-and-set cannot number a log either.
  if (caps.cas === "none" && (needs.append === true || (needs.cas ?? false) !== false)) {
    return refuse(
      "has neither logs nor compare-and-set (Workers KV, for instance, holds blobs and caches only)",
      "use a Durable Object on Cloudflare Workers (durableObjectStore), elsewhere fsStore, sqliteStore or redisStore",
    );
  }
  const reach = needs.cas === true ? "process" : needs.cas === false || needs.cas === undefined ? "none" : needs.cas;
  if (CAS_REACH.indexOf(caps.cas) < CAS_REACH.indexOf(reach)) {
    return refuse(
      `compares and sets within one ${caps.cas} only, but ${reach === "global" ? "every client" : "every process of the host"} has to be covered`,
      reach === "global"
        ? "use redisStore, or durableObjectStore on Cloudflare Workers"
        : "use fsStore, sqliteStore or redisStore",
    );
  }
  if (needs.durable !== undefined && !SURVIVES[caps.durable].includes(needs.durable)) {
    return refuse(
      needs.durable === "os" ? "loses everything when the process ends" : "may lose its last writes at a power loss",
      "use fsStore, sqliteStore or redisStore, or durableObjectStore on Cloudflare Workers",
    );
  }
}
